/** A picture on which four corners can be dragged. */

import { h } from "../common/dom.js";
import { text } from "../common/texts.js";

const NAMES = ["top-left", "top-right", "bottom-right", "bottom-left"];
/** Where the corners are before they are dragged, as shares of the picture's sides. */
export const START = [[0.1, 0.1], [0.9, 0.1], [0.9, 0.9], [0.1, 0.9]];
const STEP = 0.002;
const SVG = "http://www.w3.org/2000/svg";

/** An element of a drawing over the picture, with points as shares of its sides. */
export function drawn(kind, points) {
  const made = document.createElementNS(SVG, kind);
  made.setAttribute("points", points.map((each) => each.join(",")).join(" "));
  return made;
}

/** A picture with four corners, clockwise from the top left, as shares of its sides in `corners`.
 * If they are `movable` they can be dragged, and `onMove` is told; `lines` are drawn beside their outline. */
export function cornerBoard(picture, corners, { movable = true, lines = [], onMove = () => {} } = {}) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 1 1");
  svg.setAttribute("preserveAspectRatio", "none");
  const board = h("div", { class: "corner-board" }, picture, svg);
  const draw = () => {
    svg.replaceChildren(drawn("polygon", corners), ...lines);
    onMove();
  };
  if (movable) board.append(...corners.map((corner, index) => handle(board, corner, index, draw)));
  draw();
  return board;
}

/** A corner that can be dragged, or moved with the arrow keys. */
function handle(board, corner, index, draw) {
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
