/** Which tiles would fit a place, best first; a click lays one there. */

import { getCandidates } from "../common/api.js";
import { button, fill, h, redraw, tick } from "../common/dom.js";
import { holeSearch } from "../museum/hole_search.js";
import { mayWork } from "../session.js";
import { samePlace } from "./store.js";
import { percent, sureness, text } from "../common/texts.js";
import { pictureAt, placeWords } from "./tile_details.js";

const SOON = 120;
const SIZE = 128;

/** The part of the side panel for the place that was clicked. */
export function candidatesPart(page) {
  const { store, signal } = page;
  const part = h("section", { class: "candidates" });
  let everything = false;
  let timer = null;
  let asked = 0;
  let shown = null;

  async function load() {
    const place = store.lookedAt;
    const number = ++asked;
    part.removeAttribute("aria-busy");
    if (!place || store.job) return fill(part);
    part.setAttribute("aria-busy", "true");
    const answer = await getCandidates(store.id, placeOnly(place), everything).catch((error) => error);
    // Somebody may look elsewhere by now; `follow` has asked for that already.
    if (number !== asked || !store.lookedAt || !samePlace(store.lookedAt, place)) return part;
    part.removeAttribute("aria-busy");
    const request = tick(text("candidates.everything"), everything, (value) => {
      everything = value;
      soon();
    });
    const found = answer.fits ? list(page, answer) : why(answer);
    shown = place;
    const empty = store.tileAt(place) === null;
    const museum = store.project.museum && empty && holeSearch(page, placeOnly(place));
    return redraw(part, heading(store, place), request, found, missing(page, place), museum);
  }
  function soon() {
    clearTimeout(timer);
    timer = setTimeout(load, SOON);
  }
  /** What fits another place goes at once: a click on it would edit a place that nobody sees. */
  function follow() {
    const place = store.lookedAt;
    if (shown && (!place || !samePlace(place, shown))) {
      asked += 1;
      shown = null;
      fill(part);
    }
    soon();
  }
  store.on("place selection panel board", follow, signal);
  store.on("jobs confidence", soon, signal);
  signal.addEventListener("abort", () => clearTimeout(timer));
  soon();
  return part;
}

function placeOnly({ panel, row, col }) {
  return { panel, row, col };
}

function heading(store, place) {
  const where = placeWords(store, place);
  return [h("h2", {}, text("candidates.title")), h("p", { class: "quiet" }, where)];
}

function why({ problem, remedy }) {
  return h("p", { class: "quiet" }, `${problem} ${remedy}`);
}

function list(page, { fits, none, place }) {
  const { store } = page;
  const there = store.tileAt(place);
  const shut = there !== null && store.isLocked(there);
  if (!fits.length) return h("p", { class: "quiet" }, text("candidates.none"));
  return [
    shut && h("p", { class: "quiet" }, text("candidates.locked")),
    h("ol", { class: "fits" }, fits.map((fit) => h("li", {}, fitButton(page, fit, place, shut)))),
    h("p", { class: "quiet" }, text("candidates.rest", { percent: percent(none) })),
  ];
}

/** A tile that may fit: its picture as it would lie, its number, how likely it is. */
function fitButton({ store, table }, fit, place, shut) {
  const { number } = store.tiles.get(fit.tile);
  const lies = store.placeOf(fit.tile);
  const here = lies && samePlace(lies, place) && lies.turn === fit.turn;
  const words = here ? text("candidates.here") : placeWords(store, lies);
  const bar = h("span", { class: "likely", style: { inlineSize: `${Math.round(fit.probability * 100)}%` } });
  const act = () => {
    table.putAt({ tile: fit.tile, turn: fit.turn }, place);
    table.canvas.focus();
  };
  const attributes = { type: "button", class: "fit", onclick: act };
  const lay = h("span", { class: "unseen" }, text("candidates.lay"));
  return h(
    "button",
    { ...attributes, disabled: here || shut || store.isLocked(fit.tile) || !mayWork() },
    h("span", { "aria-hidden": true }, pictureAt(store, fit.tile, fit.turn, SIZE)),
    h("span", { class: "fit-words" }, lay, h("strong", {}, number), h("small", {}, words)),
    h("span", { class: "fit-percent" }, sureness(fit.probability)),
    h("span", { class: "likely-track" }, bar),
  );
}

/** Mark a hole as missing, or take the mark away. */
function missing({ store, table }, place) {
  if (store.tileAt(place) !== null) return null;
  const marked = store.board.missing.some((each) => samePlace(each, place));
  const label = text(marked ? "candidates.present" : "candidates.missing");
  return button(label, () => table.toggleMissing(placeOnly(place)), { drawing: "hole", kind: "work-only" });
}
