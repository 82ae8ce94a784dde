/** The card of the running job, or of how the last one ended. */

import { stopJob } from "../common/api.js";
import { openCompare } from "./compare.js";
import { openCorners, openGrid } from "./grid_view.js";
import { button, fill, h, icon, iconButton, redraw } from "../common/dom.js";
import { oldPictureOf } from "./old_picture.js";
import { isBusy } from "./store.js";
import { count, duration, hasText, phraseError, phraseNote, sureness, text } from "../common/texts.js";
import { pictureAt } from "./tile_details.js";
import { announce, attempt } from "../common/toast.js";

const PAIR = 64; // pixels of a tile in a pair
/** Notes of a solve or an audit that speak against the panel as a whole. */
const AGAINST_PANEL = new Set(["ragged-panel", "better-size", "mirrored-part", "loose-part"]);

/** Build the card: progress while a job runs, then its outcome. */
export function jobCard(page) {
  const { store, signal } = page;
  const running = runningPart(store);
  const ended = h("div", { class: "ended" });
  const card = h("section", { class: "card job", "aria-label": text("job.title") }, running.element, ended);
  let announced = "";
  const show = () => {
    const { job } = store;
    const last = latest(store);
    card.hidden = !job && !last;
    running.element.hidden = !job;
    ended.hidden = Boolean(job) || !last;
    if (job) running.show(job);
    if (job) announced = announceOnce(announced, `${job.job} ${job.step}`, titleOf(job));
    if (!job && last) redraw(ended, endedPart(page, last));
  };
  store.on("jobs board", show, signal);
  store.on("ended", (event) => announce(endedWords(event.detail)), signal);
  show();
  return card;
}

function announceOnce(before, now, words) {
  if (before !== now) announce(words);
  return now;
}

/** The newest job that ended, unless the user has dismissed it or has changed what it laid; exports
 * download anyway. */
function latest(store) {
  const all = [...store.jobs.values()].filter((job) => job.request.kind !== "export" || job.state === "failed");
  const last = all.sort((a, b) => b.job - a.job)[0];
  if (!last || isBusy(last) || store.dismissed.has(last.job)) return null;
  return isOutdated(store, last) && last.request.kind !== "audit" ? null : last;
}

/** Whether the board has been changed since. */
export function isOutdated(store, job) {
  return typeof job.revision === "number" && job.revision !== store.revision;
}

function runningPart(store) {
  const title = h("h2", {});
  const bar = h("progress", { max: 1, "aria-label": text("job.progress") });
  const facts = h("dl", { class: "facts" });
  const pairs = h("div", { class: "pairs" });
  const notes = h("p", { class: "quiet" });
  let shown = null;
  let asked = null; // the job that was asked to stop
  const end = () => {
    asked = shown.job;
    show(shown);
    return attempt(() => stopJob(store.id, asked));
  };
  const stop = button(text("job.stop"), end, { drawing: "stop" });
  const hint = h("p", { class: "quiet" });
  const show = (job) => {
    shown = job;
    title.textContent = titleOf(job);
    if (job.fraction > 0) bar.value = job.fraction;
    else bar.removeAttribute("value"); // how far it is is not known yet
    const stopping = job.stopping || job.job === asked;
    stop.disabled = stopping;
    stop.querySelector("span").textContent = text(stopping ? "job.stopping" : "job.stop");
    fill(facts, factsOf(job));
    showPairs(pairs, store, job.pairs ?? []);
    fill(notes, job.notes.length ? phraseNote(job.notes.at(-1)) : null);
    fill(hint, job.request.kind === "solve" || job.request.kind === "sort" ? text("job.stop.hint") : null);
  };
  const element = h("div", { class: "running" }, title, bar, facts, pairs, notes, stop, hint);
  return { element, show };
}

/** Pairs of edges that seem to fit, each tile turned so that they meet. */
function showPairs(part, store, pairs) {
  const key = JSON.stringify(pairs);
  if (part.dataset.pairs === key) return;
  part.dataset.pairs = key;
  const facing = ({ tile, side, other, other_side: back }) => [
    pictureAt(store, tile, ((1 - side + 4) % 4) * 90, PAIR),
    pictureAt(store, other, ((3 - back + 4) % 4) * 90, PAIR),
  ];
  const words = pairs.length ? h("p", { class: "quiet" }, text("job.pairs")) : null;
  fill(part, words, pairs.map((pair) => h("span", { class: "fitting" }, facing(pair))));
}

function titleOf(job) {
  if (job.state === "queued") return text("job.queued");
  const key = `job.step.${job.step}`;
  return hasText(key) ? text(key) : text(`job.kind.${job.request.kind}`);
}

function factsOf(job) {
  const judged = Math.round(job.fraction * (job.edges ?? 0));
  const facts = [
    ["job.edges", job.edges && text("job.edges.of", { done: count(judged), all: count(job.edges) })],
    ["job.generation", job.generation],
    ["job.confidence", job.confidence === null ? null : sureness(job.confidence)],
    ["job.left", job.seconds_left === null ? null : text("job.left.most", { time: duration(job.seconds_left) })],
  ];
  const known = facts.filter(([, value]) => value !== null && value !== undefined);
  return known.map(([key, value]) => h("div", {}, h("dt", {}, text(key)), h("dd", {}, String(value))));
}

function endedWords(job) {
  if (job.state === "failed") return job.error ? phraseError(job.error).problem : text("job.failed");
  const values = { time: duration(job.seconds), confidence: sureness(job.confidence ?? 0) };
  if (job.state === "stopped") return text(job.version ? "job.stopped.kept" : "job.stopped", values);
  if (job.request.kind === "solve" && job.confidence !== null)
    return text(doubtsOfPanel(job).length ? "job.done.solve.doubted" : "job.done.solve", values);
  if (job.request.kind === "audit") return auditWords(job);
  if (job.match) return text(job.match.patterns.length ? "wall.found" : "wall.none", { count: job.match.patterns.length });
  if (job.grid) return text("job.done.look", { rows: job.grid.rows, cols: job.grid.cols });
  return text(`job.done.${job.request.kind}`, values);
}

function auditWords(job) {
  if (job.findings?.length) return text("job.done.audit", { count: job.findings.length });
  if (doubtsOfPanel(job).length) return text("audit.nothing.single");
  const unsure = unsureOf(job);
  return unsure ? text("audit.unsure", { count: unsure.values.count }) : text("audit.nothing");
}

function noteLine(note) {
  return h("li", { class: AGAINST_PANEL.has(note.code) ? "against" : null }, phraseNote(note));
}

/** The notes of a job that speak against the panel as a whole. */
export function doubtsOfPanel(job) {
  return job.notes.filter((note) => AGAINST_PANEL.has(note.code));
}

/** The note on tiles that an audit neither marks nor is sure of. */
function unsureOf(job) {
  return job.notes.find((note) => note.code === "audit-unsure");
}

/** Names of the photographs that an import could not read. */
function failedPhotographs(job) {
  if (job.request.kind !== "import") return [];
  const told = [job.error, ...job.notes].map((each) => each?.values?.photo);
  return [...new Set(told.filter(Boolean))];
}

/** Whether a job has refused the tiles because of their sizes; people may know better. */
function isQuestionOfSize(job) {
  return job.error?.code === "project-of-two-sizes";
}

/** Start a job again for tiles that are all of one size; the project remembers it. */
async function startForOneSize(store, job) {
  await store.saveSettings({ one_size: true });
  await store.start({ ...job.request, settings: { ...job.request.settings, one_size: true } });
}

/** Whether a solve has believed the old picture of the panel that is open. */
function isBelieved(store, job) {
  const told = job.notes.some((note) => note.code === "reference-believed");
  return told && Boolean(oldPictureOf(store.board, Math.max(0, store.panel)));
}

function endedPart(page, job) {
  const { store } = page;
  const failed = job.state === "failed";
  const away = () => {
    store.dismissed.add(job.job);
    store.emit("jobs");
  };
  const corners = "corners" in job.request && (failed || job.state === "stopped");
  const outdated = isOutdated(store, job);
  const marked = job.findings && (outdated || job.findings.length > 0 || unsureOf(job));
  const doubtful = marked || doubtsOfPanel(job).length > 0;
  const told = outdated ? text("audit.outdated") : endedWords(job);
  const words = [icon(failed || doubtful ? "warning" : "check"), h("span", {}, told)];
  const notes = job.notes.filter((note) => note.code !== "audit-unsure");
  const bad = failedPhotographs(job);
  const without = () => attempt(() => store.start({ ...job.request, leave_out: bad }));
  return [
    h(
      "div",
      { class: "ended-line" },
      h("p", { class: failed || doubtful ? "failure" : "success" }, words),
      iconButton("close", text("button.dismiss"), away),
    ),
    failed && job.error && h("p", {}, phraseError(job.error).remedy),
    notes.length > 0 && h("ul", { class: "notes" }, notes.map(noteLine)),
    bad.length > 0 && button(text("job.without", { count: bad.length }), without, { drawing: "bin" }),
    isQuestionOfSize(job) &&
      button(text("job.one.size"), () => attempt(() => startForOneSize(store, job)), { kind: "primary" }),
    corners && button(text("corners.open"), () => openCorners(store, job.request), { kind: "primary" }),
    failed && !corners && !isQuestionOfSize(job) &&
      button(text("job.again"), () => attempt(() => store.start(job.request)), { drawing: "turn" }),
    isBelieved(store, job) &&
      button(text("reference.compare"), () => openCompare(store, { picture: true }), { drawing: "compare" }),
    job.grid && button(text("grid.open"), () => openGrid(store, job), { kind: "primary", drawing: "panel" }),
    job.match && button(text("wall.open"), () => page.openMatch(job), { kind: "primary", drawing: "panel" }),
    job.findings?.length > 0 && button(text("audit.look"), () => page.side.show("findings")),
  ];
}
