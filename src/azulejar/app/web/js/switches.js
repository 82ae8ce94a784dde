/** The switches that every page has: language, light or dark, the keys. */

import { h, iconButton } from "./dom.js";
import { openKeys } from "./keys.js";
import { LANGUAGES, spoken, text } from "./texts.js";
import { isDark, switchTheme } from "./theme.js";

/** A row of them. */
export function switches(shell) {
  const theme = iconButton(isDark() ? "sun" : "moon", text("theme.switch"), () => {
    switchTheme();
    theme.replaceWith(switches(shell).querySelector(".theme"));
  });
  theme.classList.add("theme");
  const keys = iconButton("keyboard", text("keys.title"), () => openKeys());
  return h("div", { class: "switches" }, languages(shell), theme, keys);
}

function languages(shell) {
  const buttons = Object.entries(LANGUAGES).map(([tag, name]) => {
    const attributes = { type: "button", lang: tag, title: name, "aria-pressed": String(tag === spoken()) };
    return h("button", { ...attributes, onclick: () => shell.speak(tag) }, tag.toUpperCase());
  });
  return h("div", { class: "languages", role: "group", "aria-label": text("language.switch") }, buttons);
}
