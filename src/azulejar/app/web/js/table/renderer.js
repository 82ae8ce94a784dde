/** Draws the table on its canvas, a frame only when something has changed. */

import { drawForeground } from "./foreground.js";
import { Layer } from "./layer.js";
import { contentBox, paintPanel, paintTray } from "./paint.js";

const PICTURES = 100; // ms between two drawings because of pictures that came

export class Renderer {
  constructor(canvas, table) {
    this.canvas = canvas;
    this.table = table;
    this.context = canvas.getContext("2d", { alpha: false });
    this.panelLayer = new Layer((context, view, box) => this.#paintPanel(context, view, box));
    this.trayCanvas = document.createElement("canvas");
    this.trayContext = this.trayCanvas.getContext("2d", { alpha: false });
    this.trayFresh = false;
    this.pending = 0;
    this.last = null;
    this.paintings = 0;
    this.awaited = null; // the timer of pictures that came and are not drawn yet
    this.pictured = -Infinity;
    this.width = this.height = 0;
    this.dpr = 1;
    this.observer = new ResizeObserver(() => this.#resize());
  }

  start() {
    this.observer.observe(this.canvas.parentElement ?? this.canvas);
    this.#resize();
  }

  close() {
    this.observer.disconnect();
    cancelAnimationFrame(this.pending);
    clearTimeout(this.awaited);
    this.panelLayer.close();
  }

  #resize() {
    const box = (this.canvas.parentElement ?? this.canvas).getBoundingClientRect();
    const dpr = globalThis.devicePixelRatio || 1;
    const [width, height] = [Math.round(box.width), Math.round(box.height)];
    const hidden = !width || !height; // keeps its size until it shows again
    if (hidden || (width === this.width && height === this.height && dpr === this.dpr)) return;
    [this.width, this.height, this.dpr] = [width, height, dpr];
    this.canvas.width = Math.round(width * dpr);
    this.canvas.height = Math.round(height * dpr);
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
    this.table.resized();
    this.#draw(); // a canvas that has changed its size is empty until it is drawn
  }

  /** Request a frame; `invalid` ("panel", "tray" or "all") names what has to be drawn anew. */
  refresh(invalid = null) {
    if (invalid === "panel" || invalid === "all") this.panelLayer.invalidate();
    if (invalid === "tray" || invalid === "all") this.trayFresh = false;
    if (!this.pending) this.pending = requestAnimationFrame((now) => this.#frame(now));
  }

  /** Draw a picture that has arrived: at once, or soon if others came just before, never in a zoom. */
  pictureArrived() {
    clearTimeout(this.awaited);
    const wait = this.pictured + PICTURES - performance.now();
    if (wait > 0 || this.table.zooming) {
      this.awaited = setTimeout(() => this.pictureArrived(), Math.max(30, wait));
      return;
    }
    this.awaited = null;
    this.pictured = performance.now();
    this.refresh("all");
  }

  #frame(now) {
    this.pending = 0;
    const ms = this.last === null ? 16 : Math.min(64, now - this.last);
    // The browser draws later than it is asked to: its time shows only in the next frame.
    const painted = this.paintings !== this.panelLayer.paintings;
    if (painted && this.last !== null) this.panelLayer.tookAtLeast(now - this.last - 17);
    this.paintings = this.panelLayer.paintings;
    const more = this.table.step(ms);
    const exact = this.#draw();
    this.last = more ? now : null;
    this.canvas.toggleAttribute("data-moving", more || !exact);
    if (more || !exact) this.refresh();
  }

  #draw() {
    const { context, dpr, table } = this;
    if (!this.width || !this.height || !table.layout) return true;
    table.settle();
    table.atlas?.begin();
    context.setTransform(1, 0, 0, 1, 0, 0);
    const { camera: view, tray } = table;
    // Whole device pixels, so that a layer which is only shifted stays sharp.
    const device = { x: Math.round(view.x * dpr), y: Math.round(view.y * dpr), scale: view.scale * dpr };
    const exact = this.#drawPanel(device, scaled(tray.panel, dpr));
    this.#drawTray(tray);
    context.setTransform(dpr, 0, 0, dpr, 0, 0);
    drawForeground(context, table, { x: device.x / dpr, y: device.y / dpr, scale: view.scale }, dpr);
    table.atlas?.end();
    return exact;
  }

  #drawPanel(device, area) {
    const { context, table } = this;
    if (!area.width || !area.height) return true;
    context.save();
    context.beginPath();
    context.rect(area.x, area.y, area.width, area.height);
    context.clip();
    context.fillStyle = table.theme.ground;
    context.fillRect(area.x, area.y, area.width, area.height);
    const content = contentBox(table.layout.frame(table.panel), device.scale);
    const exact = this.panelLayer.show(context, device, area, content, table.zooming);
    context.restore();
    return exact || !table.zooming;
  }

  #paintPanel(context, view, box) {
    this.table.atlas?.keep();
    paintPanel(context, this.#scene(), view.scale, box);
  }

  /** What the layers show. */
  #scene() {
    const { layout, panel, tray, atlas, theme, notes, motion, drag } = this.table;
    const overlay = this.table.overlay ? this.table.confidence : null;
    return { layout, panel, tray, atlas, theme, notes, overlay, hidden: motion.tiles, lifted: drag.lifted, dpr: this.dpr };
  }

  #drawTray(tray) {
    const { table, dpr } = this;
    const area = scaled(tray.area, dpr);
    if (!area.width || !area.height) return;
    if (!this.trayFresh) {
      if (this.trayCanvas.width !== area.width || this.trayCanvas.height !== area.height) {
        [this.trayCanvas.width, this.trayCanvas.height] = [area.width, area.height];
      }
      this.trayContext.setTransform(1, 0, 0, 1, 0, 0);
      const count = table.layout.loose.length;
      const title = table.say(count ? "table.tray" : "table.tray.empty", { count });
      paintTray(this.trayContext, this.#scene(), title, table.say("table.tray.empty"));
      this.trayFresh = true;
    }
    this.context.drawImage(this.trayCanvas, area.x, area.y);
  }
}

function scaled({ x, y, width, height }, by) {
  const [left, top] = [Math.round(x * by), Math.round(y * by)];
  const [right, bottom] = [Math.round((x + width) * by), Math.round((y + height) * by)];
  return { x: left, y: top, width: right - left, height: bottom - top };
}
