/** The drag image: dragged tiles, where they would land, and the tiles that make room. */

import { LOOSE } from "./layout.js";
import { drawLock, roundedRect } from "./marks.js";
import { paintTile } from "./paint.js";
import { clipTo, outlineOf, rectIn, strokeShape } from "./outline.js";

const SHADOWED = 12; // dragged tiles that cast a shadow; more of them would cost frames

export function drawDrag(context, table, view, dpr) {
  const { drag } = table;
  if (!drag.active) return;
  const toPanel = drag.target.kind === "panel";
  if (drag.target.kind === "tray") drawTrayAwaits(context, table);
  if (toPanel) within(context, table, () => drawDisplaced(context, table, view, dpr));
  drawDragged(context, table, dpr);
  if (toPanel) within(context, table, () => drawLanding(context, table, view));
}

function within(context, table, draw) {
  context.save();
  clipTo(context, table.tray.panel);
  draw();
  context.restore();
}

function drawDragged(context, table, dpr) {
  const { drag, theme } = table;
  context.save();
  context.globalAlpha = 0.9;
  if (drag.tiles.length <= SHADOWED) {
    context.shadowColor = theme.shadow;
    context.shadowBlur = 14 * dpr;
    context.shadowOffsetY = 4 * dpr;
  }
  drag.tiles.forEach((tile, k) => drawTile(context, table, tile, drag.imageOf(k, drag.size), dpr));
  context.restore();
}

function drawTile(context, table, tile, { x, y, size }, dpr) {
  context.save();
  context.scale(1 / dpr, 1 / dpr);
  const side = size * dpr;
  paintTile(context, table.atlas, table.theme, tile, x * dpr, y * dpr, side, side, table.layout.of(tile).turn);
  context.restore();
}

/** Draw the tiles that make room faintly in their new places. */
function drawDisplaced(context, table, view, dpr) {
  const { drag, theme } = table;
  for (const placed of drag.plan.placed) {
    if (drag.lifted.has(placed.tile) || placed.panel === LOOSE) continue;
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

/** Where the tiles would lie, with a sign on those that are locked or go to the tray. */
function drawLanding(context, table, view) {
  const { drag, layout, theme } = table;
  const { plan } = drag;
  plan.shape ??= outlineOf(plan.placed.filter(({ tile }) => drag.lifted.has(tile)));
  strokeShape(context, plan.shape, view, plan.blocked.length ? theme.refuse : theme.select, theme.halo, 3);
  for (const { tile, panel } of plan.placed) {
    if (drag.lifted.has(tile)) continue;
    const from = layout.of(tile);
    const rect = rectIn(view, from.row, from.col);
    if (layout.locked.has(tile)) drawLock(context, rect.x, rect.y, rect.size, theme, 1);
    else if (panel === LOOSE) drawToTray(context, rect, theme);
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
