/**
 * Rules of accessibility (WCAG 2.2 A and AA, by the names that axe gives them), each a function from
 * the page to the elements that break it. The whole is a function that returns "rule: element" lines.
 */
() => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const hidden = (each) => Boolean(each.closest("[aria-hidden=true], [inert]"));
  const shown = (each) => each.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !hidden(each);
  const pieces = (each) =>
    [...each.childNodes].flatMap((node) => {
      if (node.nodeType === Node.TEXT_NODE) return node.data.trim() ? [node.data.trim()] : [];
      return node.nodeType === Node.ELEMENT_NODE && !node.closest("[aria-hidden=true]") ? pieces(node) : [];
    });
  const referred = (each, name) =>
    (each.getAttribute(name) ?? "").split(/\s+/).filter(Boolean).map((id) => document.getElementById(id));
  // With the alternatives of pictures, and without what is hidden from those who listen.
  const spoken = (each) =>
    [...each.childNodes].map((node) => {
      if (node.nodeType === Node.TEXT_NODE) return node.textContent;
      if (node.nodeType !== Node.ELEMENT_NODE || node.getAttribute("aria-hidden") === "true") return "";
      return node.matches("img") ? node.alt : spoken(node);
    }).join(" ").replace(/\s+/g, " ").trim();
  const nameOf = (each) =>
    each.getAttribute("aria-label")
      || referred(each, "aria-labelledby").map((other) => other && spoken(other)).join(" ").trim()
      || [...(each.labels ?? [])].map(spoken).join(" ").trim()
      || spoken(each) || each.getAttribute("title") || each.getAttribute("placeholder") || "";
  const CONTROLS = "button, a[href], input:not([type=hidden]), select, textarea, summary, canvas[tabindex]";
  const ROLES = {
    tab: "[role=tablist]", menuitem: "[role=menu]", option: "[role=listbox]", radio: "[role=radiogroup]",
  };

  // Colours: what a text stands on is made of all grounds below it.
  const parse = (colour) => {
    const numbers = colour.match(/[\d.]+(e-?\d+)?/g).map(Number);
    const [r, g, b, a = 1] = colour.startsWith("color(") ? numbers.map((n, k) => (k < 3 ? n * 255 : n)) : numbers;
    return { rgb: [r, g, b], a };
  };
  const over = (top, below) => ({
    rgb: top.rgb.map((value, k) => value * top.a + below.rgb[k] * (1 - top.a)), a: 1,
  });
  const ground = (each) => {
    const layers = [];
    for (let at = each; at; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (style.backgroundImage !== "none") return null; // a picture: nobody can tell
      const layer = parse(style.backgroundColor);
      if (layer.a) layers.push(layer);
      if (layer.a === 1) break;
    }
    return layers.reverse().reduce((below, top) => over(top, below), { rgb: [255, 255, 255], a: 1 });
  };
  const light = ({ rgb }) => {
    const [r, g, b] = rgb.map((v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const faint = (each) => {
    const below = ground(each);
    if (!below || each.closest(":disabled, [aria-disabled=true], label:has(:disabled)")) return false;
    const style = getComputedStyle(each);
    const [a, b] = [light(over(parse(style.color), below)), light(below)];
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) < (large ? 3 : 4.5);
  };
  const ownText = (each) => [...each.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
  const scrolls = (each) => {
    const { overflowX, overflowY } = getComputedStyle(each);
    const may = (way) => way === "auto" || way === "scroll";
    return (may(overflowY) && each.scrollHeight > each.clientHeight + 1)
      || (may(overflowX) && each.scrollWidth > each.clientWidth + 1);
  };
  const levels = all("h1, h2, h3, h4, h5, h6").filter(shown).filter((each) => !each.closest("dialog, [popover]"));

  const rules = {
    "control-name": () => all(CONTROLS).filter(shown).filter((each) => !nameOf(each)),
    "label-content-name-mismatch": () =>
      all("button[aria-label], a[aria-label]").filter(shown).filter((each) => {
        const name = each.getAttribute("aria-label").toLowerCase();
        return pieces(each).some((piece) => !name.includes(piece.toLowerCase()));
      }),
    "image-alt": () => all("img:not([alt]), [role=img]:not([aria-label])").filter(shown),
    "color-contrast": () => all("body *").filter(shown).filter(ownText).filter(faint),
    "duplicate-id": () => all("[id]").filter((each) => all(`[id="${CSS.escape(each.id)}"]`).length > 1),
    "aria-valid-attr-value": () =>
      ["aria-labelledby", "aria-controls", "aria-describedby"].flatMap((name) =>
        all(`[${name}]`).filter((each) => referred(each, name).some((other) => !other))),
    "aria-required-parent": () =>
      Object.entries(ROLES).flatMap(([role, parent]) => all(`[role=${role}]`).filter((each) => !each.closest(parent))),
    "aria-required-children": () => all("[role=tablist]").filter(shown)
      .filter((each) => [...each.children].some((child) => child.getAttribute("role") !== "tab")),
    "aria-required-attr": () => all("[role=tab]:not([aria-selected]), [role=slider]:not([aria-valuenow])"),
    "aria-allowed-attr": () => all("[aria-pressed]:not(button), [aria-selected]:not([role=tab], [role=option], tr, td)"),
    "aria-dialog-name": () => all("dialog[open], [role=dialog]").filter(shown)
      .filter((each) => !each.hasAttribute("aria-label") && !each.hasAttribute("aria-labelledby")),
    "aria-hidden-focus": () => all("[aria-hidden=true]").flatMap((each) =>
      [...each.querySelectorAll(CONTROLS)].filter((one) => one.checkVisibility() && one.tabIndex >= 0)),
    "nested-interactive": () => all("button, a[href]").filter((each) => each.querySelector("button, a[href], input, select")),
    list: () => all("ul, ol").filter((each) => [...each.children].some((child) => child.tagName !== "LI")),
    listitem: () => all("li").filter((each) => !each.closest("ul, ol")),
    "definition-list": () => all("dl").filter((each) => [...each.children].some((child) => !child.matches("dt, dd, div"))),
    "scrollable-region-focusable": () => all("body *").filter(shown).filter(scrolls)
      .filter((each) => each.tabIndex < 0 && !each.matches("select, textarea, input"))
      .filter((each) => ![...each.querySelectorAll(CONTROLS)].some(shown)),
    "target-size": () => all("button, a[href], [role=tab]").filter(shown).filter((each) => {
      const { width, height } = each.getBoundingClientRect();
      return Math.min(width, height) < 24 && getComputedStyle(each).display !== "inline";
    }),
    "heading-order": () => levels.filter((each, k) => k > 0 && Number(each.tagName[1]) > Number(levels[k - 1].tagName[1]) + 1),
    "page-has-heading-one": () => (all("h1").filter(shown).length === 1 ? [] : [document.body]),
    "landmark-one-main": () => (all("main").filter(shown).length === 1 ? [] : [document.body]),
    "html-has-lang": () => (document.documentElement.lang && document.title ? [] : [document.documentElement]),
    "meta-viewport": () => all("meta[name=viewport]").filter((each) => /user-scalable=no|maximum-scale/.test(each.content)),
    tabindex: () => all("[tabindex]").filter((each) => each.tabIndex > 0),
  };
  const told = (each) => each.outerHTML.slice(0, 160);
  return Object.entries(rules).flatMap(([rule, broken]) => broken().map((each) => `${rule}: ${told(each)}`));
}
