/** What is being done in the projects and museums of the start page, and how far it is. */

import { h } from "./common/dom.js";
import { text } from "./common/texts.js";

const AGAIN_AFTER = 2000; // ms

/** The kind of work with its progress; of a museum, on which panel. */
export function workingPart({ working, fraction, panel }) {
  const kind = text(`job.kind.${working}`);
  const words = panel ? `${text("museum.panel", { panel })}: ${kind}` : kind;
  return h("span", { class: "working" }, words, h("progress", { max: 1, value: fraction ?? 0, "aria-label": words }));
}

/** Follow the work of entries in a `list` until there is none, and `reload` when it has changed. `known` are the
 * entries that are shown, or null if the server did not answer; `ask` asks for them, `name` is the key of their id. */
export function followWork(list, known, { name, ask, reload, signal }) {
  const busy = (entries) => entries?.filter((each) => each.working).map((each) => `${each[name]} ${each.working}`).join();
  const look = async () => {
    const now = await ask().catch(() => null);
    if (signal.aborted) return;
    if (now && busy(now) !== busy(known)) return reload();
    for (const each of now ?? []) {
      const bar = list.querySelector(`[data-${name}="${each[name]}"] progress`);
      if (bar) bar.value = each.fraction ?? 0;
    }
    again();
  };
  const again = () => {
    const timer = setTimeout(look, AGAIN_AFTER);
    signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
  };
  if (busy(known) !== "") again();
}
