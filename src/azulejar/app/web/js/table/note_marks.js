/** Marks of notes: a speech bubble on each tile and each joint that carries one. */

import { isForbidden, neighboursOf, pairBetween } from "./moves.js";
import { roundedRect } from "./marks.js";

const LEAST = 16; // CSS px of a tile, from which bubbles show

/** The tiles and joints with notes. A joint whose tiles no longer lie so leaves its note to both of them. */
export class NoteMarks {
  constructor(notes) {
    this.notes = notes;
  }

  /** The joints with notes that are there now: {row, col, below}. */
  joints(layout, panel) {
    const lying = this.notes.filter(({ joint }) => joint && layout.of(joint.tile)?.panel === panel && isThere(layout, joint));
    return lying.map(({ joint }) => {
      const [one, other] = [layout.of(joint.tile), layout.of(joint.other)];
      return { row: Math.min(one.row, other.row), col: Math.min(one.col, other.col), below: one.row !== other.row };
    });
  }

  tiles(layout) {
    if (this.known?.layout !== layout) this.known = { layout, tiles: this.#find(layout) };
    return this.known.tiles;
  }

  #find(layout) {
    const found = new Set();
    for (const { tile, joint } of this.notes) {
      if (tile !== null) found.add(tile);
      else if (joint && !isThere(layout, joint)) [joint.tile, joint.other].forEach((each) => found.add(each));
    }
    return found;
  }

  paint(context, { layout, panel, hidden, theme, dpr }, scale, boxAt) {
    if (scale < LEAST * dpr) return;
    const side = sideOf(scale, dpr);
    for (const tile of this.tiles(layout)) {
      const placed = layout.of(tile);
      if (placed?.panel !== panel || hidden.has(tile)) continue;
      const { x, y, height } = boxAt(placed.row, placed.col, scale);
      drawBubble(context, x + side * 0.15, y + height - side * 1.2, side, theme);
    }
    for (const { row, col, below } of this.joints(layout, panel)) {
      const [x, y] = below ? [(col + 0.5) * scale, (row + 1) * scale] : [(col + 1) * scale, (row + 0.5) * scale];
      drawBubble(context, x - side / 2, y - side / 2, side, theme);
    }
  }
}

const sideOf = (scale, dpr) => Math.min(24 * dpr, Math.max(8 * dpr, scale * 0.2));

function isThere(layout, joint) {
  const placed = layout.of(joint.tile);
  if (!placed || placed.panel < 0 || !neighboursOf(layout, placed).includes(joint.other)) return false;
  return isForbidden({ forbidden: [joint] }, pairBetween(layout, joint.tile, joint.other));
}

/** Draw a speech bubble in a square. */
export function drawBubble(context, x, y, side, theme) {
  context.fillStyle = theme.signGround;
  roundedRect(context, x, y, side, side, side * 0.25);
  context.fill();
  context.fillStyle = theme.sign;
  roundedRect(context, x + side * 0.18, y + side * 0.2, side * 0.64, side * 0.44, side * 0.1);
  context.fill();
  context.beginPath();
  context.moveTo(x + side * 0.3, y + side * 0.6);
  context.lineTo(x + side * 0.3, y + side * 0.85);
  context.lineTo(x + side * 0.55, y + side * 0.6);
  context.fill();
}
