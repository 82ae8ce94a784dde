/** Keys, unless something else needs them. Undo and redo are the page's own. */

const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
const BUTTON_KEYS = new Set(["Enter", " "]); // of buttons, links and boxes to tick
const WRITING = "dialog, [popover], input:not([type=checkbox]), select, textarea";
const PAN = 90; // CSS px a press

export class Keyboard {
  constructor(table) {
    this.table = table;
    const { canvas, signal } = table;
    canvas.tabIndex = 0;
    document.addEventListener("keydown", (event) => this.#mine(event) && this.#down(event), { signal });
    document.addEventListener("keyup", (event) => this.#up(event), { signal });
    canvas.addEventListener("focus", () => this.#focused(), { signal });
    canvas.addEventListener("blur", () => this.#left(), { signal });
    canvas.addEventListener("pointerdown", () => delete canvas.dataset.keyboard, { signal });
  }

  #mine(event) {
    if (event.defaultPrevented) return false;
    const focused = document.activeElement;
    if (focused === this.table.canvas) return true;
    if (this.table.readOnly || document.querySelector("dialog[open]")) return false;
    if (focused === document.body || focused === null) return true;
    return !focused.closest(WRITING) && !BUTTON_KEYS.has(event.key);
  }

  #focused() {
    const { table } = this;
    if (table.pointer.down.size || !table.canvas.matches(":focus-visible")) return;
    table.canvas.dataset.keyboard = "";
    table.cursor.show();
    table.cursor.speak();
  }

  #left() {
    delete this.table.canvas.dataset.keyboard;
    this.table.cursor.hide();
  }

  #down(event) {
    const control = event.ctrlKey || event.metaKey;
    if (this.table.outlining.active && this.table.outlining.key(event)) return event.preventDefault();
    const done = event.key in ARROWS
      ? this.#arrow(event, ...ARROWS[event.key], control)
      : control ? this.#withControl(event) : this.#plain(event);
    if (done) event.preventDefault();
  }

  #arrow(event, rows, cols, control) {
    const { table } = this;
    if (event.altKey) return false;
    if (control) table.commands.nudge(rows, cols);
    else if (!table.cursor.shown && (event.shiftKey || !table.selected.size)) {
      table.glideBy(-cols * PAN, -rows * PAN);
    } else {
      if (!table.cursor.shown) table.cursor.toTile(table.selection[0]);
      table.cursor.show();
      if (event.shiftKey) table.cursor.extend(rows, cols);
      else table.cursor.step(rows, cols);
    }
    return true;
  }

  #withControl(event) {
    if (event.key.toLowerCase() !== "a" || event.shiftKey) return false;
    this.table.selectAll();
    return true;
  }

  #plain(event) {
    const { table } = this;
    const { commands, cursor } = table;
    const actions = {
      r: () => commands.turn(event.shiftKey ? -1 : 1),
      l: () => commands.toggleLock(),
      delete: () => commands.lift(),
      backspace: () => commands.lift(),
      m: () => commands.toggleMissing(table.activePlace()),
      f: () => commands.forbid(),
      p: () => commands.putSelection(cursor.shown ? cursor.place : table.activePlace()),
      t: () => cursor.cross(),
      c: () => table.outlining.toggle(),
      enter: () => this.#enter(),
      escape: () => this.#escape(),
      " ": () => this.#space(),
      "+": () => table.zoomStep(1.35),
      "=": () => table.zoomStep(1.35),
      "-": () => table.zoomStep(1 / 1.35),
      "−": () => table.zoomStep(1 / 1.35),
      0: () => table.fit(),
      contextmenu: () => this.#menu(),
      f10: () => event.shiftKey && this.#menu(),
    };
    const action = event.altKey ? null : actions[event.key.toLowerCase()];
    return action ? action() !== false : false;
  }

  /** The menu of what lies at the cursor, or of the selection. */
  #menu() {
    const { table } = this;
    const { left, top } = table.canvas.getBoundingClientRect();
    if (!table.cursor.shown && table.selected.size) table.cursor.toTile(table.selection[0]);
    const { tile, place, index } = table.cursor;
    const rect = (tile !== null && table.rectOf(tile)) || table.camera.rectOf(place?.row ?? 0, place?.col ?? 0);
    const spot = place ? { area: "panel", ...place, tile } : { area: "tray", index, tile };
    table.askMenu(spot, left + rect.x + rect.size / 2, top + rect.y + rect.size / 2);
  }

  #enter() {
    const { table } = this;
    if (!table.cursor.shown) return false;
    const { tile, place, index } = table.cursor;
    table.select(tile === null ? [] : [tile]);
    table.choosePlace(place ? { area: "panel", ...place, tile } : { area: "tray", index, tile });
    return true;
  }

  #escape() {
    const { table } = this;
    if (table.pointer.abort()) return true;
    if (table.selected.size || table.place) {
      table.select([]);
      table.choosePlace(null);
    } else if (table.cursor.shown) table.cursor.hide();
    else return false;
    return true;
  }

  #space() {
    this.table.pointer.space = true;
    return true;
  }

  #up(event) {
    const { table } = this;
    if (event.key !== " " || !table.pointer.space) return;
    table.pointer.space = false;
    if (table.pointer.mode || !table.cursor.shown || table.cursor.tile === null) return;
    table.toggle(table.cursor.tile);
    table.cursor.speak();
  }
}
