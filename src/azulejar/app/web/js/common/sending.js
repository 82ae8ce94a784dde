/** Send files, a few at once, again after a broken connection; and show which were not accepted. */

import { ServerError } from "./api.js";
import { ask, form } from "./dialog.js";
import { h } from "./dom.js";
import { phraseError, text } from "./texts.js";

const AT_ONCE = 3;
const PAUSE = 2000; // ms until a broken connection is tried again
const MOST_SHOWN = 200;

/** What is known of an upload of files that have so many bytes together. */
export function startUpload(store, kind, files, details = {}) {
  const bytes = files.reduce((sum, file) => sum + file.size, 0);
  store.uploading = { kind, count: files.length, done: 0, bytes, sent: 0, began: Date.now(), stopped: false, ...details };
  store.emit("uploading");
  return store.uploading;
}

/** Say that nothing is on its way any more. */
export function endUpload(store) {
  store.uploading = null;
  store.emit("uploading");
}

/** A function that takes the bytes sent so far of one of the files. */
export function trackFile(store, progress) {
  let before = 0;
  return (sent) => {
    progress.sent += sent - before;
    before = sent;
    store.emit("uploading");
  };
}

/** Send all that wait, each with its `file` and perhaps its `place`, unless the upload is stopped; `upload(each,
 * onProgress)` sends one and returns the server's reply. Returns what was not accepted: problems of files, or of files
 * within a zip, with their places. */
export async function sendAll(store, progress, waiting, upload) {
  const refused = [];
  const sendSome = async () => {
    while (waiting.length && !progress.stopped) await sendOne(store, progress, waiting.shift(), upload, refused);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sendSome));
  return refused;
}

async function sendOne(store, progress, each, upload, refused) {
  const onProgress = trackFile(store, progress);
  const refuse = (problem) => refused.push(Object.assign(problem, { place: each.place }));
  while (!progress.stopped) {
    try {
      (await upload(each, onProgress)).passed_over.forEach(refuse);
      break;
    } catch (error) {
      if (error.status !== 0) {
        refuse(error);
        break;
      }
      if (!(await isReadable(each.file))) {
        refuse(new ServerError(text("upload.gone", { name: each.file.name }), text("upload.gone.remedy"), 0));
        break;
      }
      progress.waiting = true;
      onProgress(0);
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
  }
  progress.waiting = false;
  progress.done += 1;
  onProgress(each.file.size);
}

/** Whether a file is still as it was chosen; sending one that is not fails as if the connection were broken. */
function isReadable(file) {
  const reader = file.stream().getReader(); // a slice of a deleted file would be read as empty by Chromium
  return reader.read().then(() => reader.cancel().then(() => true), () => false);
}

/** Show which of `total` files were not accepted, each with its `place`, if that is known, and the reason. */
export function showRefused(refused, total) {
  const row = (error) => {
    const { problem, remedy } = error instanceof Error ? error : phraseError(error);
    return h("li", {}, error.place && h("small", {}, error.place), h("strong", {}, problem), h("p", {}, remedy));
  };
  ask(text("arrival.refused", { count: refused.length, total }), (close) => {
    const list = h("ul", { class: "reasons" }, refused.slice(0, MOST_SHOWN).map(row));
    const ok = h("button", { class: "button primary", autofocus: true }, text("button.understood"));
    return form([list, h("footer", {}, ok)], () => close());
  });
}
