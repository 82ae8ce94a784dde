/** The review: doubtful joints one after the other, to be accepted, refused or left for later. */

import { button, fill, h, redraw } from "../common/dom.js";
import { mayWork } from "../session.js";
import { TRAY } from "./store.js";
import { pairBetween } from "../table/moves.js";
import { percent, sureness, text, writeLabel } from "../common/texts.js";
import { pictureAt } from "./tile_details.js";
import { showMessage } from "../common/toast.js";

const DOUBTFUL = 0.9; // joints less likely than this are shown
const SURE = 0.98; // tiles as likely as this are locked together
const SIZE = 128;

/** The joints of a panel: {tile, other, below, probability, pair, verdict}; verdict: accepted, refused or null. */
function jointsOf({ store, table }) {
  const { panel, board } = store;
  const verdicts = new Map();
  for (const pair of board.accepted) verdicts.set(keyOf(pair), "accepted");
  for (const pair of board.forbidden) verdicts.set(keyOf(pair), "refused");
  const at = new Map(board.placed.filter((each) => each.panel === panel).map((each) => [`${each.row} ${each.col}`, each]));
  const joints = [];
  for (const { tile, row, col } of at.values()) {
    for (const below of [false, true]) {
      const other = at.get(below ? `${row + 1} ${col}` : `${row} ${col + 1}`)?.tile;
      const probability = store.confidenceOf(tile)?.[below ? "below" : "right"] ?? null;
      const pair = other === undefined ? null : pairBetween(table.layout, tile, other);
      if (pair) joints.push({ tile, other, below, probability, pair, verdict: verdicts.get(keyOf(pair)) ?? null });
    }
  }
  return joints;
}

/** How far the review of the open panel is: its doubtful joints that wait, and how many are judged. */
export function reviewOf(page) {
  const { store } = page;
  if (!store.confidence || store.panel === TRAY || store.live) return { waiting: [], judged: 0 };
  const joints = jointsOf(page);
  const doubtful = ({ verdict, probability }) => verdict === null && probability !== null && probability < DOUBTFUL;
  const postponed = ({ pair }) => store.later.indexOf(keyOf(pair));
  const waiting = joints
    .filter(doubtful)
    .sort((a, b) => postponed(a) - postponed(b) || a.probability - b.probability);
  return { waiting, judged: joints.filter((joint) => joint.verdict !== null).length };
}

/** The part of the side panel for the review. */
export function reviewPart(page) {
  const { store, signal } = page;
  store.later ??= [];
  const part = h("section", { class: "review" });
  const show = () => {
    if (part.hidden) return;
    const { waiting, judged } = reviewOf(page);
    const counted = waiting.length + judged > 0 && progress(waiting.length, judged);
    redraw(part, counted, waiting.length ? task(page, waiting[0], show) : done(page), lockSure(page));
  };
  new MutationObserver(() => {
    show();
    if (!part.hidden) lookAt(page, reviewOf(page).waiting[0]);
  }).observe(part, { attributeFilter: ["hidden"] });
  store.on("board confidence panel live", show, signal);
  return part;
}

function progress(waiting, judged) {
  const all = waiting + judged;
  const bar = h("progress", { max: all, value: judged, "aria-label": text("review.progress") });
  bar.value = judged;
  return h("div", { class: "review-progress" }, bar, h("small", {}, text("review.count", { judged, count: all })));
}

function done({ store }) {
  return h("p", { class: "quiet" }, text(store.confidence ? "review.done" : "review.unsolved"));
}

function task(page, joint, show) {
  const { store } = page;
  const { tile, other, below, probability, pair } = joint;
  const number = (id) => store.tiles.get(id)?.number ?? "";
  const values = { number: number(tile), other: number(other) };
  const judge = async (label, edit) => {
    await store.edit({ label: writeLabel(label, values), ...edit });
    lookAt(page, reviewOf(page).waiting.find((each) => keyOf(each.pair) !== keyOf(pair)));
  };
  const later = () => {
    store.later = [...store.later.filter((key) => key !== keyOf(pair)), keyOf(pair)];
    show();
    lookAt(page, reviewOf(page).waiting[0]);
  };
  const accept = () => judge("review.label.accept", { accept: [pair], lock: [tile, other] });
  const refuse = () => judge("review.label.refuse", { forbid: [pair] });
  const pictures = [tile, other].map((id) => pictureAt(store, id, store.placeOf(id).turn, SIZE));
  return h(
    "div",
    { class: "review-task" },
    h("div", { class: below ? "joint-pair below" : "joint-pair" }, pictures),
    h("p", {}, h("strong", {}, text("review.joint", values)), " ", sureness(probability)),
    h(
      "div",
      { class: "actions work-only" },
      button(text("review.accept"), accept, { drawing: "check", kind: "primary" }),
      button(text("review.refuse"), refuse, { drawing: "forbid" }),
      button(text("review.later"), later, { drawing: "arrow" }),
    ),
    h("p", { class: "quiet" }, text("review.hint")),
  );
}

function lookAt({ store, table }, joint) {
  if (!joint) return;
  table.select([joint.tile, joint.other]);
  table.zoomTo(joint.tile);
}

/** Lock at once all tiles of the panel that are sure and have no doubtful joint. */
function lockSure(page) {
  const { store } = page;
  if (!store.confidence || store.panel === TRAY || !mayWork()) return null;
  const doubtful = new Set(reviewOf(page).waiting.flatMap((joint) => [joint.tile, joint.other]));
  const sure = store.board.placed
    .filter((each) => each.panel === store.panel && !store.isLocked(each.tile) && !doubtful.has(each.tile))
    .filter((each) => (store.confidenceOf(each.tile)?.confidence ?? 0) >= SURE)
    .map((each) => each.tile);
  const lock = async () => {
    await store.edit({ label: writeLabel("review.locked", { count: sure.length }), lock: sure });
    showMessage(text("review.locked", { count: sure.length }));
  };
  const label = text("review.lock", { count: sure.length });
  return button(label, lock, { drawing: "lock", disabled: !sure.length, title: text("review.lock.hint", { percent: percent(SURE) }) });
}

function keyOf({ tile, side, other, other_side }) {
  return [`${tile}.${side}`, `${other}.${other_side}`].sort().join(" ");
}
