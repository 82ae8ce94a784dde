/** Questions to the whole museum, which wait until the table of its edges is prepared. */

import { h } from "../common/dom.js";
import { text } from "../common/texts.js";

const AGAIN = 1000; // ms
const LATER = [0, 503]; // no answer, or not yet
const POSSIBLE = 0.1; // probability

/** Return what `ask` finds, however long that takes. `show` draws what is said meanwhile, or in the end instead;
 * then, or once `wanted` says no, null is returned. */
export async function askMuseum(ask, show, wanted) {
  show(h("p", { class: "quiet" }, text("museum.fits.asking")));
  let told = null;
  for (;;) {
    try {
      const found = await ask();
      return wanted() ? found : null;
    } catch (error) {
      if (!wanted()) return null;
      const words = error.status === 503 ? text("museum.fits.preparing") : `${error.problem} ${error.remedy}`;
      const waits = LATER.includes(error.status);
      if (words !== told) show(h("div", { class: "quiet" }, h("p", {}, words), waits && working()));
      told = words;
      if (!waits) return null;
      await new Promise((resolve) => setTimeout(resolve, AGAIN));
    }
  }
}

/** What is to be said above the tiles that were found, best first: that there are none, or none that is likely. */
export function foundWords(found) {
  if (!found.length) return h("p", { class: "quiet" }, text("museum.fits.none"));
  return found[0].probability < POSSIBLE ? h("p", { class: "quiet" }, text("museum.fits.unlikely")) : null;
}

function working() {
  return h("progress", { "aria-label": text("job.progress") });
}
