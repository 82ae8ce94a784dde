/** The outline of a set of places as one path, in units of a place: it is stroked at any scale. */

import { keyOf } from "./layout.js";

/** `places`: {row, col}[]. `edges` is the rim of their union, `area` its inside in runs of a row. */
export function shapeOf(places) {
  const taken = new Set(places.map(({ row, col }) => keyOf(row, col)));
  const edges = new Path2D();
  const area = new Path2D();
  const line = (x, y, dx, dy) => {
    edges.moveTo(x, y);
    edges.lineTo(x + dx, y + dy);
  };
  for (const { row, col } of places) {
    if (!taken.has(keyOf(row - 1, col))) line(col, row, 1, 0);
    if (!taken.has(keyOf(row + 1, col))) line(col, row + 1, 1, 0);
    if (!taken.has(keyOf(row, col - 1))) line(col, row, 0, 1);
    if (!taken.has(keyOf(row, col + 1))) line(col + 1, row, 0, 1);
    if (taken.has(keyOf(row, col - 1))) continue;
    let length = 1;
    while (taken.has(keyOf(row, col + length))) length += 1;
    area.rect(col, row, length, 1);
  }
  return { edges, area };
}
