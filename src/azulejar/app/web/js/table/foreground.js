/** The foreground, drawn over the layers in each frame, in CSS pixels. */

import { drawRulers } from "./rulers.js";
import { drawDrag } from "./drag_image.js";
import { drawLock, roundedRect } from "./marks.js";
import { paintTile } from "./paint.js";
import { drawFindings } from "./finding_marks.js";
import { boxOf, insidePlaces } from "./layout.js";
import { clipTo, outlineOf, rectIn, strokeShape } from "./outline.js";

export function drawForeground(context, table, view, dpr) {
  const { panel } = table.tray;
  context.save();
  clipTo(context, panel);
  drawEmpty(context, table);
  drawOutline(context, table, view);
  drawFindings(context, table, view);
  drawSelection(context, table, view);
  drawHover(context, table, view);
  drawCursor(context, table, view);
  drawRulers(context, table, view);
  context.restore();
  drawLoose(context, table);
  drawHandle(context, table);
  drawBand(context, table);
  drawMoving(context, table, view, dpr);
  drawPulse(context, table);
  drawDrag(context, table, view, dpr);
}

/** Draw the sheet of an empty panel, with a hint. */
function drawEmpty(context, table) {
  const { theme, tray: { panel: area } } = table;
  if (table.layout.frame(table.panel) || area.width < 120) return;
  const inset = Math.min(32, area.width * 0.08);
  context.fillStyle = theme.sheet;
  context.strokeStyle = theme.hole;
  context.lineWidth = 1.5;
  context.setLineDash([6, 6]);
  roundedRect(context, area.x + inset, area.y + inset, area.width - 2 * inset, area.height - 2 * inset, 12);
  context.fill();
  context.stroke();
  context.setLineDash([]);
  context.fillStyle = theme.quiet;
  context.font = `500 14px ${theme.font}`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  const [x, y] = [area.x + area.width / 2, area.y + area.height / 2];
  context.fillText(table.say("table.empty"), x, y, area.width - 3 * inset);
  context.textAlign = "start";
}

const shapes = new WeakMap(); // of outlines

/** Draw the outline of the panel, and the rectangle that is being added to it or taken out. */
function drawOutline(context, table, view) {
  const { theme, outlining } = table;
  const outline = table.layout.outlines.get(table.panel);
  if (outline) {
    if (!shapes.has(outline)) shapes.set(outline, outlineOf(insidePlaces(outline)));
    strokeShape(context, shapes.get(outline), view, outlining.active ? theme.select : theme.text, theme.halo, 2);
  }
  if (!outlining.from) return;
  const box = boxOf([outlining.from, outlining.to]);
  const { x, y, size } = rectIn(view, box.top, box.left);
  context.fillStyle = theme.selectSoft;
  context.strokeStyle = outlining.isInside(outlining.from) ? theme.refuse : theme.select;
  context.lineWidth = 3;
  context.fillRect(x, y, box.cols * size, box.rows * size);
  context.strokeRect(x, y, box.cols * size, box.rows * size);
}

function drawSelection(context, table, view) {
  const { theme, selected } = table;
  if (!selected.size) return;
  const shape = table.selectionShape();
  context.save();
  context.translate(view.x, view.y);
  context.scale(view.scale, view.scale);
  context.fillStyle = theme.selectSoft;
  context.fill(shape.area);
  context.restore();
  strokeShape(context, shape, view, theme.select, theme.halo, 3);
}

function drawHover(context, table, view) {
  const { hover, theme } = table;
  if (!hover || hover.area !== "panel" || table.drag.active || table.pointer.panning) return;
  if (hover.tile === null && !table.inFrame(hover)) return;
  const { x, y, size } = rectIn(view, hover.row, hover.col);
  context.strokeStyle = theme.select;
  context.globalAlpha = 0.65;
  context.lineWidth = 1.5;
  roundedRect(context, x + 0.75, y + 0.75, size - 1.5, size - 1.5, 2);
  context.stroke();
  context.globalAlpha = 1;
}

/** Draw the keyboard's cursor, else the hole whose candidates are shown. */
function drawCursor(context, table, view) {
  const { cursor, theme, place } = table;
  if (cursor.shown && cursor.area === "panel") drawRing(context, rectIn(view, cursor.row, cursor.col), theme.cursor, theme);
  else if (place && table.layout.at(place.panel, place.row, place.col) === null) {
    drawRing(context, rectIn(view, place.row, place.col), theme.select, theme);
  }
}

function drawRing(context, { x, y, size }, colour, theme) {
  const inset = Math.min(4, size * 0.08);
  for (const [width, style] of [[5.5, theme.halo], [2.5, colour]]) {
    context.lineWidth = width;
    context.strokeStyle = style;
    roundedRect(context, x + inset, y + inset, size - 2 * inset, size - 2 * inset, 4);
    context.stroke();
  }
}

/** Mark selected, hovered and cursor tiles of the tray. */
function drawLoose(context, table) {
  const { tray, layout, theme, selected, hover, cursor } = table;
  if (!tray.area.width) return;
  context.save();
  clipTo(context, { ...tray.area, y: tray.inner.y - 2, height: tray.inner.height + 12 });
  const [first, last] = tray.visible();
  for (let index = first; index < last; index += 1) {
    const chosen = selected.has(layout.loose[index]);
    const hovered = hover?.area === "tray" && hover.index === index;
    if (chosen || hovered) {
      const { x, y, size } = tray.rectOf(index);
      context.globalAlpha = chosen ? 1 : 0.6;
      context.lineWidth = chosen ? 3 : 1.5;
      context.strokeStyle = theme.select;
      context.strokeRect(x - 1.5, y - 1.5, size + 3, size + 3);
      context.globalAlpha = 1;
    }
    const here = cursor.shown && cursor.area === "tray" && cursor.index === index;
    if (here) drawRing(context, tray.rectOf(index), theme.cursor, theme);
  }
  context.restore();
}

function drawHandle(context, table) {
  const handle = table.handle();
  if (!handle) return;
  const { x, y, radius } = handle;
  const { theme } = table;
  context.fillStyle = theme.signGround;
  context.strokeStyle = theme.select;
  context.lineWidth = 1.5;
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fill();
  context.stroke();
  const arc = radius * 0.5;
  context.lineWidth = 2;
  context.lineCap = "round";
  context.beginPath();
  context.arc(x, y, arc, -0.75 * Math.PI, 0.55 * Math.PI);
  context.stroke();
  const [ax, ay] = [x + arc * Math.cos(0.55 * Math.PI), y + arc * Math.sin(0.55 * Math.PI)];
  context.fillStyle = theme.select;
  context.beginPath();
  context.moveTo(ax - 5.5, ay + 0.5);
  context.lineTo(ax + 2, ay - 5);
  context.lineTo(ax + 3, ay + 4.5);
  context.fill();
}

function drawBand(context, table) {
  const { band } = table.pointer;
  if (!band) return;
  const { theme } = table;
  const { x0, y0, x1, y1 } = band;
  const box = [Math.min(x0, x1), Math.min(y0, y1), Math.abs(x1 - x0), Math.abs(y1 - y0)];
  context.fillStyle = theme.selectSoft;
  context.strokeStyle = theme.select;
  context.lineWidth = 1;
  context.fillRect(...box);
  context.strokeRect(...box);
}

/** Draw tiles that glide or shake. */
function drawMoving(context, table, view, dpr) {
  const { motion, layout, atlas, theme } = table;
  for (const tile of motion.tiles.keys()) {
    const to = table.rectOf(tile);
    if (!to) continue;
    const { x, y, size, turn } = motion.at(tile, to);
    context.save();
    context.scale(1 / dpr, 1 / dpr);
    paintTile(context, atlas, theme, tile, x * dpr, y * dpr, size * dpr, size * dpr, turn);
    if (layout.locked.has(tile)) drawLock(context, x * dpr, y * dpr, size * dpr, theme, dpr);
    context.restore();
  }
}

/** Draw a ring around a tile that was searched for. */
function drawPulse(context, table) {
  const { pulse, theme } = table;
  const rect = pulse && table.rectOf(pulse.tile);
  if (!rect) return;
  const grow = 14 * pulse.gone;
  context.globalAlpha = 1 - pulse.gone;
  context.strokeStyle = theme.cursor;
  context.lineWidth = 4;
  roundedRect(context, rect.x - grow, rect.y - grow, rect.size + 2 * grow, rect.size + 2 * grow, 4 + grow / 2);
  context.stroke();
  context.globalAlpha = 1;
}
