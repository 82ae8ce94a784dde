/** Server-sent events of a project: jobs, live assemblies, boards, tiles, versions, notes, fragments and who is here. */

import { baseOf, listJobs } from "./api.js";

const KINDS = ["job", "live", "board", "tiles", "versions", "notes", "people", "fragments"];
const AGAIN_AFTER = 2000;

/** Listen to a project. `onEvent(kind, data)` is called for each event; `onLost` and `onFound` (after a loss)
 * report the state of the connection. Return a function that ends it. */
export function listen(project, onEvent, { onLost, onFound }) {
  let source = null;
  let timer = null;
  let lost = false;

  function connect() {
    source = new EventSource(`${baseOf(project)}/events`);
    for (const kind of KINDS) {
      source.addEventListener(kind, (event) => onEvent(kind, JSON.parse(event.data)));
    }
    source.onopen = () => {
      if (lost) onFound();
      lost = false;
    };
    source.onerror = () => {
      if (!lost) onLost();
      lost = true;
      // The browser tries again by itself after a broken connection, but not after an error.
      if (source.readyState !== EventSource.CLOSED) return;
      timer = setTimeout(connect, AGAIN_AFTER);
      // A login that has ended, or a project that was deleted, leads to another page.
      listJobs(project).catch(() => null);
    };
  }

  connect();
  return () => {
    clearTimeout(timer);
    source.close();
  };
}
