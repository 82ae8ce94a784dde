/**
 * Confidence as an overlay: doubtful joints glow along their length, the more the less likely
 * they are; doubtful tiles are tinted. Width tells as much as colour does.
 */

import { liesAlike } from "./layout.js";

const SURE = 0.9; // a joint as likely as this does not glow

/** From 0 (sure, or nothing known) to 1. */
const doubtOf = (probability) => Math.max(0, (SURE - (probability ?? 1)) / SURE);

export class Overlay {
  /** What is known of the tiles as they lay in `layout`; a tile moved since then is passed over. */
  constructor(confidence, layout) {
    this.layout = layout;
    this.known = new Map(confidence.scored ? confidence.tiles.map((one) => [one.tile, one]) : []);
  }

  of(tile, layout) {
    return this.#unmoved(tile, layout) ? (this.known.get(tile)?.confidence ?? null) : null;
  }

  #unmoved(tile, layout) {
    const [then, now] = [this.layout.of(tile), layout.of(tile)];
    return then && now && liesAlike(then, now);
  }

  /** The doubtful joints of a panel: {row, col, below, doubt}, a joint at the right of a place or below it. */
  joints(layout, panel) {
    const joints = [];
    for (const tile of layout.tilesOf(panel)) {
      const known = this.known.get(tile);
      if (!known || !this.#unmoved(tile, layout)) continue;
      const { row, col } = layout.of(tile);
      for (const below of [false, true]) {
        const doubt = doubtOf(below ? known.below : known.right);
        const other = layout.at(panel, row + (below ? 1 : 0), col + (below ? 0 : 1));
        if (doubt > 0 && other !== null && this.#unmoved(other, layout)) joints.push({ row, col, below, doubt });
      }
    }
    return joints;
  }

  paint(context, layout, panel, scale, theme) {
    for (const tile of layout.tilesOf(panel)) {
      const doubt = doubtOf(this.of(tile, layout));
      if (doubt < 0.02) continue;
      const { row, col } = layout.of(tile);
      context.globalAlpha = 0.06 + 0.22 * doubt;
      context.fillStyle = theme.glow;
      context.fillRect(Math.round(col * scale), Math.round(row * scale), Math.ceil(scale), Math.ceil(scale));
    }
    context.lineCap = "round";
    const shades = this.#shades(layout, panel);
    const strokes = [[0.24, 0.28, theme.glow], [0.12, 0.45, theme.glow], [0.045, 1, theme.doubt]];
    for (const [width, alpha, colour] of strokes) {
      context.strokeStyle = colour;
      for (const [doubt, joints] of shades) strokeJoints(context, joints, scale, width, alpha, doubt);
    }
    context.globalAlpha = 1;
  }

  /** The joints by their doubt in eighths, so that each shade is one stroke. */
  #shades(layout, panel) {
    const shades = new Map();
    for (const joint of this.joints(layout, panel)) {
      const doubt = Math.ceil(joint.doubt * 8) / 8;
      if (!shades.has(doubt)) shades.set(doubt, []);
      shades.get(doubt).push(joint);
    }
    return shades;
  }
}

function strokeJoints(context, joints, scale, width, alpha, doubt) {
  const inset = 0.1 * scale;
  context.globalAlpha = alpha * (0.3 + 0.7 * doubt);
  context.lineWidth = Math.max(1, width * scale * (0.45 + 0.55 * doubt));
  context.beginPath();
  for (const { row, col, below } of joints) {
    const [x, y] = [(below ? col : col + 1) * scale, (below ? row + 1 : row) * scale];
    context.moveTo(x + (below ? inset : 0), y + (below ? 0 : inset));
    context.lineTo(x + (below ? scale - inset : 0), y + (below ? 0 : scale - inset));
  }
  context.stroke();
}
