/** The card that shows files on their way. */

import { button, h } from "../common/dom.js";
import { megabytes, text } from "../common/texts.js";

export function uploadCard({ store, signal }) {
  const title = h("h2", {});
  const bar = h("progress", { max: 1, "aria-label": text("upload.progress") });
  const count = h("p", { class: "quiet" });
  const end = () => store.uploading && (store.uploading.stopped = true);
  const stop = button(text("upload.stop"), end, { drawing: "stop" });
  const card = h("section", { class: "card", "aria-label": text("upload.progress") }, title, bar, count, stop);
  const show = () => {
    const going = store.uploading;
    card.hidden = !going;
    if (!going) return;
    title.textContent = text(`upload.${going.kind}`);
    bar.value = going.bytes ? Math.min(1, going.sent / going.bytes) : 0;
    const sent = text("upload.bytes", { sent: megabytes(going.sent), bytes: megabytes(going.bytes) });
    const files = text("upload.count", { done: going.done, count: going.count });
    count.textContent = going.count > 1 ? `${files} · ${sent}` : sent; // a zip is one file
  };
  store.on("uploading", show, signal);
  show();
  return card;
}
