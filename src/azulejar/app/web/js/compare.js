/** Two versions side by side, with the tiles that differ marked in both. */

import { getVersion } from "./api.js";
import { ask } from "./dialog.js";
import { choice, h } from "./dom.js";
import { Table } from "./table/table.js";
import { moment, percent, text, versionName } from "./texts.js";
import { attempt } from "./toast.js";

const NOW = "now";
const TRIED = 10; // versions that are loaded in search of one that differs from now
/** A place after 0 to 3 quarter turns about the origin. */
const QUARTER_TURNS = [
  ({ row, col }) => ({ row, col }),
  ({ row, col }) => ({ row: col, col: -row }),
  ({ row, col }) => ({ row: -row, col: -col }),
  ({ row, col }) => ({ row: -col, col: row }),
];

/** Open the comparison of a version with the board as it is; of the newest that differs if none is named. */
export async function openCompare(store, version = null) {
  const first = version ?? (await newestOther(store));
  const leaving = new AbortController();
  const opened = ask(text("compare.title"), () => {
    const count = h("p", { class: "compare-count", role: "status" });
    const sides = [String(first), NOW].map((chosen) => makeSide(store, chosen, () => mark(sides, count)));
    setTimeout(() => begin(store, sides, count, leaving.signal));
    return h("div", { class: "compare" }, count, ...sides.map((side) => side.element));
  }, "full");
  opened.then(() => leaving.abort());
}

async function newestOther(store) {
  const newest = store.versions.map((each) => each.version).sort((a, b) => b - a);
  for (const version of newest.slice(0, TRIED)) {
    const kept = await getVersion(store.id, version).catch(() => null);
    if (kept && differences(aligned(kept.board, store.board), store.board).length) return version;
  }
  return newest[0];
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
  return [versionName(version), moment(version.created), sure].filter(Boolean).join(" · ");
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
  linkViews(sides);
}

async function load(store, side) {
  const now = side.chosen === NOW;
  side.board = now ? store.board : (await attempt(() => getVersion(store.id, Number(side.chosen))))?.board;
}

/** Show both, the left one aligned to the right one, and mark the tiles that differ. */
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

/** Link the views: panning one pans the other. */
function linkViews(sides) {
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

/** `board` with each panel turned and shifted as a whole to match most of its tiles in `like`. */
function aligned(board, like) {
  const there = new Map(like.placed.map((each) => [each.tile, each]));
  const counts = new Map();
  for (const then of board.placed) {
    const now = there.get(then.tile);
    if (!now || then.panel < 0 || then.panel !== now.panel) continue;
    const ofPanel = counts.get(then.panel) ?? new Map();
    counts.set(then.panel, ofPanel.set(motion(then, now), (ofPanel.get(motion(then, now)) ?? 0) + 1));
  }
  const common = new Map([...counts].map(([panel, ofPanel]) => [panel, most(ofPanel)]));
  const move = (each) => (common.has(each.panel) ? moved(each, common.get(each.panel)) : each);
  return { ...board, placed: board.placed.map(move), missing: board.missing.map(move) };
}

/** Tiles whose panel, place or turn differs. */
function differences(a, b) {
  const before = new Map(a.placed.map((each) => [each.tile, each]));
  const same = (then, now) =>
    then?.panel === now.panel &&
    (now.panel < 0 || (then.row === now.row && then.col === now.col && then.turn === now.turn));
  return b.placed.filter((now) => !same(before.get(now.tile), now)).map((now) => now.tile);
}

/** The motion of a tile from one place to another: quarter turns, rows and columns. */
function motion(then, now) {
  const quarters = ((now.turn - then.turn + 360) % 360) / 90;
  const { row, col } = QUARTER_TURNS[quarters](then);
  return `${quarters} ${now.row - row} ${now.col - col}`;
}

function moved(each, motion) {
  const [quarters, rows, cols] = motion.split(" ").map(Number);
  const { row, col } = QUARTER_TURNS[quarters](each);
  const place = { ...each, row: row + rows, col: col + cols };
  return "turn" in each ? { ...place, turn: (each.turn + 90 * quarters) % 360 } : place;
}

function most(counts) {
  return [...counts].reduce((best, each) => (each[1] > best[1] ? each : best))[0];
}
