/** Animations of tiles: gliding to a new place, or shaking because they are locked. */

const GLIDE = 240; // ms
const SHAKE = 360;
const MOST = 160; // tiles that glide at once; more of them jump

const eased = (share) => 1 - (1 - share) ** 3;

export class Animation {
  constructor({ still = () => false } = {}) {
    this.still = still;
    this.moving = new Map(); // tile → {kind, gone, from: {x, y, size, turn}}
  }

  get tiles() {
    return this.moving;
  }

  /** Let tiles glide; `starts`: [tile, {x, y, size, turn}] where each was shown last. */
  glide(starts) {
    if (this.still() || starts.length > MOST) return;
    for (const [tile, from] of starts) this.moving.set(tile, { kind: "glide", gone: 0, from });
  }

  shake(tiles) {
    if (this.still()) return;
    for (const tile of tiles) this.moving.set(tile, { kind: "shake", gone: 0 });
  }

  stop() {
    this.moving.clear();
  }

  /** Advance by `ms`; return true if a tile has come to rest. */
  step(ms) {
    let rested = false;
    for (const [tile, one] of this.moving) {
      one.gone += ms / (one.kind === "glide" ? GLIDE : SHAKE);
      if (one.gone >= 1) rested = this.moving.delete(tile);
    }
    return rested;
  }

  /** Where a tile is to be drawn on its way to `to`. */
  at(tile, to) {
    const one = this.moving.get(tile);
    if (one.kind === "shake") {
      return { ...to, x: to.x + Math.sin(one.gone * 6 * Math.PI) * (1 - one.gone) * Math.min(8, to.size * 0.08) };
    }
    const share = eased(Math.min(1, one.gone));
    const mix = (a, b) => a + (b - a) * share;
    let way = (((to.turn - one.from.turn) % 360) + 360) % 360;
    if (way > 180) way -= 360;
    return {
      x: mix(one.from.x, to.x),
      y: mix(one.from.y, to.y),
      size: mix(one.from.size, to.size),
      turn: one.from.turn + way * share,
    };
  }
}
