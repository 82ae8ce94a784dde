/** The start page: add tiles, open a project, or try the demo. */

import * as api from "./common/api.js";
import { addFiles } from "./project/add_files.js";
import { askName, confirmed } from "./common/dialog.js";
import { button, fill, h, icon, iconButton } from "./common/dom.js";
import { acceptDrops, dropZone } from "./common/drop_zone.js";
import { museumSection } from "./museum/museum_list.js";
import { preferences } from "./preferences.js";
import { momentElement, text } from "./common/texts.js";
import { drawThumbnail, whenSeen } from "./common/thumbnail.js";
import { attempt } from "./common/toast.js";
import { followWork, workingPart } from "./working.js";

const WIDTH = 320;
const HEIGHT = 200;

/** Draw the page into `root`. */
export function startPage(shell, root) {
  acceptDrops(addFiles, shell.signal);
  const list = h("ul", { class: "projects" });
  const museums = museumSection(shell.signal, () => reload());
  const reload = () => loadProjects(list, shell.signal, museums.reload);
  const demo = button(text("start.demo"), openDemo, { drawing: "panel", kind: "large" });
  const page = h(
    "main",
    { class: "start" },
    h("header", { class: "start-head" }, wordmark(), preferences(shell)),
    h("p", { class: "lead" }, text("start.lead")),
    dropZone(addFiles),
    h("div", { class: "or" }, h("span", {}, text("start.or")), demo),
    museums.section,
    h("section", { class: "project-list" }, h("h2", {}, text("start.projects")), list),
    h("section", { class: "put-away" }),
  );
  fill(root, page);
  reload();
}

function wordmark() {
  return h("h1", { class: "wordmark" }, icon("azulejo", "mark"), h("span", {}, text("app.title")));
}

async function openDemo() {
  const project = await attempt(() => api.createDemo());
  if (project) location.hash = `project=${project.project}`;
}

async function loadProjects(list, signal, reloadMuseums) {
  const projects = await attempt(() => api.listProjects());
  if (signal.aborted) return;
  const reload = () => loadProjects(list, signal, reloadMuseums);
  if (projects) {
    const shown = projects.filter((project) => !project.archived);
    list.closest(".project-list")?.classList.toggle("none", !shown.length);
    const newest = shown.toSorted((a, b) => b.changed.localeCompare(a.changed));
    fill(list, newest.map((project) => projectCard(project, reload)));
    const restored = (entry) => {
      reload();
      if (entry.museum) reloadMuseums();
    };
    loadPutAway(list.closest(".start").querySelector(":scope > .put-away"), projects, reload, restored);
  }
  followWork(list, projects, { name: "project", ask: api.listProjects, reload, signal });
}

function projectCard(project, reload) {
  const picture = h("canvas", { width: WIDTH, height: HEIGHT, "aria-hidden": true });
  whenSeen(picture, () => drawProject(picture, project.project));
  const panels = project.panels > 1 ? text("project.panels", { count: project.panels }) : null;
  const facts = [text("project.tiles", { count: project.tiles }), panels].filter(Boolean).join(" · ");
  const link = h(
    "a",
    { href: `#project=${project.project}` },
    picture,
    h("strong", {}, project.name),
    h("small", {}, `${facts} · `, momentElement(project.changed)),
    project.working && workingPart(project),
  );
  const rename = iconButton("pen", text("project.rename", { name: project.name }), () => renamed(project, reload));
  const archive = iconButton("archive", text(project.archived ? "project.unarchive" : "project.archive", project), async () => {
    await attempt(() => api.archiveProject(project.project, !project.archived));
    reload();
  });
  const bin = iconButton("bin", text("project.delete", { name: project.name }), () => deleted(project, reload));
  bin.classList.add("manage-only");
  return h("li", { class: "project-card", "data-project": project.project }, link, h("div", { class: "row" }, rename, archive, bin));
}

async function renamed(project, reload) {
  const name = await askName(text("project.rename.title"), text("project.name"), project.name, text("button.save"));
  if (name && (await attempt(() => api.renameProject(project.project, name)))) reload();
}

async function deleted(project, reload) {
  const sentence = text("project.delete.sentence", { name: project.name });
  if (!(await confirmed(text("project.delete.title"), sentence, text("project.delete.confirm")))) return;
  await attempt(() => api.deleteProject(project.project));
  reload();
}

/** Projects in the archive, and projects and museums that were deleted; each can be taken back. */
async function loadPutAway(section, projects, reload, onRestored) {
  const archived = projects.filter((project) => project.archived);
  const deletedOnes = (await api.listDeleted().catch(() => null)) ?? [];
  const row = (entry) => {
    const back = async () => {
      await attempt(() => api.restoreProject(entry.entry));
      onRestored(entry);
    };
    const words = [entry.museum && [icon("museum"), " "], h("strong", {}, entry.name), " ", h("small", {}, text("project.tiles", { count: entry.tiles }), " · ", momentElement(entry.deleted))];
    return h("li", {}, h("span", { class: "grow" }, words), button(text("bin.restore"), back, { drawing: "undo", kind: "manage-only" }));
  };
  fill(
    section,
    archived.length > 0 && h("details", {}, h("summary", {}, text("start.archive", { count: archived.length })), h("ul", { class: "projects" }, archived.map((project) => projectCard(project, reload)))),
    deletedOnes.length > 0 && h("details", {}, h("summary", {}, text("start.bin", { count: deletedOnes.length })), h("ul", { class: "plain people" }, deletedOnes.map(row))),
  );
}

async function drawProject(canvas, id) {
  const project = await api.getProject(id).catch(() => null);
  if (!project?.tiles.length) return;
  const atlas = await api.getAtlas(id).catch(() => null);
  await drawThumbnail(canvas, api.baseOf(id), project.state.board, atlas);
}
