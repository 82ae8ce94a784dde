/** Two versions side by side; what lies differently is marked in both. */

import { getVersion } from "./api.js";
import { ask } from "./dialog.js";
import { choice, h } from "./dom.js";
import { aligned, differences } from "./differences.js";
import { Table } from "./table/table.js";
import { moment, percent, text } from "./texts.js";
import { attempt } from "./toast.js";
import { nameOfVersion } from "./version_name.js";

const NOW = "now";

/** Open the comparison of a version (the newest if none is named) with the board as it is. */
export function openCompare(store, version = null) {
  const newest = Math.max(...store.versions.map((each) => each.version));
  const leaving = new AbortController();
  const opened = ask(text("compare.title"), () => {
    const count = h("p", { class: "compare-count", role: "status" });
    const sides = [String(version ?? newest), NOW].map((chosen) => makeSide(store, chosen, () => mark(sides, count)));
    setTimeout(() => begin(store, sides, count, leaving.signal));
    return h("div", { class: "compare" }, count, ...sides.map((side) => side.element));
  }, "full");
  opened.then(() => leaving.abort());
}

function makeSide(store, chosen, changed) {
  const canvas = h("canvas", { class: "table", tabindex: 0 });
  const side = { canvas, chosen, board: null, table: null };
  const options = store.versions
    .toSorted((a, b) => b.version - a.version)
    .map((each) => [String(each.version), versionWords(each)]);
  const pick = async (value) => {
    side.chosen = value;
    await load(store, side);
    changed();
  };
  const label = { "aria-label": text("compare.choose") };
  const select = choice([[NOW, text("compare.now")], ...options], chosen, pick, label);
  side.element = h("section", {}, select, h("div", { class: "stage" }, canvas));
  return side;
}

function versionWords(version) {
  const sure = version.confidence === null ? null : percent(version.confidence);
  return [nameOfVersion(version), moment(version.created), sure].filter(Boolean).join(" · ");
}

async function begin(store, sides, count, signal) {
  for (const side of sides) {
    side.table = new Table(side.canvas, { texts: text, readOnly: true });
    side.table.open(store.whole, store.atlas, store.base);
    side.table.panel = Math.max(0, store.panel);
    side.table.overlay = false;
  }
  signal.addEventListener("abort", () => sides.forEach((side) => side.table.destroy()));
  await Promise.all(sides.map((side) => load(store, side)));
  mark(sides, count);
  together(sides);
}

async function load(store, side) {
  const now = side.chosen === NOW;
  side.board = now ? store.board : (await attempt(() => getVersion(store.id, Number(side.chosen))))?.board;
}

/** Show both, the left one turned to lie like the right one, and mark what differs. */
function mark(sides, count) {
  const [left, right] = sides.map((side) => side.board);
  if (!left || !right) return;
  const boards = [aligned(left, right), right];
  const tiles = differences(...boards);
  const found = tiles.map((tile) => ({ kind: "moved", tiles: [tile], probability: 1, proposed: [] }));
  sides.forEach((side, index) => {
    side.table.setBoard({ revision: 0, board: boards[index], undo: null, redo: null });
    side.table.highlight(found.length ? found : null);
  });
  count.textContent = text("compare.count", { count: tiles.length });
}

/** Panning one pans the other. */
function together(sides) {
  let following = false;
  for (const [mine, other] of [sides, sides.toReversed()]) {
    mine.table.addEventListener("view", () => {
      if (following) return;
      following = true;
      other.table.view = mine.table.view;
      following = false;
    });
  }
}
