/** The card that shows files on their way, with bytes and the time left; of a project or a museum. */

import { button, h } from "../common/dom.js";
import { count, duration, megabytes, text } from "../common/texts.js";

const STEADY = 3; // seconds until the time left is told

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
