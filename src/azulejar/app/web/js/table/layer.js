/**
 * A cached drawing, larger than the visible area: shifted while the view pans, and stretched while
 * it zooms, if drawing it anew would cost frames.
 */

const CHEAP = 7; // ms that a drawing may take in each frame of a zoom
const MOST_PIXELS = 10e6;
const REST = 120; // ms between two drawings while a zoom shows too little
const LARGE = 2.5e6; // device pixels of an area, from which the margin is smaller

/** How much of the area is drawn beyond it on each side. */
const marginOf = (area) => (area.width * area.height > LARGE ? 0.25 : 0.5);

export class Layer {
  /** `paint(context, view, box)` draws a box (device pixels around the view's own origin). */
  constructor(paint) {
    this.paint = paint;
    this.canvas = document.createElement("canvas");
    this.context = this.canvas.getContext("2d", { alpha: false });
    this.drawn = null;
    this.cost = 0; // ms of the last drawing
    this.ended = 0;
    this.paintings = 0;
  }

  invalidate() {
    this.drawn = null;
  }

  tookAtLeast(ms) {
    this.cost = Math.max(this.cost, ms);
  }

  close() {
    this.canvas.width = this.canvas.height = 0;
  }

  /**
   * `view` {x, y, scale} and `area` in device pixels, `content` the box that anything lies in,
   * seen from the view's origin. True if the layer is exact, False if it stands in for a zoom.
   */
  show(context, view, area, content, zooming) {
    const stretched = this.drawn && this.drawn.scale !== view.scale;
    const outside = this.drawn && !this.#covers(view, area, content);
    const patient = zooming && stretched && this.cost > CHEAP;
    const passable = patient && (!outside || performance.now() - this.ended < REST);
    if (!this.drawn || ((stretched || outside) && !passable)) this.#redraw(view, area, content);
    const ratio = view.scale / this.drawn.scale;
    const { left, top, width, height } = this.drawn;
    const [x, y] = [view.x + left * ratio, view.y + top * ratio];
    context.imageSmoothingEnabled = ratio !== 1;
    context.drawImage(this.canvas, 0, 0, width, height, x, y, width * ratio, height * ratio);
    context.imageSmoothingEnabled = true;
    return ratio === 1;
  }

  #covers(view, area, content) {
    const ratio = view.scale / this.drawn.scale;
    const need = intersection(visibleBox(view, area, 0), content);
    const has = this.drawn;
    if (need.width <= 0 || need.height <= 0) return true;
    return has.left * ratio <= need.left + 1 && has.top * ratio <= need.top + 1
      && (has.left + has.width) * ratio >= need.left + need.width - 1
      && (has.top + has.height) * ratio >= need.top + need.height - 1;
  }

  #redraw(view, area, content) {
    const began = performance.now();
    const all = content.width * content.height <= Math.min(MOST_PIXELS, 3 * area.width * area.height);
    const box = all ? content : intersection(visibleBox(view, area, marginOf(area)), content);
    const width = Math.max(1, Math.ceil(box.width));
    const height = Math.max(1, Math.ceil(box.height));
    const { canvas } = this;
    const wasteful = canvas.width * canvas.height > 4 * width * height;
    if (canvas.width < width || canvas.height < height || wasteful) [canvas.width, canvas.height] = [width, height];
    this.drawn = { left: Math.floor(box.left), top: Math.floor(box.top), width, height, scale: view.scale };
    this.context.setTransform(1, 0, 0, 1, -this.drawn.left, -this.drawn.top);
    this.paint(this.context, view, this.drawn);
    this.paintings += 1;
    this.ended = performance.now();
    this.cost = this.ended - began;
  }
}

/** What shows of an area, and `margin` of it around, seen from the view's origin. */
function visibleBox(view, area, margin) {
  return {
    left: area.x - view.x - area.width * margin,
    top: area.y - view.y - area.height * margin,
    width: area.width * (1 + 2 * margin),
    height: area.height * (1 + 2 * margin),
  };
}

function intersection(a, b) {
  const left = Math.max(a.left, b.left);
  const top = Math.max(a.top, b.top);
  return {
    left,
    top,
    width: Math.min(a.left + a.width, b.left + b.width) - left,
    height: Math.min(a.top + a.height, b.top + b.height) - top,
  };
}
