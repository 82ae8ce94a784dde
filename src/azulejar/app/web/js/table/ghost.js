/** What shows while tiles are in the hand: them, their landing place, and who makes room. */

import { LOOSE } from "./layout.js";
import { drawLock, roundedRect } from "./marks.js";
import { paintTile } from "./paint.js";
import { shapeOf } from "./shape.js";
import { clipTo, rectIn, strokeShape } from "./front.js";

export function drawDrag(context, table, view, dpr) {
  const { drag, theme } = table;
  if (!drag.active) return;
  const toPanel = drag.target.kind === "panel";
  if (toPanel) {
    context.save();
    clipTo(context, table.tray.panel);
    drawLanding(context, table, view);
    drawGivingWay(context, table, view, dpr);
    context.restore();
  } else drawTrayAwaits(context, table);
  const size = drag.size;
  context.save();
  context.shadowColor = theme.shadow;
  context.shadowBlur = 14 * dpr;
  context.shadowOffsetY = 4 * dpr;
  const shadowed = drag.tiles.length <= 12;
  context.globalAlpha = 0.92;
  drag.tiles.forEach((tile, k) => {
    if (!shadowed && k === 0) context.shadowColor = "transparent";
    drawTile(context, table, tile, drag.ghost(k, size), dpr);
  });
  context.restore();
}

function drawTile(context, table, tile, { x, y, size }, dpr) {
  context.save();
  context.scale(1 / dpr, 1 / dpr);
  paintTile(context, table.atlas, table.theme, tile, x * dpr, y * dpr, size * dpr, table.layout.of(tile).turn);
  context.restore();
}

function drawLanding(context, table, view) {
  const { drag, theme } = table;
  const { plan } = drag;
  const moving = plan.placed.filter(({ tile }) => drag.lifted.has(tile));
  const shape = shapeOf(moving);
  context.save();
  context.translate(view.x, view.y);
  context.scale(view.scale, view.scale);
  context.fillStyle = plan.blocked.length ? theme.refuse : theme.select;
  context.globalAlpha = 0.22;
  context.fill(shape.area);
  context.restore();
  strokeShape(context, shape, view, plan.blocked.length ? theme.refuse : theme.select, theme.signGround, 2.5);
}

/** Tiles that make room: already faintly in their new place, or with a sign that they go to the tray. */
function drawGivingWay(context, table, view, dpr) {
  const { drag, layout, theme } = table;
  const { plan } = drag;
  for (const placed of plan.placed) {
    if (drag.lifted.has(placed.tile)) continue;
    const from = layout.of(placed.tile);
    if (layout.locked.has(placed.tile)) {
      const { x, y, size } = rectIn(view, from.row, from.col);
      drawLock(context, x, y, size, theme, 1);
    } else if (placed.panel === LOOSE) drawToTray(context, rectIn(view, from.row, from.col), theme);
    else {
      const rect = rectIn(view, placed.row, placed.col);
      context.globalAlpha = 0.6;
      drawTile(context, table, placed.tile, rect, dpr);
      context.globalAlpha = 1;
      context.strokeStyle = theme.cursor;
      context.setLineDash([5, 4]);
      context.lineWidth = 2;
      context.strokeRect(rect.x + 1, rect.y + 1, rect.size - 2, rect.size - 2);
      context.setLineDash([]);
    }
  }
}

/** An arrow into an open box. */
function drawToTray(context, { x, y, size }, theme) {
  const side = Math.min(26, size * 0.5);
  const [left, top] = [x + 3, y + size - side - 3];
  context.fillStyle = theme.signGround;
  roundedRect(context, left, top, side, side, side * 0.2);
  context.fill();
  context.strokeStyle = theme.cursor;
  context.lineWidth = Math.max(1.5, side * 0.09);
  context.lineCap = context.lineJoin = "round";
  const at = (u, v) => [left + u * side, top + v * side];
  context.beginPath();
  context.moveTo(...at(0.5, 0.18));
  context.lineTo(...at(0.5, 0.6));
  context.moveTo(...at(0.32, 0.44));
  context.lineTo(...at(0.5, 0.62));
  context.lineTo(...at(0.68, 0.44));
  context.moveTo(...at(0.2, 0.6));
  context.lineTo(...at(0.2, 0.82));
  context.lineTo(...at(0.8, 0.82));
  context.lineTo(...at(0.8, 0.6));
  context.stroke();
}

/** The tray shows that it would take the tiles. */
function drawTrayAwaits(context, table) {
  const { theme, drag } = table;
  const { x, y, width, height } = table.tray.area;
  if (!width || drag.loose) return;
  context.strokeStyle = drag.plan.blocked.length ? theme.refuse : theme.select;
  context.lineWidth = 3;
  roundedRect(context, x + 4, y + 4, width - 8, height - 8, 8);
  context.stroke();
}
