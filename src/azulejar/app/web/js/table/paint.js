/** What the two layers hold: the panel on its sheet, and the tray. All in device pixels. */

import { drawHole, drawLock, drawMissing, drawRefused, refusedJoints, roundedRect } from "./marks.js";
import { drawBubble } from "./note_marks.js";

const GAP = 90; // device pixels of a tile, from which tiles lie apart
const SHEET = 0.35; // tiles that the lit sheet reaches beyond the frame

/** The box of a place, on whole pixels, so that joints are all alike. */
export function boxAt(row, col, scale) {
  const [x, y] = [Math.round(col * scale), Math.round(row * scale)];
  return { x, y, width: Math.round((col + 1) * scale) - x, height: Math.round((row + 1) * scale) - y };
}

/** The gap between two tiles: none where it would eat the picture; there a hairline shows the joint. */
const gapOf = (scale) => (scale < GAP ? 0 : Math.round(scale * 0.012));

/** The box that anything of the panel is drawn in, seen from the view's origin. */
export function contentBox(frame, scale) {
  if (!frame) return { left: 0, top: 0, width: 1, height: 1 };
  const rim = (SHEET + 0.15) * scale + 4;
  return {
    left: Math.floor(frame.left * scale - rim),
    top: Math.floor(frame.top * scale - rim),
    width: Math.ceil(frame.cols * scale + 2 * rim),
    height: Math.ceil(frame.rows * scale + 2 * rim),
  };
}

export function paintPanel(context, scene, scale, box) {
  const { layout, panel, atlas, theme, notes, overlay, hidden, lifted, dpr } = scene;
  context.fillStyle = theme.ground;
  context.fillRect(box.left, box.top, box.width, box.height);
  const frame = layout.frame(panel);
  if (!frame) return;
  paintSheet(context, frame, scale, theme, dpr);
  const within = (low, high, start, length) => [
    Math.max(low, Math.floor(start / scale)), Math.min(high, Math.ceil((start + length) / scale)),
  ];
  const rows = within(frame.top, frame.bottom, box.top, box.height);
  const cols = within(frame.left, frame.right, box.left, box.width);
  const gap = gapOf(scale);
  const lead = Math.floor(gap / 2);
  for (let row = rows[0]; row < rows[1]; row += 1) {
    for (let col = cols[0]; col < cols[1]; col += 1) {
      const { x, y, width, height } = boxAt(row, col, scale);
      const tile = layout.at(panel, row, col);
      if (tile === null || hidden.has(tile)) {
        if (layout.isMissing(panel, row, col)) drawMissing(context, x, y, width, theme);
        else if (scale > 9 && !layout.isOutside(panel, row, col)) drawHole(context, x, y, width, theme, dpr);
        continue;
      }
      if (layout.isOutside(panel, row, col)) context.globalAlpha = 0.5;
      if (lifted.has(tile)) context.globalAlpha = 0.28;
      paintTile(context, atlas, theme, tile, x + lead, y + lead, width - gap, height - gap, layout.of(tile).turn);
      context.globalAlpha = 1;
    }
  }
  if (!gap) paintHairlines(context, rows, cols, scale, theme);
  if (overlay) overlay.paint(context, layout, panel, scale, theme);
  for (const joint of refusedJoints(layout, panel)) drawRefused(context, joint, scale, theme, dpr);
  for (const tile of layout.locked) {
    const placed = layout.of(tile);
    if (placed?.panel !== panel || hidden.has(tile)) continue;
    const { x, y, width } = boxAt(placed.row, placed.col, scale);
    drawLock(context, x, y, width, theme, dpr);
  }
  notes.paint(context, scene, scale, boxAt);
}

/** Joints as thin lines, fainter the smaller the tiles are. */
function paintHairlines(context, rows, cols, scale, theme) {
  context.globalAlpha = 0.6 * Math.min(1, Math.max(0, (scale - 14) / 40));
  context.fillStyle = theme.sheet;
  const at = (place) => Math.round(place * scale);
  const [left, top] = [at(cols[0]), at(rows[0])];
  for (let row = rows[0]; row <= rows[1]; row += 1) context.fillRect(left, at(row), at(cols[1]) - left, 1);
  for (let col = cols[0]; col <= cols[1]; col += 1) context.fillRect(at(col), top, 1, at(rows[1]) - top);
  context.globalAlpha = 1;
}

function paintSheet(context, frame, scale, theme, dpr) {
  const rim = Math.round(SHEET * scale);
  const { x, y } = boxAt(frame.top, frame.left, scale);
  const end = boxAt(frame.bottom, frame.right, scale);
  context.fillStyle = theme.sheet;
  context.strokeStyle = theme.sheetRim;
  context.lineWidth = dpr;
  const [width, height] = [end.x - x + 2 * rim, end.y - y + 2 * rim];
  roundedRect(context, x - rim + 0.5, y - rim + 0.5, width, height, Math.min(12 * dpr, rim * 0.5));
  context.fill();
  context.stroke();
}

export function paintTile(context, atlas, theme, tile, x, y, width, height, turn) {
  if (atlas?.draw(context, tile, x, y, width, height, turn)) return;
  context.fillStyle = theme.blank;
  context.fillRect(x, y, width, height);
}

/** The tray as it shows, from its own corner. */
export function paintTray(context, scene, title, shortTitle) {
  const { tray, theme, dpr } = scene;
  const { width, height } = tray.area;
  context.save();
  context.scale(dpr, dpr);
  context.fillStyle = theme.tray;
  context.fillRect(0, 0, width, height);
  context.fillStyle = theme.trayRim;
  if (tray.side === "right") context.fillRect(0, 0, 1, height);
  else context.fillRect(0, 0, width, 1);
  context.fillStyle = theme.text;
  context.font = `600 13px ${theme.font}`;
  context.textBaseline = "middle";
  if (width < 60) paintAlong(context, title, width, height);
  else context.fillText(context.measureText(title).width > width - 24 ? shortTitle : title, 12, 18, width - 24);
  const [left, top] = [tray.inner.x - tray.area.x, tray.inner.y - tray.area.y];
  context.beginPath();
  context.rect(0, top, width, height - top);
  context.clip();
  const [first, last] = tray.visible();
  for (let index = first; index < last; index += 1) paintLoose(context, index, scene);
  paintScroll(context, tray, left, top, theme);
  context.restore();
}

/** A title that runs down a slim tray. */
function paintAlong(context, title, width, height) {
  context.save();
  context.translate(width / 2, height / 2);
  context.rotate(Math.PI / 2);
  context.textAlign = "center";
  context.fillText(title, 0, 0);
  context.restore();
}

function paintLoose(context, index, { layout, tray, atlas, theme, notes, hidden, lifted, dpr }) {
  const tile = layout.loose[index];
  if (hidden.has(tile)) return;
  const { x, y, size } = tray.rectOf(index);
  if (lifted.has(tile)) context.globalAlpha = 0.28;
  context.setTransform(1, 0, 0, 1, 0, 0);
  const device = Math.round(size * dpr);
  paintTile(
    context, atlas, theme, tile,
    Math.round((x - tray.area.x) * dpr), Math.round((y - tray.area.y) * dpr), device, device, layout.of(tile).turn,
  );
  context.setTransform(dpr, 0, 0, dpr, 0, 0);
  context.globalAlpha = 1;
  if (notes.tiles(layout).has(tile)) drawBubble(context, x - tray.area.x + 2, y - tray.area.y + size - 16, 14, theme);
}

function paintScroll(context, tray, left, top, theme) {
  if (!tray.deepest) return;
  const { width, height } = tray.inner;
  const whole = tray.deepest + height;
  const length = Math.max(24, (height * height) / whole);
  context.fillStyle = theme.trayRim;
  roundedRect(context, left + width + 3, top + (tray.scroll / tray.deepest) * (height - length), 4, length, 2);
  context.fill();
}
