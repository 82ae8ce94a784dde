/** The page of a museum: search at the top, its lists below, and the work that goes on. */

import * as api from "../common/api.js";
import { fill, h, icon, iconButton, tabList } from "../common/dom.js";
import { acceptDrops } from "../common/drop_zone.js";
import { isPicture } from "../common/files.js";
import { showGrids } from "../project/grid_view.js";
import { openHistory } from "../project/history.js";
import { jobCard } from "../project/job_card.js";
import { preferences } from "../preferences.js";
import { text } from "../common/texts.js";
import { historyButton } from "../project/toolbar.js";
import { uploadCard } from "../project/upload_card.js";
import { attempt } from "../common/toast.js";
import { cratesView } from "./crates_view.js";
import { receiveCrates } from "./crate_upload.js";
import { panelsView } from "./panels_view.js";
import { patternsView } from "./patterns_view.js";
import { reportView } from "./report_view.js";
import { tilesView } from "./tiles_view.js";
import { matchWall, openMatch } from "./wall_match.js";
import { number } from "./words.js";

const VIEWS = {
  tiles: tilesView,
  crates: cratesView,
  panels: panelsView,
  patterns: patternsView,
  report: reportView,
};
const SEARCHED = ["tiles", "panels"];
const BELOW = 28; // px around the cards of the work that goes on
const PAUSE = 40; // ms between two searches at least

/** Draw the page into `root`; the address says which list is shown, and what is searched. */
export function museumPage(store, shell, root) {
  const { signal } = shell;
  const page = { store, signal, shell, asked: asked(store) };
  page.go = (changes, how) => go(page, changes, how);
  page.address = (all) => addressOf({ museum: store.id, ...all });
  page.openMatch = (job) => openMatch(page, job);
  page.openPanel = (panel) => openPanel(store, panel);
  const view = h("main", { class: "museum-view", tabindex: -1 });
  const search = searchField(page);
  const tabs = viewTabs(page);
  tabs.element.append(search.help); // below the tabs, which stay in reach
  const work = h("div", { class: "museum-work" }, uploadCard(page), jobCard(page));
  const whole = h("div", { class: "museum" }, bar(page, search.element, shell), tabs.element, work, view);
  fill(root, whole);
  const { style } = document.body; // messages stay clear of it too
  const room = new ResizeObserver(() => style.setProperty("--work", `${work.offsetHeight && work.offsetHeight + BELOW}px`));
  room.observe(work);
  signal.addEventListener("abort", () => {
    room.disconnect();
    style.removeProperty("--work");
  });
  let leave = new AbortController();
  let shown = null;
  const show = () => {
    leave.abort();
    leave = new AbortController();
    view.className = `museum-view ${page.asked.view}`;
    const inner = Object.assign(Object.create(page), { signal: leave.signal });
    shown = VIEWS[page.asked.view](inner, view);
  };
  const follow = () => {
    if (new URLSearchParams(location.hash.slice(1)).get("museum") !== store.id) return;
    const before = page.asked;
    page.asked = asked(store);
    tabs.show();
    search.show();
    if (before.view === page.asked.view && shown?.update) shown.update(before);
    else show();
  };
  addEventListener("hashchange", follow, { signal });
  signal.addEventListener("abort", () => leave.abort());
  store.on("info", tabs.show, signal);
  acceptDrops((found) => receiveDrop(page, found), signal);
  showGrids(page, (job) => job.match && openMatch(page, job));
  addEventListener("keydown", (event) => onKey(event, store, search.input), { signal });
  tabs.show();
  search.show();
  show();
}

/** A picture that is dropped among the patterns shows a wall; whatever else is dropped belongs in crates. */
function receiveDrop(page, found) {
  const wall = page.asked.view === "patterns" && found.files.length === 1 && isPicture(found.files[0]);
  return wall ? matchWall(page, found) : receiveCrates(page, found);
}

/** Open a panel on the table. */
async function openPanel(store, panel) {
  const opened = await attempt(() => api.openMuseumPanel(store.id, panel));
  if (opened) location.hash = `project=${opened.project}`;
}

/** What the address asks for. */
function asked(store) {
  const given = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  const first = store.info.tiles ? "tiles" : "crates";
  return { words: "", ...given, view: given.view in VIEWS ? given.view : first };
}

/** Show another list, or the same with other words; null takes a condition away. */
function go(page, changes, { replace = false } = {}) {
  const address = page.address({ ...(changes.view ? {} : page.asked), ...changes });
  if (replace) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  dispatchEvent(new Event("hashchange"));
}

function addressOf(all) {
  const kept = Object.entries(all).filter(([, value]) => value !== null && value !== undefined && value !== "");
  return `#${new URLSearchParams(kept)}`;
}

function bar(page, search, shell) {
  const { store } = page;
  const label = text("bar.home");
  const home = h("a", { href: "#", class: "home", title: label, "aria-label": label }, icon("azulejo", "mark"));
  return h(
    "header",
    { class: "bar museum-bar" },
    store.info.one ? h("span", { class: "home" }, icon("azulejo", "mark")) : home,
    h("h1", { class: "museum-name" }, store.name),
    search,
    preferences(shell),
  );
}

/** The search field; it searches as one types. */
function searchField(page) {
  const input = h("input", {
    type: "search",
    maxlength: 200,
    autocomplete: "off",
    spellcheck: "false",
    "aria-label": text("museum.search"),
    "aria-describedby": "search-help",
    placeholder: text("museum.search.hint"),
  });
  let timer = null;
  let sent = ""; // the words that were searched last
  const send = () => {
    timer = null;
    if (input.value === sent) return;
    sent = input.value;
    timer = setTimeout(send, PAUSE);
    const view = SEARCHED.includes(page.asked.view) ? page.asked.view : "tiles";
    const fresh = view !== page.asked.view;
    page.go(fresh ? { view, words: input.value } : { words: input.value, tile: null }, { replace: !fresh });
  };
  // A letter is searched at once; those that follow too fast, together.
  input.addEventListener("input", () => timer ?? send());
  const show = () => {
    sent = page.asked.words;
    if (document.activeElement !== input) input.value = sent;
  };
  const help = h("p", { id: "search-help", class: "search-help" }, text("museum.search.help"));
  const element = h("div", { class: "museum-search", role: "search" }, icon("search"), input);
  return { element, input, help, show };
}

function viewTabs(page) {
  const { store } = page;
  const list = tabList("museum-tabs", text("museum.views"));
  const counts = { tiles: "tiles", crates: "crates", panels: "panels" };
  const buttons = Object.keys(VIEWS).map((view) => {
    const badge = h("span", { class: "badge" });
    const onclick = () => page.go({ view });
    const tab = h("button", { type: "button", role: "tab", onclick }, text(`museum.view.${view}`), badge);
    return { view, tab, badge };
  });
  list.append(...buttons.map((each) => each.tab));
  const show = () => {
    for (const { view, tab, badge } of buttons) {
      const chosen = view === page.asked.view;
      tab.setAttribute("aria-selected", String(chosen));
      tab.tabIndex = chosen ? 0 : -1;
      badge.textContent = counts[view] && store.info[counts[view]] ? number(store.info[counts[view]]) : "";
    }
  };
  const past = iconButton("versions", text("side.history"), () => openHistory(page));
  const back = h("div", { class: "row work-only" }, historyButton(page, "undo"), historyButton(page, "redo"));
  const tools = h("div", { class: "row museum-tools" }, back, past);
  return { element: h("nav", { "aria-label": text("museum.views") }, list, tools), show };
}

/** The key / goes to the search; undo and redo as on the table. */
function onKey(event, store, input) {
  if (event.target.closest?.("input, textarea, select") || document.querySelector("dialog[open]")) return;
  const key = event.key.toLowerCase();
  const held = event.ctrlKey || event.metaKey;
  if (key === "/" && !held) {
    input.focus();
    input.select();
  } else if (held && key === "z" && !event.shiftKey) store.undo();
  else if (held && (key === "z" || key === "y")) store.redo();
  else return;
  event.preventDefault();
}
