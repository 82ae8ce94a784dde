/** The old picture of a panel, laid over it by the four corners of the panel in it. */

import { referencePicture } from "../common/api.js";
import { h } from "../common/dom.js";
import { text } from "../common/texts.js";

const SIZE = 2048; // pixels at most

/** An old picture as an element over a table; `follow()` keeps it on the panel. */
export function laidOver(project, { file, corners }, table) {
  const element = h("img", { class: "laid-over", src: referencePicture(project, file, SIZE), alt: text("reference.title") });
  const follow = () => {
    const frame = table.layout.frame(table.panel);
    if (!frame || !element.naturalWidth) return;
    const from = corners.map(([x, y]) => [x * element.naturalWidth, y * element.naturalHeight]);
    const { x, y, scale } = table.view;
    const at = (row, col) => [x + col * scale, y + row * scale];
    const { top, left, bottom, right } = frame;
    const to = [at(top, left), at(top, right), at(bottom, right), at(bottom, left)];
    element.style.transform = `matrix3d(${asMatrix3d(homography(from, to)).join(",")})`;
  };
  element.addEventListener("load", follow);
  return { element, follow };
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
