/** What an audit found: show it, apply one, apply all. */

import { button, h, icon, redraw } from "../common/dom.js";
import { doubtfulPart } from "../museum/split_card.js";
import { phraseNote, sureness, text, writeLabel } from "../common/texts.js";
import { doubtsOfPanel, isOutdated } from "./job_card.js";
import { pictureAt, placeWords } from "./tile_details.js";

const SIZE = 128;
const SHOWN = 4;

/** The newest audit that was finished, if there is one. */
function newestAudit(store) {
  const audits = [...store.jobs.values()].filter((job) => job.request.kind === "audit" && job.findings);
  return audits.sort((a, b) => b.job - a.job)[0] ?? null;
}

/** The findings of the newest audit. */
export function findingsOf(store) {
  return newestAudit(store)?.findings ?? [];
}

/** Their list, most likely first; the table marks those still open. */
export function findingsPart(page) {
  const { store, signal } = page;
  const part = h("section", { class: "findings" });
  const show = () => {
    const audit = newestAudit(store);
    const all = audit?.findings ?? [];
    const open = all.filter((finding) => !isApplied(store, finding));
    const free = open.filter((finding) => finding.proposed.length > 0 && !isShut(store, finding));
    const label = text("audit.apply.all", { count: free.length });
    const every = button(label, () => applyAll(store, free), { drawing: "check", kind: "primary" });
    const marked = [...open, { tiles: doubtfulPart(store) }];
    page.table.highlight(marked.some((each) => each.tiles.length) ? marked : null);
    redraw(
      part,
      h("p", { class: "quiet" }, text(all.length ? "audit.sentence" : "audit.none")),
      audit && !isOutdated(store, audit) && doubtsOfPanel(audit).map((note) => h("p", {}, phraseNote(note))),
      free.length > 1 && every,
      h("ul", { class: "plain" }, all.map((finding) => row(page, finding))),
    );
  };
  store.on("board jobs", show, signal);
  queueMicrotask(show);
  return part;
}

function isApplied(store, { proposed }) {
  if (!proposed.length) return false;
  return proposed.every((wanted) => {
    const lies = store.placeOf(wanted.tile);
    return lies && ["panel", "row", "col", "turn"].every((name) => lies[name] === wanted[name]);
  });
}

/** A locked tile is where somebody wants it. */
function isShut(store, { proposed }) {
  return proposed.some((wanted) => store.isLocked(wanted.tile) || lockedAt(store, wanted));
}

function lockedAt(store, place) {
  const there = store.tileAt(place);
  return there !== null && store.isLocked(there);
}

function applyAll(store, findings) {
  const placed = [];
  const taken = new Set();
  for (const { tiles, proposed } of findings) {
    const places = proposed.map((each) => `${each.panel} ${each.row} ${each.col}`);
    if ([...tiles, ...places].some((each) => taken.has(each))) continue;
    [...tiles, ...places].forEach((each) => taken.add(each));
    placed.push(...proposed);
  }
  store.lay(writeLabel("label.audit.all"), placed);
}

function row({ store, table }, finding) {
  const { kind, tiles, probability, proposed } = finding;
  const numbers = tiles.map((tile) => store.tiles.get(tile)?.number).join(", ");
  const first = proposed[0] ?? store.placeOf(tiles[0]);
  const look = () => {
    store.show(first.panel);
    table.select(tiles);
    table.zoomTo(tiles[0]);
  };
  const applied = isApplied(store, finding);
  const apply = () => store.lay(writeLabel("label.audit", { numbers }), proposed);
  const shown = proposed.length ? proposed : tiles.map((tile) => store.placeOf(tile)).filter(Boolean);
  const pictures = shown.slice(0, SHOWN).map((each) => pictureAt(store, each.tile, each.turn, SIZE));
  return h(
    "li",
    { class: "finding" },
    h("div", { class: "pictures" }, pictures),
    h("strong", {}, text(`audit.${kind}`, { numbers, place: first && placeWords(store, first) })),
    h("p", { class: "quiet" }, text("audit.likely", { percent: sureness(probability) })),
    h(
      "div",
      { class: "row" },
      button(text("button.show"), look, { drawing: "eye" }),
      applied
        ? h("span", { class: "success" }, icon("check"), text("audit.applied"))
        : proposed.length > 0 && button(text("audit.apply"), apply, { disabled: isShut(store, finding) }),
    ),
  );
}
