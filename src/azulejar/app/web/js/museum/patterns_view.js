/** The patterns of the museum: alike tiles by design, how each repeats, and the stock; walls that they continue. */

import * as api from "../common/api.js";
import { ask, foot, form } from "../common/dialog.js";
import { button, field, fill, h, redraw } from "../common/dom.js";
import { pickButton } from "../common/drop_zone.js";
import { ACCEPTED } from "../common/files.js";
import { momentElement, text } from "../common/texts.js";
import { attempt, offerLastUndo } from "../common/toast.js";
import { matchWall } from "./wall_match.js";

const NUMBER = /^\d+$/; // a pattern that nobody has named

/** Draw the list into `root`. */
export function patternsView(page, root) {
  const { store, signal } = page;
  const list = h("ul", { class: "panel-cards" });
  const lead = h("p", { class: "quiet" }, text("patterns.lead"));
  const find = h("span", {});
  const wall = pickButton((found) => matchWall(page, found), text("wall.match"), { accept: ACCEPTED });
  const hint = h("span", { class: "quiet" }, text("wall.match.hint"));
  const work = h("div", { class: "list-head work-only" }, find, wall, hint);
  fill(root, h("section", { class: "museum-list" }, work, lead, list));
  let known = true;
  const drawWork = () => {
    redraw(find, findButton(store, known));
    wall.hidden = hint.hidden = !known;
  };
  const load = async () => {
    const found = await attempt(() => api.listPatterns(store.id));
    if (!found || signal.aborted) return;
    redraw(list, found.map((pattern) => patternCard(page, pattern)));
    known = found.length > 0;
    redraw(lead, leadParts(store, known));
    drawWork();
  };
  drawWork();
  load();
  store.on("info jobs", drawWork, signal);
  store.on("lists", load, signal);
}

/** What the list shows; if that is nothing, whether anybody has looked for patterns, and when. */
function leadParts({ info }, known) {
  if (known) return [text("patterns.lead")];
  if (!info.patterns_sought) return [text(info.tiles ? "patterns.none" : "museum.none")];
  return [text("patterns.sought"), " · ", momentElement(info.patterns_sought)];
}

/** The button that looks for patterns, or does so again. */
function findButton(store, known) {
  const find = () => attempt(() => store.start({ kind: "museum_patterns" }));
  const busy = Boolean(store.job);
  const again = known || store.info.patterns_sought;
  return button(text(again ? "patterns.find.again" : "patterns.find"), find, {
    drawing: "search",
    kind: again ? "" : "primary",
    disabled: busy || !store.info.tiles,
    title: text(busy ? "panels.busy" : store.info.tiles ? "patterns.find.hint" : "museum.none"),
  });
}

function patternCard(page, pattern) {
  const src = page.store.patternPicture(pattern.name);
  const name = text("patterns.name", { pattern: pattern.name });
  const size = text(pattern.drop ? "patterns.drop" : "patterns.size", { rows: pattern.rows, cols: pattern.cols });
  const tiles = text("project.tiles", { count: pattern.tiles });
  const designs = text("patterns.designs", { count: pattern.designs });
  const crates = pattern.crates.slice(0, 4).join(", ");
  const show = button(text("panels.tiles"), () => page.go({ view: "tiles", pattern: pattern.name }), { drawing: "files" });
  const call = button(text("patterns.call"), () => callPattern(page, pattern.name), { drawing: "pen", kind: "work-only" });
  return h(
    "li",
    { class: "panel-card" },
    h("img", { src, alt: text("patterns.picture", { pattern: pattern.name }), loading: "lazy" }),
    h("strong", {}, name),
    h("p", {}, [tiles, designs, size, pattern.symmetry].join(" · ")),
    h("p", {}, text("patterns.stock", { good: pattern.good, worn: pattern.worn, poor: pattern.poor })),
    h("p", { class: "quiet" }, text("panels.crates", { count: pattern.crates.length, crates: pattern.crates.length > 4 ? `${crates} …` : crates })),
    h("div", { class: "row" }, show, call),
  );
}

/** Ask for the code or name of a pattern. */
async function callPattern({ store }, pattern) {
  const name = await ask(text("patterns.call.title", { pattern }), (close) => {
    const value = NUMBER.test(pattern) ? "" : pattern;
    const input = h("input", { value, required: true, maxlength: 60, autofocus: true });
    const submit = () => input.value.trim() && close(input.value.trim());
    const called = field(text("patterns.call.field"), input, text("patterns.call.hint"));
    return form([called, foot(close, text("patterns.call"), "pen")], submit);
  });
  if (!name || !(await attempt(() => api.namePattern(store.id, pattern, name).then(() => true)))) return;
  offerLastUndo(text("museum.edit.name", { pattern, name }), store);
}
