/** A small picture of a board, drawn from the atlas. */

const pages = new Map();
const LARGEST = 0.94;

/** Where a panel of a board lies in a thumbnail of so many pixels: its corner in places, its size in places,
 * and the corner and side of a place in pixels; null if nothing is laid. */
export function thumbnailFrame(board, panel, width, height) {
  const laid = board.placed.filter((each) => each.panel === panel);
  if (!laid.length) return null;
  const { rows, cols } = framed(laid);
  const side = Math.min((width * LARGEST) / cols, (height * LARGEST) / rows);
  const [top, left] = [Math.min(...laid.map((each) => each.row)), Math.min(...laid.map((each) => each.col))];
  return { top, left, rows, cols, side, x: (width - side * cols) / 2, y: (height - side * rows) / 2 };
}

/** Draw a panel of a board, or its loose tiles if nothing is laid, to fill a canvas. */
export async function drawThumbnail(canvas, base, board, atlas, panel = 0) {
  if (!atlas) return;
  const laid = board.placed.filter((each) => each.panel === panel);
  const { cells, rows, cols } = laid.length ? framed(laid) : asPile(board.placed, canvas);
  if (!cells.length) return;
  const side = Math.min((canvas.width * LARGEST) / cols, (canvas.height * LARGEST) / rows);
  const level = levelFor(atlas, side);
  const position = new Map(atlas.tiles.map((tile, index) => [tile, index]));
  const cellOf = ({ tile }) => Math.floor(position.get(tile) / atlas.per_page[level]);
  const known = cells.filter((each) => position.has(each.tile));
  const wanted = [...new Set(known.map(cellOf))];
  const loaded = new Map();
  await Promise.all(wanted.map(async (page) => loaded.set(page, await pageOf(base, atlas, level, page))));
  const context = canvas.getContext("2d");
  context.clearRect(0, 0, canvas.width, canvas.height);
  context.translate((canvas.width - side * cols) / 2, (canvas.height - side * rows) / 2);
  for (const cell of known) drawCell(context, loaded.get(cellOf(cell)), cell, atlas, level, position, side);
  context.resetTransform();
}

function framed(laid) {
  const top = Math.min(...laid.map((each) => each.row));
  const left = Math.min(...laid.map((each) => each.col));
  const cells = laid.map((each) => ({ ...each, row: each.row - top, col: each.col - left }));
  const rows = Math.max(...cells.map((each) => each.row)) + 1;
  const cols = Math.max(...cells.map((each) => each.col)) + 1;
  return { cells, rows, cols };
}

function asPile(placed, canvas) {
  const count = placed.length;
  const cols = Math.max(1, Math.round(Math.sqrt((count * canvas.width) / canvas.height)));
  const cells = placed.map((each, index) => ({ ...each, row: Math.floor(index / cols), col: index % cols }));
  return { cells, rows: Math.max(1, Math.ceil(count / cols)), cols };
}

/** The smallest level that is not coarser than a cell, or the finest. */
function levelFor(atlas, side) {
  const order = atlas.levels.map((_, index) => index).sort((a, b) => atlas.levels[a] - atlas.levels[b]);
  return order.find((index) => atlas.levels[index] >= side) ?? order.at(-1);
}

function pageOf(base, atlas, level, page) {
  const address = `${base}/atlas/${atlas.stamp}/${atlas.levels[level]}/${page}`;
  if (!pages.has(address)) pages.set(address, loaded(address));
  return pages.get(address);
}

function loaded(address) {
  const picture = new Image();
  picture.src = address;
  return picture.decode().then(
    () => picture,
    () => {
      pages.delete(address);
      return null;
    },
  );
}

function drawCell(context, page, cell, atlas, level, position, side) {
  if (!page) return;
  const size = atlas.levels[level];
  const index = position.get(cell.tile) % atlas.per_page[level];
  const x = (index % atlas.columns[level]) * size;
  const y = Math.floor(index / atlas.columns[level]) * size;
  context.save();
  context.translate((cell.col + 0.5) * side, (cell.row + 0.5) * side);
  context.rotate((cell.turn * Math.PI) / 180);
  context.drawImage(page, x, y, size, size, -side / 2, -side / 2, side + 0.4, side + 0.4);
  context.restore();
}

/** Act when an element comes into sight, once. */
export function whenSeen(element, act) {
  const observer = new IntersectionObserver((seen) => {
    if (!seen.some((each) => each.isIntersecting)) return;
    observer.disconnect();
    act();
  });
  observer.observe(element);
}
