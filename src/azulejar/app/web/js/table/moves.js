/**
 * Moves of tiles as pure functions: each returns a plan, and a plan makes an Edit.
 *
 * A plan: `placed` holds every tile with its new place, `swapped` the tiles that make room by
 * taking a place left free, `pushed` those that make room by going to the tray, `blocked` the
 * locked tiles that prevent the move.
 */

import { LOOSE, boxOf, keyOf, liesAlike, samePair } from "./layout.js";

const quarters = (turn) => turn / 90;
export const turned = (turn, steps) => (((turn + 90 * steps) % 360) + 360) % 360;

/** The side of a tile (as its file shows it) that looks in a direction: 0 up, 1 right, 2 down, 3 left. */
const sideTowards = (placed, direction) => (direction - quarters(placed.turn) + 4) % 4;

const STEPS = [[-1, 0], [0, 1], [1, 0], [0, -1]];

export function neighboursOf(layout, placed) {
  return STEPS.map(([row, col]) => layout.at(placed.panel, placed.row + row, placed.col + col));
}

/**
 * `wanted`: Placed[] in one panel. Tiles in the way take the places left free, else the tray.
 * `pairing` tells which place left free belongs to a covered place, `push` sends all to the tray.
 */
export function planPlacing(layout, wanted, { push = false, pairing = null } = {}) {
  const moving = new Map(wanted.map((placed) => [placed.tile, placed]));
  const taken = new Set(wanted.map(({ row, col }) => keyOf(row, col)));
  const free = wanted
    .map(({ tile }) => layout.of(tile))
    .filter((from) => from.panel === wanted[0].panel && !taken.has(keyOf(from.row, from.col)));
  const covered = wanted.filter(({ panel, row, col }) => {
    const other = layout.at(panel, row, col);
    return other !== null && !moving.has(other);
  });
  const plan = { placed: [...wanted], swapped: [], pushed: [], blocked: [] };
  plan.blocked = wanted.map(({ tile }) => tile).filter((tile) => layout.locked.has(tile));
  for (const { panel, row, col } of covered) {
    const other = layout.of(layout.at(panel, row, col));
    if (layout.locked.has(other.tile)) plan.blocked.push(other.tile);
    const place = push ? null : takeFree(free, pairing?.({ row, col }));
    plan.placed.push({ ...other, ...(place ?? { panel: LOOSE, row: 0, col: 0 }) });
    (place ? plan.swapped : plan.pushed).push(other.tile);
  }
  return plan;
}

function takeFree(free, wanted) {
  const index = wanted ? free.findIndex(({ row, col }) => row === wanted.row && col === wanted.col) : 0;
  if (index < 0 || !free.length) return null;
  const [{ panel, row, col }] = free.splice(index, 1);
  return { panel, row, col };
}

/**
 * Tiles of a panel shifted together. A covered tile goes back along the shift to the first place
 * that the block leaves free: two blocks change places, and a row pushed by one comes round.
 */
export function planShift(layout, tiles, rows, cols, { push = false } = {}) {
  const from = tiles.map((tile) => layout.of(tile));
  const wanted = from.map((placed) => ({ ...placed, row: placed.row + rows, col: placed.col + cols }));
  const taken = new Set(wanted.map(({ row, col }) => keyOf(row, col)));
  const pairing = ({ row, col }) => {
    while (taken.has(keyOf(row, col))) [row, col] = [row - rows, col - cols];
    return { row, col };
  };
  return planPlacing(layout, wanted, { push, pairing });
}

/** Loose tiles laid down with the first one at a place, the rest beside it in a near-square block. */
export function planLaying(layout, tiles, panel, row, col, options) {
  const across = Math.ceil(Math.sqrt(tiles.length));
  const wanted = tiles.map((tile, k) => ({
    ...layout.of(tile), panel, row: row + Math.floor(k / across), col: col + (k % across),
  }));
  return planPlacing(layout, wanted, options);
}

/** Rows and columns of tiles from the first: as they lie together in a panel, else in a near-square block. */
export function shapeOf(layout, tiles) {
  const places = tiles.map((tile) => layout.of(tile));
  const [anchor] = places;
  const together = anchor.panel !== LOOSE && places.every(({ panel }) => panel === anchor.panel);
  const across = Math.ceil(Math.sqrt(tiles.length));
  return places.map(({ row, col }, k) =>
    together
      ? { row: row - anchor.row, col: col - anchor.col }
      : { row: Math.floor(k / across), col: k % across });
}

/** Tiles laid at the right of another panel, a place apart, in the shape of their `offsets`. */
export function planBeside(layout, tiles, panel, offsets) {
  const frame = layout.frame(panel) ?? { top: 0, right: -1 };
  const box = boxOf(offsets);
  const wanted = tiles.map((tile, k) => ({
    ...layout.of(tile),
    panel,
    row: frame.top + offsets[k].row - box.top,
    col: frame.right + 1 + offsets[k].col - box.left,
  }));
  return planPlacing(layout, wanted);
}

/** One tile put at a place with a turn, as a candidate is: what lay there goes to the tray. */
export function planPutting(layout, tile, turn, { panel, row, col }) {
  return planPlacing(layout, [{ tile, panel, row, col, turn }], { push: true });
}

export function planLifting(layout, tiles) {
  const placed = tiles.map((tile) => layout.of(tile)).filter(({ panel }) => panel !== LOOSE);
  return {
    placed: placed.map(({ tile, turn }) => ({ tile, panel: LOOSE, row: 0, col: 0, turn })),
    swapped: [],
    pushed: [],
    blocked: placed.map(({ tile }) => tile).filter((tile) => layout.locked.has(tile)),
  };
}

/** A full rectangle of several places turns as a block around its centre; else each tile in place. */
export function planTurning(layout, tiles, steps) {
  const from = tiles.map((tile) => layout.of(tile));
  const box = boxOf(from);
  const together = tiles.length > 1 && from.every(({ panel }) => panel !== LOOSE && panel === from[0].panel)
    && box.rows * box.cols === tiles.length;
  const wanted = from.map((placed) => ({
    ...placed, ...(together ? turnedPlace(placed, box, steps) : {}), turn: turned(placed.turn, steps),
  }));
  if (together) return planPlacing(layout, wanted);
  return { placed: wanted, swapped: [], pushed: [], blocked: tiles.filter((tile) => layout.locked.has(tile)) };
}

function turnedPlace({ row, col }, box, steps) {
  // Rounding towards zero makes four turns return to the start.
  const top = box.top + Math.trunc((box.rows - box.cols) / 2);
  const left = box.left + Math.trunc((box.cols - box.rows) / 2);
  const [down, across] = [row - box.top, col - box.left];
  return steps > 0
    ? { row: top + across, col: left + box.rows - 1 - down }
    : { row: top + box.cols - 1 - across, col: left + down };
}

/** The joint between two tiles that lie side by side as a Pair; null where they do not. */
export function pairBetween(layout, tile, other) {
  const [a, b] = [layout.of(tile), layout.of(other)];
  if (!a || !b || a.panel === LOOSE || a.panel !== b.panel) return null;
  const direction = STEPS.findIndex(([row, col]) => a.row + row === b.row && a.col + col === b.col);
  if (direction < 0) return null;
  return { tile, side: sideTowards(a, direction), other, other_side: sideTowards(b, (direction + 2) % 4) };
}

export const isForbidden = (layout, pair) => layout.forbidden.some((one) => samePair(one, pair));

/** A plan as an Edit without its revision; a place marked as missing is so no longer under a tile. */
export function editOf(layout, plan, label) {
  const placed = plan.placed.filter((to) => !liesAlike(layout.of(to.tile), to));
  const present = placed
    .filter(({ panel, row, col }) => panel !== LOOSE && layout.isMissing(panel, row, col))
    .map(({ panel, row, col }) => ({ panel, row, col }));
  return placed.length ? { label, placed, ...(present.length ? { present } : {}) } : null;
}
