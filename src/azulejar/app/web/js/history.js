/** The history of the project: who did what and when. */

import { getHistory } from "./api.js";
import { button, h, redraw } from "./dom.js";
import { entryRow } from "./people.js";
import { sourceName, text } from "./texts.js";

/** The list, newest first; it is loaded while it is looked at. */
export function historyPart({ store, signal }) {
  const list = h("ol", { class: "plain history" });
  const more = button(text("history.more"), () => load(entries.at(-1)?.entry));
  const part = h("section", {}, h("p", { class: "quiet" }, text("history.sentence")), list, more);
  let entries = [];
  async function load(before) {
    const found = await getHistory(store.id, before).catch(() => null);
    if (!found) return;
    entries = before ? [...entries, ...found] : found;
    more.hidden = !found.length || entries.at(-1).entry === 1;
    redraw(list, entries.map((each) => entryRow(each.what === "job" ? each : { ...each, about: sourceName(each.about) })));
  }
  const show = () => !part.hidden && load();
  new MutationObserver(show).observe(part, { attributeFilter: ["hidden"] });
  store.on("board jobs tiles versions name notes", show, signal);
  return part;
}
