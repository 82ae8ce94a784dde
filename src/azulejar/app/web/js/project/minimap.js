/** Buttons that zoom, and a small picture of the whole panel with what of it shows, over the table. */

import { h, iconButton } from "../common/dom.js";
import { TRAY } from "./store.js";
import { text } from "../common/texts.js";
import { drawThumbnail, thumbnailFrame } from "../common/thumbnail.js";

const STEP = 1.35;
const WIDTH = 150;
const HEIGHT = 110;
const GAP = 12; // CSS px
const SOON = 250; // ms after a change of the board

/** Add both to the glass over the table; the picture shows only while a part of the panel does not. */
export function minimap({ store, signal }, table, glass) {
  const picture = h("canvas", { width: 2 * WIDTH, height: 2 * HEIGHT });
  const seen = h("div", { class: "seen" });
  const map = h("div", { class: "minimap", hidden: true, "aria-hidden": true }, picture, seen);
  const closer = iconButton("plus", text("view.closer"), () => table.zoomStep(STEP));
  const farther = iconButton("minus", text("view.farther"), () => table.zoomStep(1 / STEP));
  const tools = h("div", { class: "glass-tools" }, h("div", { class: "zooms" }, closer, farther), map);
  glass.append(tools);
  let drawn = null; // the board that the picture shows
  let timer = null;

  function show() {
    const frame = store.panel === TRAY ? null : thumbnailFrame(store.board, store.panel, WIDTH, HEIGHT);
    const box = frame && visibleBox(table, frame);
    tools.style.bottom = `${glass.clientHeight - table.tray.panel.height + GAP}px`; // above the tray
    map.hidden = !box || (box.left <= 0 && box.top <= 0 && box.right >= frame.cols && box.bottom >= frame.rows);
    if (map.hidden) return;
    const at = (from, value, most) => from + Math.min(most, Math.max(0, value)) * frame.side;
    const [left, right] = [at(frame.x, box.left, frame.cols), at(frame.x, box.right, frame.cols)];
    const [top, bottom] = [at(frame.y, box.top, frame.rows), at(frame.y, box.bottom, frame.rows)];
    Object.assign(seen.style, { left: `${left}px`, top: `${top}px`, width: `${right - left}px`, height: `${bottom - top}px` });
    draw();
  }
  function draw() {
    const key = `${store.revision} ${store.panel} ${store.atlas?.stamp}`;
    if (key === drawn) return;
    drawn = key;
    clearTimeout(timer);
    timer = setTimeout(() => drawThumbnail(picture, store.base, store.board, store.atlas, store.panel), SOON);
  }
  /** Bring what was pressed on the map into the middle. */
  function go(event) {
    if (!event.buttons) return;
    const frame = thumbnailFrame(store.board, store.panel, WIDTH, HEIGHT);
    const { left, top } = map.getBoundingClientRect();
    const col = frame.left + (event.clientX - left - frame.x) / frame.side;
    const row = frame.top + (event.clientY - top - frame.y) / frame.side;
    const { x, y, width, height } = table.tray.panel;
    const { scale } = table.view;
    table.view = { scale, x: x + width / 2 - col * scale, y: y + height / 2 - row * scale };
    show();
  }
  map.addEventListener("pointerdown", (event) => {
    map.setPointerCapture(event.pointerId);
    go(event);
  });
  map.addEventListener("pointermove", go);
  table.addEventListener("view", show, { signal });
  store.on("board panel atlas", show, signal);
  signal.addEventListener("abort", () => clearTimeout(timer));
  show();
}

/** The part of the panel that shows, in places from the frame's corner. */
function visibleBox(table, { left, top }) {
  const { x, y, scale } = table.view;
  const { panel } = table.tray;
  return {
    left: (panel.x - x) / scale - left,
    top: (panel.y - y) / scale - top,
    right: (panel.x + panel.width - x) / scale - left,
    bottom: (panel.y + panel.height - y) / scale - top,
  };
}
