/** Tiles being dragged: where they would land, and which tiles make room for them. */

import { LOOSE, boxOf } from "./layout.js";
import { editOf, planBeside, planLaying, planLifting, planShift, shapeOf } from "./moves.js";

const OFF = 2; // places beyond the frame at which a drop means the tray
const NEAR = 36; // CSS px from the rim at which the view begins to move along…
const PATIENCE = 250; // …if the pointer stays there for so many ms, and is not just on its way to the tray

export class Drag {
  constructor(table) {
    this.table = table;
    this.clear();
  }

  clear() {
    this.active = false;
    this.lifted = new Set();
    this.tiles = [];
    this.target = null;
    this.plan = null;
    this.rested = 0;
  }

  /** Pick up a tile, or the selection that it belongs to, at a point. */
  begin(tile, px, py) {
    const { table } = this;
    const { layout } = table;
    const loose = layout.of(tile).panel === LOOSE;
    const chosen = table.selected.has(tile) ? table.selection : [tile];
    const tiles = chosen.filter((one) => (layout.of(one).panel === LOOSE) === loose);
    const locked = tiles.filter((one) => layout.locked.has(one));
    if (locked.length) {
      table.refuse(locked);
      return false;
    }
    if (!table.selected.has(tile)) table.select([tile]);
    const rect = table.rectOf(tile);
    this.active = true;
    this.loose = loose;
    this.tiles = [tile, ...tiles.filter((one) => one !== tile)];
    this.grab = { x: (px - rect.x) / rect.size, y: (py - rect.y) / rect.size };
    this.offsets = shapeOf(layout, this.tiles);
    this.lifted = new Set(this.tiles);
    this.move(px, py);
    table.renderer.refresh("all");
    return true;
  }

  move(px, py, push = this.push) {
    Object.assign(this, { px, py, push });
    const target = this.#targetAt(px, py);
    const keys = ["kind", "row", "col", "push", "panel"];
    if (this.target && keys.every((key) => this.target[key] === target[key])) return;
    this.target = target;
    this.plan = this.#plan(target);
    this.#markTab(target.kind === "tab" ? target.panel : null);
  }

  /** Where tiles released here would go: a place of the panel, the tray, the panel of a tab, or back. */
  #targetAt(px, py) {
    const { tray, camera: view, panel } = this.table;
    if (this.#isOffCanvas(px, py)) {
      const tab = this.#tabAt(px, py);
      return tab === null || tab === panel ? { kind: "back" } : { kind: "tab", panel: tab };
    }
    if (tray.contains(px, py) || panel === LOOSE) return { kind: "tray" };
    const { x, y } = this.imageOf(0, view.scale);
    const row = Math.round((y - view.y) / view.scale);
    const col = Math.round((x - view.x) / view.scale);
    return this.#isOutside(row, col) ? { kind: "tray" } : { kind: "panel", row, col, push: this.push };
  }

  /** The panel whose tab lies under a point of the canvas, LOOSE for the tray's; null for none. */
  #tabAt(px, py) {
    const { canvas, tabs } = this.table;
    const { left, top } = canvas.getBoundingClientRect();
    const under = document.elementFromPoint(px + left, py + top)?.closest("[data-panel]");
    return under && tabs?.contains(under) ? Number(under.dataset.panel) : null;
  }

  /** Show which tab would take the tiles. */
  #markTab(panel) {
    for (const tab of this.table.tabs?.children ?? []) {
      tab.classList.toggle("awaits", tab.dataset.panel === String(panel));
    }
  }

  #isOffCanvas(px, py) {
    const { width, height } = this.table.renderer;
    return px < 0 || py < 0 || px > width || py > height;
  }

  /** Whether the tiles would lie well away from the panel. */
  #isOutside(row, col) {
    const frame = this.table.layout.frame(this.table.panel);
    if (!frame) return false;
    const box = boxOf(this.offsets.map((offset) => ({ row: row + offset.row, col: col + offset.col })));
    return box.bottom <= frame.top - OFF || box.top >= frame.bottom + OFF
      || box.right <= frame.left - OFF || box.left >= frame.right + OFF;
  }

  #plan(target) {
    const { layout, panel } = this.table;
    if (target.kind === "back") return { placed: [], swapped: [], pushed: [], blocked: [] };
    if (target.kind === "tray" || target.panel === LOOSE) return planLifting(layout, this.tiles);
    if (target.kind === "tab") return planBeside(layout, this.tiles, target.panel, this.offsets);
    if (this.loose) return planLaying(layout, this.tiles, panel, target.row, target.col, { push: target.push });
    const anchor = layout.of(this.tiles[0]);
    return planShift(layout, this.tiles, target.row - anchor.row, target.col - anchor.col, { push: target.push });
  }

  /** The square of the k-th dragged tile in CSS pixels, for a given size of a tile. */
  imageOf(k, size) {
    const { row, col } = this.offsets[k];
    return { x: this.px - this.grab.x * size + col * size, y: this.py - this.grab.y * size + row * size, size };
  }

  get size() {
    const { tray, camera: view } = this.table;
    return tray.contains(this.px, this.py) ? Math.min(view.scale, tray.cell) : view.scale;
  }

  /** Scroll the view while the pointer rests at the rim of the panel's area; return true then. */
  pull(ms) {
    const { tray, camera: view } = this.table;
    if (!this.active || tray.contains(this.px, this.py) || this.#isOffCanvas(this.px, this.py)) return false;
    const { x, y, width, height } = tray.panel;
    const along = (position, low, high) =>
      Math.max(0, low + NEAR - position) - Math.max(0, position - (high - NEAR));
    const [dx, dy] = [along(this.px, x, x + width), along(this.py, y, y + height)];
    const near = dx !== 0 || dy !== 0;
    this.rested = near ? this.rested + ms : 0;
    if (this.rested < PATIENCE) return near;
    view.panBy((dx * ms) / 60, (dy * ms) / 60);
    this.move(this.px, this.py);
    return true;
  }

  drop() {
    const { table, plan, tiles, target } = this;
    const hands = this.#hands();
    this.clear();
    this.#markTab(null);
    table.renderer.refresh("all");
    if (plan.blocked.length) {
      table.refuse(plan.blocked);
      table.motion.glide(hands);
      return;
    }
    const swap = plan.swapped.length === 1 && tiles.length === 1;
    const key = plan.placed[0]?.panel === LOOSE ? "lift" : swap ? "swap" : "move";
    const edit = editOf(table.layout, plan, table.commands.label(`table.edit.${key}`, tiles));
    if (edit) table.commit(edit, new Map(hands));
    else table.motion.glide(hands);
    if (edit && target.kind === "tab" && target.panel !== LOOSE) table.notify("table.notice.gone", { count: tiles.length });
  }

  /** The squares of the dragged tiles on the screen. */
  #hands() {
    const { layout } = this.table;
    return this.tiles.map((tile, k) => [tile, { ...this.imageOf(k, this.size), turn: layout.of(tile).turn }]);
  }

  cancel() {
    const hands = this.#hands();
    this.clear();
    this.#markTab(null);
    this.table.motion.glide(hands);
    this.table.renderer.refresh("all");
  }
}
