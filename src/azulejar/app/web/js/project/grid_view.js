/** The grid of joints over the photograph of a panel, to be looked at and corrected before it is cut. */

import { panelPicture } from "../common/api.js";
import { handle } from "./corners.js";
import { ask, form } from "../common/dialog.js";
import { button, field, h } from "../common/dom.js";
import { text } from "../common/texts.js";
import { attempt } from "../common/toast.js";

const SVG = "http://www.w3.org/2000/svg";
const SIZE = 2000;
const awaited = new Set();

/** Look for the grid; the page that asked shows it as soon as it is found. */
export async function startLook(store, request) {
  const job = await store.start({ ...request, look: true, accepted: null });
  awaited.add(`${store.id} ${job.job}`);
}

/** Show the grids that this page has asked for. */
export function showGrids({ store, signal }) {
  const show = ({ detail: job }) => awaited.delete(`${store.id} ${job.job}`) && job.grid && openGrid(store, job);
  store.on("ended", show, signal);
}

/** Show a grid: accept it as it is, or move its corners or change its size and fit it again. */
export async function openGrid(store, job) {
  const { grid, request } = job;
  const { width, height, crossings } = grid;
  const share = ([x, y]) => [x / width, y / height];
  const rows = h("input", { type: "number", min: 1, max: 9999, required: true, value: grid.rows });
  const cols = h("input", { type: "number", min: 1, max: 9999, required: true, value: grid.cols });
  const ends = [crossings[0][0], crossings[0].at(-1), crossings.at(-1).at(-1), crossings.at(-1)[0]];
  const corners = ends.map(share);
  const before = JSON.stringify(corners);
  const answer = await ask(
    text("grid.title", { rows: grid.rows, cols: grid.cols }),
    (close) => {
      const svg = document.createElementNS(SVG, "svg");
      const shape = document.createElementNS(SVG, "polygon");
      svg.setAttribute("viewBox", "0 0 1 1");
      svg.setAttribute("preserveAspectRatio", "none");
      const lines = linesOf(crossings.map((line) => line.map(share)));
      svg.append(shape, ...lines);
      const cut = button(text("corners.go"), null, { kind: "primary", drawing: "crop", type: "submit" });
      const fit = button(text("grid.fit"), () => close("fit"));
      const draw = () => {
        shape.setAttribute("points", corners.map((each) => each.join(",")).join(" "));
        const same = JSON.stringify(corners) === before && Number(rows.value) === grid.rows && Number(cols.value) === grid.cols;
        cut.disabled = !same; // what is cut is what is shown
        fit.disabled = same;
        for (const line of lines) line.classList.toggle("old", !same);
      };
      for (const input of [rows, cols]) input.addEventListener("input", draw);
      const picture = h("img", { src: panelPicture(store.id, request.file, SIZE), alt: request.file, draggable: "false" });
      const board = h("div", { class: "corner-board" }, picture, svg);
      board.append(...corners.map((corner, index) => handle(board, corner, index, draw)));
      draw();
      const size = h("div", { class: "questions" }, field(text("solve.rows"), rows), field(text("solve.cols"), cols));
      const cancel = button(text("button.cancel"), () => close());
      const sentence = h("p", {}, text(grid.sure ? "grid.sentence" : "grid.unsure"));
      return form([sentence, board, size, h("footer", {}, cancel, fit, cut)], () => close("cut"));
    },
    "full",
  );
  if (answer === "cut") {
    store.dismissed.add(job.job);
    await attempt(() => store.start({ ...request, look: false, corners: null, accepted: job.job }));
  }
  if (answer === "fit") {
    store.dismissed.add(job.job);
    const inPixels = corners.map(([x, y]) => [x * width, y * height]);
    const wanted = { ...request, rows: Number(rows.value), cols: Number(cols.value), corners: inPixels };
    await attempt(() => startLook(store, wanted));
  }
}

/** A line along each row and each column of crossings. */
function linesOf(crossings) {
  const columns = crossings[0].map((_, col) => crossings.map((line) => line[col]));
  return [...crossings, ...columns].map((points) => {
    const line = document.createElementNS(SVG, "polyline");
    line.setAttribute("points", points.map((each) => each.join(",")).join(" "));
    return line;
  });
}
