/** Which tiles of the whole museum fit a place on the table; a click lays one there. */

import * as api from "../common/api.js";
import { button, fill, h } from "../common/dom.js";
import { sureness, text } from "../common/texts.js";
import { attempt } from "../common/toast.js";
import { mayWork } from "../session.js";
import { askMuseum, foundWords } from "./asking.js";
import { crateOf, placeOf } from "./words.js";

const SIZE = 128;

/** Build the part of the side panel for a place. */
export function holeSearch({ store, table }, place) {
  const { museum } = store.project;
  const list = h("ol", { class: "fits", "aria-live": "polite" });
  const show = (words) => fill(list, h("li", {}, words));
  const lay = async (fit) => {
    const gift = { project: store.id, tile: fit.tile.number, turn: fit.turn, ...place };
    const state = await attempt(() => api.giveTile(museum, gift));
    if (!state) return;
    await store.reload();
    table.canvas.focus();
  };
  const look = async () => {
    const ask = () => api.findHoleFits(museum, { project: store.id, ...place });
    const found = await askMuseum(ask, show, () => list.isConnected);
    if (!found) return;
    const words = foundWords(found);
    fill(list, words && h("li", {}, words), found.map((fit) => h("li", {}, fitButton(museum, fit, () => lay(fit)))));
  };
  return [button(text("museum.hole"), look, { drawing: "museum" }), list];
}

function fitButton(museum, fit, lay) {
  const query = new URLSearchParams({ tile: fit.tile.number, size: SIZE });
  const picture = h("img", { src: `/api/museums/${museum}/picture?${query}`, alt: "", width: 44, height: 44 });
  picture.style.rotate = `${fit.turn}deg`;
  const words = [crateOf(fit.tile), placeOf(fit.tile)].join(" · ");
  return h(
    "button",
    { type: "button", class: "fit", onclick: lay, disabled: !mayWork() },
    h("span", { "aria-hidden": true }, picture),
    h(
      "span",
      { class: "fit-words" },
      h("span", { class: "unseen" }, text("candidates.lay")),
      h("strong", {}, fit.tile.inventory),
      h("small", {}, words),
    ),
    h("span", { class: "fit-percent" }, sureness(fit.probability)),
  );
}
