/** What several drawings share. All in CSS pixels. */

/** The square of a place in a view {x, y, scale}. */
export const rectIn = ({ x, y, scale }, row, col) => ({ x: x + col * scale, y: y + row * scale, size: scale });

export function clipTo(context, { x, y, width, height }) {
  context.beginPath();
  context.rect(x, y, width, height);
  context.clip();
}

/** Stroke a shape in units of places, with a light halo so that it shows on any picture. */
export function strokeShape(context, shape, view, colour, halo, width) {
  context.save();
  context.translate(view.x, view.y);
  context.scale(view.scale, view.scale);
  context.lineCap = "square";
  for (const [line, style] of [[width + 3, halo], [width, colour]]) {
    context.lineWidth = line / view.scale;
    context.strokeStyle = style;
    context.stroke(shape.edges);
  }
  context.restore();
}
