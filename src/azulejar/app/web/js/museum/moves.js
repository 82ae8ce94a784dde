/** What is done with picked tiles, and tiles from one panel to another: picked ones, or a whole panel. */

import * as api from "../common/api.js";
import { askName, ask, foot, form } from "../common/dialog.js";
import { button, field, h, redraw } from "../common/dom.js";
import { text } from "../common/texts.js";
import { attempt, offerLastUndo, showMessage } from "../common/toast.js";
import { mergeTiles, removeTiles, restoreTiles } from "./removal.js";
import { editRecords } from "./tile_card.js";
import { number } from "./words.js";

/** The bar that is shown while tiles are picked, and the button that lets a click pick. `picked` holds tiles by number. */
export function moveBar(page, picked) {
  const element = h("div", { class: "row move-bar work-only", role: "region", "aria-label": text("moves.title"), hidden: true });
  const toggle = button(text("moves.pick"), () => pick(!bar.picking), { drawing: "check", kind: "chip work-only" });
  const bar = { element, toggle, show, picking: false };
  function pick(on) {
    bar.picking = on;
    toggle.setAttribute("aria-pressed", String(on));
    if (!on) picked.clear();
    show();
  }
  const move = async () => {
    const to = await askName(text("moves.title"), text("moves.to"), page.asked.panel ?? "", text("moves.go"));
    if (to && (await moveTiles(page, [...picked.keys()], to))) pick(false);
  };
  const all = () => [...picked.values()];
  const removed = () => all().filter((tile) => tile.state === "removed");
  const remove = async () => (await removeTiles(page, all())) && pick(false);
  const restore = async () => (await restoreTiles(page, removed())) && pick(false);
  const merge = async () => (await mergeTiles(page, all())) && pick(false);
  const actions = () =>
    removed().length
      ? [button(text("bin.restore"), restore, { drawing: "undo", kind: "primary" })]
      : [
          button(text("moves.title"), move, { drawing: "arrow", kind: "primary" }),
          button(text("tile.edit"), () => editRecords(page, [...picked.keys()]), { drawing: "pen" }),
          picked.size === 2 && button(text("tile.merge"), merge, { drawing: "compare" }),
          button(text("tile.remove"), remove, { drawing: "bin" }),
        ];
  function show() {
    element.hidden = !picked.size;
    for (const each of document.querySelectorAll(".tile-cell")) {
      each.setAttribute("aria-pressed", String(picked.has(Number(each.dataset.tile))));
    }
    redraw(
      element,
      h("span", {}, text("moves.picked", { count: picked.size, shown: number(picked.size) })),
      picked.size > 0 && actions(),
      button(text("moves.clear"), () => pick(false)),
    );
  }
  pick(false);
  return bar;
}

/** Put tiles into a panel, which may be new. */
export async function moveTiles(page, tiles, to) {
  const moved = await attempt(() => api.moveTiles(page.store.id, tiles, to).then(() => true));
  if (!moved) return false;
  offerLastUndo(text("moves.done", { count: tiles.length, panel: to }), page.store);
  return true;
}

/** Ask into which panel another is to go. */
export async function uniteDialog(page, panel) {
  const { panels } = (await attempt(() => api.listPanels(page.store.id, { order: "name", count: 500 }))) ?? {};
  const others = panels?.filter((each) => each.name !== panel) ?? [];
  if (!others.length) {
    showMessage(text("unite.none"));
    return;
  }
  const to = await ask(text("unite.title", { panel }), (close) => {
    const known = h("datalist", { id: "panels" }, others.map((each) => h("option", { value: each.name })));
    const chosen = h("input", { list: "panels", required: true, maxlength: 120, autofocus: true });
    const words = h("p", {}, text("unite.sentence", { panel }));
    const submit = () => chosen.value.trim() && close(chosen.value.trim());
    return form([words, field(text("unite.with"), chosen), known, foot(close, text("panels.unite"), "unite")], submit);
  });
  if (!to || !(await attempt(() => api.unitePanels(page.store.id, panel, to).then(() => true)))) return;
  offerLastUndo(text("unite.done", { panel, to }), page.store);
}
