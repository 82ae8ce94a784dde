/** Fields of one or many tiles: number, crate, code, thickness, outer sides and note; removing and merging tiles. */

import { changeTiles } from "../common/api.js";
import { ask, foot, form } from "../common/dialog.js";
import { button, field, h } from "../common/dom.js";
import { mayWork } from "../session.js";
import { sourceActions } from "./source.js";
import { TRAY } from "./store.js";
import { text, writeLabel } from "../common/texts.js";
import { offerLastUndo } from "../common/toast.js";

const SIDES = ["top", "right", "bottom", "left"];
const FIELDS = ["crate", "code", "thickness", "note"];

/** Buttons for the selected tiles; those who may only look see them in their photographs. */
export function fieldActions({ store }) {
  const { selection } = store;
  const source = selection.length === 1 ? sourceActions(pictured(store, selection[0])) : [];
  if (!mayWork()) return source;
  const locked = selection.some((tile) => store.isLocked(tile));
  return [
    button(text("tile.edit"), () => openFields(store, selection), { drawing: "pen" }),
    source,
    selection.length === 2 &&
      button(text("tile.merge"), () => openMerge(store, selection), { drawing: "compare", disabled: locked }),
    button(text("tile.remove"), () => remove(store, selection), { drawing: "bin", disabled: locked }),
  ];
}

function pictured(store, tile) {
  const { number, file } = store.tiles.get(tile);
  const home = `/projects/${store.id}/tiles/${tile}`;
  return { number, home, stamp: file, change: (act) => store.change(act) };
}

/** Ask for new values; of many tiles, only what is filled in or emptied is changed. */
async function openFields(store, tiles) {
  const known = tiles.map((tile) => store.tiles.get(tile));
  const sides = SIDES.map((side) => [side, boxOf(side, store, tiles)]);
  const change = await askFields(known[0].number, known, outerField(sides));
  const outer = Object.fromEntries(sides.filter(([, box]) => box.changed).map(([side, box]) => [side, box.checked]));
  if (change && Object.keys(outer).length) change.outer = outer;
  if (!change || !Object.keys(change).length) return;
  const label = writeLabel("label.fields", { number: known[0].number, count: tiles.length });
  await store.change(() => changeTiles(store.id, { tiles, label, ...change }));
}

/** Ask for the fields of `known` tiles, the first of which has this number; resolves with what was changed, or null.
 * `more` is shown below them. Each tile has an inventory number of its own, so that of one alone can be changed. */
export function askFields(number, known, more = null) {
  const names = known.length === 1 ? ["number", ...FIELDS] : FIELDS;
  return ask(text("tile.edit.title", { count: known.length, number }), (close) => {
    const inputs = names.map((name) => [name, inputOf(name, known)]);
    const submit = () => close(Object.fromEntries(inputs.flatMap(([name, input]) => changed(name, input))));
    const fields = inputs.map(([name, input]) => field(text(`tile.field.${name}`), input));
    return form([h("div", { class: "tile-fields" }, fields, more), foot(close, text("button.save"))], submit);
  });
}

/** The outer sides of a tile as it lies on the table; they are kept as its file shows it. */
export function outerSides(store, tile) {
  const own = (store.tiles.get(tile)?.outer ?? "").split(" ").filter(Boolean);
  const quarters = (store.placeOf(tile)?.turn ?? 0) / 90;
  const lying = own.map((side) => SIDES[(SIDES.indexOf(side) + quarters) % 4]);
  return SIDES.filter((side) => lying.includes(side));
}

/** A box for one side of all tiles, half ticked if it is an outer side of some of them. */
function boxOf(side, store, tiles) {
  const count = tiles.filter((tile) => outerSides(store, tile).includes(side)).length;
  const box = h("input", { type: "checkbox", checked: count === tiles.length, onchange: () => (box.changed = true) });
  box.indeterminate = count > 0 && count < tiles.length;
  return box;
}

function outerField(sides) {
  const ticks = sides.map(([side, box]) => h("label", { class: "tick" }, box, h("span", {}, text(`tile.outer.${side}`))));
  const legend = h("legend", {}, text("tile.field.outer"));
  return h("fieldset", { class: "sides" }, legend, h("div", {}, ticks), h("small", {}, text("tile.outer.hint")));
}

function inputOf(name, known) {
  const values = new Set(known.map((tile) => tile[name] ?? ""));
  const [value] = values.size === 1 ? values : [""];
  const placeholder = values.size === 1 ? "" : text("tile.field.different");
  const kinds = {
    number: () => h("input", { value, required: true, maxlength: 120 }),
    thickness: () => h("input", { type: "number", min: 0.1, max: 1000, step: "any", value, placeholder }),
    note: () => h("textarea", { rows: 3, maxlength: 2000, value, placeholder }),
  };
  const made = kinds[name]?.() ?? h("input", { value, maxlength: 120, placeholder });
  made.dataset.before = value;
  return made;
}

function changed(name, input) {
  const value = input.value.trim();
  if (value === input.dataset.before) return [];
  if (name === "thickness") return [[name, value ? Number(value) : null]];
  return [[name, value]];
}

/** Take tiles out of the project, until that is undone. */
async function remove(store, tiles) {
  const number = store.tiles.get(tiles[0]).number;
  const label = writeLabel("label.remove", { number, count: tiles.length });
  await store.edit({ label, remove: tiles });
  if (tiles.some((tile) => store.placeOf(tile))) return; // it was refused
  offerLastUndo(text("label.remove", { number, count: tiles.length }), store);
}

/** Two pictures of one tile: the one that is kept takes the place of the other, if it lies nowhere. */
async function openMerge(store, tiles) {
  const kept = await askKept(tiles.map((tile) => [tile, store.tiles.get(tile).number]));
  if (kept === null) return;
  const gone = tiles.find((tile) => tile !== kept);
  const [lies, lay] = [store.placeOf(kept), store.placeOf(gone)];
  const placed = lies.panel === TRAY && lay.panel !== TRAY ? [{ ...lay, tile: kept }] : [];
  const numbers = { number: store.tiles.get(gone).number, other: store.tiles.get(kept).number };
  await store.edit({ label: writeLabel("label.merge", numbers), placed, remove: [gone] });
  offerLastUndo(text("label.merge", numbers), store);
}

/** Ask which picture of one tile is kept; `choices` are its [id, number, address of the picture, if any]. */
export function askKept(choices) {
  return ask(text("tile.merge.title"), (close) => {
    const choose = ([id, number, src]) => {
      const label = text("tile.merge.keep", { number });
      const picture = src && h("img", { src, alt: "" });
      return h("button", { type: "button", class: "button choice", onclick: () => close(id) }, picture, h("span", {}, label));
    };
    const words = h("p", {}, text("tile.merge.sentence"));
    return h("div", {}, words, h("div", { class: "merge-choices" }, choices.map(choose)));
  });
}
