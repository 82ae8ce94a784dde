/** The tiles of the museum: those of a state, a crate or a panel, found by words; one of them at the side. */

import * as api from "../common/api.js";
import { button, fill, h, iconButton, redraw } from "../common/dom.js";
import { text } from "../common/texts.js";
import { moveBar } from "./moves.js";
import { renewFacts, tileCard } from "./tile_card.js";
import { tileGrid } from "./tile_grid.js";
import { number } from "./words.js";

const STATES = ["grouped", "doubtful", "stray", "new", "double", "removed"];

/** Draw the list into `root`. */
export function tilesView(page, root) {
  const { store, signal } = page;
  const count = h("p", { class: "quiet count", role: "status" });
  const chips = h("div", { class: "chips", role: "group", "aria-label": text("museum.state") });
  const empty = h("p", { class: "museum-empty", hidden: true });
  const scope = h("div", { class: "row scope" });
  const side = h("aside", { class: "museum-side", "aria-label": text("museum.tile") });
  const picked = new Map();
  const moves = moveBar(page, picked);
  const grid = tileGrid({
    store,
    signal,
    picked,
    picking: () => moves.picking,
    onPick: moves.show,
    ask: (first, most) => api.listMuseumTiles(store.id, { ...condition(page), first, count: most }),
    onOpen: (tile) => page.go({ tile: tile.number }, { replace: page.asked.tile !== undefined }),
  });
  grid.element.addEventListener("total", ({ detail }) => {
    count.textContent = text("museum.found", { count: detail, shown: number(detail) });
    empty.hidden = detail > 0;
    empty.textContent = text(store.info.tiles ? "museum.found.none" : "museum.none");
  });
  const head = h("div", { class: "list-head" }, scope, chips, moves.toggle, count);
  const list = h("section", { class: "museum-list" }, head, moves.element, empty, grid.element);
  fill(root, list, side);
  for (const part of [list, side]) part.addEventListener("keydown", (event) => onKey(event, page));
  const drawHead = () => {
    drawScope(page, scope);
    drawChips(page, chips);
  };
  const drawSide = () => {
    const chosen = page.asked.tile !== undefined;
    root.classList.toggle("with-side", chosen);
    side.hidden = !chosen;
    if (chosen) tileCard(page, Number(page.asked.tile), side);
    else if (document.activeElement === document.body) grid.focus();
  };
  drawHead();
  drawSide();
  store.on("info", drawHead, signal);
  const renew = () => {
    grid.reload({ top: false });
    if (!side.hidden) renewFacts(page, side);
  };
  store.on("lists", renew, signal);
  const update = (before) => {
    const differs = (...names) => names.some((name) => before[name] !== page.asked[name]);
    if (differs("words", "crate", "state", "panel", "pattern")) {
      drawHead();
      grid.reload();
    }
    if (differs("tile")) drawSide();
  };
  return { update };
}

/** Escape takes the chosen tile away. */
function onKey(event, page) {
  if (event.key !== "Escape" || page.asked.tile === undefined) return;
  event.preventDefault();
  page.go({ tile: null });
}

function condition({ asked }) {
  const { words, crate, state, panel, pattern } = asked;
  return { words, crate, state, panel, pattern };
}

/** The states to choose from, with how many tiles each has in the whole museum, while it is all shown. */
function drawChips(page, chips) {
  const { store } = page;
  const { state: chosenState, ...narrower } = condition(page);
  const whole = !Object.values(narrower).some(Boolean);
  const chip = (state, count) => {
    const chosen = (chosenState ?? null) === state;
    const label = text(state ? `museum.state.${state}` : "museum.state.all");
    return h(
      "button",
      {
        type: "button",
        class: "chip",
        "aria-pressed": String(chosen),
        onclick: () => page.go({ state: chosen ? null : state, tile: null }),
      },
      whole ? `${label} ${number(count)}` : label,
    );
  };
  const shown = STATES.filter((state) => store.info.states[state]);
  redraw(chips, chip(null, store.info.tiles), ...shown.map((state) => chip(state, store.info.states[state])));
}

/** The crate, panel or pattern whose tiles are shown, with what can be done there. */
function drawScope(page, scope) {
  const { asked } = page;
  const what = ["crate", "panel", "pattern"].find((each) => asked[each] !== undefined);
  scope.hidden = !what;
  if (!what) return;
  const key = what === "pattern" ? "patterns.name" : `museum.${what}`;
  const title = h("h2", {}, text(key, { [what]: asked[what] }));
  const away = iconButton("close", text("museum.scope.all"), () => page.go({ [what]: null, tile: null }));
  const open = button(text("panel.open"), () => page.openPanel(asked.panel), { drawing: "panel" });
  redraw(scope, title, away, what === "panel" && open);
}
