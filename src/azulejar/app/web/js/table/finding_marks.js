/** Marks on findings of an audit, or on tiles that differ, with arrows to where they belong. */

import { LOOSE } from "./layout.js";
import { roundedRect } from "./marks.js";

export function drawFindings(context, table, view) {
  if (!table.findings) return;
  const { layout, panel, theme } = table;
  context.strokeStyle = context.fillStyle = theme.finding;
  for (const finding of table.findings) {
    for (const tile of finding.tiles) {
      const placed = layout.of(tile);
      if (placed?.panel !== panel) continue;
      mark(context, view, placed, theme);
      const proposed = finding.proposed?.find((one) => one.tile === tile);
      if (proposed?.panel === panel && panel !== LOOSE) point(context, view, placed, proposed, theme);
    }
  }
}

function mark(context, view, { row, col }, theme) {
  const [x, y] = [view.x + col * view.scale, view.y + row * view.scale];
  for (const [width, style] of [[6, theme.signGround], [3, theme.finding]]) {
    context.lineWidth = width;
    context.strokeStyle = style;
    context.setLineDash(style === theme.finding ? [7, 4] : []);
    roundedRect(context, x + 2, y + 2, view.scale - 4, view.scale - 4, 3);
    context.stroke();
  }
  context.setLineDash([]);
}

/** Draw an arrow from place to place, or a circular one where only the turn differs. */
function point(context, view, from, to, theme) {
  const centre = ({ row, col }) => [view.x + (col + 0.5) * view.scale, view.y + (row + 0.5) * view.scale];
  const [x0, y0] = centre(from);
  const [x1, y1] = centre(to);
  const path = new Path2D();
  const length = Math.hypot(x1 - x0, y1 - y0);
  if (length < 1) {
    const radius = view.scale * 0.22;
    const quarters = ((((to.turn - from.turn) / 90) % 4) + 4) % 4;
    if (!quarters) return;
    const sweep = quarters === 3 ? -Math.PI / 2 : (quarters * Math.PI) / 2;
    const end = sweep - Math.PI / 2;
    path.arc(x0, y0, radius, -Math.PI / 2, end, sweep < 0);
    const heading = sweep < 0 ? sweep - Math.PI : sweep;
    head(path, x0 + radius * Math.cos(end), y0 + radius * Math.sin(end), heading, radius * 0.6);
  } else {
    const [dx, dy] = [(x1 - x0) / length, (y1 - y0) / length];
    const [tx, ty] = [x1 - dx * view.scale * 0.2, y1 - dy * view.scale * 0.2];
    path.moveTo(x0 + dx * view.scale * 0.2, y0 + dy * view.scale * 0.2);
    // Bent a little, so that the two arrows of a swap do not overlap.
    path.quadraticCurveTo((x0 + x1) / 2 - dy * length * 0.12, (y0 + y1) / 2 + dx * length * 0.12, tx, ty);
    head(path, tx, ty, Math.atan2(dy, dx) - 0.24, Math.min(14, view.scale * 0.22));
  }
  context.lineCap = context.lineJoin = "round";
  for (const [width, style] of [[6, theme.signGround], [3, theme.finding]]) {
    context.lineWidth = width;
    context.strokeStyle = style;
    context.stroke(path);
  }
}

function head(path, x, y, angle, size) {
  for (const side of [-1, 1]) {
    path.moveTo(x, y);
    path.lineTo(x - size * Math.cos(angle + side * 0.5), y - size * Math.sin(angle + side * 0.5));
  }
}
