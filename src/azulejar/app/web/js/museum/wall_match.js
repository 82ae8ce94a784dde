/** A photographed wall: its joints are found, then the patterns that continue it. */

import * as api from "../common/api.js";
import { ask, form } from "../common/dialog.js";
import { button, h } from "../common/dom.js";
import { percent, text } from "../common/texts.js";
import { attempt, showError, showMessage } from "../common/toast.js";
import { cornerBoard, drawn } from "../project/corners.js";
import { startLook } from "../project/grid_view.js";
import { endUpload, startUpload, trackFile } from "../common/sending.js";

const SIZE = 2000;
const CLASSES = { "#": "seen", "?": "mend" };

/** Send the photograph of a wall, and look for its joints. */
export async function matchWall({ store }, { files: [file] }) {
  if (!file) {
    showMessage(text("arrival.nothing"), text("arrival.nothing.remedy"), "error");
    return;
  }
  const leaving = new AbortController();
  const progress = startUpload(store, "panel", [file], { onStop: () => leaving.abort() });
  const sent = await api
    .uploadWall(store.id, file, trackFile(store, progress), leaving.signal)
    .catch((error) => progress.stopped || showError(error));
  endUpload(store);
  if (!sent?.taken) return;
  await attempt(() => startLook(store, { kind: "museum_match", file: sent.taken[0], rows: null, cols: null }, file));
}

/** Show the patterns that continue a wall, and the places that are to be mended. */
export async function openMatch(page, { request, match }) {
  const { grid, patterns } = match;
  const share = ([x, y]) => [x / grid.width, y / grid.height];
  const crossings = grid.crossings.map((line) => line.map(share));
  const corners = [crossings[0][0], crossings[0].at(-1), crossings.at(-1).at(-1), crossings.at(-1)[0]];
  const title = text(patterns.length ? "wall.found" : "wall.none", { count: patterns.length });
  const pattern = await ask(
    title,
    (close) => {
      const src = api.panelPicture(page.store.id, request.file, SIZE);
      const picture = h("img", { src, alt: request.file, draggable: "false" });
      const lines = patterns.flatMap(({ places }) => marksOf(places, crossings));
      const board = cornerBoard(picture, corners, { movable: false, lines });
      const cards = h("ul", { class: "panel-cards" }, patterns.map((each) => matchCard(page.store, each, close)));
      const words = h("p", {}, text(patterns.length ? "wall.sentence" : "wall.none.remedy"));
      const ok = button(text("button.understood"), null, { kind: "primary", type: "submit" });
      return form([words, h("div", { class: "wall-match" }, board, cards), h("footer", {}, ok)], () => close());
    },
    "full",
  );
  if (pattern) page.go({ view: "tiles", pattern });
}

/** Each place of the wall that shows a pattern, or is to be mended with it. */
function marksOf(places, crossings) {
  return places.flatMap((line, row) =>
    [...line].flatMap((mark, col) => {
      if (!(mark in CLASSES)) return [];
      const [above, below] = [crossings[row], crossings[row + 1]];
      const place = drawn("polygon", [above[col], above[col + 1], below[col + 1], below[col]]);
      place.setAttribute("class", CLASSES[mark]);
      return [place];
    }),
  );
}

function matchCard(store, { pattern, share, needed, stock, lacking, designs }, close) {
  const enough = lacking ? text("wall.lacking", { count: lacking }) : text("wall.enough");
  const each = ([count, there]) => h("li", {}, text("wall.design", { count, stock: there }));
  return h(
    "li",
    { class: "panel-card" },
    h("img", { src: store.patternPicture(pattern), alt: text("patterns.picture", { pattern }) }),
    h("strong", {}, text("patterns.name", { pattern })),
    h("p", {}, text("wall.share", { share: percent(share) })),
    h("p", {}, [text("wall.needed", { count: needed }), text("wall.stock", { count: stock })].join(" · ")),
    needed > 0 && h("p", {}, enough),
    designs.length > 1 && h("ul", { class: "quiet" }, designs.map(each)),
    h("div", { class: "row" }, button(text("panels.tiles"), () => close(pattern), { drawing: "files" })),
  );
}
