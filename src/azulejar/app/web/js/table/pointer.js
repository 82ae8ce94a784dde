/** Mouse, pen and touch gestures on the table. */

const HOLD = 350; // ms after which a finger picks up a tile that is not selected
const CLICK = { mouse: 4, pen: 6, touch: 10 }; // CSS px that a click may move

export class Pointer {
  constructor(table) {
    this.table = table;
    this.space = false;
    this.down = new Map(); // pointerId → {x, y}
    this.press = null;
    this.mode = null; // pan, drag, band, outline, pinch, rim, handle or scroll
    this.band = null;
    this.over = null; // where it hovers
    this.trail = [];
    const { canvas } = table;
    canvas.style.touchAction = "none";
    const listen = (type, handler, options = {}) =>
      canvas.addEventListener(type, handler.bind(this), { signal: table.signal, ...options });
    listen("pointerdown", this.#down);
    listen("pointermove", this.#move);
    listen("pointerup", this.#up);
    listen("pointercancel", this.#cancel);
    listen("pointerleave", () => this.#hover(null));
    listen("wheel", this.#wheel, { passive: false });
    listen("dblclick", this.#double);
    listen("contextmenu", this.#menu);
  }

  get panning() {
    return this.mode === "pan";
  }

  #at(event) {
    const box = this.table.canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  /** The right button, or a long press: the menu of what lies there. */
  #menu(event) {
    event.preventDefault();
    if (this.mode || this.press) return; // a long press ends in a menu, or has become a drag
    this.table.askMenu(this.table.spotAt(...Object.values(this.#at(event))), event.clientX, event.clientY);
  }

  #down(event) {
    if (event.button === 2) return;
    const { table } = this;
    const at = this.#at(event);
    this.down.set(event.pointerId, at);
    table.canvas.focus({ preventScroll: true });
    table.canvas.setPointerCapture(event.pointerId);
    table.camera.stop();
    if (this.down.size === 2) return this.#beginPinch();
    if (this.down.size > 2) return;
    const spot = table.spotAt(at.x, at.y);
    const add = event.shiftKey || event.ctrlKey || event.metaKey;
    this.press = { ...at, spot, type: event.pointerType || "mouse", banding: event.shiftKey, add };
    this.trail = [{ ...at, time: event.timeStamp }];
    if (event.button === 1 || this.space) this.mode = "pan";
    else if (spot.area === "rim") this.mode = "rim";
    else if (spot.area === "handle") this.#beginHandle(at);
    else if (event.pointerType === "touch" && spot.tile !== null && !table.outlining.active) this.#awaitHold(event.pointerId);
    this.#setPointerShape();
    event.preventDefault();
  }

  #awaitHold(id) {
    const { press } = this;
    setTimeout(() => {
      if (this.press !== press || this.mode || !this.down.has(id)) return;
      press.held = true;
      this.#beginDrag();
    }, HOLD);
  }

  #move(event) {
    const at = this.#at(event);
    if (!this.down.has(event.pointerId)) return this.#hover(this.table.spotAt(at.x, at.y), event);
    const before = this.down.get(event.pointerId);
    this.down.set(event.pointerId, at);
    if (this.mode === "pinch") return this.#pinch();
    if (!this.press) return;
    const way = Math.hypot(at.x - this.press.x, at.y - this.press.y);
    if (!this.mode && way > CLICK[this.press.type]) this.#begin();
    this.trail.push({ ...at, time: event.timeStamp });
    if (this.trail.length > 12) this.trail.shift();
    this.#follow(before, at, event);
  }

  /** A press has become a move: decide which gesture it is. */
  #begin() {
    const { table, press } = this;
    const { tile } = press.spot;
    if (table.outlining.active && press.spot.area === "panel") {
      this.mode = "outline";
      return table.outlining.begin(press.spot);
    }
    const takes = tile !== null && table.editable && (press.type !== "touch" || table.selected.has(tile));
    if (press.banding && press.spot.area !== "rim") {
      this.mode = "band";
      this.band = { x0: press.x, y0: press.y, x1: press.x, y1: press.y };
    } else if (takes) this.#beginDrag();
    else {
      this.mode = press.spot.area === "tray" ? "scroll" : "pan";
      const wanted = tile !== null && press.type !== "touch" && !table.looking;
      if (wanted) table.commands.allowed(); // who may only look means to pan
    }
    this.#hover(null);
  }

  #beginDrag() {
    const { table, press } = this;
    if (!table.commands.allowed()) return;
    this.mode = table.drag.begin(press.spot.tile, press.x, press.y) ? "drag" : "refused";
    this.#hover(null);
  }

  #follow(before, at, event) {
    const { table } = this;
    if (this.mode === "pan") table.pan(at.x - before.x, at.y - before.y);
    else if (this.mode === "drag") table.drag.move(at.x, at.y, event.altKey);
    else if (this.mode === "band") Object.assign(this.band, { x1: at.x, y1: at.y });
    else if (this.mode === "outline") table.outlining.move(table.camera.placeAt(at.x, at.y));
    else if (this.mode === "scroll") table.scrollTray(before.y - at.y);
    else if (this.mode === "handle") this.#turnHandle(at);
    else if (this.mode === "rim") {
      table.tray.drawRim(at.x, at.y);
      table.reflow();
    }
    if (this.mode) table.renderer.refresh();
  }

  #up(event) {
    if (!this.down.delete(event.pointerId)) return;
    const { table, mode, press } = this;
    if (mode === "pinch") {
      if (this.down.size === 0) this.#end();
      return;
    }
    if (!press) return;
    const at = this.#at(event);
    if (press.held && Math.hypot(at.x - press.x, at.y - press.y) < CLICK.touch) {
      this.abort();
      return table.askMenu(press.spot, event.clientX, event.clientY);
    }
    if (mode === "drag") table.drag.drop();
    else if (mode === "band") table.selectBand(this.band);
    else if (mode === "outline") table.outlining.paint();
    else if (mode === "pan") this.#fling(event.timeStamp);
    else if (mode === "handle" && !this.handle.steps) table.commands.turn(1);
    else if (!mode) this.#click(press, event);
    this.#end();
    this.#hover(event.pointerType === "touch" ? null : table.spotAt(at.x, at.y), event);
  }

  #end() {
    this.mode = this.press = this.band = null;
    this.table.renderer.refresh();
    this.#setPointerShape();
  }

  #cancel(event) {
    this.down.delete(event.pointerId);
    this.abort();
  }

  /** Cancel the gesture. */
  abort() {
    const busy = this.mode !== null;
    if (this.mode === "drag") this.table.drag.cancel();
    if (this.mode === "outline") this.table.outlining.cancel();
    this.#end();
    return busy;
  }

  #fling(now) {
    const recent = this.trail.filter(({ time }) => now - time < 90);
    if (recent.length < 2) return;
    const [first, last] = [recent[0], recent.at(-1)];
    const ms = Math.max(8, last.time - first.time);
    this.table.camera.fling((last.x - first.x) / ms, (last.y - first.y) / ms);
  }

  #click({ spot, add }) {
    const { table } = this;
    table.cursor.follow(spot);
    if (table.outlining.active && spot.area === "panel") {
      table.outlining.begin(spot);
      return table.outlining.paint();
    }
    if (spot.tile !== null) {
      if (add) return table.toggle(spot.tile);
      table.cursor.hide();
      table.select([spot.tile]);
      return table.choosePlace(spot);
    }
    table.cursor.hide();
    if (!add) table.select([]);
    return table.choosePlace(spot.area === "panel" && table.inFrame(spot) ? spot : null);
  }

  #double(event) {
    const at = this.#at(event);
    const spot = this.table.spotAt(at.x, at.y);
    if (spot.area === "panel" && spot.tile !== null && !event.shiftKey) this.table.zoomTo(spot.tile);
  }

  #beginHandle(at) {
    const { centre } = this.table.handle();
    this.mode = "handle";
    this.handle = { centre, angle: Math.atan2(at.y - centre.y, at.x - centre.x), steps: 0 };
  }

  /** Turn by a quarter whenever the handle has been drawn that far round the tile. */
  #turnHandle(at) {
    const { centre, angle, steps } = this.handle;
    const gone = Math.atan2(at.y - centre.y, at.x - centre.x) - angle;
    const quarter = Math.round((((gone * 2) / Math.PI + 6) % 4) - 2);
    if (quarter === steps || Math.hypot(at.x - centre.x, at.y - centre.y) < 12) return;
    const way = ((((quarter - steps) % 4) + 6) % 4) - 2;
    this.handle.steps = quarter;
    if (way) this.table.commands.turn(way);
  }

  #beginPinch() {
    if (this.mode === "drag") this.table.drag.cancel();
    this.table.outlining.cancel();
    const [a, b] = [...this.down.values()];
    this.mode = "pinch";
    this.press = this.band = null;
    this.fingers = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, gap: Math.hypot(a.x - b.x, a.y - b.y) };
    this.inTray = this.table.tray.contains(this.fingers.x, this.fingers.y);
  }

  #pinch() {
    if (this.down.size < 2) return;
    const [a, b] = [...this.down.values()];
    const now = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, gap: Math.hypot(a.x - b.x, a.y - b.y) };
    const before = this.fingers;
    this.fingers = now;
    if (this.inTray) return this.table.scrollTray(before.y - now.y);
    this.table.pan(now.x - before.x, now.y - before.y);
    this.table.camera.zoomAt(now.x, now.y, now.gap / Math.max(1, before.gap));
    return this.table.renderer.refresh();
  }

  #wheel(event) {
    event.preventDefault();
    const { table } = this;
    const at = this.#at(event);
    const unit = event.deltaMode === 1 ? 33 : event.deltaMode === 2 ? 400 : 1;
    const [dx, dy] = [event.deltaX * unit, event.deltaY * unit];
    if (table.tray.contains(at.x, at.y)) {
      if (event.ctrlKey) table.zoomTray(Math.exp(-dy * 0.004));
      else table.scrollTray(dy || dx);
    } else if (!event.ctrlKey && (event.shiftKey || Math.abs(dx) > Math.abs(dy))) {
      table.pan(-(dx || dy), event.shiftKey ? 0 : -dy);
    } else {
      const notches = Math.max(-240, Math.min(240, dy));
      table.zoom(at.x, at.y, Math.exp(-notches * (event.ctrlKey ? 0.01 : 0.0022)));
    }
    if (!this.mode) this.#hover(table.spotAt(at.x, at.y), event);
  }

  #hover(spot, event = null) {
    this.over = spot && event ? this.#at(event) : null;
    this.table.hoverAt(spot, this.over?.x ?? 0, this.over?.y ?? 0);
    this.#setPointerShape();
  }

  /** Update what lies under a pointer at rest after the view has moved. */
  updateHover() {
    if (!this.over || this.mode) return;
    this.table.hoverAt(this.table.spotAt(this.over.x, this.over.y), this.over.x, this.over.y);
  }

  /** Set the shape of the mouse pointer. */
  #setPointerShape() {
    const { table } = this;
    const spot = table.hover;
    const rim = table.tray.side === "right" ? "ew-resize" : "ns-resize";
    let look = "grab";
    if (this.mode === "pan" || this.mode === "drag") look = "grabbing";
    else if (this.mode === "band" || (table.outlining.active && spot?.area === "panel")) look = "crosshair";
    else if (spot?.area === "rim" || this.mode === "rim") look = rim;
    else if (spot?.area === "handle") look = "pointer";
    else if (!this.space && (spot?.tile ?? null) !== null) look = "pointer";
    else if (spot?.area === "tray") look = "default";
    table.canvas.style.cursor = look;
  }
}
