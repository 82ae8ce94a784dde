/** The light table: panel and tray, and everything that the user does to them. */

import { Atlas } from "./atlas.js";
import { Viewport } from "./viewport.js";
import { Commands } from "./commands.js";
import { Cursor } from "./cursor.js";
import { Drag } from "./drag.js";
import { Keyboard } from "./keyboard.js";
import { LOOSE, Layout, applied } from "./layout.js";
import { Animation } from "./animation.js";
import { NoteMarks } from "./note_marks.js";
import { OutlineTool } from "./outline_tool.js";
import { Overlay } from "./overlay.js";
import { Pointer } from "./pointer.js";
import { Renderer } from "./renderer.js";
import { Palette } from "./palette.js";

const EMPTY = { placed: [], locked: [], forbidden: [], missing: [], panels: ["1"] };

/**
 * Events: `edit` {detail: Edit without revision}, `select` {tiles}, `place` {panel, row, col, tile}
 * (panel −1 for a loose tile; null for none), `hover` {tile, x, y}, `view` {x, y, scale}, `notice` {text}, `menu` {spot, x, y},
 * `outlining` when the drawing of an outline begins or ends.
 * An edit shows at once; `setBoard` then sets what the server has made of it.
 */
export class Table extends Viewport {
  #board = EMPTY;
  #live = null;
  #layout = null;
  #overlay = true;
  #panel = 0;

  /** `readOnly`: a picture, in which nothing is selected; `looking`: tiles are selected, but only looked at; `tabs`: the
   * element whose children, one for each panel and one for the tray, take dropped tiles; `labels`: how the label of an
   * edit is written for others and read aloud. */
  constructor(canvas, { texts = (key) => key, readOnly = false, looking = false, tabs = null, labels = null } = {}) {
    super();
    this.canvas = canvas;
    this.tabs = tabs;
    this.say = texts;
    this.labels = labels ?? { write: texts, read: (label) => label };
    this.readOnly = readOnly;
    this.looking = looking;
    this.closing = new AbortController();
    this.signal = this.closing.signal;
    this.coarse = matchMedia("(pointer: coarse)"); // fingers need larger handles
    this.quiet = matchMedia("(prefers-reduced-motion: reduce)");
    this.prepare({ still: () => this.quiet.matches });
    this.motion = new Animation({ still: () => this.quiet.matches });
    this.theme = new Palette(canvas);
    this.selected = new Set();
    this.numbers = new Map();
    this.notes = new NoteMarks([]);
    this.atlas = this.confidence = this.findings = this.hover = this.place = this.pulse = this.dropped = null;
    this.commands = new Commands(this);
    this.outlining = new OutlineTool(this);
    this.drag = new Drag(this);
    this.renderer = new Renderer(canvas, this);
    this.cursor = new Cursor(this);
    this.pointer = new Pointer(this);
    this.keys = new Keyboard(this);
    canvas.setAttribute("role", "application");
    this.relabel();
    this.#listen();
    this.renderer.start();
  }

  #listen() {
    const { signal } = this;
    const repaint = () => {
      this.theme.read();
      this.relabel();
      this.renderer.refresh("all");
    };
    document.addEventListener("themechange", repaint, { signal });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", repaint, { signal });
  }

  relabel() {
    this.canvas.setAttribute("aria-label", this.say("table.label"));
  }

  destroy() {
    this.closing.abort();
    this.renderer.close();
    this.cursor.close();
    this.atlas?.close();
  }

  // What is shown

  open(project, atlas, baseUrl) {
    this.baseUrl = baseUrl;
    this.#layout = this.arranged = this.confidence = this.findings = this.#live = this.place = null;
    this.motion.stop();
    this.atlas?.close();
    this.atlas = null;
    this.select([]);
    this.setTiles(project.tiles, atlas);
    this.setBoard(project.state);
    this.cursor.reset();
    this.fit();
  }

  setTiles(tiles, atlas) {
    this.numbers = new Map(tiles.map((tile) => [tile.tile, tile.number]));
    if (atlas && atlas.stamp !== this.atlas?.stamp) {
      this.atlas = new Atlas(this.baseUrl, atlas, () => this.renderer.pictureArrived(), this.atlas);
    }
    this.renderer.refresh("all");
  }

  setBoard(state) {
    this.#board = state.board;
    this.#relay();
    const gone = this.selection.filter((tile) => !this.layout.of(tile));
    if (gone.length) this.select(this.selection.filter((tile) => this.layout.of(tile)));
    if (this.place && !this.inFrame(this.place)) this.choosePlace(null);
  }

  setConfidence(confidence) {
    this.confidence = confidence ? new Overlay(confidence, this.layout) : null;
    this.renderer.refresh("panel");
  }

  setLive(placed) {
    if (this.drag.active) this.pointer.abort();
    if (placed && this.outlining.active) this.outlining.toggle(false);
    this.#live = placed;
    this.#relay();
  }

  setNotes(notes) {
    this.notes = new NoteMarks(notes);
    this.renderer.refresh("all");
  }

  highlight(findings) {
    this.findings = findings;
    this.renderer.refresh();
  }

  get layout() {
    this.#layout ??= new Layout(this.#board, this.#live);
    return this.#layout;
  }

  #relay() {
    this.#layout = null;
    this.renderer.refresh();
  }

  /** Whether the user may change the board now. */
  get editable() {
    return !this.readOnly && !this.looking && !this.#live;
  }

  get panel() {
    return this.#panel;
  }

  set panel(panel) {
    if (panel === this.#panel) return;
    this.#panel = panel;
    if (this.outlining.active) this.outlining.toggle(false);
    this.select(this.selection.filter((tile) => this.layout.of(tile)?.panel === LOOSE));
    this.hover = this.arranged = null;
    this.choosePlace(null);
    this.renderer.refresh("all");
    this.fit();
  }

  get overlay() {
    return this.#overlay;
  }

  set overlay(shown) {
    this.#overlay = shown;
    this.renderer.refresh("panel");
  }

  get trayCount() {
    return this.layout.loose.length;
  }

  numberOf(tile) {
    return this.numbers.get(tile) ?? String(tile);
  }

  // Selection

  get selection() {
    return [...this.selected];
  }

  select(tiles) {
    const same = tiles.length === this.selected.size && tiles.every((tile) => this.selected.has(tile));
    if (same) return;
    this.selected = new Set(tiles);
    this.renderer.refresh();
    this.#emit("select", { tiles: this.selection });
  }

  toggle(tile) {
    this.select(this.selected.has(tile) ? this.selection.filter((one) => one !== tile) : [...this.selected, tile]);
  }

  selectAll() {
    const tiles = this.layout.tilesOf(this.panel);
    this.select(tiles.length ? tiles : this.layout.loose);
  }

  /** Add the tiles that a rubber band touches to the selection. */
  selectBand({ x0, y0, x1, y1 }) {
    const [left, right, top, bottom] = [Math.min(x0, x1), Math.max(x0, x1), Math.min(y0, y1), Math.max(y0, y1)];
    const inTray = this.tray.contains(x0, y0);
    const tiles = inTray ? this.layout.loose : this.layout.tilesOf(this.panel);
    const touched = tiles.filter((tile) => {
      const { x, y, size } = this.rectOf(tile);
      return x < right && x + size > left && y < bottom && y + size > top;
    });
    this.select([...new Set([...this.selected, ...touched])]);
  }

  /** A place was clicked or chosen by Enter, or, without a spot, none is chosen any longer. */
  choosePlace(spot) {
    if (!spot && !this.place) return;
    this.place = spot?.area === "panel" ? { panel: this.panel, row: spot.row, col: spot.col } : null;
    this.renderer.refresh();
    const loose = spot && !this.place ? { panel: LOOSE, row: 0, col: 0 } : null;
    this.#emit("place", spot ? { ...(this.place ?? loose), tile: spot.tile } : null);
  }

  /** Ask for the menu of a spot at a point of the window; its tile is selected unless it is already. */
  askMenu(spot, x, y) {
    if (spot.tile !== null && !this.selected.has(spot.tile)) this.select([spot.tile]);
    else if (spot.tile === null) this.select([]);
    const chosen = spot.tile !== null || (spot.area === "panel" && this.inFrame(spot));
    this.cursor.follow(spot);
    this.choosePlace(chosen ? spot : null);
    this.#emit("menu", { spot: chosen ? spot : null, x, y });
  }

  /** The place that keys apply to: the cursor's, else the pointer's, else the chosen one. */
  activePlace() {
    if (this.cursor.shown) return this.cursor.place;
    if (this.hover?.area === "panel") return { panel: this.panel, row: this.hover.row, col: this.hover.col };
    return this.place;
  }

  hoverAt(spot, x, y) {
    const before = this.hover;
    this.hover = spot;
    if (["area", "row", "col", "index", "tile"].every((key) => before?.[key] === spot?.[key])) return;
    this.renderer.refresh();
    if ((before?.tile ?? null) !== (spot?.tile ?? null)) this.#emit("hover", { tile: spot?.tile ?? null, x, y });
  }

  // Changes

  turn(steps) { this.commands.turn(steps); }
  lift() { this.commands.lift(); }
  toggleLock() { this.commands.toggleLock(); }
  forbid() { this.commands.forbid(); }
  toggleMissing(place) { this.commands.toggleMissing(place); }
  putAt(fit, place) { this.commands.putAt(fit, place); }

  /** Show an edit and send it; `dropped` holds the squares where tiles were released. */
  commit(edit, dropped = null) {
    this.#board = applied(this.#board, edit);
    this.dropped = dropped;
    this.justLifted = edit.placed?.find(({ panel }) => panel === LOOSE)?.tile ?? null;
    this.#relay();
    this.cursor.tell(this.labels.read(edit.label));
    this.#emit("edit", edit);
  }

  /** Shake locked tiles and say why nothing happened. */
  refuse(locked) {
    this.motion.shake(locked);
    this.notify("table.notice.locked", { count: locked.length, number: this.numberOf(locked[0]) });
    this.renderer.refresh("all");
  }

  notify(key, values) {
    const text = this.say(key, values);
    this.cursor.tell(text);
    this.#emit("notice", { text });
  }

  #emit(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}
