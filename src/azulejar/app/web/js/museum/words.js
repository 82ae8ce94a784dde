/** Tiles, numbers and sizes in words. */

import { phraseTileNote, text } from "../common/texts.js";

/** A number with the separators of the page's language. */
export function number(value, digits = 0) {
  return new Intl.NumberFormat(document.documentElement.lang, { maximumFractionDigits: digits }).format(value);
}

/** A tile in words, for those who do not see it. */
export function describe(tile) {
  return `${tile.inventory}, ${factsOf(tile)}`;
}

/** What there is to say of a tile beside its number. */
export function factsOf(tile) {
  return [crateOf(tile), placeOf(tile), tile.note && phraseTileNote(tile.note)].filter(Boolean).join(", ");
}

/** The crate of a tile; "Crate 7" is not called "Crate Crate 7". */
export function crateOf({ crate }) {
  const word = text("museum.crate", { crate: "" }).trim().toLowerCase();
  return crate.toLowerCase().startsWith(word) ? crate : text("museum.crate", { crate });
}

/** Where the last sort has put a tile. */
export function placeOf(tile) {
  return tile.panel === null ? text(`museum.is.${tile.state}`) : text("museum.panel", { panel: tile.panel });
}
