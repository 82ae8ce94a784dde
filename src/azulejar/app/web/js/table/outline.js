/** Outlines of sets of places, and how they are drawn. */

import { keyOf } from "./layout.js";

/** The outline of `places` ({row, col}[]) in units of a place, so that it can be stroked at any scale:
 * `edges` is the rim of their union, `area` its inside. */
export function outlineOf(places) {
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

/** The square of a place in a view {x, y, scale}. */
export const rectIn = ({ x, y, scale }, row, col) => ({ x: x + col * scale, y: y + row * scale, size: scale });

export function clipTo(context, { x, y, width, height }) {
  context.beginPath();
  context.rect(x, y, width, height);
  context.clip();
}

/** Stroke a shape in units of places, with a light halo so that it shows on any picture. */
export function strokeShape(context, shape, view, colour, halo, width) {
  context.save();
  context.translate(view.x, view.y);
  context.scale(view.scale, view.scale);
  context.lineCap = "square";
  for (const [line, style] of [[width + 3, halo], [width, colour]]) {
    context.lineWidth = line / view.scale;
    context.strokeStyle = style;
    context.stroke(shape.edges);
  }
  context.restore();
}
