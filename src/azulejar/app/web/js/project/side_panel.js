/** The panel at the right: the tile or place looked at, doubts, findings, versions. */

import { candidatesPart } from "./candidates.js";
import { doubtsPart, doubtful } from "./doubts.js";
import { h, iconButton, tabList } from "../common/dom.js";
import { fragmentsPart, waitingJoins } from "./fragments.js";
import { findingsOf, findingsPart } from "./findings.js";
import { historyPart } from "./history.js";
import { notesPart } from "./notes.js";
import { reviewOf, reviewPart } from "./review.js";
import { text } from "../common/texts.js";
import { tilePart } from "./tile_details.js";
import { versionsPart } from "./versions.js";

/** `show(name)` brings a part to the front, `toggle()` opens and shuts the whole on small screens. */
export function sidePanel(page) {
  const { store, signal } = page;
  const parts = {
    tile: h("div", {}, tilePart(page), candidatesPart(page), notesPart(page)),
    review: reviewPart(page),
    fragments: fragmentsPart(page),
    doubts: doubtsPart(page),
    findings: findingsPart(page),
    versions: versionsPart(page),
    history: historyPart(page),
  };
  const counts = { review: () => (store.confidence ? reviewOf(page).waiting.length || null : 0), fragments: () => (store.fragments?.fragments.length ? waitingJoins(store).length || null : 0), doubts: () => doubtful(store).length, findings: () => findingsOf(store).length };
  let front = store.front ?? "tile";
  const tablist = tabList("side-tabs", text("side.title"));
  const tabs = Object.fromEntries(Object.keys(parts).map((name) => [name, tab(name, () => show(name))]));
  tablist.append(...Object.values(tabs));
  for (const [name, part] of Object.entries(parts)) {
    part.setAttribute("role", "tabpanel");
    part.tabIndex = 0; // to scroll it with keys where nothing in it can be focused
    part.setAttribute("aria-label", text(`side.${name}`));
  }
  const shut = iconButton("close", text("button.close"), () => element.classList.remove("open"));
  const head = h("div", { class: "side-head" }, tablist, shut);
  const element = h("aside", { class: "side", "aria-label": text("side.title") }, head, Object.values(parts));

  function draw() {
    for (const [name, made] of Object.entries(tabs)) {
      const count = counts[name]?.();
      made.hidden = count === 0 && front !== name;
      made.querySelector(".badge").textContent = count || "";
      made.setAttribute("aria-selected", String(name === front));
      parts[name].hidden = name !== front;
    }
  }
  function show(name) {
    front = name;
    store.front = name;
    element.classList.add("open");
    draw();
  }
  store.on("place", () => store.place && show("tile"), signal);
  store.on("tiles board jobs confidence panel fragments", draw, signal);
  store.on("ended", (event) => showEnd(event.detail, store, show), signal);
  let waited = null; // whether joins were waiting before; those of an import come to the front
  store.on("fragments", () => {
    const waits = waitingJoins(store).length > 0;
    if (waits && waited === false) show("fragments");
    waited = waits;
  }, signal);
  draw();
  return { element, show, toggle: () => element.classList.toggle("open") };
}

function tab(name, onclick) {
  return h("button", { type: "button", role: "tab", onclick }, text(`side.${name}`), h("span", { class: "badge" }));
}

/** What a job found is brought to the front. */
function showEnd(job, store, show) {
  if (job.state === "failed") return;
  if (job.request.kind === "audit") show("findings");
  if (job.request.kind === "import" && doubtful(store).length) show("doubts");
}
