/** The old picture of a panel: given once and kept with the project, laid over the panel, and a guide for solving. */

import * as api from "../common/api.js";
import { START, cornerBoard } from "./corners.js";
import { ask, foot, form } from "../common/dialog.js";
import { h } from "../common/dom.js";
import { ACCEPTED } from "../common/files.js";
import { text, writeLabel } from "../common/texts.js";
import { offerLastUndo, showError, showMessage } from "../common/toast.js";
import { endUpload, startUpload, trackFile } from "../common/sending.js";

const LARGE = 1600;

/** The old picture of a panel of a board, null if it has none. */
export function oldPictureOf(board, panel) {
  return board.references.find((each) => each.panel === panel) ?? null;
}

/** Ask for what is needed to lay an old picture over the panel; return whether it lies there now. */
export async function layOldPicture(store, panel) {
  if (!oldPictureOf(store.board, panel)) await giveOldPicture(store, panel);
  const given = oldPictureOf(store.board, panel);
  return Boolean(given && (given.corners || (await askCorners(store, given))));
}

/** Ask for a file, and give it to a panel as its old picture. */
export async function giveOldPicture(store, panel) {
  const file = await askFile();
  const label = file && writeLabel("label.reference.add", { name: file.name });
  if (!file) return;
  const leaving = new AbortController();
  const progress = startUpload(store, "reference", [file], { onStop: () => leaving.abort() });
  const onProgress = trackFile(store, progress);
  const state = await api
    .giveReference(store.id, panel, file, label, onProgress, leaving.signal)
    .catch((error) => progress.stopped || showError(error));
  endUpload(store);
  if (state?.board) await store.change(() => state);
}

function askFile() {
  return new Promise((resolve) => {
    const input = h("input", { type: "file", accept: ACCEPTED, class: "old-picture-file", hidden: true });
    for (const kind of ["change", "cancel"]) {
      input.addEventListener(kind, () => {
        resolve(input.files[0] ?? null);
        input.remove();
      });
    }
    (document.querySelector("dialog[open]") ?? document.body).append(input);
    input.click();
  });
}

/** Let the corners of the panel be set in the picture; return whether they were. */
export async function askCorners(store, { panel, file, corners }) {
  const picture = h("img", { src: api.referencePicture(store.id, file, LARGE), alt: file, draggable: "false" });
  if (!(await picture.decode().then(() => true, () => false))) {
    showMessage(text("reference.unreadable"), text("reference.unreadable.remedy"), "error");
    return false;
  }
  const points = (corners ?? START).map((each) => [...each]);
  const confirm = await ask(text("corners.title"), (close) => {
    const parts = [h("p", {}, text("corners.sentence")), cornerBoard(picture, points), foot(close, text("compare.lay"))];
    return form(parts, () => close(true));
  }, "full");
  const label = writeLabel("label.reference.corners", { name: file });
  if (confirm) await store.edit({ label, references: [{ panel, file, corners: points }] });
  return Boolean(confirm);
}

/** Take the old picture of a panel away. */
export async function removeOldPicture(store, { panel, file }) {
  const label = writeLabel("label.reference.remove", { name: file });
  await store.edit({ label, references: [{ panel, file: null }] });
  if (!oldPictureOf(store.board, panel)) offerLastUndo(text("label.reference.remove", { name: file }), store);
}
