/** The museums on the start page, those in the archive, and making a new one. */

import * as api from "../common/api.js";
import { askName } from "../common/dialog.js";
import { button, fill, h, icon, iconButton } from "../common/dom.js";
import { text } from "../common/texts.js";
import { attempt } from "../common/toast.js";
import { followWork, workingPart } from "../working.js";

/** Build the section; it lists the museums once they are known, and what is being done in them. */
export function museumSection(signal) {
  const list = h("ul", { class: "museums" });
  const archive = h("div", { class: "put-away" });
  const make = button(text("museums.new"), newMuseum, { drawing: "museum", kind: "work-only" });
  const hint = h("p", { class: "quiet" }, text("museums.hint"));
  loadMuseums(list, archive, signal);
  return h("section", { class: "museum-section" }, h("h2", {}, text("museums.title")), hint, list, make, archive);
}

async function loadMuseums(list, archive, signal) {
  const found = await attempt(() => api.listMuseums());
  if (signal.aborted) return;
  const museums = found ?? [];
  const reload = () => loadMuseums(list, archive, signal);
  const archived = museums.filter((each) => each.archived).map((each) => entry(each, reload));
  fill(list, museums.filter((each) => !each.archived).map((each) => entry(each, reload)));
  const summary = h("summary", {}, text("museums.archive", { count: archived.length }));
  fill(archive, archived.length > 0 && h("details", {}, summary, h("ul", { class: "museums" }, archived)));
  followWork(list, found, { name: "museum", ask: api.listMuseums, reload, signal });
}

function entry(found, reload) {
  const { museum, name, tiles, archived } = found;
  const words = [h("strong", {}, name), h("small", {}, text("project.tiles", { count: tiles })), found.working && workingPart(found)];
  const change = async () => {
    await attempt(() => api.archiveProject(museum, !archived));
    reload();
  };
  const away = iconButton("archive", text(archived ? "project.unarchive" : "project.archive", { name }), change);
  away.classList.add("work-only");
  return h("li", { "data-museum": museum }, h("a", { href: `#museum=${museum}` }, icon("museum"), ...words), away);
}

async function newMuseum() {
  const name = await askName(text("museums.new"), text("museums.name"), "", text("museums.make"));
  const made = name && (await attempt(() => api.createMuseum(name)));
  if (made) location.hash = `museum=${made.museum}`;
}
