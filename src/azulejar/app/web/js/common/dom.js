/** Building elements: data goes in as text nodes and attributes, never as HTML. */

const SVG = "http://www.w3.org/2000/svg";
const SPRITE = new URL("../../icons/sprite.svg", import.meta.url).pathname;

/** An element: h("button", { class: "quiet", onclick: act }, icon("turn"), label). */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style") Object.assign(element.style, value);
    else if (name === "value") element.value = value;
    else element.setAttribute(name, value === true && !name.startsWith("aria-") ? "" : value);
  }
  element.append(...kept(children));
  return element;
}

/** Replace what an element holds. */
export function fill(element, ...children) {
  element.replaceChildren(...kept(children));
  return element;
}

/** The same while keeping the keyboard where it is: on the control of the same position, or the last. */
export function redraw(element, ...children) {
  const controls = () => [...element.querySelectorAll("button, input, select, textarea, summary, a")];
  const at = controls().indexOf(document.activeElement);
  fill(element, ...children);
  if (at >= 0) (controls()[at] ?? controls().at(-1))?.focus();
  return element;
}

function kept(children) {
  return children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);
}

/** A drawing of the sprite; it says nothing to a screen reader. */
export function icon(name, className = "icon") {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", className);
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `${SPRITE}#${name}`);
  svg.append(use);
  return svg;
}

/** A button that shows only a drawing; its label is read aloud and shown on hover. */
export function iconButton(name, label, onclick, attributes = {}) {
  const given = { type: "button", class: "icon-button", title: label, "aria-label": label, onclick };
  return h("button", { ...given, ...attributes }, icon(name));
}

/** A button with words, and a drawing before them if one is named. */
export function button(label, onclick, { drawing = null, kind = "", ...attributes } = {}) {
  const given = { type: "button", class: `button ${kind}`, onclick, ...attributes };
  return h("button", given, drawing && icon(drawing), h("span", {}, label));
}

/** A labelled field: the label's words, and the control that they name. */
export function field(label, control, hint = null) {
  return h("label", { class: "field" }, h("span", {}, label), control, hint && h("small", {}, hint));
}

/** A box to tick with its words. */
export function tick(label, checked, onchange) {
  const box = h("input", { type: "checkbox", checked, onchange: () => onchange(box.checked) });
  return h("label", { class: "tick" }, box, h("span", {}, label));
}

/** A choice from a list of [value, words]. */
export function choice(options, value, onchange = null, attributes = {}) {
  const select = h("select", { ...attributes, onchange: onchange && (() => onchange(select.value)) });
  for (const [each, words] of options) select.append(h("option", { value: each }, words));
  select.value = value;
  return select;
}

/** A row for tabs; the left and right arrow keys go through those that are shown. */
export function tabList(className, label) {
  const list = h("div", { class: className, role: "tablist", "aria-label": label });
  list.addEventListener("keydown", (event) => {
    const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!way) return;
    event.preventDefault();
    event.stopPropagation();
    const at = shownTabs(list).indexOf(document.activeElement);
    const next = (tabs) => tabs[(at + way + tabs.length) % tabs.length];
    next(shownTabs(list)).click();
    next(shownTabs(list)).focus(); // a click may have drawn them anew
  });
  return list;
}

function shownTabs(list) {
  return [...list.children].filter((tab) => !tab.hidden);
}
