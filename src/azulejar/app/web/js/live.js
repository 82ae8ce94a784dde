/** What the server tells by itself: jobs, live assemblies, boards, tiles and versions. */

const KINDS = ["job", "live", "board", "tiles", "versions"];
const AGAIN_AFTER = 2000;

/** Listen to a project. `hear(kind, data)` for each event; `onLost` and `onFound` (after a loss)
 * tell of the connection. Returns a function that ends it. */
export function listen(base, hear, { onLost, onFound }) {
  let source = null;
  let timer = null;
  let lost = false;

  function connect() {
    source = new EventSource(`${base}/events`);
    for (const kind of KINDS) {
      source.addEventListener(kind, (event) => hear(kind, JSON.parse(event.data)));
    }
    source.onopen = () => {
      if (lost) onFound();
      lost = false;
    };
    source.onerror = () => {
      if (!lost) onLost();
      lost = true;
      // The browser tries again by itself after a broken connection, but not after a refusal.
      if (source.readyState === EventSource.CLOSED) timer = setTimeout(connect, AGAIN_AFTER);
    };
  }

  connect();
  return () => {
    clearTimeout(timer);
    source.close();
  };
}
