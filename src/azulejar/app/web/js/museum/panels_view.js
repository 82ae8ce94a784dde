/** All panels of the museum: how far each is, and the work of sorting and solving. */

import * as api from "../common/api.js";
import { ask, foot, form } from "../common/dialog.js";
import { button, choice, field, fill, h, redraw } from "../common/dom.js";
import { sureness, text } from "../common/texts.js";
import { attempt } from "../common/toast.js";
import { uniteDialog } from "./moves.js";
import { number } from "./words.js";

const PAGE = 60;
const STATES = ["solved", "unsolved", "doubtful", "holes", "whole", "outdated"];
const ORDERS = ["merit", "tiles", "confidence", "name"];
const PRESETS = ["fast", "standard"];

/** Draw the list into `root`. */
export function panelsView(page, root) {
  const { store, signal } = page;
  const list = h("ul", { class: "panel-cards" });
  const more = h("p", { class: "more-rows" });
  const count = h("p", { class: "quiet count", role: "status" });
  const empty = h("p", { class: "museum-empty", hidden: true });
  const go = (name) => (value) => page.go({ [name]: value || null }, { replace: true });
  const states = [["", text("panels.state.all")], ...STATES.map((each) => [each, text(`panels.state.${each}`)])];
  const orders = ORDERS.map((each) => [each, text(`panels.order.${each}`)]);
  const work = h("div", { class: "row work-only" });
  const head = h(
    "div",
    { class: "list-head" },
    work,
    h("span", { class: "grow" }),
    field(text("panels.state"), choice(states, page.asked.state ?? "", go("state"))),
    field(text("panels.order"), choice(orders, page.asked.order ?? "merit", go("order"))),
    count,
  );
  fill(root, h("section", { class: "museum-list" }, head, empty, list, more));
  let asking = 0;
  const load = async (first, upTo = PAGE) => {
    const mine = ++asking;
    const { words, state, order } = page.asked;
    const query = { words, state, order, first, count: upTo };
    const found = await attempt(() => api.listPanels(store.id, query));
    if (!found || mine !== asking || signal.aborted) return;
    const cards = found.panels.map((panel) => panelCard(page, panel));
    if (first) list.append(...cards);
    else redraw(list, cards);
    count.textContent = text("panels.found", { count: found.total, shown: number(found.total) });
    const left = found.total - first - found.panels.length;
    fill(more, left > 0 && button(text("list.more", { count: left, shown: number(left) }), () => load(first + PAGE)));
    empty.hidden = found.total > 0;
    empty.textContent = text(store.info.sorted ? "panels.none" : store.info.tiles ? "panels.unsorted" : "museum.none");
  };
  const drawWork = () => redraw(work, workButtons(page));
  drawWork();
  load(0);
  store.on("info jobs", drawWork, signal);
  store.on("lists", () => load(0, Math.min(500, Math.max(PAGE, list.children.length))), signal);
  return { update: () => load(0) };
}

function workButtons(page) {
  const { store } = page;
  const busy = Boolean(store.job);
  const fresh = !store.info.sorted || store.info.states.new > 0;
  const sort = () => attempt(() => store.start({ kind: "museum_sort" }));
  return [
    button(text(store.info.sorted ? "panels.sort.again" : "panels.sort"), sort, {
      drawing: "sort",
      kind: fresh ? "primary" : "",
      disabled: busy || store.info.tiles < 2,
      title: text(busy ? "panels.busy" : store.info.tiles < 2 ? "panels.few" : "panels.sort.hint"),
    }),
    button(text("panels.solve"), () => solve(page, []), {
      drawing: "solve",
      kind: fresh ? "" : "primary",
      disabled: busy || !store.info.panels,
      title: text(busy ? "panels.busy" : store.info.panels ? "panels.solve.hint" : "panels.unsorted"),
    }),
  ];
}

/** Ask how to search, and put panels together. */
async function solve(page, panels) {
  const options = PRESETS.map((each) => [each, text(`solve.preset.${each}`)]);
  const title = panels.length ? text("panels.solve.one", { panel: panels[0] }) : text("panels.solve");
  const preset = await ask(title, (close) => {
    const chosen = choice(options, "standard", null, { autofocus: true });
    const words = h("p", {}, text("panels.solve.sentence"));
    return form([words, field(text("solve.preset"), chosen), foot(close, text("solve.solve"), "solve")], () =>
      close(chosen.value),
    );
  });
  if (preset) await attempt(() => page.store.start({ kind: "museum_solve", panels, preset }));
}

function panelCard(page, panel) {
  const { store } = page;
  const solved = panel.rows !== null;
  const name = text("museum.panel", { panel: panel.name });
  const picture = h("img", { src: store.panelPicture(panel.name, panel.confidence ?? 0), alt: "", loading: "lazy" });
  const open = h("button", { type: "button", class: "panel-open", onclick: () => page.openPanel(panel.name) });
  open.append(picture, h("strong", {}, name));
  const crates = panel.crates.map(([crate]) => crate).slice(0, 4).join(", ");
  const spread = text("panels.crates", { count: panel.crate_count, crates: panel.crate_count > 4 ? `${crates} …` : crates });
  const apart = panel.apart > 0 && !panel.touched; // who has laid tiles knows better
  const loose = panel.loose > 0 && !panel.touched && !apart;
  const badges = [
    loose && h("span", { class: "badge warm" }, text(panel.mirrored ? "panels.badge.apart" : "panels.badge.loose")),
    apart && h("span", { class: "badge warm" }, text("panels.badge.apart")),
    panel.outdated && h("span", { class: "badge warm" }, text("panels.badge.outdated")),
    panel.touched && h("span", { class: "badge" }, text("panels.badge.touched")),
    !solved && h("span", { class: "badge" }, text("panels.badge.unsolved")),
  ];
  const tiles = button(text("panels.tiles"), () => page.go({ view: "tiles", panel: panel.name }), { drawing: "files" });
  const again = button(text("solve.solve"), () => solve(page, [panel.name]), {
    drawing: "solve",
    kind: "work-only",
    disabled: Boolean(store.job),
  });
  const unite = button(text("panels.unite"), () => uniteDialog(page, panel.name), { drawing: "unite", kind: "work-only" });
  return h(
    "li",
    { class: "panel-card" },
    open,
    h("div", { class: "row badges" }, badges),
    h("p", {}, facts(panel).join(" · ")),
    apart && h("p", { class: "quiet" }, text("panels.apart", { part: panel.apart, tiles: panel.tiles })),
    loose && h("p", { class: "quiet" }, text(panel.mirrored ? "panels.mirrored" : "panels.loose", { part: panel.loose, tiles: panel.tiles })),
    h("p", { class: "quiet" }, spread),
    solved && h("progress", { max: 1, value: panel.complete, "aria-label": text("panels.complete") }),
    h("div", { class: "row" }, tiles, again, unite),
  );
}

/** Size, sureness, doubtful tiles and holes, in words. */
export function facts(panel) {
  const tiles = text("project.tiles", { count: panel.tiles });
  if (panel.rows === null) return [tiles, text("panels.together", { share: sureness(panel.probability) })];
  const size = text("panels.size", { rows: panel.rows, cols: panel.cols });
  return [
    panel.outside ? text("panels.outside", { size, count: panel.outside }) : size,
    tiles,
    text("panels.sure", { share: sureness(panel.confidence) }),
    panel.doubtful ? text("panels.doubtful", { count: panel.doubtful }) : null,
    panel.holes ? text("panels.holes", { count: panel.holes }) : text("panels.whole"),
  ].filter(Boolean);
}
