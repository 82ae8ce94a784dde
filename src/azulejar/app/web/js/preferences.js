/** The preferences on every page: language, light or dark; and the list of keys. */

import { h, iconButton } from "./common/dom.js";
import { openKeys } from "./key_help.js";
import { accountButton } from "./session.js";
import { LANGUAGES, currentLanguage, text } from "./common/texts.js";
import { isDark, switchTheme } from "./common/theme.js";

/** Build their row of buttons. */
export function preferences(shell) {
  const theme = iconButton(isDark() ? "sun" : "moon", text("theme.switch"), () => {
    switchTheme();
    theme.replaceWith(preferences(shell).querySelector(".theme"));
  });
  theme.classList.add("theme");
  const keys = iconButton("keyboard", text("keys.title"), () => openKeys(), { class: "icon-button keys-button" });
  return h("div", { class: "switches" }, languages(shell), theme, keys, accountButton() ?? []);
}

function languages(shell) {
  const buttons = Object.entries(LANGUAGES).map(([tag, name]) => {
    const attributes = { type: "button", lang: tag, title: name, "aria-pressed": String(tag === currentLanguage()) };
    return h("button", { ...attributes, onclick: () => shell.speak(tag) }, tag.toUpperCase());
  });
  return h("div", { class: "languages", role: "group", "aria-label": text("language.switch") }, buttons);
}
