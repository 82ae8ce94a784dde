/** The four corners of a panel in its photograph, set by hand. */

import { sentPanel, sizeField } from "./add_files.js";
import { ask, foot, form } from "../common/dialog.js";
import { h } from "../common/dom.js";
import { startLook } from "./grid_view.js";
import { text } from "../common/texts.js";
import { attempt, showMessage } from "../common/toast.js";

const NAMES = ["top-left", "top-right", "bottom-right", "bottom-left"];
/** Where the corners are before they are dragged, as shares of the picture's sides. */
export const START = [[0.1, 0.1], [0.9, 0.1], [0.9, 0.9], [0.1, 0.9]];
const STEP = 0.002;
const SVG = "http://www.w3.org/2000/svg";

/** Show the photograph, let the corners be dragged, and cut again. */
export async function openCorners(store, request) {
  const file = sentPanel(request.file);
  const picture = file && (await loadPicture(file));
  if (!picture) {
    showMessage(text("corners.gone"), text("corners.gone.remedy"), "error");
    return;
  }
  const corners = START.map((each) => [...each]);
  const again = { ...request };
  const confirm = await ask(text("corners.title"), (close) => {
    const board = cornerBoard(picture, corners);
    const size = h("div", { class: "questions" }, sizeField(again, "rows"), sizeField(again, "cols"));
    const parts = [h("p", {}, text("corners.sentence")), board, size, foot(close, text("grid.fit"))];
    return form(parts, () => close(true));
  }, "full");
  URL.revokeObjectURL(picture.src);
  if (!confirm) return;
  const inPixels = corners.map(([x, y]) => [x * picture.naturalWidth, y * picture.naturalHeight]);
  await attempt(() => startLook(store, { ...again, corners: inPixels }));
}

/** A picture on which four corners can be dragged; `corners` holds them, clockwise from the top left. */
export function cornerBoard(picture, corners) {
  const outline = document.createElementNS(SVG, "svg");
  const shape = document.createElementNS(SVG, "polygon");
  outline.setAttribute("viewBox", "0 0 1 1");
  outline.setAttribute("preserveAspectRatio", "none");
  outline.append(shape);
  const draw = () => shape.setAttribute("points", corners.map((each) => each.join(",")).join(" "));
  const board = h("div", { class: "corner-board" }, picture, outline);
  board.append(...corners.map((corner, index) => handle(board, corner, index, draw)));
  draw();
  return board;
}

/** The picture of a file; null if the browser cannot show it. */
export async function loadPicture(file) {
  const picture = h("img", { src: URL.createObjectURL(file), alt: file.name, draggable: "false" });
  return picture.decode().then(
    () => picture,
    () => null,
  );
}

/** A corner that can be dragged, or moved with the arrow keys. */
export function handle(board, corner, index, draw) {
  const made = h("button", { type: "button", class: "corner", "aria-label": text(`corners.${NAMES[index]}`) });
  const inside = (share) => Math.min(1, Math.max(0, share));
  const show = () => {
    made.style.left = `${inside(corner[0]) * 100}%`;
    made.style.top = `${inside(corner[1]) * 100}%`;
    draw();
  };
  const put = (x, y) => {
    corner.splice(0, 2, inside(x), inside(y));
    show();
  };
  made.addEventListener("pointerdown", (event) => made.setPointerCapture(event.pointerId));
  made.addEventListener("pointermove", (event) => {
    if (!made.hasPointerCapture(event.pointerId)) return;
    const { left, top, width, height } = board.getBoundingClientRect();
    put((event.clientX - left) / width, (event.clientY - top) / height);
  });
  made.addEventListener("keydown", (event) => {
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!way) return;
    event.preventDefault();
    put(corner[0] + way[0] * STEP, corner[1] + way[1] * STEP);
  });
  queueMicrotask(show); // a corner that was found outside the picture stays there until it is moved
  return made;
}
