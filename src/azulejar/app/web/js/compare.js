/** Two versions side by side; what lies differently is marked in both. */

import { getVersion } from "./api.js";
import { ask } from "./dialog.js";
import { choice, h } from "./dom.js";
import { differences } from "./differences.js";
import { Table } from "./table/table.js";
import { moment, text } from "./texts.js";
import { attempt } from "./toast.js";
import { nameOfVersion } from "./versions.js";

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
    .map((each) => [String(each.version), `${nameOfVersion(each)} · ${moment(each.created)}`]);
  const pick = async (value) => {
    side.chosen = value;
    await load(store, side);
    changed();
  };
  const select = choice([[NOW, text("compare.now")], ...options], chosen, pick, { "aria-label": text("compare.choose") });
  side.element = h("section", {}, select, h("div", { class: "stage" }, canvas));
  return side;
}

async function begin(store, sides, count, signal) {
  for (const side of sides) {
    side.table = new Table(side.canvas, { texts: text, readOnly: true });
    side.table.open(store.project, store.atlas, store.base);
    side.table.panel = store.panel;
    side.table.overlay = false;
  }
  signal.addEventListener("abort", () => sides.forEach((side) => side.table.destroy()));
  await Promise.all(sides.map((side) => load(store, side)));
  together(sides);
  mark(sides, count);
}

async function load(store, side) {
  const now = side.chosen === NOW;
  const board = now ? store.board : (await attempt(() => getVersion(store.id, Number(side.chosen))))?.board;
  if (!board) return;
  side.board = board;
  side.table.setBoard({ revision: store.revision, board, undo: null, redo: null });
  side.table.fit();
}

function mark(sides, count) {
  const [a, b] = sides.map((side) => side.board);
  if (!a || !b) return;
  const tiles = differences(a, b);
  const found = tiles.map((tile) => ({ kind: "moved", tiles: [tile], probability: 1, proposed: [] }));
  for (const side of sides) side.table.highlight(found.length ? found : null);
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
