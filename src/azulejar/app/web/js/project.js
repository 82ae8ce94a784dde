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

/** The whole page, put into `root`: the table measures where it lies, so that comes first. */
export function projectPage(store, shell, root) {
  const { signal } = shell;
  const page = { store, signal, offers: shell.offers };
  const left = h("aside", { class: "left", "aria-label": text("project.work") });
  const whole = h("div", { class: "project" });
  fill(root, whole);
  page.table = stage(page, whole);
  page.side = sidePanel(page);
  left.append(uploadCard(page), jobCard(page), solveCard(page));
  whole.prepend(bar(page, shell), left);
  whole.append(page.side.element, lostLine(page));
  acceptDrops((files) => bring(files, store), signal);
  addEventListener("keydown", (event) => onKey(event, page), { signal });
  downloads(page);
  sendWaiting(store);
}

/** Undo, redo, solve and the overlay; everything else is the table's. */
function onKey(event, { store }) {
  if (event.target.closest?.("input, textarea, select, dialog")) return;
  const key = event.key.toLowerCase();
  const held = event.ctrlKey || event.metaKey;
  if (held && key === "z") act(event, () => (event.shiftKey ? store.redo() : store.undo()));
  else if (held && key === "y") act(event, () => store.redo());
  else if (held && key === "enter") act(event, () => document.querySelector(".solve-button")?.click());
  else if (!held && !event.altKey && key === "o") act(event, () => store.toggleOverlay());
}

function act(event, what) {
  event.preventDefault();
  what();
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
