/**
 * The camera: how the panel is mapped to the screen. Place (row, col) has its corner at x + col·scale, y + row·scale
 * in CSS pixels. Moves by animation towards a goal, or coasts after a fling.
 */

export const SCALES = { smallest: 4, largest: 900 };
const EASE = 70; // ms after which a zoom by wheel has gone 63 % of its way
const FRICTION = 260; // ms after which a fling has lost 63 % of its speed
const FLIGHT = 260; // ms of a flight to a place or to the whole panel

const clampScale = (scale) => Math.min(SCALES.largest, Math.max(SCALES.smallest, scale));

export class Camera {
  constructor({ still = () => false } = {}) {
    this.x = 0;
    this.y = 0;
    this.scale = 64;
    this.still = still; // whether the user prefers reduced motion
    this.motion = null;
  }

  get moving() {
    return this.motion !== null;
  }

  get zooming() {
    return this.motion?.kind === "zoom" || this.motion?.kind === "flight";
  }

  stop() {
    this.motion = null;
  }

  set({ x, y, scale }) {
    this.motion = null;
    this.x = x;
    this.y = y;
    this.scale = clampScale(scale);
  }

  get state() {
    return { x: this.x, y: this.y, scale: this.scale };
  }

  panBy(dx, dy) {
    if (this.motion?.kind !== "zoom") this.motion = null;
    else {
      this.motion.px += dx;
      this.motion.py += dy;
    }
    this.x += dx;
    this.y += dy;
  }

  /** Zoom at once, keeping what lies under (px, py) there. */
  zoomAt(px, py, factor) {
    const scale = clampScale(this.scale * factor);
    this.x = px - ((px - this.x) * scale) / this.scale;
    this.y = py - ((py - this.y) * scale) / this.scale;
    this.scale = scale;
  }

  /** Zoom smoothly about (px, py); repeated calls add up. */
  zoomBy(px, py, factor) {
    const from = this.motion?.kind === "zoom" ? this.motion.scale : this.scale;
    const scale = clampScale(from * factor);
    if (this.still()) {
      this.motion = null;
      this.zoomAt(px, py, scale / this.scale);
    } else this.motion = { kind: "zoom", px, py, scale };
  }

  fling(vx, vy) {
    if (!this.still() && Math.hypot(vx, vy) > 0.08) this.motion = { kind: "fling", vx, vy };
  }

  flyTo(goal) {
    const to = { ...goal, scale: clampScale(goal.scale) };
    if (this.still()) this.set(to);
    else this.motion = { kind: "flight", from: this.state, to, gone: 0 };
  }

  /** Advance by `ms`; return true while the motion goes on. */
  step(ms) {
    const motion = this.motion;
    if (!motion) return false;
    if (motion.kind === "zoom") this.#stepZoom(motion, ms);
    else if (motion.kind === "fling") this.#stepFling(motion, ms);
    else this.#stepFlight(motion, ms);
    return this.motion !== null;
  }

  #stepZoom(motion, ms) {
    const left = Math.log(motion.scale / this.scale) * Math.exp(-ms / EASE);
    const done = Math.abs(left) < 0.004;
    this.zoomAt(motion.px, motion.py, (done ? motion.scale : motion.scale / Math.exp(left)) / this.scale);
    if (done) this.motion = null;
  }

  #stepFling(motion, ms) {
    const way = FRICTION * (1 - Math.exp(-ms / FRICTION));
    this.x += motion.vx * way;
    this.y += motion.vy * way;
    motion.vx *= Math.exp(-ms / FRICTION);
    motion.vy *= Math.exp(-ms / FRICTION);
    if (Math.hypot(motion.vx, motion.vy) < 0.02) this.motion = null;
  }

  #stepFlight(motion, ms) {
    motion.gone = Math.min(1, motion.gone + ms / FLIGHT);
    const { from, to } = motion;
    const eased = 1 - (1 - motion.gone) ** 3;
    const scale = from.scale * (to.scale / from.scale) ** eased;
    // The same share of the way in scale and shift makes the flight a zoom about a fixed point.
    const share = Math.abs(to.scale - from.scale) < 1e-6 ? eased : (scale - from.scale) / (to.scale - from.scale);
    this.x = from.x + (to.x - from.x) * share;
    this.y = from.y + (to.y - from.y) * share;
    this.scale = scale;
    if (motion.gone === 1) this.motion = null;
  }

  placeAt(px, py) {
    return { row: Math.floor((py - this.y) / this.scale), col: Math.floor((px - this.x) / this.scale) };
  }

  rectOf(row, col) {
    return { x: this.x + col * this.scale, y: this.y + row * this.scale, size: this.scale };
  }

  /** The state that shows a box of places in the middle of an area (CSS pixels). */
  showing(box, area, { margin = 0.06, largest = 220 } = {}) {
    const room = 1 - 2 * margin;
    const scale = clampScale(Math.min(largest, (area.width * room) / box.cols, (area.height * room) / box.rows));
    return {
      scale,
      x: area.x + area.width / 2 - (box.left + box.cols / 2) * scale,
      y: area.y + area.height / 2 - (box.top + box.rows / 2) * scale,
    };
  }
}
