/** One tile of the museum: its picture, what is known of it, and which tiles of the whole museum fit it. */

import * as api from "../common/api.js";
import { button, fill, h, iconButton } from "../common/dom.js";
import { decimal, momentElement, phraseTileNote, sureness, text } from "../common/texts.js";
import { attempt, offerLastUndo, showError, withdrawUndo } from "../common/toast.js";
import { sourceActions } from "../project/source.js";
import { askFields } from "../project/tile_fields.js";
import { askMuseum, foundWords } from "./asking.js";
import { mergeTiles, removeTiles, restoreTiles } from "./removal.js";
import { crateOf, describe, placeOf } from "./words.js";

const SIZE = 560; // px of the large picture
const SMALL = 160;
const SIDES = ["top", "right", "bottom", "left"];
const LIKELY = 0.5;

/** Draw a tile into `root`. */
export async function tileCard(page, number, root) {
  const { store } = page;
  root.dataset.tile = number;
  const { pictures } = store.info;
  const tile = await api.getMuseumTile(store.id, number).catch((error) => showError(error));
  if (!tile || root.dataset.tile !== String(number)) return;
  const away = iconButton("close", text("button.close"), () => page.go({ tile: null }));
  const fits = h("div", { class: "fit-cards", "aria-live": "polite" });
  const choose = (side) => showFits(page, tile, side, fits, sides);
  const sides = SIDES.map((name, side) => {
    const attributes = { kind: `side-button ${name}`, "aria-pressed": "false" };
    return button(text(`museum.side.${name}`), () => choose(side), attributes);
  });
  const picture = h("img", { class: "tile-large", src: store.picture(number, SIZE), alt: describe(tile) });
  const within = root.contains(document.activeElement);
  root.dataset.pictures = pictures;
  const heading = h("h2", { tabindex: -1 }, tile.inventory);
  fill(
    root,
    h("header", {}, heading, away),
    h("div", { class: "tile-sides" }, picture, sides),
    facts(page, tile),
    h("div", { class: "row" }, actions(page, tile)),
    tile.twin !== null && twin(page, tile),
    h("h3", {}, text("museum.fits")),
    h("p", { class: "quiet" }, text("museum.fits.hint")),
    button(text("museum.fits.any"), () => choose(undefined), { drawing: "fit" }),
    fits,
  );
  if (within) heading.focus(); // one of its fits was followed
}

/** Show anew what is known of the tile in `root`; what fits it stays, unless a picture was replaced. */
export async function renewFacts(page, root) {
  const { tile: number } = root.dataset;
  if (root.dataset.pictures !== String(page.store.info.pictures)) return tileCard(page, Number(number), root);
  const tile = await api.getMuseumTile(page.store.id, number).catch(() => null);
  if (!tile || root.dataset.tile !== number) return;
  root.querySelector(".facts")?.replaceWith(facts(page, tile));
  root.querySelector("h2").textContent = tile.inventory;
}

/** Ask for new values of what is on record of tiles; all pages are told of the change. */
export async function editRecords(page, tiles) {
  const { id } = page.store;
  const known = await attempt(() => Promise.all(tiles.map((tile) => api.getMuseumTile(id, tile))));
  const records = known?.map((tile) => ({ ...tile, number: tile.inventory }));
  const change = known && (await askFields(known[0].inventory, records));
  if (!change || !Object.keys(change).length) return;
  withdrawUndo();
  await attempt(() => api.editRecords(id, { tiles, ...change }));
}

function facts(page, tile) {
  const crate = h("a", { href: page.address({ view: "tiles", crate: tile.crate }) }, tile.crate);
  const panel = tile.panel && h("a", { href: page.address({ view: "tiles", panel: tile.panel }) }, placeOf(tile));
  const sure = tile.probability === null ? null : text("museum.sure", { probability: sureness(tile.probability) });
  const lines = [
    ["museum.fact.crate", crate],
    panel ? ["museum.fact.panel", panel] : ["museum.fact.state", placeOf(tile)],
    ["museum.fact.sure", tile.panel && sure],
    ["museum.fact.pattern", tile.pattern],
    ["museum.fact.code", tile.code],
    ["tile.field.thickness", tile.thickness && decimal(tile.thickness)],
    ["museum.fact.note", tile.note && phraseTileNote(tile.note)],
    ["museum.fact.added", momentElement(tile.added)],
  ];
  const shown = lines.filter(([, value]) => value);
  return h("dl", { class: "facts" }, shown.map(([key, value]) => h("div", {}, h("dt", {}, text(key)), h("dd", {}, value))));
}

function actions(page, tile) {
  const closing = (act) => async () => (await act(page, [tile])) && page.go({ tile: null });
  if (tile.state === "removed") {
    return button(text("bin.restore"), closing(restoreTiles), { drawing: "undo", kind: "work-only" });
  }
  return [
    button(text("tile.edit"), () => editRecords(page, [tile.number]), { drawing: "pen", kind: "work-only" }),
    sourceActions(pictured(page.store, tile)),
    button(text("tile.remove"), closing(removeTiles), { drawing: "bin", kind: "work-only" }),
  ];
}

function pictured(store, { number, inventory }) {
  const change = async (act, words) => {
    const done = await attempt(() => act().then(() => true));
    if (done) offerLastUndo(words, store);
  };
  return { number: inventory, home: `/museums/${store.id}/tiles/${number}`, stamp: store.info.pictures, change };
}

/** The other photograph of the tile, or the one with which it was merged. */
function twin(page, tile) {
  const removed = tile.state === "removed";
  const merge = async () => {
    const other = await attempt(() => api.getMuseumTile(page.store.id, tile.twin));
    const kept = other && (await mergeTiles(page, [tile, other]));
    if (kept) page.go({ tile: kept.number }, { replace: true });
  };
  const open = button(text("museum.twin.show"), () => page.go({ tile: tile.twin }, { replace: true }));
  const picture = h("img", { src: page.store.picture(tile.twin, SMALL), alt: "" });
  const same = !removed && button(text("tile.merge"), merge, { drawing: "compare", kind: "work-only" });
  const words = h("p", {}, text(removed ? "museum.twin.merged" : "museum.twin"));
  return h("div", { class: "twin" }, picture, words, h("div", { class: "row" }, open, same));
}

async function showFits(page, tile, side, root, sides) {
  for (const [index, each] of sides.entries()) each.setAttribute("aria-pressed", String(index === side));
  const asked = {};
  root.asked = asked;
  const ask = () => api.findFits(page.store.id, { tile: tile.number, side, count: 24 });
  const wanted = () => root.asked === asked && root.isConnected;
  const found = await askMuseum(ask, (words) => fill(root, words), wanted);
  if (!found) return;
  fill(root, foundWords(found), found.map((fit) => fitCard(page, tile, fit)));
}

/** Both tiles as they would lie side by side. */
function fitCard(page, tile, fit) {
  const own = h("img", { class: "own", src: page.store.picture(tile.number, SMALL), alt: "" });
  const other = h("img", { class: SIDES[fit.side], src: page.store.picture(fit.tile.number, SMALL), alt: "" });
  other.style.rotate = `${fit.turn}deg`;
  const pair = h("span", { class: `fit-pair ${SIDES[fit.side]}` }, own, other);
  const words = [
    h("strong", {}, fit.tile.inventory),
    h("span", { class: fit.probability < LIKELY ? "quiet" : "sure" }, sureness(fit.probability)),
    h("small", {}, [crateOf(fit.tile), placeOf(fit.tile)].join(" · ")),
  ];
  const href = page.address({ ...page.asked, tile: fit.tile.number });
  return h("a", { class: "fit-card", href }, pair, ...words);
}
