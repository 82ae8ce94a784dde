/** The crates of the museum: what came in, and adding more. */

import * as api from "../common/api.js";
import { button, fill, h, icon, redraw } from "../common/dom.js";
import { dropZone } from "../common/drop_zone.js";
import { momentElement, phraseError, phraseTileNote, text } from "../common/texts.js";
import { attempt } from "../common/toast.js";
import { isBusy } from "../project/store.js";
import { receiveCrates } from "./crate_upload.js";
import { number } from "./words.js";

const PAGE = 100;
const MOST = 500; // at once
const NAMED = 20; // files of a kind

/** Draw the list into `root`. */
export function cratesView(page, root) {
  const { store, signal } = page;
  const rows = h("tbody");
  const more = h("p", { class: "more-rows" });
  const head = ["crate", "tiles", "new", "strays", "doubtful", "doubles", "added"];
  const table = h(
    "table",
    { class: "crates" },
    h("caption", { class: "unseen" }, text("museum.view.crates")),
    h("thead", {}, h("tr", {}, head.map((name) => h("th", { scope: "col" }, text(`crates.${name}`))))),
    rows,
  );
  const last = h("div", {});
  const drop = dropZone((found) => receiveCrates(page, found), {
    title: text("crates.drop"),
    hint: text("crates.drop.hint"),
  });
  drop.classList.add("low", "work-only");
  fill(root, h("section", { class: "museum-list" }, drop, last, h("div", { class: "wide" }, table), more));
  let asking = 0;
  const load = async (first, upTo = PAGE) => {
    const mine = ++asking;
    const found = await attempt(() => api.listCrates(store.id, { first, count: upTo }));
    if (!found || mine !== asking || signal.aborted) return;
    const shown = found.crates.map((crate) => crateRow(page, crate));
    if (first) rows.append(...shown);
    else redraw(rows, shown);
    table.hidden = !found.total;
    const left = found.total - first - found.crates.length;
    const next = () => load(first + PAGE);
    fill(more, left > 0 && button(text("list.more", { count: left, shown: number(left) }), next));
  };
  const intake = () => {
    const open = [...last.querySelectorAll("details[open]")].map((each) => each.dataset.name);
    redraw(last, lastIntake(store));
    for (const each of last.querySelectorAll("details")) each.open = open.includes(each.dataset.name);
  };
  load(0);
  intake();
  store.on("lists", () => load(0, Math.min(MOST, Math.max(PAGE, rows.children.length))), signal);
  store.on("jobs", intake, signal);
}

function crateRow(page, crate) {
  const name = h("a", { href: page.address({ view: "tiles", crate: crate.crate }) }, crate.crate);
  const count = (value, state) => {
    if (!value) return h("td", { class: "number quiet" }, "–");
    const href = page.address({ view: "tiles", crate: crate.crate, state });
    return h("td", { class: "number" }, state ? h("a", { href }, number(value)) : number(value));
  };
  return h(
    "tr",
    {},
    h("th", { scope: "row" }, icon("crate"), name),
    count(crate.tiles),
    count(crate.new, "new"),
    count(crate.strays, "stray"),
    count(crate.doubtful, "doubtful"),
    count(crate.doubles, "double"),
    h("td", { class: "quiet" }, momentElement(crate.added)),
  );
}

/** What became of the files that were added last, and a way to go on if not all of them were. */
function lastIntake(store) {
  const adding = [...store.jobs.values()].filter((job) => job.request.kind === "museum_add");
  const job = adding.sort((one, other) => other.job - one.job).find((each) => each.intake || endedEarly(each));
  if (!job) return null;
  const goOn = () => attempt(() => store.start(job.request));
  const early = endedEarly(job) && [
    h("p", { class: "failure" }, icon("warning"), h("span", {}, earlyWords(job))),
    button(text("intake.again"), goOn, { drawing: "arrow", kind: "primary work-only", disabled: Boolean(store.job) }),
  ];
  const words = isBusy(job) ? "intake.going" : "intake.title";
  const title = h("h2", {}, text(words, { crates: crateNames(job.request.crates) }));
  return h("section", { class: "card intake" }, title, early, job.intake && intakeLines(job.intake));
}

/** Whether a job ended before all files were added. */
function endedEarly(job) {
  return job.state === "failed" || job.state === "stopped";
}

function earlyWords(job) {
  const why = job.error ? `${phraseError(job.error).problem} ` : "";
  return why + text("intake.stopped");
}

function intakeLines(intake) {
  const lists = [
    ["twice", intake.twice.map(([one, other]) => text("intake.twice.line", { one, other }))],
    ["renamed", intake.renamed.map(([one, other]) => text("intake.renamed.line", { one, other }))],
    ["doubtful", intake.doubtful.map(([one, other]) => `${one}: ${phraseTileNote(other)}`)],
    ["broken", intake.broken],
    ["refused", intake.refused],
  ].filter(([, lines]) => lines.length);
  const counts = text("intake.counts", { count: intake.new, shown: number(intake.new), known: number(intake.known) });
  const shown = lists.map(([name, lines]) =>
    h(
      "details",
      { "data-name": name },
      h("summary", {}, text(`intake.${name}`, { count: lines.length })),
      h("ul", {}, lines.slice(0, NAMED).map((line) => h("li", {}, line)), lines.length > NAMED && h("li", {}, "…")),
    ),
  );
  const { updated, photographs, found } = intake;
  const sought = photographs > 0 && h("p", {}, text("intake.found", { count: photographs, found: number(found) }));
  const renewed = updated > 0 && h("p", {}, text("intake.updated", { count: updated, shown: number(updated) }));
  return [sought, h("p", {}, counts), renewed, ...shown];
}

function crateNames(crates) {
  const shown = crates.slice(0, 5).join(", ");
  return crates.length > 5 ? `${shown} …` : shown;
}
