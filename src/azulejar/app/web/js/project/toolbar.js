/** The toolbar: name of the project, undo and redo, versions, export, preferences. */

import { renameProject } from "../common/api.js";
import { askName } from "../common/dialog.js";
import { button, h, icon, iconButton } from "../common/dom.js";
import { openExport } from "./export.js";
import { preferences } from "../preferences.js";
import { presence } from "./presence.js";
import { hasAccounts } from "../session.js";
import { openShare } from "./share.js";
import { sourceName, text } from "../common/texts.js";
import { attempt } from "../common/toast.js";

/** Build the toolbar of a project. */
export function toolbar(page, shell) {
  const { store } = page;
  const { museum } = store.project;
  const back = museum ? text("bar.museum") : text("bar.home");
  const href = museum ? `#museum=${museum}&view=panels` : "#";
  const home = h("a", { href, class: "home", title: back, "aria-label": back });
  home.append(icon("azulejo", "mark"));
  const versions = button(text("bar.versions"), () => page.side.show("versions"), { drawing: "versions" });
  const share = button(text("bar.share"), () => openShare(store), { drawing: "link", kind: "work-only" });
  const exported = button(text("bar.export"), () => openExport(store), { drawing: "download", kind: "to-export" });
  const side = iconButton("side", text("bar.side"), () => page.side.toggle(), { class: "icon-button side-switch" });
  return h(
    "header",
    { class: "bar" },
    home,
    nameButton(page),
    h("div", { class: "row undo" }, historyButton(page, "undo"), historyButton(page, "redo")),
    h("span", { class: "grow" }),
    presence(page),
    versions,
    hasAccounts() ? share : [],
    exported,
    preferences(shell),
    side,
  );
}

function nameButton({ store, signal }) {
  const name = h("span", {});
  const show = () => (name.textContent = store.project.name);
  const rename = async () => {
    const { name: before } = store.project;
    const given = await askName(text("project.rename.title"), text("project.name"), before, text("button.save"));
    if (!given || !(await attempt(() => renameProject(store.id, given)))) return;
    store.project.name = given;
    store.emit("name");
  };
  store.on("name", show, signal);
  show();
  const attributes = { class: "name", type: "button", title: text("project.rename.title"), onclick: rename };
  return h("h1", {}, h("button", attributes, name));
}

/** A button for undo or redo, labelled with the action that it applies to. */
export function historyButton({ store, signal }, what) {
  const made = iconButton(what, text(`bar.${what}`), () => store[what]());
  const show = () => {
    const label = store.state[what];
    const words = label ? text(`bar.${what}.label`, { label: sourceName(label) }) : text(`bar.${what}`);
    made.disabled = !label;
    made.title = words;
    made.setAttribute("aria-label", words);
  };
  store.on("board info", show, signal);
  show();
  return made;
}
