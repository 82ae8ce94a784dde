/** The tray of loose tiles: a docked area with its own scroll, tiles in a wrapped grid. */

const HEADER = 34; // CSS px for the title
const PAD = 10;
const SLIM = 36; // an empty tray is no more than a place to drop tiles on
const NARROWEST = 96;
const CELL = { smallest: 44, usual: 76, largest: 128 };

const clamp = (value, low, high) => Math.min(high, Math.max(low, value));

/** Splits the canvas: the panel's area and the tray's at its right, or below on an upright canvas. */
export function split(width, height, { loose, placed, chosen = null, alone = false, hidden = false }) {
  const whole = { x: 0, y: 0, width, height };
  if (alone) return { panel: { ...whole, width: 0 }, tray: whole, side: "right" };
  if (hidden) return { panel: whole, tray: { ...whole, x: width, width: 0 }, side: "right" };
  const side = width >= height * 0.95 ? "right" : "bottom";
  const [breadth, length] = side === "right" ? [width, height] : [height, width];
  const room = side === "right" ? length - HEADER - PAD : length - PAD;
  const lines = Math.max(1, Math.ceil(loose / Math.max(1, Math.floor(room / CELL.usual))));
  const fitting = lines * CELL.usual + 2 * PAD + (side === "bottom" ? HEADER : 0);
  const most = breadth * (placed ? 0.34 : 0.66);
  const size = loose ? Math.round(clamp(chosen ?? Math.min(fitting, most), NARROWEST, breadth * 0.8)) : SLIM;
  return side === "right"
    ? { panel: { ...whole, width: width - size }, tray: { ...whole, x: width - size, width: size }, side }
    : { panel: { ...whole, height: height - size }, tray: { ...whole, y: height - size, height: size }, side };
}

/** The largest cell at which all tiles show without scrolling; a handy one where none does. */
function fittingCell(count, width, height) {
  for (let cell = CELL.largest; cell >= CELL.smallest; cell -= 2) {
    const columns = Math.floor(width / cell);
    if (columns > 0 && Math.ceil(count / columns) * cell <= height) return cell;
  }
  return 56;
}

export class Tray {
  constructor() {
    this.scroll = 0;
    this.chosen = null; // breadth in CSS px that the user has dragged it to
    this.zoom = 1;
    this.count = 0;
    this.arrange(0, 0, { loose: 0, placed: 0 });
  }

  arrange(width, height, { loose, placed, alone = false, hidden = false }) {
    Object.assign(this, split(width, height, { loose, placed, chosen: this.chosen, alone, hidden }));
    this.area = this.tray;
    this.count = loose;
    this.inner = {
      x: this.area.x + PAD,
      y: this.area.y + HEADER,
      width: Math.max(1, this.area.width - 2 * PAD),
      height: Math.max(1, this.area.height - HEADER - PAD),
    };
    const cell = fittingCell(loose, this.inner.width, this.inner.height) * this.zoom;
    this.columns = Math.max(1, Math.floor(this.inner.width / Math.min(cell, this.inner.width)));
    this.cell = Math.min(this.inner.width / this.columns, cell);
    if (this.deepest) this.cell = this.inner.width / this.columns; // no room is wasted
    this.indent = (this.inner.width - this.columns * this.cell) / 2;
    this.scrollBy(0);
  }

  get deepest() {
    return Math.max(0, Math.ceil(this.count / this.columns) * this.cell - this.inner.height);
  }

  scrollBy(dy) {
    const before = this.scroll;
    this.scroll = clamp(this.scroll + dy, 0, this.deepest);
    return this.scroll !== before;
  }

  zoomBy(factor) {
    this.zoom = clamp(this.zoom * factor, 0.5, 4);
  }

  reveal(index) {
    const top = Math.floor(index / this.columns) * this.cell;
    if (top < this.scroll) this.scroll = top;
    if (top + this.cell > this.scroll + this.inner.height) this.scroll = top + this.cell - this.inner.height;
    this.scrollBy(0);
  }

  rectOf(index) {
    const gap = Math.max(2, this.cell * 0.04);
    return {
      x: this.inner.x + this.indent + (index % this.columns) * this.cell + gap,
      y: this.inner.y + Math.floor(index / this.columns) * this.cell - this.scroll + gap,
      size: this.cell - 2 * gap,
    };
  }

  /** The indices that show, ends excluded. */
  visible() {
    const first = Math.floor(this.scroll / this.cell) * this.columns;
    const last = (Math.floor((this.scroll + this.inner.height) / this.cell) + 1) * this.columns;
    return [Math.max(0, first), Math.min(this.count, last)];
  }

  indexAt(px, py) {
    const col = Math.floor((px - this.inner.x - this.indent) / this.cell);
    const row = Math.floor((py - this.inner.y + this.scroll) / this.cell);
    const index = row * this.columns + col;
    const inside = col >= 0 && col < this.columns && py >= this.inner.y && index >= 0 && index < this.count;
    return inside ? index : null;
  }

  contains(px, py) {
    const { x, y, width, height } = this.area;
    return px >= x && px < x + width && py >= y && py < y + height;
  }

  /** Whether a point lies on the rim that the tray is made broader with. */
  onRim(px, py, reach) {
    if (!this.count || !this.area.width || !this.panel.width) return false;
    const distance = this.side === "right" ? px - this.area.x : py - this.area.y;
    return Math.abs(distance) < reach;
  }

  drawRim(px, py) {
    const { width, height } = this.side === "right"
      ? { width: this.area.x + this.area.width - px, height: 0 }
      : { width: 0, height: this.area.y + this.area.height - py };
    this.chosen = Math.max(NARROWEST, width + height);
  }
}
