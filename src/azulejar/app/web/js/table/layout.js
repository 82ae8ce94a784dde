/** Where everything lies: an index over a board, and over the live assembly shown in its place. */

export const LOOSE = -1;

export const keyOf = (row, col) => (row + 32768) * 65536 + col + 32768;

export class Layout {
  /** `live` (Placed[]) stands in for the board's own places of those tiles. */
  constructor(board, live = null) {
    this.board = board;
    this.places = new Map(board.placed.map((placed) => [placed.tile, placed]));
    for (const placed of live ?? []) this.places.set(placed.tile, placed);
    this.locked = new Set(board.locked ?? []);
    this.forbidden = board.forbidden ?? [];
    this.missing = new Map();
    for (const place of board.missing ?? []) {
      this.#of(this.missing, place.panel).set(keyOf(place.row, place.col), place);
    }
    this.outlines = new Map((board.outlines ?? []).map((outline) => [outline.panel, outline]));
    this.grids = new Map();
    this.loose = [];
    for (const placed of this.places.values()) {
      if (placed.panel === LOOSE) this.loose.push(placed.tile);
      else this.#of(this.grids, placed.panel).set(keyOf(placed.row, placed.col), placed.tile);
    }
    this.loose.sort((a, b) => a - b);
    this.frames = new Map();
    this.looseIndex = new Map(this.loose.map((tile, index) => [tile, index]));
  }

  #of(panels, panel) {
    if (!panels.has(panel)) panels.set(panel, new Map());
    return panels.get(panel);
  }

  at(panel, row, col) {
    return this.grids.get(panel)?.get(keyOf(row, col)) ?? null;
  }

  of(tile) {
    return this.places.get(tile) ?? null;
  }

  isMissing(panel, row, col) {
    return this.missing.get(panel)?.has(keyOf(row, col)) ?? false;
  }

  missingOf(panel) {
    return [...(this.missing.get(panel)?.values() ?? [])];
  }

  /** Whether a place lies outside the outline that was drawn of its panel. */
  isOutside(panel, row, col) {
    const outline = this.outlines.get(panel);
    return Boolean(outline) && outline.mask[row - outline.row]?.[col - outline.col] !== "#";
  }

  tilesOf(panel) {
    return panel === LOOSE ? this.loose : [...(this.grids.get(panel)?.values() ?? [])];
  }

  /** The box of a panel's tiles, missing marks and outline, ends excluded; null for an empty panel. */
  frame(panel) {
    if (panel === LOOSE) return null;
    if (!this.frames.has(panel)) {
      const places = this.tilesOf(panel).map((tile) => this.of(tile));
      const drawn = this.outlines.has(panel) ? outlineEnds(this.outlines.get(panel)) : [];
      this.frames.set(panel, boxOf([...places, ...this.missingOf(panel), ...drawn]));
    }
    return this.frames.get(panel);
  }
}

export function boxOf(places) {
  if (!places.length) return null;
  const box = { top: Infinity, left: Infinity, bottom: -Infinity, right: -Infinity };
  for (const { row, col } of places) {
    box.top = Math.min(box.top, row);
    box.left = Math.min(box.left, col);
    box.bottom = Math.max(box.bottom, row + 1);
    box.right = Math.max(box.right, col + 1);
  }
  return { ...box, rows: box.bottom - box.top, cols: box.right - box.left };
}

/** The first and the last corner of an outline, as places. */
export function outlineEnds({ panel, row, col, mask }) {
  return [{ panel, row, col }, { panel, row: row + mask.length - 1, col: col + mask[0].length - 1 }];
}

/** The places inside an outline. */
export function insidePlaces({ row, col, mask }) {
  return mask.flatMap((line, down) =>
    [...line].flatMap((letter, right) => (letter === "#" ? [{ row: row + down, col: col + right }] : [])),
  );
}

/** The outline of places of a panel; without a mask if there are none. */
export function outlineFrom(panel, places) {
  const box = boxOf(places);
  if (!box) return { panel, row: 0, col: 0, mask: [] };
  const mask = Array.from({ length: box.rows }, () => Array(box.cols).fill("."));
  for (const { row, col } of places) mask[row - box.top][col - box.left] = "#";
  return { panel, row: box.top, col: box.left, mask: mask.map((line) => line.join("")) };
}

/** Whether a tile lies in the same place with the same turn. */
export const liesAlike = (a, b) =>
  a.panel === b.panel && a.turn === b.turn && (a.panel === LOOSE || (a.row === b.row && a.col === b.col));

const samePlace = (a, b) => a.panel === b.panel && a.row === b.row && a.col === b.col;

export const samePair = (a, b) =>
  (a.tile === b.tile && a.side === b.side && a.other === b.other && a.other_side === b.other_side) ||
  (a.tile === b.other && a.side === b.other_side && a.other === b.tile && a.other_side === b.side);

/** The board after an edit, as the server will answer; shown until it does. */
export function applied(board, edit) {
  const moved = new Map((edit.placed ?? []).map((placed) => [placed.tile, placed]));
  const unlock = new Set(edit.unlock ?? []);
  const without = (list, gone, same) => list.filter((one) => !gone.some((other) => same(one, other)));
  return {
    ...board,
    placed: board.placed.map((placed) => moved.get(placed.tile) ?? placed),
    locked: [...new Set([...board.locked.filter((tile) => !unlock.has(tile)), ...(edit.lock ?? [])])],
    forbidden: [...without(board.forbidden, edit.allow ?? [], samePair), ...(edit.forbid ?? [])],
    missing: [...without(board.missing, edit.present ?? [], samePlace), ...(edit.missing ?? [])],
    outlines: [
      ...without(board.outlines ?? [], edit.outlines ?? [], (one, other) => one.panel === other.panel),
      ...(edit.outlines ?? []).filter(({ mask }) => mask.length),
    ],
  };
}
