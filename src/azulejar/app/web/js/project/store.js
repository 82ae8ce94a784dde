/** The open project: its state on the server, what the user looks at, and how to change it. */

import * as api from "../common/api.js";
import { Changes, TRAY } from "./changes.js";
import { listen } from "../common/server_events.js";
import { myName } from "../session.js";
import { showError } from "../common/toast.js";

export { TRAY, samePlace } from "./changes.js";
const SOON = 150;
const AFTER_TILES = 600;

/** Emits events named after what changed: board, tiles, atlas, confidence, jobs, live, versions,
 * notes, people, fragments, name, selection, place, panel, overlay, uploading, connection. */
export class Store extends Changes {
  constructor(project, atlas) {
    super();
    this.panel = 0;
    this.selection = [];
    this.place = null;
    this.atlas = atlas;
    this.confidence = null;
    this.live = null;
    this.uploading = null;
    this.connected = true;
    this.dismissed = new Set();
    this.people = []; // others who have the project open
    this.overlay = true;
    this.take(project);
  }

  /** Load a project and listen to it. */
  static async open(id) {
    const [project, atlas] = await Promise.all([api.getProject(id), api.getAtlas(id).catch(() => null)]);
    const store = new Store(project, atlas);
    store.stopListening = listen(store.id, (kind, data) => store.onServerEvent(kind, data), {
      onLost: () => store.setConnected(false),
      onFound: () => store.reload(),
    });
    store.confidenceSoon();
    return store;
  }

  close() {
    this.stopListening();
    clearTimeout(this.confidenceTimer);
    clearTimeout(this.atlasTimer);
  }

  /** Call `act` at each of these events ("board jobs") until the signal aborts. */
  on(names, act, signal) {
    for (const name of names.split(" ")) this.addEventListener(name, act, { signal });
  }

  emit(...names) {
    for (const name of names) this.dispatchEvent(new Event(name));
  }

  take(project) {
    this.project = project;
    this.id = project.project;
    this.base = api.baseOf(this.id);
    this.tiles = new Map(project.tiles.map((tile) => [tile.tile, tile]));
    this.jobs = new Map(project.jobs.map((job) => [job.job, job]));
    this.versions = project.versions;
    this.notes = project.notes;
    this.settings = project.settings;
    this.setBoard(project.state);
  }

  get name() {
    return this.project.name;
  }

  /** The project as it is now. */
  get whole() {
    return { ...this.project, tiles: [...this.tiles.values()], state: this.state };
  }

  get board() {
    return this.state.board;
  }

  get revision() {
    return this.state.revision;
  }

  /** The job that runs or waits, if any. */
  get job() {
    const busy = [...this.jobs.values()].filter((job) => isBusy(job));
    return busy.find((job) => job.state === "running") ?? busy[0] ?? null;
  }

  /** Whether files are uploaded that become tiles. */
  get tilesCome() {
    return Boolean(this.uploading) && this.uploading.kind !== "reference";
  }

  placeOf(tile) {
    return this.places.get(tile) ?? null;
  }

  tileAt({ panel, row, col }) {
    const lies = (each) => each.panel === panel && each.row === row && each.col === col;
    return this.board.placed.find(lies)?.tile ?? null;
  }

  /** The place whose candidates are shown: that of the only tile selected, or the hole chosen. */
  get lookedAt() {
    const [tile, ...others] = this.selection;
    const place = tile === undefined ? this.place : this.placeOf(tile);
    if (others.length || !place || place.panel !== this.panel || place.panel === TRAY) return null;
    return tile === undefined && this.tileAt(place) !== null ? null : place;
  }

  isLocked(tile) {
    return this.locked.has(tile);
  }

  confidenceOf(tile) {
    return this.confidence?.get(tile) ?? null;
  }

  /** How many tiles lie in the tray, as the table shows it. */
  get loose() {
    return (this.live ?? this.board.placed).filter((each) => each.panel === TRAY).length;
  }

  setBoard(state) {
    if (this.state && state.revision < this.state.revision) return;
    if (state.who !== myName()) this.other = state.who;
    const mine = state.who === myName() || !this.state; // what I can undo, others do not change
    this.state = mine ? state : { ...state, undo: this.state.undo, redo: this.state.redo };
    this.places = new Map(state.board.placed.map((each) => [each.tile, each]));
    this.locked = new Set(state.board.locked);
    if (this.panel >= state.board.panels.length) this.panel = 0;
    this.emit("board");
    this.confidenceSoon();
  }

  onServerEvent(kind, data) {
    if (kind === "board") this.setBoard(data);
    if (kind === "job") this.setJob(data);
    if (kind === "live" && this.jobs.get(data.job)?.state === "running") this.setLive(data.placed);
    if (kind === "tiles" && !this.tilesCome) this.setTiles(data); // they are loaded at the end of the upload
    if (kind === "notes") {
      this.notes = data;
      this.emit("notes");
    }
    if (kind === "fragments") this.setFragments(data);
    if (kind === "people") {
      this.people = data.filter(({ name }) => name !== myName());
      this.emit("people");
    }
    if (kind === "versions") {
      this.versions = data;
      this.emit("versions");
    }
  }

  setJob(job) {
    const before = this.jobs.get(job.job);
    this.jobs.set(job.job, job);
    if (!isBusy(job) && this.live && !this.job) this.setLive(null);
    this.emit("jobs");
    const ended = !isBusy(job) && (!before || isBusy(before));
    if (ended) this.dispatchEvent(new CustomEvent("ended", { detail: job }));
    if (ended) this.confidenceSoon();
  }

  setFragments(fragments) {
    this.fragments = fragments;
    this.emit("fragments");
  }

  setLive(placed) {
    this.live = placed;
    this.emit("live");
  }

  setTiles(tiles) {
    this.tiles = new Map(tiles.map((tile) => [tile.tile, tile]));
    this.emit("tiles");
    clearTimeout(this.atlasTimer);
    this.atlasTimer = setTimeout(() => this.loadAtlas(), AFTER_TILES);
  }

  async loadAtlas() {
    if (!this.tiles.size || this.tilesCome) return;
    this.atlas = await api.getAtlas(this.id).catch(() => this.atlas);
    this.emit("atlas");
  }

  confidenceSoon() {
    clearTimeout(this.confidenceTimer);
    this.confidenceTimer = setTimeout(() => this.loadConfidence(), SOON);
  }

  /** Load the confidence of the present board; a failure is ignored, as the next change repeats it. */
  async loadConfidence() {
    const reply = await api.getConfidence(this.id).catch(() => null);
    if (!reply || reply.revision !== this.revision) return;
    this.confidenceReply = reply.scored ? reply : null;
    this.confidence = reply.scored ? new Map(reply.tiles.map((each) => [each.tile, each])) : null;
    this.emit("confidence");
  }

  setConnected(connected) {
    this.connected = connected;
    this.emit("connection");
  }

  /** Load everything anew from the server. */
  async reload() {
    const project = await api.getProject(this.id).catch(() => null);
    if (!project) return;
    this.state = null;
    this.take(project);
    if (!this.job) this.live = null;
    this.setConnected(true);
    this.emit("tiles", "jobs", "live", "versions", "name", "notes");
    this.loadAtlas();
  }

  async start(request) {
    const job = await api.startJob(this.id, request);
    this.setJob(this.jobs.get(job.job) ?? job);
    return job;
  }

  saveSettings(changes) {
    this.settings = { ...this.settings, ...changes };
    return api.putSettings(this.id, this.settings).catch(showError);
  }

  select(tiles) {
    this.selection = tiles;
    this.emit("selection");
  }

  look(place) {
    this.place = place;
    this.emit("place");
  }

  toggleOverlay() {
    this.overlay = !this.overlay;
    this.emit("overlay");
  }

  show(panel) {
    this.panel = panel;
    this.emit("panel");
  }
}

/** Whether a job runs or waits to run. */
export function isBusy(job) {
  return job.state === "queued" || job.state === "running";
}
