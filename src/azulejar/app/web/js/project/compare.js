/** Two versions, or one and an old picture: side by side, behind a slider, or one fading into the other. */

import { getVersion } from "../common/api.js";
import { aligned, differences } from "./board_differences.js";
import { ask } from "../common/dialog.js";
import { choice, field, h } from "../common/dom.js";
import { laidOver } from "./laid_over.js";
import { layOldPicture, oldPictureOf } from "./old_picture.js";
import { mayWork } from "../session.js";
import { Table } from "../table/table.js";
import { moment, sureness, text, versionName } from "../common/texts.js";
import { attempt } from "../common/toast.js";
import { uploadCard } from "./upload_card.js";

const NOW = "now";
const PICTURE = "picture";
const MODES = ["beside", "slider", "fade"];
const TRIED = 10; // versions that are loaded in search of one that differs from now

/** Open the comparison of a version with the board as it is; of the newest that differs if none is named. With
 * `picture`, open that of the board and the old picture of the panel. */
export async function openCompare(store, { version = null, picture = false } = {}) {
  if (picture && !(await layOldPicture(store, Math.max(0, store.panel)))) return;
  const first = picture ? NOW : (version ?? (await newestOther(store)) ?? NOW);
  const leaving = new AbortController();
  const opened = ask(text("compare.title"), () => {
    const count = h("p", { class: "compare-count", role: "status" });
    const whole = h("div", { class: "compare" });
    const sides = [String(first), picture ? PICTURE : NOW].map((chosen, index) => {
      const options = index ? pictureOption(store) : [];
      return makeSide(store, chosen, options, () => mark(store, sides, count));
    });
    sides[1].stage.classList.add("over");
    const coming = uploadCard({ store, signal: leaving.signal });
    whole.append(...modes(whole, sides, picture ? "slider" : MODES[0]), count, coming, ...sides.flatMap((side) => [side.select, side.stage]));
    setTimeout(() => begin(store, sides, count, leaving.signal));
    return whole;
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

/** The choice of the old picture, of one that is still to be given for who may do that. */
function pictureOption(store) {
  const given = oldPictureOf(store.board, Math.max(0, store.panel));
  if (!mayWork() && !given?.corners) return [];
  return [[PICTURE, text(given ? "reference.title" : "reference.new")]];
}

/** Controls for how the two are shown, and how much of the second. */
function modes(whole, sides, first) {
  const share = h("input", { type: "range", min: 0, max: 100, value: 50, "aria-label": text("compare.share") });
  const slide = () => whole.style.setProperty("--share", share.value);
  share.addEventListener("input", slide);
  const show = (mode) => {
    whole.dataset.mode = mode;
    share.hidden = mode === "beside";
    slide();
    sides[0].table?.fit();
  };
  const options = MODES.map((mode) => [mode, text(`compare.${mode}`)]);
  show(first);
  return [h("div", { class: "compare-modes" }, field(text("compare.mode"), choice(options, first, show))), share];
}

function makeSide(store, chosen, more, changed) {
  const canvas = h("canvas", { class: "table", tabindex: 0 });
  const side = { canvas, chosen, board: null, table: null, picture: null };
  const options = store.versions
    .toSorted((a, b) => b.version - a.version)
    .map((each) => [String(each.version), versionWords(each)]);
  const pick = async (value) => {
    if (value === PICTURE && !(await layOldPicture(store, side.table.panel))) side.select.value = side.chosen;
    else side.chosen = value;
    await load(store, side);
    changed();
  };
  const label = { "aria-label": text("compare.choose") };
  side.select = choice([[NOW, text("compare.now")], ...options, ...more], chosen, pick, label);
  side.stage = h("div", { class: "stage" }, canvas);
  return side;
}

function versionWords(version) {
  const sure = version.confidence === null ? null : sureness(version.confidence);
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
  mark(store, sides, count);
  linkViews(sides);
}

async function load(store, side) {
  side.board = null;
  if (side.chosen === PICTURE || side.chosen === NOW) return;
  side.board = (await attempt(() => getVersion(store.id, Number(side.chosen))))?.board;
}

/** Show both, the left one aligned to the right one, and mark the tiles that differ. */
function mark(store, sides, count) {
  const [left, right] = sides.map((side) => (side.chosen === NOW ? store.board : side.board));
  const picture = sides[1].chosen === PICTURE;
  if (!left || (!right && !picture)) return;
  const boards = picture ? [left, left] : [aligned(left, right), right];
  const tiles = differences(...boards);
  const found = tiles.map((tile) => ({ kind: "moved", tiles: [tile], probability: 1, proposed: [] }));
  sides.forEach((side, index) => {
    side.table.setBoard({ revision: 0, board: boards[index], undo: null, redo: null });
    side.table.highlight(found.length ? found : null);
  });
  showPicture(store, sides[1], picture && left);
  const same = picture ? "compare.over" : "compare.same";
  count.textContent = picture || !tiles.length ? text(same) : text("compare.count", { count: tiles.length });
}

/** Lay the old picture over the table of a side, as it lay over that board or lies now, or take it away. */
function showPicture(store, side, board) {
  const { panel } = side.table;
  const then = board && oldPictureOf(board, panel);
  const given = then?.corners ? then : board && oldPictureOf(store.board, panel);
  side.picture?.element.remove();
  side.picture = given ? laidOver(store.id, given, side.table) : null;
  side.stage.classList.toggle("photographed", Boolean(given));
  if (given) side.stage.append(side.picture.element);
}

/** Link the views: panning one pans the other. */
function linkViews(sides) {
  let following = false;
  for (const [mine, other] of [sides, sides.toReversed()]) {
    mine.table.addEventListener("view", () => {
      if (following) return;
      following = true;
      other.table.view = mine.table.view;
      for (const side of sides) side.picture?.follow();
      following = false;
    });
  }
}
