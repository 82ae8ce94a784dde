/** The list of keys. */

import { ask } from "./common/dialog.js";
import { h } from "./common/dom.js";
import { text } from "./common/texts.js";

const GROUPS = {
  table: ["pan", "zoom", "fit", "cursor", "tray", "candidates", "menu", "room"],
  museum: ["search", "through", "first", "open", "pick", "away"],
  tiles: ["select", "extend", "band", "all", "turn", "lock", "lift", "missing", "outline", "forbid", "move", "put"],
  page: ["undo", "redo", "overlay", "solve", "tabs", "help"],
};

/** Show it. */
export function openKeys() {
  ask(text("keys.title"), () => h("div", { class: "keys" }, Object.entries(GROUPS).map(group)), "wide");
}

function group([name, keys]) {
  const row = (key) => [h("dt", {}, pressed(text(`keys.${key}.press`))), h("dd", {}, text(`keys.${key}`))];
  const rows = keys.flatMap(row);
  return h("section", {}, h("h3", {}, text(`keys.group.${name}`)), h("dl", {}, rows));
}

/** "Ctrl+Z, Ctrl+Y" as keys. */
function pressed(words) {
  return words.split(", ").map((each) => h("kbd", {}, each));
}
