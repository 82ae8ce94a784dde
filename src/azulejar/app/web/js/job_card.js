/** The card of the running job, or of how the last one ended. */

import { stopJob } from "./api.js";
import { openCorners } from "./corners.js";
import { button, fill, h, icon, iconButton, redraw } from "./dom.js";
import { isBusy } from "./store.js";
import { duration, hasText, percent, phraseError, phraseNote, text } from "./texts.js";
import { announce, attempt } from "./toast.js";

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

/** The newest job that ended, unless the user has dismissed it; exports download anyway. */
function latest(store) {
  const all = [...store.jobs.values()].filter((job) => job.request.kind !== "export" || job.state === "failed");
  const last = all.sort((a, b) => b.job - a.job)[0];
  return last && !isBusy(last) && !store.dismissed.has(last.job) ? last : null;
}

function runningPart(store) {
  const title = h("h2", {});
  const bar = h("progress", { max: 1, "aria-label": text("job.progress") });
  const facts = h("dl", { class: "facts" });
  const notes = h("p", { class: "quiet" });
  let shown = null;
  const end = () => shown && attempt(() => stopJob(store.id, shown.job));
  const stop = button(text("job.stop"), end, { drawing: "stop" });
  const hint = h("p", { class: "quiet" });
  const show = (job) => {
    shown = job;
    title.textContent = titleOf(job);
    if (job.state === "queued") bar.removeAttribute("value");
    else bar.value = job.fraction;
    fill(facts, factsOf(job));
    fill(notes, job.notes.length ? phraseNote(job.notes.at(-1)) : null);
    fill(hint, job.request.kind === "solve" || job.request.kind === "sort" ? text("job.stop.hint") : null);
  };
  const element = h("div", { class: "running" }, title, bar, facts, notes, stop, hint);
  return { element, show };
}

function titleOf(job) {
  if (job.state === "queued") return text("job.queued");
  const key = `job.step.${job.step}`;
  return hasText(key) ? text(key) : text(`job.kind.${job.request.kind}`);
}

function factsOf(job) {
  const facts = [
    ["job.generation", job.generation],
    ["job.confidence", job.confidence === null ? null : percent(job.confidence)],
    ["job.left", job.seconds_left === null ? null : text("job.left.most", { time: duration(job.seconds_left) })],
  ];
  const known = facts.filter(([, value]) => value !== null && value !== undefined);
  return known.map(([key, value]) => h("div", {}, h("dt", {}, text(key)), h("dd", {}, String(value))));
}

function endedWords(job) {
  if (job.state === "failed") return job.error ? phraseError(job.error).problem : text("job.failed");
  const values = { time: duration(job.seconds), confidence: percent(job.confidence ?? 0) };
  if (job.state === "stopped") return text(job.version ? "job.stopped.kept" : "job.stopped", values);
  if (job.request.kind === "solve" && job.confidence !== null) return text("job.done.solve", values);
  if (job.request.kind === "audit") return auditWords(job.findings?.length ?? 0);
  return text(`job.done.${job.request.kind}`, values);
}

function auditWords(count) {
  return count ? text("job.done.audit", { count }) : text("audit.nothing");
}

function endedPart(page, job) {
  const { store } = page;
  const failed = job.state === "failed";
  const away = () => {
    store.dismissed.add(job.job);
    store.emit("jobs");
  };
  const corners = failed && job.request.kind === "cut";
  const words = [icon(failed ? "warning" : "check"), h("span", {}, endedWords(job))];
  return [
    h(
      "div",
      { class: "ended-line" },
      h("p", { class: failed ? "failure" : "success" }, words),
      iconButton("close", text("button.dismiss"), away),
    ),
    failed && job.error && h("p", {}, phraseError(job.error).remedy),
    job.notes.length > 0 && h("ul", { class: "notes" }, job.notes.map((note) => h("li", {}, phraseNote(note)))),
    corners && button(text("corners.open"), () => openCorners(store, job.request), { kind: "primary" }),
    failed && !corners && button(text("job.again"), () => attempt(() => store.start(job.request)), { drawing: "turn" }),
    job.findings?.length > 0 && button(text("audit.look"), () => page.side.show("findings")),
  ];
}
