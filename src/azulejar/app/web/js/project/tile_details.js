/** Details of the selected tile, and what can be done with it. */

import { pictureOf } from "../common/api.js";
import { ask } from "../common/dialog.js";
import { button, h, icon, redraw } from "../common/dom.js";
import { TRAY } from "./store.js";
import { outlineEnds } from "../table/layout.js";
import { decimal, phraseTileNote, sureness, text } from "../common/texts.js";
import { fieldActions, outerSides } from "./tile_fields.js";
import { openTour } from "./tour.js";

const SIZE = 256;
const CLOSE = 1024;

/** The part of the side panel for the selection. */
export function tilePart(page) {
  const { store, signal } = page;
  const part = h("section", { class: "tile-part" });
  const show = () => {
    const { selection } = store;
    if (!selection.length) redraw(part, store.lookedAt ? null : nothing(page));
    else if (selection.length === 1) redraw(part, one(page, selection[0]));
    else redraw(part, h("h2", {}, text("tile.several", { count: selection.length })), actions(page));
  };
  store.on("selection board place panel tiles confidence", show, signal);
  show();
  return part;
}

function nothing(page) {
  const tour = button(text("tour.begin"), () => openTour(page));
  return h("div", { class: "hint" }, icon("hand", "drawing"), h("p", {}, text("tile.nothing")), tour);
}

/** The picture of a tile as it lies. */
export function pictureAt(store, tile, turn, size) {
  const { number } = store.tiles.get(tile) ?? { number: "" };
  const attributes = { src: pictureOf(store.id, tile, size), alt: number, loading: "lazy", draggable: "false" };
  return h("img", { ...attributes, class: "tile-picture", style: { transform: `rotate(${turn}deg)` } });
}

function one(page, tile) {
  const { store } = page;
  const known = store.tiles.get(tile);
  if (!known) return nothing(page);
  const lies = store.placeOf(tile);
  return [
    h(
      "div",
      { class: "tile-head" },
      closeUp(store, known, lies),
      h("div", {}, h("h2", {}, known.number, store.isLocked(tile) && icon("lock")), facts(store, known, lies)),
    ),
    known.doubt && h("p", { class: "doubt" }, icon("warning"), phraseTileNote(known.doubt)),
    actions(page),
  ];
}

/** A small picture that opens a large one. */
function closeUp(store, { tile, number }, { turn }) {
  const label = text("tile.close", { number });
  const open = () => ask(number, () => pictureAt(store, tile, turn, CLOSE), "close-up");
  const attributes = { type: "button", class: "frame", title: label, "aria-label": label, onclick: open };
  return h("button", attributes, pictureAt(store, tile, turn, SIZE));
}

function facts(store, known, lies) {
  const sure = store.confidenceOf(known.tile);
  const rows = [
    ["tile.place", placeWords(store, lies)],
    ["tile.turn", lies.turn ? `${lies.turn}°` : null],
    ["tile.confidence", sure && lies.panel !== TRAY ? sureness(sure.confidence) : null],
    ["tile.crate", known.crate],
    ["tile.code", known.code],
    ["tile.field.thickness", known.thickness && decimal(known.thickness)],
    ["tile.field.outer", outerSides(store, known.tile).map((side) => text(`tile.outer.${side}`)).join(", ")],
    ["tile.note", known.note && phraseTileNote(known.note)],
  ];
  const given = rows.filter(([, value]) => value);
  const row = ([key, value]) => h("div", {}, h("dt", {}, text(key)), h("dd", {}, value));
  return h("dl", { class: "facts" }, given.map(row));
}

/** Row and column counted from 1 at the corner of the panel's frame. */
export function placeWords(store, place) {
  if (place.panel === TRAY) return text("tile.loose");
  const { placed, missing, outlines } = store.board;
  const inPanel = [...placed, ...missing, ...outlines.flatMap(outlineEnds)].filter((each) => each.panel === place.panel);
  const top = Math.min(place.row, ...inPanel.map((each) => each.row));
  const left = Math.min(place.col, ...inPanel.map((each) => each.col));
  const values = { row: place.row - top + 1, col: place.col - left + 1, panel: store.board.panels[place.panel] };
  return text(store.board.panels.length > 1 ? "tile.at.panel" : "tile.at", values);
}

function actions({ store, table }) {
  const { selection } = store;
  const locked = selection.some((tile) => store.isLocked(tile));
  const all = selection.every((tile) => store.isLocked(tile));
  const laid = selection.some((tile) => store.placeOf(tile)?.panel !== TRAY);
  return h(
    "div",
    { class: "actions" },
    button(text("tile.turn.do"), () => table.turn(1), { drawing: "turn", disabled: locked }),
    button(text(all ? "tile.unlock" : "tile.lock"), () => table.toggleLock(), { drawing: all ? "unlock" : "lock" }),
    button(text("tile.lift"), () => table.lift(), { drawing: "tray", disabled: locked || !laid }),
    fieldActions({ store }),
    selection.length === 2 && button(text("tile.forbid"), () => table.forbid(), { drawing: "forbid" }),
  );
}
