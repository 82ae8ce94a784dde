/** The open museum: what the server says of it, its jobs, and how its lists are asked for. */

import * as api from "../common/api.js";
import { listen } from "../common/server_events.js";
import { isBusy } from "../project/store.js";
import { attempt, showError, withdrawUndo } from "../common/toast.js";

const SOON = 1500; // ms between two looks while a job runs

/** Emits events named after what changed: info, jobs, ended, lists, uploading, connection. */
export class MuseumStore extends EventTarget {
  constructor(info) {
    super();
    this.connected = true;
    this.uploading = null;
    this.dismissed = new Set();
    this.take(info);
    // How earlier jobs ended is shown where they belong, not on arrival.
    for (const job of this.jobs.values()) if (!isBusy(job)) this.dismissed.add(job.job);
  }

  /** Load a museum and listen to it. */
  static async open(id) {
    const store = new MuseumStore(await api.getMuseum(id));
    store.stopListening = listen(id, (kind, data) => store.onServerEvent(kind, data), {
      onLost: () => store.setConnected(false),
      onFound: () => store.reload(),
    });
    return store;
  }

  close() {
    this.stopListening();
    clearTimeout(this.timer);
  }

  on(names, act, signal) {
    for (const name of names.split(" ")) this.addEventListener(name, act, { signal });
  }

  emit(...names) {
    for (const name of names) this.dispatchEvent(new Event(name));
  }

  take(info) {
    this.info = info;
    this.id = info.museum;
    this.base = `/api/museums/${this.id}`;
    this.jobs = new Map(info.jobs.map((job) => [job.job, job]));
  }

  /** Jobs, and tiles that somebody has moved. */
  onServerEvent(kind, data) {
    if (kind === "job") this.setJob(data);
    if (kind === "board") this.reload();
  }

  /** What I can undo and redo. */
  get state() {
    return this.info;
  }

  async undo() {
    withdrawUndo();
    if (this.state.undo) await attempt(() => api.undoMove(this.id));
  }

  async redo() {
    withdrawUndo();
    if (this.state.redo) await attempt(() => api.redoMove(this.id));
  }

  get name() {
    return this.info.name;
  }

  /** The job that runs or waits, if any. */
  get job() {
    const busy = [...this.jobs.values()].filter((job) => isBusy(job));
    return busy.find((job) => job.state === "running") ?? busy[0] ?? null;
  }

  setJob(job) {
    const before = this.jobs.get(job.job);
    this.jobs.set(job.job, job);
    this.emit("jobs");
    const ended = !isBusy(job) && (!before || isBusy(before));
    if (ended) this.dispatchEvent(new CustomEvent("ended", { detail: job }));
    if (ended) this.reload();
    else this.reloadSoon();
  }

  setConnected(connected) {
    this.connected = connected;
    this.emit("connection");
  }

  /** Ask again what has changed, now; `changed` says that lists have, whatever the numbers are. */
  async reload(changed = true) {
    clearTimeout(this.timer);
    this.timer = null;
    try {
      const before = JSON.stringify({ ...this.info, jobs: null });
      this.take(await api.getMuseum(this.id));
      this.setConnected(true);
      this.emit("info", "jobs");
      if (changed || before !== JSON.stringify({ ...this.info, jobs: null })) this.emit("lists");
    } catch (error) {
      if (error.status !== 0) showError(error);
    }
  }

  reloadSoon() {
    this.timer ??= setTimeout(() => this.reload(false), SOON);
  }

  async start(request) {
    const job = await api.startJob(this.id, request);
    this.setJob(this.jobs.get(job.job) ?? job);
    return job;
  }

  picture(tile, size) {
    return `${this.base}/picture?${new URLSearchParams({ tile, size, stamp: this.info.pictures })}`;
  }

  sheet(tiles) {
    return `${this.base}/sheet?tiles=${tiles.join(",")}&stamp=${this.info.pictures}`;
  }

  patternPicture(pattern) {
    return `${this.base}/pattern-picture?${new URLSearchParams({ pattern })}`;
  }

  panelPicture(panel, stamp) {
    return `${this.base}/panel-picture?${new URLSearchParams({ panel, stamp })}`;
  }
}
