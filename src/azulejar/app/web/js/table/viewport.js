/** The part of the table that knows where things are on the screen: view, tray and frame. */

import { LOOSE, boxOf, liesAlike } from "./layout.js";
import { outlineOf } from "./outline.js";
import { Tray } from "./tray.js";
import { Camera } from "./camera.js";

const PULSE = 700; // ms

export class Viewport extends EventTarget {
  #covered = 0;

  prepare({ still }) {
    this.camera = new Camera({ still });
    this.tray = new Tray();
    this.fitted = true; // until the user moves the view, it follows the panel's size
    this.arranged = null; // the layout that the tray and the view were last set for
    this.emitted = "";
    this.outlined = null;
    this.justLifted = null; // a tile that was just put into the tray, to be scrolled into sight
  }

  get view() {
    return this.camera.state;
  }

  set view(state) {
    this.fitted = false;
    this.camera.set(state);
    this.emitted = this.#sight();
    this.renderer.refresh();
  }

  /** What a view event tells of: the view, and how much of the table is the panel's. */
  #sight() {
    return JSON.stringify([this.view, this.tray.panel]);
  }

  /** How much of the table's top something lies over, in CSS px. */
  get covered() {
    return this.#covered;
  }

  set covered(height) {
    this.#covered = height;
    this.renderer.refresh();
  }

  get zooming() {
    return this.camera.zooming || this.pointer?.mode === "pinch";
  }

  /** Adapt tray and view to the present layout; tiles glide from where they were shown. */
  settle() {
    const { layout, arranged } = this;
    if (layout === arranged) return;
    const starts = arranged ? this.#moved(arranged, layout) : [];
    const reframed = JSON.stringify(arranged?.frame(this.panel)) !== JSON.stringify(layout.frame(this.panel));
    const { width, height } = this.tray.panel;
    this.arranged = layout;
    this.dropped = null;
    this.#arrangeTray();
    const resized = this.tray.panel.width !== width || this.tray.panel.height !== height;
    if (layout.looseIndex.has(this.justLifted)) this.tray.reveal(layout.looseIndex.get(this.justLifted));
    this.justLifted = null;
    if (this.fitted && (reframed || resized)) this.#fit(arranged !== null);
    this.motion.glide(starts);
    this.pointer.updateHover();
    this.renderer.refresh("all");
  }

  #moved(before, after) {
    const starts = [];
    for (const [tile, to] of after.places) {
      const from = before.of(tile);
      if (!from || liesAlike(from, to)) continue;
      const rect = this.dropped?.get(tile) ?? this.rectOf(tile, before);
      if (rect) starts.push([tile, rect]);
    }
    return starts;
  }

  #arrangeTray() {
    const { layout, panel, readOnly, renderer } = this;
    const placed = layout.tilesOf(panel).length + layout.missingOf(panel).length;
    this.tray.arrange(renderer.width, renderer.height, {
      loose: layout.loose.length, placed, alone: panel === LOOSE, hidden: readOnly,
    });
  }

  /** Lay out anew after the tray's width has changed. */
  reflow() {
    this.#arrangeTray();
    if (this.fitted) this.#fit(false);
    this.renderer.refresh("all");
  }

  resized() {
    if (!this.arranged) return;
    const before = this.tray.panel;
    this.#arrangeTray();
    const after = this.tray.panel;
    if (this.fitted) this.#fit(false);
    else this.camera.panBy((after.width - before.width) / 2, (after.height - before.height) / 2);
    const lies = this.layout.of(this.selection[0]);
    const looked = lies?.panel === this.panel && lies.panel !== LOOSE ? lies : this.place;
    if (looked && !this.fitted) this.bringIntoSight(looked.row, looked.col);
    this.renderer.refresh("all");
  }

  /** Advance all animations by a frame; return true while any goes on. */
  step(ms) {
    const rolling = this.camera.step(ms);
    const pulled = this.drag.pull(ms);
    if (rolling && this.drag.active) this.drag.move(this.drag.px, this.drag.py);
    if (this.motion.step(ms)) this.renderer.refresh("all");
    if (this.pulse) {
      this.pulse.gone += ms / PULSE;
      if (this.pulse.gone >= 1) this.pulse = null;
    }
    const sight = this.#sight();
    if (sight !== this.emitted) {
      this.emitted = sight;
      this.pointer.updateHover();
      this.dispatchEvent(new CustomEvent("view", { detail: this.view }));
    }
    return rolling || pulled || this.motion.tiles.size > 0 || this.pulse !== null;
  }

  /** The square of a tile on the screen (CSS px) and its turn; null where it does not show. */
  rectOf(tile, layout = this.layout) {
    const placed = layout.of(tile);
    if (!placed) return null;
    const { panel, row, col, turn } = placed;
    if (panel === this.panel && panel !== LOOSE) return { ...this.camera.rectOf(row, col), turn };
    if (panel !== LOOSE || !this.tray.area.width) return null;
    const { x, y, size } = this.tray.rectOf(layout.looseIndex.get(tile));
    const { inner } = this.tray;
    // A tile that is scrolled out of sight glides from and to the rim.
    const seen = Math.min(inner.y + inner.height - size / 2, Math.max(inner.y - size / 2, y));
    return { x, y: seen, size, turn };
  }

  spotAt(px, py) {
    const { tray, layout, panel } = this;
    const handle = this.handle();
    const near = handle && Math.hypot(px - handle.x, py - handle.y) <= handle.radius + 5;
    if (near) return { area: "handle", tile: null };
    if (tray.onRim(px, py, this.coarse.matches ? 12 : 5)) return { area: "rim", tile: null };
    if (tray.contains(px, py)) {
      const index = tray.indexAt(px, py);
      return { area: "tray", index, tile: index === null ? null : layout.loose[index] };
    }
    const { row, col } = this.camera.placeAt(px, py);
    return { area: "panel", row, col, tile: layout.at(panel, row, col) };
  }

  inFrame({ row, col }) {
    const frame = this.layout.frame(this.panel);
    return Boolean(frame) && row >= frame.top && row < frame.bottom && col >= frame.left && col < frame.right;
  }

  /** The handle that turns the selected tile or block: {x, y, radius, centre}, or null. */
  handle() {
    if (!this.editable || !this.selected.size || this.drag.active || this.selected.size > 400) return null;
    const places = this.selection.map((tile) => this.layout.of(tile));
    if (this.panel === LOOSE || places.some((placed) => placed?.panel !== this.panel)) return null;
    const box = boxOf(places);
    const small = this.camera.scale * Math.max(box.rows, box.cols) < 28;
    if (small || box.rows * box.cols !== places.length) return null;
    const { x, y, size } = this.camera.rectOf(box.top, box.left);
    const { panel } = this.tray;
    const centre = { x: x + (box.cols * size) / 2, y: y + (box.rows * size) / 2 };
    const above = y - 24 > panel.y + 14;
    const at = { x: centre.x, y: above ? y - 24 : y + box.rows * size + 24 };
    const inside = at.x > panel.x && at.x < panel.x + panel.width && at.y < panel.y + panel.height;
    return inside ? { ...at, radius: this.coarse.matches ? 19 : 13, centre } : null;
  }

  /** The outline of what is selected in the panel, kept until that or the board changes. */
  selectionShape() {
    const { layout, selected, panel, outlined } = this;
    if (outlined?.layout !== layout || outlined.selected !== selected || outlined.panel !== panel) {
      const places = [...selected].map((tile) => layout.of(tile)).filter((placed) => placed?.panel === panel);
      this.outlined = { layout, selected, panel, shape: outlineOf(places) };
    }
    return this.outlined.shape;
  }

  // Moving the view

  fit() {
    this.fitted = true;
    this.renderer.refresh("all");
    if (this.arranged) this.#fit(true);
  }

  #fit(smoothly) {
    const frame = this.layout.frame(this.panel);
    const { panel } = this.tray;
    if (!panel.width || !panel.height) return;
    const box = frame ?? boxOf([{ row: 0, col: 0 }, { row: 5, col: 7 }]);
    const sheet = { left: box.left - 0.4, top: box.top - 0.4, rows: box.rows + 0.8, cols: box.cols + 0.8 };
    const numbers = this.readOnly ? 26 : 32; // CSS px for those of rows and columns
    const [width, height] = [panel.width - numbers - 12, panel.height - numbers - 12];
    const room = { x: panel.x + numbers, y: panel.y + numbers, width, height };
    const state = this.camera.showing(sheet, room, { margin: 0 });
    if (smoothly) this.camera.flyTo(state);
    else this.camera.set(state);
    this.renderer.refresh();
  }

  pan(dx, dy) {
    this.fitted = false;
    this.camera.panBy(dx, dy);
    this.renderer.refresh();
  }

  /** Pan smoothly, as by a key. */
  glideBy(dx, dy) {
    this.fitted = false;
    const { motion } = this.camera;
    const from = motion?.kind === "flight" ? motion.to : this.view;
    this.camera.flyTo({ ...from, x: from.x + dx, y: from.y + dy });
    this.renderer.refresh();
  }

  zoom(px, py, factor) {
    this.fitted = false;
    this.camera.zoomBy(px, py, factor);
    this.renderer.refresh();
  }

  zoomStep(factor) {
    const { x, y, width, height } = this.tray.panel;
    this.zoom(x + width / 2, y + height / 2, factor);
  }

  zoomTo(tile) {
    const placed = this.layout.of(tile);
    this.settle();
    if (placed?.panel === this.panel && placed.panel !== LOOSE) {
      const box = { left: placed.col - 1, top: placed.row - 1, rows: 3, cols: 3 };
      this.fitted = false;
      this.camera.flyTo(this.camera.showing(box, this.tray.panel, { largest: 180 }));
    } else if (this.layout.looseIndex.has(tile)) this.tray.reveal(this.layout.looseIndex.get(tile));
    else return;
    this.pulse = { tile, gone: 0 };
    this.renderer.refresh("tray");
  }

  bringIntoSight(row, col) {
    const { x, y, size } = this.camera.rectOf(row, col);
    const { panel } = this.tray;
    const outside = (position, low, high) =>
      Math.max(0, low + size * 0.5 - position) - Math.max(0, position + size * 1.5 - high);
    const [dx, dy] = [outside(x, panel.x, panel.x + panel.width), outside(y, panel.y, panel.y + panel.height)];
    if (dx || dy) this.glideBy(dx, dy);
    this.renderer.refresh();
  }

  scrollTray(dy) {
    if (this.tray.scrollBy(dy)) this.renderer.refresh("tray");
  }

  zoomTray(factor) {
    this.tray.zoomBy(factor);
    this.#arrangeTray();
    this.renderer.refresh("tray");
  }
}
