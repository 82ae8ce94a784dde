/** The page of an open project: bar, what to do at the left, the table, what is known at the right. */

import { bring, sendWaiting } from "./arrival.js";
import { bar } from "./bar.js";
import { fill, h } from "./dom.js";
import { acceptDrops } from "./drop.js";
import { downloads } from "./export.js";
import { jobCard } from "./job.js";
import { sidePanel } from "./side.js";
import { solveCard } from "./solve.js";
import { stage } from "./stage.js";
import { text } from "./texts.js";
import { uploadCard } from "./upload.js";

/** The whole page. */
export function projectPage(store, shell) {
  const { signal } = shell;
  const page = { store, signal, offers: shell.offers };
  const middle = stage(page);
  page.table = middle.table;
  const side = sidePanel(page);
  page.side = side;
  const left = h("aside", { class: "left", "aria-label": text("project.work") });
  left.append(uploadCard(page), jobCard(page), solveCard(page));
  acceptDrops((files) => bring(files, store), signal);
  addEventListener("keydown", (event) => onKey(event, page), { signal });
  downloads(page);
  queueMicrotask(() => sendWaiting(store));
  return h("div", { class: "project" }, bar(page, shell), left, middle.element, side.element, lostLine(page));
}

/** Undo, redo, solve and the overlay; everything else is the table's. */
function onKey(event, { store, table }) {
  if (event.target.closest?.("input, textarea, select, dialog")) return;
  const key = event.key.toLowerCase();
  const held = event.ctrlKey || event.metaKey;
  if (held && key === "z") act(event, () => (event.shiftKey ? store.redo() : store.undo()));
  else if (held && key === "y") act(event, () => store.redo());
  else if (held && key === "enter") act(event, () => document.querySelector(".solve-button")?.click());
  else if (!held && !event.altKey && key === "o") act(event, () => overlay(store, table));
}

function act(event, what) {
  event.preventDefault();
  what();
}

function overlay(store, table) {
  store.overlay = !store.overlay;
  table.overlay = store.overlay;
  store.emit("overlay");
}

/** A line that says that the server does not answer, as long as it does not. */
function lostLine({ store, signal }) {
  const line = h("div", { class: "lost-line", role: "alert" });
  const show = () => {
    line.hidden = store.connected;
    fill(line, store.connected ? null : text("error.lost"));
  };
  store.on("connection", show, signal);
  show();
  return line;
}
