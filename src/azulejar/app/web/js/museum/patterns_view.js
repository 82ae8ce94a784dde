/** The patterns of the museum: alike tiles by design, how each repeats, and the stock. */

import * as api from "../api.js";
import { fill, h } from "../dom.js";
import { text } from "../texts.js";
import { attempt } from "../toast.js";

/** Draw the list into `root`. */
export function patternsView(page, root) {
  const { store, signal } = page;
  const list = h("ul", { class: "panel-cards" });
  const lead = h("p", { class: "quiet" }, text("patterns.lead"));
  fill(root, h("section", { class: "museum-list" }, lead, list));
  const load = async () => {
    const found = await attempt(() => api.listPatterns(store.id));
    if (!found || signal.aborted) return;
    fill(list, found.map((pattern) => patternCard(store, pattern)));
    if (!found.length) lead.textContent = text("patterns.none");
  };
  load();
  store.on("lists", load, signal);
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
