/** A panel of a museum that may hold two: which tiles may be of the other, and a button that makes them a panel. */

import { splitPanel } from "../common/api.js";
import { button, h, icon, redraw } from "../common/dom.js";
import { TRAY } from "../project/store.js";
import { count, text } from "../common/texts.js";
import { attempt, offerLastUndo } from "../common/toast.js";

const SENTENCES = { few: "apart.sentence", doubtful: "apart.doubtful", mirrored: "apart.mirrored" };

/** The tiles on the table that may be of another panel. */
export function doubtfulPart(store) {
  return store.project.part.filter((tile) => (store.placeOf(tile)?.panel ?? TRAY) !== TRAY);
}

/** The card; it hides where there is no doubt. The table marks the tiles along with what an audit found. */
export function splitCard({ store, table, signal }) {
  const card = h("section", { class: "card work-only", "aria-label": text("apart.title") });
  const split = async () => {
    const tiles = doubtfulPart(store).length;
    const made = await attempt(() => splitPanel(store.project.museum, store.id));
    if (made) offerLastUndo(text("apart.done", { count: tiles, panel: made.panel }), store);
  };
  const show = () => {
    const part = doubtfulPart(store);
    card.hidden = !part.length || Boolean(store.job);
    const all = store.board.placed.filter((each) => each.panel !== TRAY).length;
    const look = () => table.select(part);
    redraw(
      card,
      h("p", { class: "failure" }, icon("warning"), h("span", {}, text("apart.title"))),
      h("p", {}, text(SENTENCES[store.project.seam], { count: part.length, all: count(all) })),
      h(
        "div",
        { class: "row" },
        button(text("apart.split"), split, { drawing: "sort" }),
        button(text("apart.select"), look, { drawing: "eye" }),
      ),
    );
  };
  store.on("board jobs", show, signal);
  show();
  return card;
}
