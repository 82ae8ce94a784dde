/** The middle of the page: tabs of the panels, the table, and what lies over it. */

import { addFiles } from "./add_files.js";
import { fill, h, icon, iconButton, redraw, tabList } from "../common/dom.js";
import { dropZone } from "../common/drop_zone.js";
import { othersMarks } from "./presence.js";
import { TRAY } from "./store.js";
import { minimap } from "./minimap.js";
import { outlineButton } from "./outline_bar.js";
import { insidePlaces, outlineEnds, outlineFrom } from "../table/layout.js";
import { Table } from "../table/table.js";
import { panelWords, percent, sourceName, sureness, text, writeLabel } from "../common/texts.js";
import { isDarkRoom, switchRoom } from "../common/theme.js";
import { mayWork } from "../session.js";
import { showMessage } from "../common/toast.js";

/** Append the middle to `whole`; return the table, kept in step with the store. */
export function tableArea(page, whole) {
  const { store, signal } = page;
  const canvas = h("canvas", { class: "table", tabindex: 0 });
  const glass = h("div", { class: "stage" }, canvas);
  const empty = emptyPart(page);
  const panels = tabs(page);
  const head = h("div", { class: "middle-head" }, panels);
  whole.append(h("main", { class: "middle" }, head, glass, empty));
  const labels = { write: writeLabel, read: sourceName };
  const table = new Table(canvas, { texts: text, looking: !mayWork(), tabs: panels, labels });
  table.open(store.whole, store.atlas, store.base);
  showStore(store, table, signal);
  applyActions(store, table, signal);
  glass.append(warning(page, table));
  hoverCard(page, table, glass);
  minimap(page, table, glass);
  othersMarks(page, table, glass);
  head.append(viewButtons(store, table, signal, outlineButton(page, table, glass)));
  signal.addEventListener("abort", () => table.destroy());
  const show = () => (empty.hidden = store.tiles.size > 0);
  store.on("tiles", show, signal);
  show();
  return table;
}

/** A sentence over a board that is probably wrong, which opens to what would help. It comes late, so
 * it lies over the table, which keeps its place; only the numbers of columns move below it. */
function warning({ store, signal }, table) {
  const sentence = h("span", {});
  const turned = h("p", {}, text("view.probably_wrong.upright"));
  const told = h("details", {}, h("summary", {}, icon("warning"), sentence), h("p", {}, text("view.probably_wrong.remedy")), turned);
  let closed = false; // by the user, for as long as the board stays so
  const close = iconButton("close", text("button.close"), () => {
    closed = true;
    show();
  });
  const part = h("div", { class: "warning", role: "status" }, told, close);
  const show = () => {
    const { mean, probably_wrong: wrong } = store.confidenceReply ?? {};
    closed &&= Boolean(wrong);
    part.hidden = !wrong || closed || Boolean(store.live);
    turned.hidden = !store.settings.upright;
    fill(sentence, wrong && text("view.probably_wrong", { percent: percent(mean) }));
  };
  store.on("confidence live", show, signal);
  show();
  const room = new ResizeObserver(() => (table.covered = part.offsetHeight));
  room.observe(part);
  signal.addEventListener("abort", () => room.disconnect());
  return part;
}

/** Show in the table what the store holds. */
function showStore(store, table, signal) {
  const board = () => store.pending === 0 && table.setBoard(store.state);
  table.panel = store.panel;
  table.overlay = store.overlay;
  board();
  table.setConfidence(store.confidenceReply ?? null);
  table.setLive(store.live);
  table.setNotes(store.notes);
  store.on("notes", () => table.setNotes(store.notes), signal);
  store.on("board", board, signal);
  store.on("atlas", () => table.setTiles([...store.tiles.values()], store.atlas), signal);
  store.on("confidence", () => table.setConfidence(store.confidenceReply), signal);
  store.on("live", () => table.setLive(store.live), signal);
  store.on("panel", () => (table.panel = store.panel), signal);
  store.on("overlay", () => (table.overlay = store.overlay), signal);
}

/** Apply to the store what the user does on the table. */
function applyActions(store, table, signal) {
  const on = (name, act) => table.addEventListener(name, (event) => act(event.detail), { signal });
  on("edit", (edit) => store.edit(edit));
  on("select", ({ tiles }) => store.select(tiles));
  on("place", (place) => store.look(place));
  on("notice", ({ text: words }) => showMessage(words));
}

/** A card with the number and probability of the tile under the pointer. */
function hoverCard({ store, signal }, table, glass) {
  const card = h("div", { class: "hover-card", hidden: true, "aria-hidden": true });
  glass.append(card);
  let over = { tile: null };
  const show = () => {
    const { tile, x, y } = over;
    const known = tile === null ? null : store.tiles.get(tile);
    card.hidden = !known;
    if (!known) return;
    const sure = store.confidenceOf(tile);
    const lies = store.placeOf(tile)?.panel !== TRAY;
    fill(card, h("strong", {}, known.number), sure && lies && h("span", {}, sureness(sure.confidence)));
    const { width, height } = glass.getBoundingClientRect();
    card.style.left = `${Math.min(x + 16, width - card.offsetWidth - 8)}px`;
    card.style.top = `${Math.min(y + 18, height - card.offsetHeight - 8)}px`;
  };
  table.addEventListener("hover", ({ detail }) => {
    over = detail;
    show();
  });
  store.on("confidence tiles", show, signal); // the side panel changes in the same moment
}

/** Buttons that show doubtful joints, draw the outline, turn the whole panel, and fit the view. */
function viewButtons(store, table, signal, outline) {
  const overlay = iconButton("glow", text("view.overlay"), () => store.toggleOverlay());
  const turn = iconButton("turn-panel", text("view.turn"), async () => {
    table.choosePlace(null);
    await store.edit({ label: writeLabel("label.turn"), ...quarterTurn(store.board, store.panel) });
    table.fit();
  });
  turn.classList.add("work-only");
  const show = () => {
    overlay.setAttribute("aria-pressed", String(store.overlay));
    const laid = store.panel !== TRAY && store.board.placed.some((each) => each.panel === store.panel);
    turn.disabled = Boolean(store.live) || !laid;
  };
  store.on("overlay board panel live", show, signal);
  show();
  const fit = iconButton("fit", text("view.fit"), () => table.fit());
  const room = iconButton("room", text("view.room"), () => switchRoom());
  const pressed = () => room.setAttribute("aria-pressed", String(isDarkRoom()));
  document.addEventListener("themechange", pressed, { signal });
  pressed();
  return h("div", { class: "view-buttons" }, overlay, outline, turn, room, fit);
}

/** One tab for each panel, and one for the tray. */
function tabs({ store, signal }) {
  const row = tabList("panel-tabs", text("tabs.panels"));
  let shown = null;
  const show = () => {
    const { panels } = store.board;
    const now = JSON.stringify([panels, store.panel, store.loose, store.tiles.size > 0]);
    if (now === shown) return; // tiles may be on their way to one of them
    shown = now;
    const words = (name) => (panels.length > 1 ? panelWords(name) : text("tabs.panel"));
    const named = panels.map((name, panel) => tab(panel, words(name)));
    row.hidden = !store.tiles.size;
    redraw(row, named, tab(TRAY, text("tabs.tray"), store.loose));
  };
  const tab = (panel, label, count = null) => {
    const selected = String(store.panel === panel);
    const attributes = { type: "button", role: "tab", "data-panel": panel, "aria-selected": selected };
    const badge = count === null ? null : h("span", { class: "badge" }, String(count));
    return h("button", { ...attributes, onclick: () => store.show(panel) }, label, badge);
  };
  store.on("board panel tiles live", show, signal);
  show();
  return row;
}

/** The drop zone of an empty project, unless tiles are on their way already. */
function emptyPart({ store, signal }) {
  const part = h("div", { class: "empty" });
  const show = () => {
    const coming = store.job || store.uploading;
    const waiting = h("p", { class: "coming" }, text("stage.coming"));
    fill(part, coming ? waiting : dropZone((files) => addFiles(files, store)));
  };
  store.on("jobs uploading", show, signal);
  show();
  return part;
}

/** The edit (without its label) that turns a whole panel clockwise by a quarter: its tiles, locks,
 * missing places, outline and old picture keep their neighbours. */
function quarterTurn(board, panel) {
  const placed = board.placed.filter((each) => each.panel === panel);
  const missing = board.missing.filter((each) => each.panel === panel);
  const outlines = board.outlines.filter((each) => each.panel === panel);
  const all = [...placed, ...missing, ...outlines.flatMap(outlineEnds)];
  const top = Math.min(...all.map((each) => each.row));
  const left = Math.min(...all.map((each) => each.col));
  const bottom = Math.max(...all.map((each) => each.row));
  const moved = ({ row, col }) => ({ row: top + col - left, col: left + bottom - row });
  const locks = board.locked.filter((tile) => placed.some((each) => each.tile === tile));
  return {
    placed: placed.map((each) => ({ ...each, ...moved(each), turn: (each.turn + 90) % 360 })),
    unlock: locks,
    lock: locks,
    present: missing,
    missing: missing.map((each) => ({ ...each, ...moved(each) })),
    outlines: outlines.map((each) => outlineFrom(panel, insidePlaces(each).map(moved))),
    references: board.references
      .filter((each) => each.panel === panel && each.corners)
      .map(({ corners, file }) => ({ panel, file, corners: [corners[3], ...corners.slice(0, 3)] })),
  };
}
