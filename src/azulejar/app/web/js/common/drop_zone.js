/** Where files can be dropped or chosen. */

import { button, h, icon } from "./dom.js";
import { ACCEPTED, filesOfDrop, filesOfInput } from "./files.js";
import { text } from "./texts.js";
import { attempt } from "./toast.js";

const PICTURES = { multiple: true, accept: `${ACCEPTED},.zip,.csv` };

/** The large drop zone of the start page and of an empty project. */
export function dropZone(receive, { title = text("drop.title"), hint = text("drop.hint") } = {}) {
  const pictures = picker(receive, PICTURES);
  const folder = picker(receive, { webkitdirectory: true });
  const buttons = h(
    "div",
    { class: "row" },
    button(text("drop.files"), () => pictures.click(), { kind: "primary", drawing: "files" }),
    button(text("drop.folder"), () => folder.click(), { drawing: "folder" }),
  );
  const words = [h("h2", {}, title), h("p", {}, hint)];
  return h("section", { class: "drop" }, icon("bring", "drawing"), ...words, buttons, pictures, folder);
}

/** A button that adds more pictures. */
export function moreButton(receive) {
  return pickButton(receive, text("drop.more"), PICTURES);
}

/** A button that lets files be chosen. */
export function pickButton(receive, label, wanted, attributes = {}) {
  const files = picker(receive, wanted);
  const open = button(label, () => files.click(), { drawing: "files", ...attributes });
  return h("span", { class: "more" }, open, files);
}

function picker(receive, attributes) {
  const onchange = (event) => {
    const found = filesOfInput(event.target);
    event.target.value = "";
    receive(found);
  };
  return h("input", { type: "file", hidden: true, tabindex: -1, onchange, ...attributes });
}

/** Let files be dropped anywhere on the page while the signal lasts. */
export function acceptDrops(receive, signal) {
  const root = document.documentElement;
  const hasFiles = (event) => event.dataTransfer?.types.includes("Files");
  let depth = 0;
  const show = (change) => {
    depth = Math.max(0, depth + change);
    root.classList.toggle("dropping", depth > 0);
  };
  const on = (name, act) => addEventListener(name, (event) => hasFiles(event) && act(event), { signal });
  on("dragenter", () => show(1));
  on("dragleave", () => show(-1));
  on("dragover", (event) => event.preventDefault());
  on("drop", async (event) => {
    event.preventDefault();
    show(-depth);
    await attempt(async () => receive(await filesOfDrop(event.dataTransfer)));
  });
}
