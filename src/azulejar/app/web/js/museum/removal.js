/** Tiles of the museum that are removed, merged or restored; each of it can be undone. */

import * as api from "../common/api.js";
import { text } from "../common/texts.js";
import { attempt, offerLastUndo } from "../common/toast.js";
import { askKept } from "../project/tile_fields.js";

const SMALL = 160; // px of a picture to choose from

/** Remove tiles; resolves with whether they are. */
export async function removeTiles(page, tiles) {
  const [{ inventory }] = tiles;
  const words = text("label.remove", { number: inventory, count: tiles.length });
  return changed(page, words, (museum) => api.removeTiles(museum, numbersOf(tiles)));
}

/** Restore removed tiles. */
export async function restoreTiles(page, tiles) {
  const [{ inventory }] = tiles;
  const words = text("label.restore", { number: inventory, count: tiles.length });
  return changed(page, words, (museum) => api.restoreTiles(museum, numbersOf(tiles)));
}

/** Ask which of two photographs of one tile is kept, and remove the other; resolves with the one that is kept. */
export async function mergeTiles(page, tiles) {
  const choices = tiles.map((tile) => [tile.number, tile.inventory, page.store.picture(tile.number, SMALL)]);
  const chosen = await askKept(choices);
  const kept = tiles.find((tile) => tile.number === chosen);
  if (!kept) return null;
  const gone = tiles.find((tile) => tile !== kept);
  const words = text("label.merge", { number: gone.inventory, other: kept.inventory });
  const done = await changed(page, words, (museum) => api.removeTiles(museum, [gone.number], kept.number));
  return done ? kept : null;
}

async function changed({ store }, words, change) {
  const done = await attempt(() => change(store.id).then(() => true));
  if (done) offerLastUndo(words, store);
  return Boolean(done);
}

function numbersOf(tiles) {
  return tiles.map((tile) => tile.number);
}
