/** A tour of the page of a project in five steps, each beside what it speaks of. */

import { button, fill, h, iconButton } from "../common/dom.js";
import { text } from "../common/texts.js";

const GAP = 12; // CSS px between a step and what it speaks of, and the rim of the window
/** The steps, and where each is shown: at the first of these elements that is to be seen. */
const STEPS = {
  add: [".others .more", ".drop", ".left"],
  solve: [".solve-button", ".left"],
  table: [".stage"],
  details: [".side"],
  export: [".bar .to-export", ".bar"],
};

/** Begin the tour. */
export function openTour({ side, store }) {
  const names = Object.keys(STEPS).filter((name) => name !== "add" || !store.project.museum);
  const card = h("div", { class: "tour", role: "dialog", popover: "manual", "aria-labelledby": "tour-title" });
  let at = 0;
  let marked = null;
  const leave = () => {
    marked?.classList.remove("toured");
    removeEventListener("resize", place);
    removeEventListener("popstate", leave);
    card.remove();
  };
  const go = (step) => {
    if (step === names.length) return leave();
    at = step;
    if (names[at] === "details") side.show("tile");
    else side.element.classList.remove("open"); // on a phone it takes the place of what to do
    const last = at === names.length - 1;
    fill(
      card,
      h("div", { class: "tour-head" }, title(names[at], at + 1, names.length), iconButton("close", text("button.close"), leave)),
      h("p", {}, text(`tour.${names[at]}`)),
      h(
        "div",
        { class: "tour-foot" },
        at > 0 && button(text("tour.back"), () => go(at - 1)),
        button(text(last ? "tour.done" : "tour.next"), () => go(at + 1), { kind: "primary" }),
      ),
    );
    place();
    return card.querySelector(".primary").focus();
  };
  function place() {
    marked?.classList.remove("toured");
    marked = STEPS[names[at]].map((each) => document.querySelector(each)).find((each) => each?.checkVisibility());
    marked?.classList.add("toured");
    putBeside(card, marked);
  }
  card.addEventListener("keydown", (event) => event.key === "Escape" && leave());
  addEventListener("resize", place);
  addEventListener("popstate", leave);
  document.body.append(card);
  card.showPopover();
  go(0);
}

function title(name, step, count) {
  const words = [text(`tour.${name}.title`), h("small", {}, text("tour.step", { step, count }))];
  return h("h2", { id: "tour-title" }, words);
}

/** Right of an element, or below it, or over its middle: where there is room. */
function putBeside(card, element) {
  const { left, right, top, bottom } = element?.getBoundingClientRect() ?? document.body.getBoundingClientRect();
  const { width, height } = card.getBoundingClientRect();
  const fits = right + GAP + width < innerWidth;
  const below = bottom + GAP + height < innerHeight;
  const x = fits ? right + GAP : below ? left : (left + right - width) / 2;
  const y = fits ? top : below ? bottom + GAP : (top + bottom - height) / 2;
  const within = (value, size, room) => `${Math.max(GAP, Math.min(value, room - size - GAP))}px`;
  card.style.left = within(x, width, innerWidth);
  card.style.top = within(y, height, innerHeight);
}
