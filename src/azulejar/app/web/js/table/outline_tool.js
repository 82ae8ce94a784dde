/** Draws the outline of the panel: rectangles of places that belong to it, or do not, by pointer and by keyboard. */

import { boxOf, insidePlaces, keyOf, outlineFrom } from "./layout.js";

const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
const MOST = 500; // rows, or columns, of an outline

export class OutlineTool {
  active = false;
  from = null; // the corner of the rectangle where it began
  to = null;

  constructor(table) {
    this.table = table;
  }

  /** Begin or end drawing. */
  toggle(on = !this.active) {
    const { table } = this;
    this.active = on && table.panel >= 0 && table.commands.allowed();
    this.from = this.to = null;
    if (this.active) table.select([]);
    table.choosePlace(null);
    table.renderer.refresh();
    table.dispatchEvent(new CustomEvent("outlining"));
  }

  /** Whether a place belongs to the panel; without an outline, all do from the first to the last row and column. */
  isInside({ row, col }) {
    const { layout, panel } = this.table;
    return layout.outlines.has(panel) ? !layout.isOutside(panel, row, col) : this.table.inFrame({ row, col });
  }

  begin(place) {
    [this.from, this.to] = [place, place];
  }

  move(place) {
    this.to = place;
    this.table.renderer.refresh();
  }

  cancel() {
    const busy = this.from !== null;
    this.from = this.to = null;
    this.table.renderer.refresh();
    return busy;
  }

  /** Add the rectangle to the panel, or take it out if it began at a place inside. */
  paint() {
    const { from, to } = this;
    this.cancel();
    if (!from) return;
    const places = this.#now();
    const out = this.isInside(from);
    const box = boxOf([from, to]);
    for (let row = box.top; row < box.bottom; row += 1) {
      for (let col = box.left; col < box.right; col += 1) {
        if (out) places.delete(keyOf(row, col));
        else places.set(keyOf(row, col), { row, col });
      }
    }
    this.#commit([...places.values()], out ? "table.edit.outline.out" : "table.edit.outline.in");
  }

  /** Take the places of the tiles, and those marked as missing, for the outline. */
  fromTiles() {
    const { layout, panel } = this.table;
    const lying = layout.tilesOf(panel).map((tile) => layout.of(tile));
    this.#commit([...lying, ...layout.missingOf(panel)], "table.edit.outline.tiles");
  }

  clear() {
    if (this.table.layout.outlines.has(this.table.panel)) this.#commit([], "table.edit.outline.clear");
  }

  /** The places inside by their keys. */
  #now() {
    const { layout, panel } = this.table;
    const outline = layout.outlines.get(panel);
    const frame = layout.frame(panel);
    const whole = frame && { ...frame, row: frame.top, col: frame.left, mask: Array(frame.rows).fill("#".repeat(frame.cols)) };
    const known = outline ?? whole;
    return new Map((known ? insidePlaces(known) : []).map((place) => [keyOf(place.row, place.col), place]));
  }

  #commit(places, key) {
    const { table } = this;
    const box = boxOf(places);
    if (!table.editable) return;
    if (box && Math.max(box.rows, box.cols) > MOST) table.notify("table.notice.outline", { most: MOST });
    else table.commit({ label: table.labels.write(key), outlines: [outlineFrom(table.panel, places)] });
  }

  /** A key while drawing; true if it is used. */
  key(event) {
    const { cursor } = this.table;
    if (event.altKey || event.ctrlKey || event.metaKey) return false;
    if (event.key in ARROWS) return this.#arrow(event);
    if (event.key === "Enter" || event.key === " ") {
      if (!cursor.shown || !cursor.place) return false;
      if (!this.from) this.begin(cursor.place);
      this.paint();
      cursor.speak();
      return true;
    }
    if (event.key !== "Escape") return false;
    if (!this.cancel()) this.toggle(false);
    return true;
  }

  #arrow(event) {
    const { cursor } = this.table;
    if (cursor.area !== "panel") cursor.cross();
    cursor.show();
    const began = this.from ?? cursor.place;
    cursor.step(...ARROWS[event.key]);
    [this.from, this.to] = event.shiftKey ? [began, cursor.place] : [null, null];
    return true;
  }
}
