/** The context menu of the table: what can be done with a tile, with several, or with a hole. */

import { openMenu } from "../common/menu.js";
import { TRAY } from "./store.js";
import { panelWords, text } from "../common/texts.js";

/** Open it where the table asks for it. */
export function tableMenu(page) {
  const { table, signal } = page;
  const open = ({ detail: { spot, x, y } }) => {
    const chosen = page.store.selection;
    const items = chosen.length ? tileItems(page, chosen) : spot ? holeItems(page, spot) : [];
    // Later, as the end of a long press would shut a menu that it has just opened.
    setTimeout(() => openMenu(text("menu.title"), [...items, ...viewItems(page)], { x, y }, table.canvas));
  };
  table.addEventListener("menu", open, { signal });
}

function tileItems({ store, table, side }, tiles) {
  const locked = tiles.some((tile) => store.isLocked(tile));
  const all = tiles.every((tile) => store.isLocked(tile));
  const laid = tiles.some((tile) => store.placeOf(tile)?.panel !== TRAY);
  const still = !table.editable;
  const one = tiles.length === 1;
  const look = () => {
    side.show("tile");
    table.zoomTo(tiles[0]);
  };
  return [
    one && { label: text("menu.look"), drawing: "eye", act: look },
    { label: text("tile.turn.do"), drawing: "turn", act: () => table.turn(1), disabled: locked || still },
    laid && {
      label: text(all ? "tile.unlock" : "tile.lock"),
      drawing: all ? "unlock" : "lock",
      act: () => table.toggleLock(),
      disabled: still,
    },
    laid && { label: text("tile.lift"), drawing: "tray", act: () => table.lift(), disabled: locked || still },
    tiles.length === 2 && { label: text("tile.forbid"), drawing: "forbid", act: () => table.forbid(), disabled: still },
    ...panelItems(store, table, tiles, locked || still),
  ];
}

/** One for each other panel that the tiles can be moved to. */
function panelItems(store, table, tiles, disabled) {
  const here = new Set(tiles.map((tile) => store.placeOf(tile)?.panel));
  const item = (name, panel) =>
    !here.has(panel) &&
    store.board.panels.length > 1 && {
      label: text("menu.move", { name: panelWords(name) }),
      drawing: "panel",
      act: () => table.commands.moveTo(panel),
      disabled,
    };
  return store.board.panels.map(item);
}

function holeItems({ store, table, side }, spot) {
  const place = { panel: store.panel, row: spot.row, col: spot.col };
  const marked = store.board.missing.some((each) => each.panel === place.panel && each.row === place.row && each.col === place.col);
  return [
    { label: text("candidates.title"), drawing: "eye", act: () => side.show("tile") },
    {
      label: text(marked ? "candidates.present" : "candidates.missing"),
      drawing: "hole",
      act: () => table.toggleMissing(place),
      disabled: !table.editable,
    },
  ];
}

function viewItems({ table }) {
  return [
    { label: text("menu.all"), drawing: "check", act: () => table.selectAll() },
    { label: text("menu.fit"), drawing: "fit", act: () => table.fit() },
  ];
}
