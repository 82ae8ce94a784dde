/** Rulers: numbers of rows and columns from 1, along the panel or the edge of its area. */

import { roundedRect } from "./marks.js";

const ROOM = 24; // CSS px from number to number at least

function stepFor(scale) {
  return [1, 2, 5, 10, 20, 50, 100].find((step) => step * scale >= ROOM) ?? 200;
}

export function drawRulers(context, table, view) {
  const frame = table.layout.frame(table.panel);
  if (!frame) return;
  const { panel: area } = table.tray;
  const { theme } = table;
  const step = stepFor(view.scale);
  const away = 0.35 * view.scale + 12;
  const top = Math.max(area.y + table.covered + 12, view.y + frame.top * view.scale - away);
  const left = Math.max(area.x + 15, view.x + frame.left * view.scale - away);
  const corner = { x: view.x + frame.left * view.scale, y: view.y + frame.top * view.scale };
  const over = { row: left > corner.x - 10, col: top > corner.y - 10 }; // the numbers lie over tiles
  context.font = `500 11px ${theme.font}`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  for (const number of numbers(frame.cols, step)) {
    const x = view.x + (frame.left + number - 0.5) * view.scale;
    if (x > left + 16 * over.row && x < area.x + area.width) drawNumber(context, number, x, top, theme, over.col);
  }
  for (const number of numbers(frame.rows, step)) {
    const y = view.y + (frame.top + number - 0.5) * view.scale;
    if (y > top + 14 * over.col && y < area.y + area.height) drawNumber(context, number, left, y, theme, over.row);
  }
  context.textAlign = "start";
}

/** 1 and every `step`-th; 1 is left out where 2 follows at once. */
function numbers(count, step) {
  const list = step >= 5 ? [1] : [];
  for (let number = step; number <= count; number += step) list.push(number);
  return list;
}

function drawNumber(context, number, x, y, theme, backed) {
  if (backed) {
    context.fillStyle = theme.signGround;
    roundedRect(context, x - 11, y - 8, 22, 16, 8);
    context.fill();
  }
  context.fillStyle = backed ? theme.text : theme.quiet;
  context.fillText(number, x, y + 0.5);
}
