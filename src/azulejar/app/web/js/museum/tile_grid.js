/** A grid of any number of tiles, of which only those in sight are elements.
 *
 * Tiles are asked for in blocks; the small pictures of a block come as one sheet. Where the grid comes
 * to rest, sharper pictures take their place. */

import { h, fill } from "../common/dom.js";
import { text } from "../common/texts.js";
import { factsOf } from "./words.js";

const BLOCK = 100;
const ACROSS = 10; // pictures in a row of a sheet
const MOST = 24; // blocks that are kept
const LABEL = 24; // px below a picture
const GAP = 10;
const AHEAD = 400; // px above and below what is in sight
const REST = 250; // ms until sharper pictures are asked for

/** Build a grid. `ask(first, count)` resolves with {total, tiles}; `onOpen(tile)` is called for a chosen one;
 * `picked` maps the numbers of tiles that a person has picked to these, with Ctrl or while `picking()`; `onPick` is called when it
 * changes. */
export function tileGrid({ store, signal, ask, onOpen, picked, picking, onPick }) {
  const space = h("div", { class: "grid-space", role: "group", "aria-label": text("museum.tiles") });
  const element = h("div", { class: "tile-grid" }, space);
  const blocks = new Map();
  const cells = new Map();
  let total = 0;
  let age = 0; // of the answers: older ones are shown until there are new ones
  let told = -1; // the age of which the total was told
  let current = 0; // the tile that the keyboard is on
  let stop = 0; // the tile that Tab leads to: the current one, or the first in sight
  let size = { side: 96, across: 1, pitch: 120 };
  let timer = null;
  let frame = null;
  let fresh = true; // what is in sight is drawn first, what lies ahead in the next frame

  async function load(block) {
    if (blocks.has(block)) return;
    blocks.set(block, null);
    if (blocks.size > MOST) blocks.delete(blocks.keys().next().value);
    const asked = age;
    try {
      const reply = await ask(block * BLOCK, BLOCK);
      if (signal.aborted || asked !== age) return;
      const sheet = reply.tiles.length ? store.sheet(reply.tiles.map((tile) => tile.number)) : null;
      blocks.set(block, { tiles: reply.tiles, sheet });
      if (reply.total !== total || told !== age) setTotal(reply.total);
      soon();
    } catch (error) {
      if (asked === age) blocks.delete(block);
      if (error.name !== "AbortError" && error.status !== 0) throw error;
    }
  }

  const heightOf = (count) => `${Math.ceil(count / size.across) * size.pitch}px`;

  function setTotal(count) {
    total = count;
    told = age;
    space.style.height = heightOf(total);
    element.dispatchEvent(new CustomEvent("total", { detail: total }));
  }

  function measure() {
    const width = space.clientWidth;
    const wanted = width < 480 ? 84 : 104;
    const across = Math.max(1, Math.floor((width + GAP) / (wanted + GAP)));
    const side = Math.floor((width - GAP * (across - 1)) / across);
    size = { side, across, pitch: side + LABEL + GAP };
    space.style.height = heightOf(total);
    const focused = space.contains(document.activeElement);
    for (const cell of cells.values()) cell.remove();
    cells.clear();
    draw();
    if (focused) move(current);
  }

  function seen(ahead = AHEAD) {
    const top = Math.max(0, element.scrollTop - ahead);
    const bottom = element.scrollTop + element.clientHeight + ahead;
    const first = Math.floor(top / size.pitch) * size.across;
    const last = Math.min(total, Math.ceil(bottom / size.pitch) * size.across);
    return [first, last];
  }

  function draw() {
    frame = null;
    const [first, last] = seen(fresh ? 0 : AHEAD);
    if (fresh && total) soon();
    fresh = false;
    for (let block = Math.floor(first / BLOCK); block * BLOCK < Math.max(1, last); block++) load(block);
    for (const [index, cell] of cells) {
      if ((index < first || index >= last) && cell !== document.activeElement) {
        cell.remove();
        cells.delete(index);
      }
    }
    for (let index = first; index < last; index++) {
      const block = blocks.get(Math.floor(index / BLOCK));
      const tile = block?.tiles[index % BLOCK];
      if (tile && cells.get(index)?.age !== age) renew(index, tile, block.sheet);
    }
    cells.get(stop)?.setAttribute("tabindex", -1);
    stop = cells.has(current) ? current : seen(0)[0];
    cells.get(stop)?.setAttribute("tabindex", 0);
    clearTimeout(timer);
    timer = setTimeout(sharpen, REST);
  }

  function renew(index, tile, sheet) {
    const before = cells.get(index);
    const focused = before !== undefined && before === document.activeElement;
    before?.remove();
    const cell = place(index, tile, sheet);
    cell.age = age;
    cells.set(index, cell);
    if (focused) cell.focus({ preventScroll: true });
  }

  function soon() {
    frame ??= requestAnimationFrame(draw);
  }

  function place(index, tile, sheet) {
    const { side, across, pitch } = size;
    const at = index % BLOCK;
    const picture = h("span", { class: "cell-picture" });
    Object.assign(picture.style, {
      width: `${side}px`,
      height: `${side}px`,
      backgroundImage: `url("${sheet}")`,
      backgroundSize: `${ACROSS * side}px auto`,
      backgroundPosition: `${-(at % ACROSS) * side}px ${-Math.floor(at / ACROSS) * side}px`,
    });
    const cell = h(
      "button",
      {
        type: "button",
        class: `tile-cell ${tile.state}`,
        "data-index": index,
        "data-tile": tile.number,
        "aria-pressed": String(picked.has(tile.number)),
        tabindex: index === stop ? 0 : -1,
        onclick: (event) => choose(event, index, tile),
      },
      picture,
      h("span", { class: "tile-name" }, tile.inventory),
      tile.twin !== null && h("span", { class: "tile-mark", title: text("museum.state.double") }, "2×"),
      h("span", { class: "unseen" }, factsOf(tile)),
    );
    cell.style.transform = `translate(${(index % across) * (side + GAP)}px, ${Math.floor(index / across) * pitch}px)`;
    cell.style.width = `${side}px`;
    space.append(cell);
    return cell;
  }

  function choose(event, index, tile) {
    move(index);
    if (!picked.size && !picking() && !(event.ctrlKey || event.metaKey)) {
      onOpen(tile);
      return;
    }
    if (picked.has(tile.number)) picked.delete(tile.number);
    else picked.set(tile.number, tile);
    cells.get(index)?.setAttribute("aria-pressed", String(picked.has(tile.number)));
    onPick();
  }

  function sharpen() {
    const top = element.scrollTop;
    const bottom = top + element.clientHeight;
    const wanted = Math.ceil(size.side * devicePixelRatio);
    for (const [index, cell] of cells) {
      const y = Math.floor(index / size.across) * size.pitch;
      const picture = cell.firstChild;
      if (y + size.pitch < top || y > bottom || picture.firstChild) continue;
      const sharp = h("img", { alt: "", src: store.picture(cell.dataset.tile, wanted), hidden: true });
      sharp.addEventListener("load", () => (sharp.hidden = false));
      fill(picture, sharp);
    }
  }

  function move(index) {
    current = Math.max(0, Math.min(total - 1, index));
    const y = Math.floor(current / size.across) * size.pitch;
    if (y < element.scrollTop) element.scrollTop = y;
    if (y + size.pitch > element.scrollTop + element.clientHeight) {
      element.scrollTop = y + size.pitch - element.clientHeight;
    }
    draw();
    cells.get(current)?.focus({ preventScroll: true });
  }

  /** Where keys lead to: by one, by a row, by what is in sight, to the first or last. */
  const goals = () => {
    const { across, pitch } = size;
    const sight = Math.max(1, Math.floor(element.clientHeight / pitch)) * across;
    return {
      ArrowRight: current + 1,
      ArrowLeft: current - 1,
      ArrowDown: current + across,
      ArrowUp: current - across,
      PageDown: current + sight,
      PageUp: current - sight,
      Home: 0,
      End: total - 1,
    };
  };
  space.addEventListener("keydown", (event) => {
    const goal = goals()[event.key];
    const picks = event.ctrlKey && event.key === "Enter";
    if (event.altKey || (event.ctrlKey && !picks) || (goal === undefined && !picks)) return;
    event.preventDefault();
    if (picks) document.activeElement.dispatchEvent(new MouseEvent("click", { ctrlKey: true, bubbles: true }));
    else move(goal);
  });
  space.addEventListener("focusin", (event) => (current = Number(event.target.dataset.index)));
  element.addEventListener("scroll", soon, { passive: true });
  const watch = new ResizeObserver(measure);
  watch.observe(element);
  signal.addEventListener("abort", () => watch.disconnect());

  /** Ask for everything again, for other words or after a change. */
  function reload({ top = true } = {}) {
    age += 1;
    fresh = true;
    blocks.clear();
    if (top) element.scrollTop = 0;
    load(Math.floor(seen()[0] / BLOCK));
  }

  load(0);
  return { element, reload, focus: () => move(current) };
}
