/** The museums on the start page, those in the archive, and making a new one. */

import * as api from "../common/api.js";
import { askName } from "../common/dialog.js";
import { button, fill, h, icon, iconButton } from "../common/dom.js";
import { text } from "../common/texts.js";
import { attempt } from "../common/toast.js";

/** Build the section; it lists the museums once they are known. */
export function museumSection() {
  const list = h("ul", { class: "museums" });
  const archive = h("div", { class: "put-away" });
  const make = button(text("museums.new"), newMuseum, { drawing: "museum", kind: "work-only" });
  const hint = h("p", { class: "quiet" }, text("museums.hint"));
  loadMuseums(list, archive);
  return h("section", { class: "museum-section" }, h("h2", {}, text("museums.title")), hint, list, make, archive);
}

async function loadMuseums(list, archive) {
  const museums = (await attempt(() => api.listMuseums())) ?? [];
  const reload = () => loadMuseums(list, archive);
  const archived = museums.filter((each) => each.archived).map((each) => entry(each, reload));
  fill(list, museums.filter((each) => !each.archived).map((each) => entry(each, reload)));
  const summary = h("summary", {}, text("museums.archive", { count: archived.length }));
  fill(archive, archived.length > 0 && h("details", {}, summary, h("ul", { class: "museums" }, archived)));
}

function entry({ museum, name, tiles, archived }, reload) {
  const words = [h("strong", {}, name), h("small", {}, text("project.tiles", { count: tiles }))];
  const change = async () => {
    await attempt(() => api.archiveProject(museum, !archived));
    reload();
  };
  const away = iconButton("archive", text(archived ? "project.unarchive" : "project.archive", { name }), change);
  away.classList.add("work-only");
  return h("li", {}, h("a", { href: `#museum=${museum}` }, icon("museum"), ...words), away);
}

async function newMuseum() {
  const name = await askName(text("museums.new"), text("museums.name"), "", text("museums.make"));
  const made = name && (await attempt(() => api.createMuseum(name)));
  if (made) location.hash = `museum=${made.museum}`;
}
