/** Fragments of broken tiles: joins that are likely, one after the other, to be accepted or refused. */

import * as api from "../common/api.js";
import { button, h, redraw } from "../common/dom.js";
import { mayWork } from "../session.js";
import { percent, text, writeLabel } from "../common/texts.js";
import { announce, attempt } from "../common/toast.js";

const NONE = { fragments: [], joins: [] };

/** The joins that wait for a person's word, those put off last. */
export function waitingJoins({ fragments = NONE, postponed = [] }) {
  const later = (each) => postponed.indexOf(each.join);
  return fragments.joins
    .filter((each) => !each.made && each.verdict === null)
    .sort((a, b) => later(a) - later(b) || b.probability - a.probability);
}

/** The part of the side panel for fragments. */
export function fragmentsPart(page) {
  const { store, signal } = page;
  const part = h("section", { class: "review fragments" });
  const show = () => redraw(part, summary(store), task(store, judge, put), lists(store, judge), again(store));
  const load = async () => {
    const found = await api.getFragments(store.id).catch(() => null);
    if (found) store.setFragments(found);
  };
  async function judge(join, verdict) {
    const words = verdict === null ? "fragments.label.undo" : verdict ? "fragments.label.accept" : "fragments.label.refuse";
    const values = { name: join.join };
    const said = { verdict, label: writeLabel(words, values) };
    const found = await attempt(() => api.decideJoin(store.id, join.join, said));
    if (!found) return;
    announce(text(words, values));
    store.setFragments(found);
  }
  function put(join) {
    store.postponed = [...(store.postponed ?? []).filter((each) => each !== join.join), join.join];
    store.emit("fragments");
  }
  part.addEventListener("keydown", (event) => {
    const [first] = waitingJoins(store);
    const held = event.ctrlKey || event.metaKey;
    const verdict = { y: true, n: false }[event.key.toLowerCase()];
    if (held || !first || verdict === undefined || !mayWork()) return;
    event.preventDefault();
    event.stopPropagation();
    judge(first, verdict);
  });
  store.on("fragments", show, signal);
  store.on("ended", ({ detail: { request } }) => (request.kind === "import" || request.kind === "join") && load(), signal);
  show();
  load();
  return part;
}

function summary({ fragments = NONE }) {
  const values = {
    fragments: text("fragments.count", { count: fragments.fragments.length }),
    tiles: text("fragments.tiles", { count: fragments.joins.filter((each) => each.made).length }),
    waiting: text("fragments.waiting", { count: waitingJoins({ fragments }).length }),
  };
  return h("p", { class: "fragments-summary" }, h("strong", {}, text("fragments.summary", values)));
}

function task(store, judge, put) {
  const [join] = waitingJoins(store);
  if (!join) return h("p", { class: "quiet" }, text("fragments.done"));
  return h(
    "div",
    { class: "review-task" },
    h(
      "figure",
      { class: "join" },
      picture(store, join.join, text("fragments.joined", { name: join.join }), "joined"),
      h("div", { class: "pieces" }, join.fragments.map((name) => picture(store, name, text("fragments.piece", { name })))),
    ),
    h("p", {}, h("strong", {}, join.join), " ", percent(join.probability)),
    h(
      "div",
      { class: "row work-only" },
      button(text("review.accept"), () => judge(join, true), { drawing: "check", kind: "primary", "aria-keyshortcuts": "Y" }),
      button(text("review.refuse"), () => judge(join, false), { drawing: "forbid", "aria-keyshortcuts": "N" }),
      button(text("review.later"), () => put(join), { drawing: "arrow" }),
    ),
    h("p", { class: "quiet" }, text("fragments.hint")),
  );
}

/** What is joined, and what was refused, each to be taken back. */
function lists(store, judge) {
  const { joins } = store.fragments ?? NONE;
  const made = joins.filter((each) => each.made);
  const refused = joins.filter((each) => each.verdict === false);
  const row = (join) => {
    const back = join.verdict === null;
    const label = text(back ? "fragments.apart" : "bar.undo");
    const act = () => judge(join, back ? false : null);
    const name = text(back ? "fragments.apart.of" : "fragments.undo.of", { name: join.join });
    const undo = button(label, act, { drawing: back ? "forbid" : "undo", kind: "work-only", "aria-label": name });
    const words = join.verdict === true ? text("fragments.confirmed") : percent(join.probability ?? 0);
    return h("li", {}, picture(store, join.join, ""), h("div", {}, h("strong", {}, join.join), h("small", {}, words)), undo);
  };
  const list = (title, rows) => rows.length > 0 && [h("h2", {}, title), h("ul", { class: "plain joins" }, rows.map(row))];
  return [list(text("fragments.made"), made), list(text("fragments.refused"), refused)];
}

/** After a refusal, the fragments may fit elsewhere. */
function again(store) {
  const { joins, fragments } = store.fragments ?? NONE;
  const joined = new Set(joins.filter((each) => each.verdict !== false).flatMap((each) => each.fragments));
  if (!joins.some((each) => each.verdict === false) || fragments.every((name) => joined.has(name))) return null;
  const look = () => attempt(() => store.start({ kind: "join" }));
  return h("div", { class: "row work-only" }, button(text("fragments.again"), look, { drawing: "turn" }));
}

function picture(store, name, alt, kind = "") {
  return h("img", { src: api.fragmentPicture(store.id, name), alt, class: `piece ${kind}`, draggable: "false" });
}
