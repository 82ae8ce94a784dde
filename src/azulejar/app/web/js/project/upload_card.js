/** The card that shows files on their way, with bytes and the time left; of a project or a museum. */

import { button, h } from "../common/dom.js";
import { count, duration, megabytes, text } from "../common/texts.js";

const STEADY = 3; // seconds until the time left is told

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
  return (now) => {
    progress.sent += now - before;
    before = now;
    store.emit("uploading");
  };
}

export function uploadCard({ store, signal }) {
  const title = h("h2", {});
  const bar = h("progress", { max: 1, "aria-label": text("upload.progress") });
  const words = h("p", { class: "quiet" });
  const end = () => {
    const going = store.uploading;
    if (going) going.stopped = true;
    going?.onStop?.();
  };
  const stop = button(text("upload.stop"), end, { drawing: "stop" });
  const card = h("section", { class: "card", "aria-label": text("upload.progress") }, title, bar, words, stop);
  const show = () => {
    const going = store.uploading;
    card.hidden = !going;
    if (!going) return;
    title.textContent = text(`upload.${going.kind}`);
    bar.value = going.bytes ? Math.min(1, going.sent / going.bytes) : 1;
    words.textContent = progressWords(going);
  };
  store.on("uploading", show, signal);
  show();
  return card;
}

function progressWords(going) {
  if (going.waiting) return text("upload.waiting");
  const seconds = (Date.now() - going.began) / 1000;
  const left = (seconds * (going.bytes - going.sent)) / Math.max(1, going.sent);
  const parts = [
    going.count > 1 && text("upload.count", { done: count(going.done), count: count(going.count) }), // a zip is one file
    text("upload.bytes", { sent: megabytes(going.sent), bytes: megabytes(going.bytes) }),
    seconds > STEADY && going.sent && text("upload.left", { time: duration(left) }),
  ];
  return parts.filter(Boolean).join(" · ");
}
