/** The versions of the board: rename, restore and compare them. */

import * as api from "../common/api.js";
import { openCompare } from "./compare.js";
import { askName } from "../common/dialog.js";
import { button, fill, h, iconButton } from "../common/dom.js";
import { momentElement, sourceName, sureness, text, versionName } from "../common/texts.js";
import { drawThumbnail, whenSeen } from "../common/thumbnail.js";
import { attempt, showMessage } from "../common/toast.js";

const WIDTH = 144;
const HEIGHT = 96;

/** The list, newest first. */
export function versionsPart(page) {
  const { store, signal } = page;
  const part = h("section", { class: "versions" });
  const list = h("ol", { class: "plain" });
  const keep = button(text("versions.keep"), () => keepNow(store), { drawing: "keep" });
  const compare = button(text("versions.compare"), () => openCompare(store), { drawing: "compare" });
  part.append(h("div", { class: "row" }, keep, compare), h("p", { class: "quiet" }, text("versions.sentence")), list);
  const rows = new Map();
  const show = () => {
    compare.disabled = !store.versions.length && !store.board.placed.some((each) => each.panel >= 0);
    const newest = store.versions.toSorted((a, b) => b.version - a.version);
    fill(list, newest.map((version) => rowOf(rows, page, version)));
  };
  store.on("versions", show, signal);
  show();
  return part;
}

/** The row of a version, made once for each name so that its picture is drawn once. */
function rowOf(rows, page, version) {
  const key = `${version.version} ${version.name}`;
  if (!rows.has(key)) rows.set(key, row(page, version));
  return rows.get(key);
}

function row({ store }, version) {
  const picture = h("canvas", { width: WIDTH, height: HEIGHT, "aria-hidden": true });
  whenSeen(picture, async () => {
    const kept = await api.getVersion(store.id, version.version).catch(() => null);
    if (kept) await drawThumbnail(picture, store.base, kept.board, store.atlas);
  });
  const sure = version.confidence === null ? null : sureness(version.confidence);
  const source = version.name === version.source ? null : sourceName(version.source);
  const facts = [source && `${source} · `, momentElement(version.created), sure && ` · ${sure}`];
  const back = async () => {
    await store.restore(version.version);
    showMessage(text("versions.restored", { name: versionName(version) }));
  };
  return h(
    "li",
    { class: "version" },
    picture,
    h("div", { class: "version-words" }, h("strong", {}, versionName(version)), h("small", {}, facts)),
    h(
      "div",
      { class: "row" },
      button(text("versions.back"), back, { drawing: "undo" }),
      iconButton("pen", text("versions.name"), () => rename(store, version)),
      iconButton("compare", text("versions.compare.now"), () => openCompare(store, { version: version.version })),
    ),
  );
}

async function keepNow(store) {
  const name = await askName(text("versions.keep.title"), text("versions.name.label"), "", text("versions.keep"));
  if (name) await attempt(async () => put(store, await api.keepVersion(store.id, name)));
}

async function rename(store, version) {
  const label = text("versions.name.label");
  const name = await askName(text("versions.name"), label, version.name, text("button.save"));
  if (name) await attempt(async () => put(store, await api.nameVersion(store.id, version.version, name)));
}

function put(store, version) {
  store.versions = [...store.versions.filter((each) => each.version !== version.version), version];
  store.emit("versions");
}
