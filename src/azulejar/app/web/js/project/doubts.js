/** Tiles that an import was not sure of, with the reason. */

import { button, h, redraw } from "../common/dom.js";
import { TRAY } from "./store.js";
import { phraseTileNote, text, writeLabel } from "../common/texts.js";
import { pictureAt } from "./tile_details.js";

const SIZE = 128;

/** The tiles with a doubt. */
export function doubtful(store) {
  return [...store.tiles.values()].filter((tile) => tile.doubt);
}

/** Their list: look at one, or take it out of the panel. */
export function doubtsPart(page) {
  const { store, signal } = page;
  const part = h("section", { class: "doubts" });
  const show = () => {
    const rows = doubtful(store).map((tile) => row(page, tile));
    redraw(part, h("p", { class: "quiet" }, text("doubts.sentence")), h("ul", { class: "plain" }, rows));
  };
  store.on("tiles board", show, signal);
  show();
  return part;
}

function row({ store, table }, tile) {
  const lies = store.placeOf(tile.tile);
  const look = () => {
    store.show(lies.panel === TRAY ? store.panel : lies.panel);
    table.select([tile.tile]);
    table.zoomTo(tile.tile);
  };
  const lift = () => {
    const label = writeLabel("label.lift", { number: tile.number });
    store.edit({ label, placed: [{ ...lies, panel: TRAY }] });
  };
  const out = lies && lies.panel !== TRAY && !store.isLocked(tile.tile);
  return h(
    "li",
    { class: "doubtful" },
    pictureAt(store, tile.tile, lies?.turn ?? 0, SIZE),
    h("div", {}, h("strong", {}, tile.number), h("p", {}, phraseTileNote(tile.doubt))),
    h(
      "div",
      { class: "row" },
      button(text("button.show"), look, { drawing: "eye" }),
      out && button(text("tile.lift"), lift, { drawing: "tray" }),
    ),
  );
}
