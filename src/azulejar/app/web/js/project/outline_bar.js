/** The outline of the panel: a button that begins to draw it, and a bar above the table meanwhile. */

import { button, h, iconButton } from "../common/dom.js";
import { TRAY } from "./store.js";
import { text } from "../common/texts.js";

/** Add the bar above the glass of the table; return the button. */
export function outlineButton({ store, signal }, table, glass) {
  const { outlining } = table;
  const toggle = iconButton("outline", text("outline.draw"), () => press(() => outlining.toggle()));
  const clear = button(text("outline.clear"), () => press(() => outlining.clear()), { drawing: "bin" });
  const bar = h(
    "div",
    { class: "outline-bar", role: "toolbar", "aria-label": text("outline.draw"), hidden: true },
    h("p", {}, text("outline.hint")),
    button(text("outline.tiles"), () => press(() => outlining.fromTiles()), { drawing: "panel" }),
    clear,
    button(text("outline.done"), () => press(() => outlining.toggle(false)), { drawing: "check", kind: "primary" }),
  );
  glass.before(bar);
  toggle.classList.add("work-only");
  function press(act) {
    act();
    table.canvas.focus({ preventScroll: true });
  }
  const show = () => {
    toggle.disabled = store.panel === TRAY || Boolean(store.live) || !store.tiles.size;
    toggle.setAttribute("aria-pressed", String(outlining.active));
    bar.hidden = !outlining.active;
    clear.disabled = !table.layout.outlines.has(store.panel);
  };
  table.addEventListener("outlining", show, { signal });
  store.on("board panel live tiles", show, signal);
  show();
  return toggle;
}
