/** The museums on the start page, those in the archive, and making, renaming and deleting them. */

import * as api from "../common/api.js";
import { askName, confirmed } from "../common/dialog.js";
import { button, fill, h, icon, iconButton } from "../common/dom.js";
import { text } from "../common/texts.js";
import { attempt } from "../common/toast.js";
import { followWork, workingPart } from "../working.js";

/** Build the section; it lists the museums once they are known, and what is being done in them. */
export function museumSection(signal, onDeleted) {
  const list = h("ul", { class: "museums" });
  const archive = h("div", { class: "put-away" });
  const make = button(text("museums.new"), newMuseum, { drawing: "museum", kind: "work-only" });
  const hint = h("p", { class: "quiet" }, text("museums.hint"));
  const section = h("section", { class: "museum-section" }, h("h2", {}, text("museums.title")), hint, list, make, archive);
  const reload = () => loadMuseums({ list, archive, signal, reload, onDeleted });
  reload();
  return { section, reload };
}

async function loadMuseums({ list, archive, signal, reload, onDeleted }) {
  const found = await attempt(() => api.listMuseums());
  if (signal.aborted) return;
  const entries = (archived) => (found ?? []).filter((each) => each.archived === archived).map((each) => entry(each, reload, onDeleted));
  const archived = entries(true);
  fill(list, entries(false));
  const summary = h("summary", {}, text("museums.archive", { count: archived.length }));
  fill(archive, archived.length > 0 && h("details", {}, summary, h("ul", { class: "museums" }, archived)));
  followWork(list, found, { name: "museum", ask: api.listMuseums, reload, signal });
}

function entry(found, reload, onDeleted) {
  const { museum, name, tiles, archived } = found;
  const words = [h("strong", {}, name), h("small", {}, text("project.tiles", { count: tiles })), found.working && workingPart(found)];
  const rename = iconButton("pen", text("project.rename", { name }), async () => {
    const given = await askName(text("museums.rename"), text("museums.name"), name, text("button.save"));
    if (given && (await attempt(() => api.renameProject(museum, given)))) reload();
  });
  const away = iconButton("archive", text(archived ? "project.unarchive" : "project.archive", { name }), async () => {
    await attempt(() => api.archiveProject(museum, !archived));
    reload();
  });
  const bin = iconButton("bin", text("project.delete", { name }), async () => {
    const sentence = text("museums.delete.sentence", { name, tiles: text("project.tiles", { count: tiles }) });
    if (!(await confirmed(text("museums.delete"), sentence, text("project.delete.confirm")))) return;
    await attempt(() => api.deleteProject(museum));
    reload();
    onDeleted();
  });
  bin.classList.add("manage-only");
  const row = h("div", { class: "row work-only" }, rename, away, bin);
  return h("li", { "data-museum": museum }, h("a", { href: `#museum=${museum}` }, icon("museum"), ...words), row);
}

async function newMuseum() {
  const name = await askName(text("museums.new"), text("museums.name"), "", text("museums.make"));
  const made = name && (await attempt(() => api.createMuseum(name)));
  if (made) location.hash = `museum=${made.museum}`;
}
