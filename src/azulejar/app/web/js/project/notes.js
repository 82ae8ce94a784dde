/** Notes on what is selected: a tile, the joint between two neighbours, or else the whole panel. */

import * as api from "../common/api.js";
import { form } from "../common/dialog.js";
import { button, fill, h, icon, iconButton } from "../common/dom.js";
import { mayWork, myName } from "../session.js";
import { TRAY } from "./store.js";
import { pairBetween } from "../table/moves.js";
import { momentElement, text } from "../common/texts.js";
import { attempt, offerUndo } from "../common/toast.js";

/** The part of the side panel for notes. */
export function notesPart(page) {
  const { store, table, signal } = page;
  const heading = h("h2", {});
  const list = h("ul", { class: "plain" });
  const input = h("textarea", { rows: 2, maxlength: 2000, required: true, "aria-label": text("notes.new") });
  const add = button(text("notes.add"), null, { drawing: "note", type: "submit" });
  const drafts = new Map(); // what was typed and not added yet, by the place that it is on
  let shown = null; // the key of the place whose draft is in the field
  const write = form([input, add], async () => {
    const place = placeOf(page);
    const words = input.value.trim();
    if (!place || !words) return;
    if (!(await attempt(() => api.addNote(store.id, { ...place, text: words })))) return;
    drafts.delete(draftKey(place));
    if (shown === draftKey(place)) input.value = "";
  });
  const exchangeDraft = (place) => {
    const key = draftKey(place);
    if (key === shown) return;
    if (shown !== null) drafts.set(shown, input.value);
    input.value = drafts.get(key) ?? "";
    shown = key;
  };
  const all = button("", () => table.select([]), { drawing: "note" });
  const part = h("section", { class: "own-notes" }, heading, list, write, all);
  const show = () => {
    const place = placeOf(page);
    part.hidden = !place;
    if (!place) return;
    exchangeDraft(place);
    const [kind] = Object.keys(place);
    fill(heading, text(`notes.${kind}`));
    const here = kind === "panel" ? ofPanel(store, place.panel) : store.notes.filter((note) => isOn(note, place));
    write.hidden = !mayWork();
    list.hidden = !here.length;
    fill(list, here.map((note) => row(page, note, kind === "panel")));
    const others = kind === "panel" ? 0 : ofPanel(store, store.panel).length;
    all.hidden = !others;
    fill(all.querySelector("span"), text("notes.all", { count: others }));
    part.hidden = !here.length && !mayWork();
  };
  store.on("selection panel board notes tiles", show, signal);
  show();
  return part;
}

/** What a note would be on now: {tile}, {joint} or {panel}; null for nothing. */
function placeOf({ store, table }) {
  const { selection, panel } = store;
  if (selection.length === 1) return { tile: selection[0] };
  if (selection.length === 2) {
    const joint = pairBetween(table.layout, ...selection);
    return joint && { joint };
  }
  return selection.length || panel === TRAY || !store.tiles.size ? null : { panel };
}

function draftKey({ tile, joint, panel }) {
  return joint ? `joint ${keyOf(joint)}` : tile ? `tile ${tile}` : `panel ${panel}`;
}

function isOn(note, { tile, joint }) {
  if (joint) return note.joint !== null && keyOf(note.joint) === keyOf(joint);
  return note.tile === tile || Boolean(note.joint && [note.joint.tile, note.joint.other].includes(tile));
}

function keyOf({ tile, side, other, other_side }) {
  return [`${tile}.${side}`, `${other}.${other_side}`].sort().join(" ");
}

/** The notes on a panel and on everything that lies in it. */
function ofPanel(store, panel) {
  const lies = (tile) => store.placeOf(tile)?.panel === panel;
  return store.notes.filter((note) => note.panel === panel || lies(note.tile ?? note.joint?.tile));
}

function row(page, note, inPanel) {
  const { store, table } = page;
  const tiles = note.joint ? [note.joint.tile, note.joint.other] : note.tile === null ? [] : [note.tile];
  const about = tiles.map((tile) => store.tiles.get(tile)?.number).filter(Boolean).join(" · ");
  const look = () => {
    table.select(tiles);
    table.zoomTo(tiles[0]);
  };
  const remove = async () => {
    await attempt(() => api.removeNote(store.id, note.note));
    offerUndo(text("notes.removed"), () => attempt(() => api.restoreNote(store.id, note.note)));
  };
  const mine = mayWork() && (note.who === myName() || document.body.dataset.role === "manage");
  return h(
    "li",
    { class: "note" },
    inPanel && about && h("button", { type: "button", class: "about", onclick: look }, icon("eye"), about),
    h("p", {}, note.text),
    h("small", {}, note.who && `${note.who} · `, momentElement(note.at)),
    mine && iconButton("bin", text("notes.remove"), remove),
  );
}
