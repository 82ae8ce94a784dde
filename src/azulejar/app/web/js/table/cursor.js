/** The keyboard's cursor over places of the panel and the tray, announced to screen readers. */

export class Cursor {
  constructor(table) {
    this.table = table;
    this.area = "panel";
    this.row = this.col = this.index = 0;
    this.shown = false;
    this.anchor = null; // where a selection by Shift and arrows began
    this.voice = document.createElement("div");
    this.voice.setAttribute("aria-live", "polite");
    this.voice.className = "unseen";
    table.canvas.parentElement?.append(this.voice);
  }

  close() {
    this.voice.remove();
  }

  /** The place under the cursor, or null if it is in the tray. */
  get place() {
    return this.area === "panel" ? { panel: this.table.panel, row: this.row, col: this.col } : null;
  }

  get tile() {
    const { layout, panel } = this.table;
    return this.area === "panel" ? layout.at(panel, this.row, this.col) : (layout.loose[this.index] ?? null);
  }

  show() {
    if (!this.shown && this.area === "panel" && !this.#near()) this.#home();
    this.shown = true;
    this.table.renderer.refresh();
  }

  hide() {
    this.shown = false;
    this.table.renderer.refresh();
  }

  reset() {
    Object.assign(this, { area: "panel", row: 0, col: 0, index: 0, shown: false });
    this.#home();
  }

  #near() {
    const frame = this.table.layout.frame(this.table.panel);
    if (!frame) return false;
    const within = (value, low, high) => value >= low - 1 && value <= high;
    return within(this.row, frame.top, frame.bottom) && within(this.col, frame.left, frame.right);
  }

  #home() {
    const frame = this.table.layout.frame(this.table.panel);
    if (frame) [this.row, this.col] = [frame.top, frame.left];
    else if (this.table.layout.loose.length) [this.area, this.index] = ["tray", 0];
  }

  /** Move to what was clicked, without showing the cursor. */
  follow(spot) {
    if (spot.area === "panel") Object.assign(this, { area: "panel", row: spot.row, col: spot.col });
    else if (spot.index !== null) Object.assign(this, { area: "tray", index: spot.index });
  }

  toTile(tile) {
    const placed = this.table.layout.of(tile);
    if (!placed) return;
    const index = this.table.layout.looseIndex.get(tile);
    if (placed.panel === this.table.panel) Object.assign(this, { area: "panel", row: placed.row, col: placed.col });
    else if (index !== undefined) Object.assign(this, { area: "tray", index });
  }

  /** Move on and select the rectangle of tiles, or the row of loose ones, from where this began. */
  extend(rows, cols) {
    const { table } = this;
    const from = this.anchor ?? { row: this.row, col: this.col, index: this.index };
    this.step(rows, cols);
    this.anchor = from;
    const between = (value, a, b) => value >= Math.min(a, b) && value <= Math.max(a, b);
    const inside = (tile) => {
      const { row, col } = table.layout.of(tile);
      return between(row, from.row, this.row) && between(col, from.col, this.col);
    };
    const { loose } = table.layout;
    table.select(this.area === "panel"
      ? table.layout.tilesOf(table.panel).filter(inside)
      : loose.filter((_, index) => between(index, from.index, this.index)));
    this.speak();
  }

  step(rows, cols) {
    const { table } = this;
    this.anchor = null;
    if (this.area === "panel") {
      const frame = table.layout.frame(table.panel) ?? { top: 0, left: 0, bottom: 1, right: 1 };
      this.row = Math.min(frame.bottom, Math.max(frame.top - 1, this.row + rows));
      this.col = Math.min(frame.right, Math.max(frame.left - 1, this.col + cols));
    } else {
      const index = this.index + rows * table.tray.columns + cols;
      if (index >= 0 && index < table.layout.loose.length) this.index = index;
    }
    this.reveal();
    this.speak();
  }

  /** Cross between the panel and the tray. */
  cross() {
    this.area = this.area === "panel" ? "tray" : "panel";
    this.index = Math.min(this.index, Math.max(0, this.table.layout.loose.length - 1));
    if (this.area === "panel" && !this.#near()) this.#home();
    this.shown = true;
    this.reveal();
    this.speak();
  }

  /** Bring the cursor into sight. */
  reveal() {
    const { table } = this;
    if (this.area === "tray") {
      table.tray.reveal(this.index);
      table.renderer.refresh("tray");
    } else table.bringIntoSight(this.row, this.col);
  }

  /** Announce what lies at the cursor. */
  speak() {
    const { table } = this;
    const { tile } = this;
    const values = { ...this.#place(), number: tile === null ? "" : table.numberOf(tile) };
    const parts = [table.say(`table.cursor.${this.#kind(tile)}`, values)];
    if (tile !== null) parts.push(...this.#facts(tile));
    const drawn = table.layout.outlines.has(table.panel) || table.outlining.active;
    const inside = drawn && this.place && table.outlining.isInside(this.place);
    if (drawn && this.place) parts.push(table.say(inside ? "table.outline.in" : "table.outline.out"));
    this.tell(parts.join(", "));
  }

  /** What is said of a tile after its number and place. */
  #facts(tile) {
    const { table } = this;
    const { turn } = table.layout.of(tile);
    const probability = table.confidence?.of(tile, table.layout) ?? null;
    const percent = Math.min(99, Math.round(100 * (probability ?? 0)));
    return [
      turn && table.say("table.fact.turn", { turn }),
      probability !== null && table.say("table.fact.probability", { percent }),
      table.layout.locked.has(tile) && table.say("table.fact.locked"),
      table.notes.tiles(table.layout).has(tile) && table.say("table.fact.note"),
      table.selected.has(tile) && table.say("table.fact.selected"),
    ].filter(Boolean);
  }

  #place() {
    const frame = this.table.layout.frame(this.table.panel) ?? { top: 0, left: 0 };
    return this.area === "panel"
      ? { row: this.row - frame.top + 1, col: this.col - frame.left + 1 }
      : { index: this.index + 1, count: this.table.layout.loose.length };
  }

  #kind(tile) {
    const { layout, panel } = this.table;
    if (this.area === "tray") return tile === null ? "tray.empty" : "tray";
    if (tile !== null) return "tile";
    return layout.isMissing(panel, this.row, this.col) ? "missing" : "hole";
  }

  tell(text) {
    this.voice.textContent = text;
  }
}
