/** The middle of the page: tabs of the panels, the table, and what lies over it. */

import { bring } from "./arrival.js";
import { fill, h, iconButton, redraw, tabList } from "./dom.js";
import { dropZone } from "./drop.js";
import { TRAY } from "./state.js";
import { Table } from "./table/table.js";
import { percent, text } from "./texts.js";
import { tell } from "./toast.js";
import { quarterTurn } from "./turning.js";

/** Put the middle into `whole`; returns the table, kept in step with the store. */
export function stage(page, whole) {
  const { store, signal } = page;
  const canvas = h("canvas", { class: "table", tabindex: 0 });
  const glass = h("div", { class: "stage" }, canvas);
  const empty = emptyPart(page);
  const head = h("div", { class: "middle-head" }, tabs(page));
  whole.append(h("main", { class: "middle" }, head, glass, empty));
  const table = new Table(canvas, { texts: text });
  table.open(store.whole, store.atlas, store.base);
  follow(store, table, signal);
  obey(store, table, signal);
  hoverCard(store, table, glass);
  head.append(viewButtons(store, table, signal));
  signal.addEventListener("abort", () => table.destroy());
  const show = () => (empty.hidden = store.tiles.size > 0);
  store.on("tiles", show, signal);
  show();
  return table;
}

/** The table shows what the store has. */
function follow(store, table, signal) {
  const board = () => store.pending === 0 && table.setBoard(store.state);
  table.panel = store.panel;
  table.overlay = store.overlay;
  board();
  table.setConfidence(store.said ?? null);
  table.setLive(store.live);
  store.on("board", board, signal);
  store.on("atlas", () => table.setTiles([...store.tiles.values()], store.atlas), signal);
  store.on("confidence", () => table.setConfidence(store.said), signal);
  store.on("live", () => table.setLive(store.live), signal);
  store.on("panel", () => (table.panel = store.panel), signal);
  store.on("overlay", () => (table.overlay = store.overlay), signal);
}

/** The store does what the table asks for. */
function obey(store, table, signal) {
  const on = (name, act) => table.addEventListener(name, (event) => act(event.detail), { signal });
  on("edit", (edit) => store.edit(edit));
  on("select", ({ tiles }) => store.select(tiles));
  on("place", (place) => store.look(place));
  on("notice", ({ text: words }) => tell(words));
}

/** Number and probability of the tile under the pointer. */
function hoverCard(store, table, glass) {
  const card = h("div", { class: "hover-card", hidden: true, "aria-hidden": true });
  glass.append(card);
  table.addEventListener("hover", ({ detail: { tile, x, y } }) => {
    const known = tile === null ? null : store.tiles.get(tile);
    card.hidden = !known;
    if (!known) return;
    const sure = store.confidenceOf(tile);
    const lies = store.placeOf(tile)?.panel !== TRAY;
    fill(card, h("strong", {}, known.number), sure && lies && h("span", {}, percent(sure.confidence)));
    const { width, height } = glass.getBoundingClientRect();
    card.style.left = `${Math.min(x + 16, width - card.offsetWidth - 8)}px`;
    card.style.top = `${Math.min(y + 18, height - card.offsetHeight - 8)}px`;
  });
}

/** Doubtful joints, turning the whole panel, seeing everything. */
function viewButtons(store, table, signal) {
  const overlay = iconButton("glow", text("view.overlay"), () => store.toggleOverlay());
  const turn = iconButton("turn-panel", text("view.turn"), async () => {
    await store.edit({ label: text("label.turn"), ...quarterTurn(store.board, store.panel) });
    table.fit();
  });
  const show = () => {
    overlay.setAttribute("aria-pressed", String(store.overlay));
    const laid = store.panel !== TRAY && store.board.placed.some((each) => each.panel === store.panel);
    turn.disabled = Boolean(store.live) || !laid;
  };
  store.on("overlay board panel live", show, signal);
  show();
  const fit = iconButton("fit", text("view.fit"), () => table.fit());
  return h("div", { class: "view-buttons" }, overlay, turn, fit);
}

/** One tab a panel, and one for what lies loose. */
function tabs({ store, signal }) {
  const row = tabList("panel-tabs", text("tabs.panels"));
  const show = () => {
    const { panels } = store.board;
    const words = (name) => (/^\d+$/.test(name) ? text("tabs.panel.number", { name }) : name);
    const named = panels.map((name, panel) => tab(panel, panels.length > 1 ? words(name) : text("tabs.panel")));
    row.hidden = !store.tiles.size;
    redraw(row, named, tab(TRAY, text("tabs.tray"), store.loose));
  };
  const tab = (panel, label, count = null) => {
    const attributes = { type: "button", role: "tab", "aria-selected": String(store.panel === panel) };
    const badge = count === null ? null : h("span", { class: "badge" }, String(count));
    return h("button", { ...attributes, onclick: () => store.show(panel) }, label, badge);
  };
  store.on("board panel tiles live", show, signal);
  show();
  return row;
}

/** What an empty project shows: the way to bring tiles, unless they are coming already. */
function emptyPart({ store, signal }) {
  const part = h("div", { class: "empty" });
  const show = () => {
    const coming = store.job || store.uploading;
    const waiting = h("p", { class: "coming" }, text("stage.coming"));
    fill(part, coming ? waiting : dropZone((files) => bring(files, store)));
  };
  store.on("jobs uploading", show, signal);
  show();
  return part;
}
