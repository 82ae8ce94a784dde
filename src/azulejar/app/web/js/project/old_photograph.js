/** An old photograph of a panel, laid over it by the four corners of the panel in it. */

import { START, cornerBoard, loadPicture } from "./corners.js";
import { ask, foot, form } from "../common/dialog.js";
import { h } from "../common/dom.js";
import { text } from "../common/texts.js";
import { showMessage } from "../common/toast.js";

/** What was laid over the panels of each project, until the page is closed. */
const laid = new Map();

/** Ask for a photograph and the corners of the panel in it; return whether there is one now. */
export async function askPhotograph(project) {
  const file = await askFile();
  if (!file) return false;
  const picture = await loadPicture(file);
  if (!picture) {
    showMessage(text("compare.unreadable"), text("compare.unreadable.remedy"), "error");
    return false;
  }
  const corners = START.map((each) => [...each]);
  const confirm = await ask(text("corners.title"), (close) => {
    const parts = [h("p", {}, text("corners.sentence")), cornerBoard(picture, corners), foot(close, text("compare.lay"))];
    return form(parts, () => close(true));
  }, "full");
  if (confirm) laid.set(project, { address: picture.src, size: [picture.naturalWidth, picture.naturalHeight], corners });
  return Boolean(confirm);
}

function askFile() {
  return new Promise((resolve) => {
    const input = h("input", { type: "file", accept: "image/*", class: "old-photograph", hidden: true });
    input.addEventListener("change", () => resolve(input.files[0] ?? null));
    input.addEventListener("cancel", () => resolve(null));
    input.addEventListener("change", () => input.remove());
    input.addEventListener("cancel", () => input.remove());
    (document.querySelector("dialog[open]") ?? document.body).append(input);
    input.click();
  });
}

/** The photograph of a project as an element over a table; `follow()` keeps it on the panel. */
export function photographOf(project, table) {
  const { address, size, corners } = laid.get(project);
  const element = h("img", { class: "laid-over", src: address, alt: text("compare.photograph") });
  const from = corners.map(([x, y]) => [x * size[0], y * size[1]]);
  const follow = () => {
    const frame = table.layout.frame(table.panel);
    if (!frame) return;
    const { x, y, scale } = table.view;
    const at = (row, col) => [x + col * scale, y + row * scale];
    const { top, left, bottom, right } = frame;
    const to = [at(top, left), at(top, right), at(bottom, right), at(bottom, left)];
    element.style.transform = `matrix3d(${asMatrix3d(homography(from, to)).join(",")})`;
  };
  requestAnimationFrame(follow);
  return { element, follow, remove: () => element.remove() };
}

/** The eight numbers a … h of x' = (ax + by + c) / (gx + hy + 1), y' = (dx + ey + f) / (gx + hy + 1)
 * that take four points to four others. */
export function homography(from, to) {
  const rows = from.flatMap(([x, y], k) => {
    const [u, v] = to[k];
    return [
      [x, y, 1, 0, 0, 0, -u * x, -u * y, u],
      [0, 0, 0, x, y, 1, -v * x, -v * y, v],
    ];
  });
  return solved(rows);
}

/** The solution of linear equations, each row with its right side last, by Gauss's elimination. */
function solved(rows) {
  const count = rows.length;
  for (let k = 0; k < count; k += 1) {
    const pivot = rows.slice(k).reduce((best, row) => (Math.abs(row[k]) > Math.abs(best[k]) ? row : best));
    rows.splice(rows.indexOf(pivot), 1);
    rows.splice(k, 0, pivot);
    for (const row of rows) {
      if (row === pivot) continue;
      const share = row[k] / pivot[k];
      for (let at = k; at <= count; at += 1) row[at] -= share * pivot[at];
    }
  }
  return rows.map((row, k) => row[count] / row[k]);
}

function asMatrix3d([a, b, c, d, e, f, g, k]) {
  return [a, d, 0, g, b, e, 0, k, 0, 0, 1, 0, c, f, 0, 1];
}
