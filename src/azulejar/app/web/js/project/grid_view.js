/** The grid of joints over the photograph of a panel, to be looked at and corrected before it is cut. */

import { panelPicture } from "../common/api.js";
import { START, cornerBoard, drawn } from "./corners.js";
import { ask, foot, form } from "../common/dialog.js";
import { button, field, h } from "../common/dom.js";
import { text } from "../common/texts.js";
import { attempt, showMessage } from "../common/toast.js";

const SIZE = 2000;
const awaited = new Set();

/** Photographs of panels sent from this page, by name, so that their corners can be shown. */
const sent = new Map();

/** Look for the grid; the page that asked shows it as soon as it is found. */
export async function startLook(store, request, file = null) {
  if (file) sent.set(request.file, file);
  await startAwaited(store, { ...request, look: true, accepted: null });
}

async function startAwaited(store, request) {
  const job = await store.start(request);
  awaited.add(`${store.id} ${job.job}`);
}

/** Show the photograph in which no grid was found, let its corners be dragged, and look again. */
export async function openCorners(store, request) {
  const file = sent.get(request.file);
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

/** A field for the rows or columns of a request, which may be empty. */
export function sizeField(request, side) {
  const input = h("input", { type: "number", min: 1, max: 10000, value: request[side] ?? "" });
  input.placeholder = text("solve.unknown");
  input.addEventListener("input", () => (request[side] = input.value ? Number(input.value) : null));
  return field(text(`solve.${side}`), input);
}

/** The picture of a file; null if the browser cannot show it. */
function loadPicture(file) {
  const picture = h("img", { src: URL.createObjectURL(file), alt: file.name, draggable: "false" });
  return picture.decode().then(
    () => picture,
    () => null,
  );
}

/** Show the grids that this page has asked for, and give what was made of them to `onDone`. */
export function showGrids({ store, signal }, onDone = () => {}) {
  const show = ({ detail: job }) => {
    if (!awaited.delete(`${store.id} ${job.job}`)) return;
    if (job.grid) openGrid(store, job);
    else onDone(job);
  };
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
      const lines = linesOf(crossings.map((line) => line.map(share)));
      const go = text(request.kind === "cut" ? "corners.go" : "wall.go");
      const cut = button(go, null, { kind: "primary", drawing: request.kind === "cut" ? "crop" : "search", type: "submit" });
      const fit = button(text("grid.fit"), () => close("fit"));
      const onMove = () => {
        const same = JSON.stringify(corners) === before && Number(rows.value) === grid.rows && Number(cols.value) === grid.cols;
        cut.disabled = !same; // what is cut is what is shown
        fit.disabled = same;
        for (const line of lines) line.classList.toggle("old", !same);
      };
      for (const input of [rows, cols]) input.addEventListener("input", onMove);
      const picture = h("img", { src: panelPicture(store.id, request.file, SIZE), alt: request.file, draggable: "false" });
      const board = cornerBoard(picture, corners, { lines, onMove });
      const size = h("div", { class: "questions" }, field(text("solve.rows"), rows), field(text("solve.cols"), cols));
      const cancel = button(text("button.cancel"), () => close());
      const sentence = h("p", {}, text(grid.sure ? "grid.sentence" : "grid.unsure"));
      return form([sentence, board, size, h("footer", {}, cancel, fit, cut)], () => close("cut"));
    },
    "full",
  );
  if (answer === "cut") {
    store.dismissed.add(job.job);
    await attempt(() => startAwaited(store, { ...request, look: false, corners: null, accepted: job.job }));
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
  return [...crossings, ...columns].map((points) => drawn("polyline", points));
}
