/** Marks on the table: locks, missing places, holes, refused joints. All in device pixels. */

import { pairBetween, isForbidden, neighboursOf } from "./moves.js";

const clamp = (value, low, high) => Math.min(high, Math.max(low, value));

/** Draw a padlock in the upper right corner of a square. */
export function drawLock(context, x, y, size, theme, dpr = 1) {
  const side = clamp(size * 0.22, 5 * dpr, 24 * dpr);
  if (size < 16 * dpr) return;
  const [left, top] = [x + size - side * 1.15, y + side * 0.15];
  context.fillStyle = theme.signGround;
  roundedRect(context, left, top, side, side, side * 0.25);
  context.fill();
  context.fillStyle = context.strokeStyle = theme.sign;
  context.lineWidth = side * 0.11;
  context.beginPath();
  context.arc(left + side / 2, top + side * 0.46, side * 0.17, Math.PI, 0);
  context.stroke();
  roundedRect(context, left + side * 0.25, top + side * 0.45, side * 0.5, side * 0.36, side * 0.06);
  context.fill();
}

/** Draw a place without a tile. */
export function drawHole(context, x, y, size, theme, dpr = 1) {
  const inset = Math.max(1, size * 0.06);
  context.strokeStyle = theme.hole;
  context.lineWidth = Math.max(1, Math.min(1.5 * dpr, size * 0.03));
  context.setLineDash([size * 0.08, size * 0.06]);
  roundedRect(context, x + inset, y + inset, size - 2 * inset, size - 2 * inset, size * 0.06);
  context.stroke();
  context.setLineDash([]);
}

/** Draw a place whose tile is known to be lost, hatched. */
export function drawMissing(context, x, y, size, theme) {
  const inset = Math.max(1, size * 0.04);
  const side = size - 2 * inset;
  context.save();
  context.translate(x + inset, y + inset);
  context.beginPath();
  context.rect(0, 0, side, side);
  context.clip();
  context.fillStyle = theme.hole;
  context.globalAlpha = 0.16;
  context.fillRect(0, 0, side, side);
  context.globalAlpha = 1;
  context.strokeStyle = theme.hatch;
  context.lineWidth = Math.max(1, size * 0.018);
  context.beginPath();
  const step = Math.max(5, side / 8);
  for (let offset = step / 2; offset < 2 * side; offset += step) {
    context.moveTo(offset, 0);
    context.lineTo(offset - side, side);
  }
  context.stroke();
  context.strokeRect(0, 0, side, side);
  context.restore();
}

/** The joints of a panel that are refused but exist now: {row, col, below}. */
export function refusedJoints(layout, panel) {
  const joints = [];
  for (const pair of layout.forbidden) {
    const placed = layout.of(pair.tile);
    if (!placed || placed.panel !== panel || !neighboursOf(layout, placed).includes(pair.other)) continue;
    const now = pairBetween(layout, pair.tile, pair.other);
    if (!isForbidden({ forbidden: [pair] }, now)) continue;
    const other = layout.of(pair.other);
    joints.push({
      row: Math.min(placed.row, other.row), col: Math.min(placed.col, other.col), below: placed.row !== other.row,
    });
  }
  return joints;
}

export function drawRefused(context, { row, col, below }, scale, theme, dpr = 1) {
  const [x, y] = [(below ? col : col + 1) * scale, (below ? row + 1 : row) * scale];
  const [mx, my] = below ? [x + scale / 2, y] : [x, y + scale / 2];
  const radius = clamp(scale * 0.09, 4 * dpr, 11 * dpr);
  context.strokeStyle = theme.refuse;
  context.lineWidth = Math.max(dpr, scale * 0.025);
  context.lineCap = "butt";
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(x + (below ? scale : 0), y + (below ? 0 : scale));
  context.stroke();
  context.fillStyle = theme.signGround;
  context.beginPath();
  context.arc(mx, my, radius, 0, 2 * Math.PI);
  context.fill();
  context.stroke();
  const arm = radius * 0.45;
  context.beginPath();
  context.moveTo(mx - arm, my - arm);
  context.lineTo(mx + arm, my + arm);
  context.moveTo(mx + arm, my - arm);
  context.lineTo(mx - arm, my + arm);
  context.stroke();
}

export function roundedRect(context, x, y, width, height, radius) {
  context.beginPath();
  context.roundRect(x, y, width, height, radius);
}
