/** The patterns of the museum: alike tiles by design, how each repeats, and the stock. */

import * as api from "../common/api.js";
import { button, fill, h } from "../common/dom.js";
import { text } from "../common/texts.js";
import { attempt } from "../common/toast.js";

/** Draw the list into `root`. */
export function patternsView(page, root) {
  const { store, signal } = page;
  const list = h("ul", { class: "panel-cards" });
  const lead = h("p", { class: "quiet" }, text("patterns.lead"));
  const work = h("div", { class: "list-head work-only" });
  fill(root, h("section", { class: "museum-list" }, work, lead, list));
  let known = true;
  const drawWork = () => fill(work, findButton(store, known));
  const load = async () => {
    const found = await attempt(() => api.listPatterns(store.id));
    if (!found || signal.aborted) return;
    fill(list, found.map((pattern) => patternCard(store, pattern)));
    known = found.length > 0;
    lead.textContent = text(known ? "patterns.lead" : "patterns.none");
    drawWork();
  };
  drawWork();
  load();
  store.on("info jobs", drawWork, signal);
  store.on("lists", load, signal);
}

/** The button that looks for patterns, or does so again. */
function findButton(store, known) {
  const find = () => attempt(() => store.start({ kind: "museum_patterns" }));
  const busy = Boolean(store.job);
  return button(text(known ? "patterns.find.again" : "patterns.find"), find, {
    drawing: "search",
    kind: known ? "" : "primary",
    disabled: busy || !store.info.tiles,
    title: busy ? text("panels.busy") : text("patterns.find.hint"),
  });
}

function patternCard(store, pattern) {
  const src = store.patternPicture(pattern.name);
  const name = text("patterns.name", { pattern: pattern.name });
  const size = text(pattern.drop ? "patterns.drop" : "patterns.size", { rows: pattern.rows, cols: pattern.cols });
  const tiles = text("project.tiles", { count: pattern.tiles });
  const designs = text("patterns.designs", { count: pattern.designs });
  const crates = pattern.crates.slice(0, 4).join(", ");
  return h(
    "li",
    { class: "panel-card" },
    h("img", { src, alt: text("patterns.picture", { pattern: pattern.name }), loading: "lazy" }),
    h("strong", {}, name),
    h("p", {}, [tiles, designs, size, pattern.symmetry].join(" · ")),
    h("p", {}, text("patterns.stock", { good: pattern.good, worn: pattern.worn, poor: pattern.poor })),
    h("p", { class: "quiet" }, text("panels.crates", { count: pattern.crates.length, crates: pattern.crates.length > 4 ? `${crates} …` : crates })),
  );
}
