/** The page of an open project: toolbar, cards at the left, table, side panel at the right. */

import { addFiles, uploadPending } from "./add_files.js";
import { toolbar } from "./toolbar.js";
import { fill, h } from "../common/dom.js";
import { acceptDrops } from "../common/drop_zone.js";
import { downloads } from "./export.js";
import { showGrids } from "./grid_view.js";
import { jobCard } from "./job_card.js";
import { sidePanel } from "./side_panel.js";
import { solveCard } from "./solve_card.js";
import { tableArea } from "./table_area.js";
import { tableMenu } from "./table_menu.js";
import { text } from "../common/texts.js";
import { isDarkRoom, leaveRoom, switchRoom } from "../common/theme.js";
import { splitCard } from "../museum/split_card.js";
import { uploadCard } from "./upload_card.js";

/** Draw the page into `root`; the table comes first, as it measures its place. */
export function projectPage(store, shell, root) {
  const { signal } = shell;
  const page = { store, signal, offers: shell.offers };
  const left = h("aside", { class: "left", "aria-label": text("project.work") });
  const whole = h("div", { class: "project" });
  fill(root, whole);
  page.table = tableArea(page, whole);
  page.side = sidePanel(page);
  tableMenu(page);
  left.append(uploadCard(page), jobCard(page), splitCard(page), solveCard(page));
  whole.prepend(toolbar(page, shell), left);
  whole.append(page.side.element, offlineLine(page));
  acceptDrops((files) => addFiles(files, store), signal);
  addEventListener("keydown", (event) => onKey(event, page), { signal });
  signal.addEventListener("abort", leaveRoom);
  downloads(page);
  showGrids(page);
  uploadPending(store);
}

/** Undo, redo, solve and the overlay; everything else is the table's. */
function onKey(event, { store }) {
  if (event.target.closest?.("input, textarea, select") || document.querySelector("dialog[open]")) return;
  const key = event.key.toLowerCase();
  const held = event.ctrlKey || event.metaKey;
  if (held && key === "z") act(event, () => (event.shiftKey ? store.redo() : store.undo()));
  else if (held && key === "y") act(event, () => store.redo());
  else if (held && key === "enter") act(event, () => document.querySelector(".solve-button")?.click());
  else if (!held && !event.altKey && key === "o") act(event, () => store.toggleOverlay());
  else if (!held && !event.altKey && key === "d") act(event, () => switchRoom());
  else if (key === "escape" && !event.defaultPrevented && isDarkRoom()) switchRoom();
}

function act(event, what) {
  event.preventDefault();
  what();
}

/** A line that is shown while the server does not answer. */
function offlineLine({ store, signal }) {
  const line = h("div", { class: "lost-line", role: "alert" });
  const show = () => {
    line.hidden = store.connected;
    fill(line, store.connected ? null : text("error.lost"));
  };
  store.on("connection", show, signal);
  show();
  return line;
}
