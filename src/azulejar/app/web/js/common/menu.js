/** A menu of actions at a point; Escape and a click beside it shut it. */

import { h, icon } from "./dom.js";

const EDGE = 8; // CSS px that it keeps from the rim of the window

/** Open it. `items`: {label, drawing, act, disabled}, or null for none; `back` gets the focus afterwards. */
export function openMenu(label, items, { x, y }, back = null) {
  const entries = items.filter(Boolean).map(entry);
  const menu = h("div", { class: "menu", role: "menu", popover: "auto", "aria-label": label }, entries);
  menu.addEventListener("keydown", (event) => onKey(event, menu));
  menu.addEventListener("contextmenu", (event) => event.preventDefault());
  menu.addEventListener("click", (event) => event.target.closest("button") && menu.hidePopover());
  menu.addEventListener("toggle", ({ newState }) => {
    if (newState !== "closed") return;
    menu.remove();
    if (document.activeElement === document.body) back?.focus();
  });
  (document.querySelector("main") ?? document.body).append(menu);
  menu.showPopover();
  const { width, height } = menu.getBoundingClientRect();
  menu.style.left = `${Math.max(EDGE, Math.min(x, innerWidth - width - EDGE))}px`;
  menu.style.top = `${Math.max(EDGE, Math.min(y, innerHeight - height - EDGE))}px`;
  usable(menu)[0]?.focus();
}

function entry({ label, drawing, act, disabled = false }) {
  return h("button", { type: "button", role: "menuitem", disabled, onclick: act }, icon(drawing), h("span", {}, label));
}

function usable(menu) {
  return [...menu.querySelectorAll("button:enabled")];
}

/** The arrow keys, Home and End go through the menu; Tab leaves it. */
function onKey(event, menu) {
  const all = usable(menu);
  const at = all.indexOf(document.activeElement);
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
  if (event.key === "Tab") menu.hidePopover();
  if (next === undefined) return;
  event.preventDefault();
  all.at(next % all.length)?.focus();
}
