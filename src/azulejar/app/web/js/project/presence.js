/** Who else has the project open, and at which tile they are. */

import { tellPresence } from "../common/api.js";
import { fill, h } from "../common/dom.js";
import { hasAccounts, initials } from "../session.js";
import { TRAY } from "./store.js";
import { text } from "../common/texts.js";

const SOON = 250; // ms over which one's own moves are gathered
const MOST = 100; // tiles that are told
const COLOURS = ["#a64a12", "#2c6e57", "#7a3b8f", "#8a6a00", "#b02a53", "#3b6fb6"];

/** The others, as buttons that lead to where they are. */
export function presence(page) {
  const { store, signal } = page;
  const row = h("div", { class: "here", role: "group", "aria-label": text("presence.title") });
  const show = () => fill(row, store.people.map((person) => chip(page, person)));
  store.on("people", show, signal);
  show();
  if (hasAccounts()) tell(store, signal);
  return row;
}

function chip({ store, table }, { name, panel, tiles }) {
  const label = text("presence.at", { name });
  const go = () => {
    store.show(panel);
    if (tiles.length) table.zoomTo(tiles[0]);
  };
  const attributes = { type: "button", class: "account", title: label, "aria-label": label, onclick: go };
  const letters = initials(name);
  letters.style.setProperty("--person", colourOf(name));
  return h("button", attributes, letters);
}

/** Always the same for one name. */
function colourOf(name) {
  const sum = [...name].reduce((total, letter) => (total * 31 + letter.codePointAt(0)) % 9973, 7);
  return COLOURS[sum % COLOURS.length];
}

/** Tell the others what I look at, a moment after it changes, and a server that was away. */
function tell(store, signal) {
  let timer = null;
  const soon = () => {
    clearTimeout(timer);
    const cursor = { panel: store.panel, tiles: store.selection.slice(0, MOST) };
    timer = setTimeout(() => tellPresence(store.id, cursor).catch(() => null), SOON);
  };
  store.on("selection panel connection", soon, signal);
  signal.addEventListener("abort", () => clearTimeout(timer));
}

/** Show over the table, with their names, the tiles that others have selected. */
export function othersMarks({ store, signal }, table, glass) {
  const layer = h("div", { class: "cursors", "aria-hidden": true });
  glass.append(layer);
  const show = () => {
    const seen = store.people.filter(({ panel, tiles }) => panel === store.panel && panel !== TRAY && tiles.length);
    fill(layer, seen.map(({ name, tiles }) => mark(store, table, name, tiles[0])));
  };
  store.on("people panel board", show, signal);
  table.addEventListener("view", show, { signal });
}

function mark(store, table, name, tile) {
  const place = store.placeOf(tile);
  if (!place || place.panel !== store.panel) return null;
  const { x, y, size } = table.camera.rectOf(place.row, place.col);
  const made = h("span", { class: "cursor-of" }, name);
  made.style.setProperty("--person", colourOf(name));
  made.style.setProperty("--tile", `${size}px`);
  made.style.left = `${x}px`;
  made.style.top = `${y}px`;
  return made;
}
