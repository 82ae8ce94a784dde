/** The museums on the start page, and making a new one. */

import * as api from "../common/api.js";
import { askName } from "../common/dialog.js";
import { button, fill, h, icon } from "../common/dom.js";
import { text } from "../common/texts.js";
import { attempt } from "../common/toast.js";

/** Build the section; it lists the museums once they are known. */
export function museumSection() {
  const list = h("ul", { class: "museums" });
  const make = button(text("museums.new"), newMuseum, { drawing: "museum", kind: "work-only" });
  const hint = h("p", { class: "quiet" }, text("museums.hint"));
  loadMuseums(list);
  return h("section", { class: "museum-section" }, h("h2", {}, text("museums.title")), hint, list, make);
}

async function loadMuseums(list) {
  const museums = (await attempt(() => api.listMuseums())) ?? [];
  const link = ({ museum, name, tiles }) => {
    const words = [h("strong", {}, name), h("small", {}, text("project.tiles", { count: tiles }))];
    return h("li", {}, h("a", { href: `#museum=${museum}` }, icon("museum"), ...words));
  };
  fill(list, museums.map(link));
}

async function newMuseum() {
  const name = await askName(text("museums.new"), text("museums.name"), "", text("museums.make"));
  const made = name && (await attempt(() => api.createMuseum(name)));
  if (made) location.hash = `museum=${made.museum}`;
}
