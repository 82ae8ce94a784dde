/** The history of a project, or of a museum: who did what and when. */

import { getHistory } from "../common/api.js";
import { ask } from "../common/dialog.js";
import { button, h, redraw } from "../common/dom.js";
import { entryRow } from "../people.js";
import { sourceName, text } from "../common/texts.js";

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
  store.on("board jobs tiles versions name notes info", show, signal);
  return part;
}

/** Open the list as a dialog. */
export function openHistory({ store }) {
  const open = new AbortController();
  const build = () => {
    const part = historyPart({ store, signal: open.signal });
    part.hidden = true; // it is loaded as soon as it is shown
    setTimeout(() => (part.hidden = false));
    return part;
  };
  return ask(text("side.history"), build).then(() => open.abort());
}
