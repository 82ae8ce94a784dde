/** A tile in its photograph: see where it lies, drag its corners and cut it again, or give it another picture. */

import * as api from "../common/api.js";
import { cornerBoard } from "./corners.js";
import { ask, foot, form } from "../common/dialog.js";
import { button, h } from "../common/dom.js";
import { ACCEPTED } from "../common/files.js";
import { mayWork } from "../session.js";
import { text, writeLabel } from "../common/texts.js";
import { attempt } from "../common/toast.js";

const CLOSE = 1200;
const SMALL = 360;
const photographed = new Map(); // whether a tile was cut from a photograph, by its home and stamp

/** Open the photograph that a tile was cut from. */
async function openSource(tile) {
  const source = await attempt(() => api.getSource(tile.home));
  if (!source) return;
  const { number } = tile;
  const [left, top, right, bottom] = source.box;
  const corners = source.corners.map(([x, y]) => [(x - left) / (right - left), (y - top) / (bottom - top)]);
  const yes = await ask(
    text("source.title", { number, photo: source.photo }),
    (close) => {
      const near = picture(tile, { size: CLOSE }, text("source.near", { number }));
      const board = cornerBoard(near, corners, { movable: mayWork() });
      board.classList.add("near");
      board.style.width = `min(100%, calc((100dvh - 280px) * ${(right - left) / (bottom - top)}))`;
      const parts = [h("p", {}, text(mayWork() ? "source.sentence" : "source.look")), board, whole(tile, source)];
      if (mayWork()) parts.push(foot(close, text("source.cut"), "crop"));
      return form(parts, () => close(true));
    },
    "full source",
  );
  if (!yes) return;
  const inPixels = corners.map(([x, y]) => [left + x * (right - left), top + y * (bottom - top)]);
  const label = writeLabel("label.cut", { number });
  await tile.change(() => api.cutAgain(tile.home, { corners: inPixels, label }), text("label.cut", { number }));
}

/** The whole photograph, small, with the tile outlined. */
function whole(tile, { width, height, corners, photo }) {
  const shown = picture(tile, { size: SMALL, whole: true }, photo);
  const shares = corners.map(([x, y]) => [x / width, y / height]);
  const board = cornerBoard(shown, shares, { movable: false });
  board.classList.add("whole");
  return board;
}

function picture({ home, stamp }, query, alt) {
  // The stamp makes the browser ask again once the tile was cut from another place.
  return h("img", { src: api.sourcePicture(home, { ...query, stamp }), alt, draggable: "false" });
}

/** Ask for a file, and give it to the tile as its picture. */
function openReplace(tile) {
  const input = h("input", { type: "file", accept: ACCEPTED });
  input.addEventListener("change", () => {
    const [file] = input.files;
    const { number } = tile;
    const label = writeLabel("label.replace", { number });
    if (file) tile.change(() => api.replacePicture(tile.home, file, label), text("label.replace", { number }));
  });
  input.click();
}

/** Buttons for one tile: its `number`, its `home` on the server, a `stamp` that differs once it has another picture, and
 * what makes a `change`, which is told in words. One that came as a single picture is in no photograph. */
export function sourceActions(tile) {
  const see = button(text("tile.source"), () => openSource(tile), { drawing: "crop", kind: "looking" });
  offerIfPhotographed(see, tile);
  return [see, mayWork() && button(text("tile.replace"), () => openReplace(tile), { drawing: "files" })];
}

async function offerIfPhotographed(see, { home, stamp }) {
  const key = `${home} ${stamp}`;
  see.hidden = !photographed.get(key);
  if (photographed.has(key)) return;
  const source = await api.getSourceName(home).catch(() => null);
  if (!source) return; // it is asked again when the tile is shown again
  photographed.set(key, source.photo !== null);
  see.hidden = source.photo === null;
}
