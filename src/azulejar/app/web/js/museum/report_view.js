/** The director's report: where the tiles are, the finest panels, crates to open, how the work went on. */

import * as api from "../common/api.js";
import { button, fill, h, redraw } from "../common/dom.js";
import { currentLanguage, moment, percent, text } from "../common/texts.js";
import { attempt } from "../common/toast.js";
import { facts } from "./panels_view.js";
import { number } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";
const SHARES = ["sure", "fair", "check", "waiting", "new", "rest"];
const CHART = { width: 640, height: 160 };

/** Draw the report into `root`. */
export function reportView(page, root) {
  const { store, signal } = page;
  const paper = h("article", { class: "report" });
  fill(root, paper);
  const load = async () => {
    const report = await attempt(() => api.getReport(store.id));
    if (report && !signal.aborted) redraw(paper, parts(page, report));
  };
  load();
  store.on("lists", load, signal);
  return { update: () => {} };
}

function parts(page, report) {
  const { store } = page;
  const pdf = `${store.base}/report.pdf?language=${currentLanguage()}`;
  return [
    h(
      "header",
      { class: "row" },
      h("h2", {}, text("report.title", { museum: store.name })),
      h("span", { class: "grow" }),
      h("a", { class: "button primary", href: pdf, download: "" }, text("report.pdf")),
      button(text("report.print"), () => print()),
    ),
    h("p", { class: "lead" }, claim(report)),
    figures(report),
    report.panels > 0 && section("report.shares", shares(report)),
    report.finest.length > 0 && section("report.finest", finest(page, report)),
    report.selections.length > 0 && section("report.crates", selections(page, report)),
    section("report.doubts", doubts(report)),
    report.tiles > 0 && section("report.history", history(report)),
  ];
}

function section(key, ...children) {
  return h("section", {}, h("h3", {}, text(key)), ...children);
}

function claim(report) {
  const values = { tiles: number(report.tiles), crates: number(report.crates), panels: number(report.panels) };
  if (!report.panels) return text("report.claim.unsorted", values);
  const share = percent(report.grouped / Math.max(1, report.tiles));
  return text("report.claim", { ...values, grouped: number(report.grouped), share, solved: number(report.solved) });
}

function figures(report) {
  const complete = report.places ? percent(report.placed / report.places) : "–";
  const line = (words, value) => h("div", {}, h("dt", {}, words), h("dd", {}, value));
  const figure = (key, count) => line(text(key, { count }), number(count));
  return h(
    "dl",
    { class: "figures" },
    figure("report.tiles", report.tiles),
    figure("report.crate.count", report.crates),
    figure("report.panels", report.panels),
    figure("report.solved", report.solved),
    line(text("report.complete"), complete),
    figure("report.strays", report.strays),
    figure("report.duplicates", report.duplicates),
  );
}

function shares(report) {
  const shown = SHARES.filter((name) => report.shares[name]);
  const bar = h("div", { class: "shares", "aria-hidden": true });
  for (const name of shown) {
    const part = h("i", { class: name });
    part.style.flex = report.shares[name];
    bar.append(part);
  }
  const line = (name) => h("li", {}, h("i", { class: name }), h("b", {}, number(report.shares[name])), " ", text(`report.share.${name}`));
  return [bar, h("ul", { class: "share-key" }, shown.map(line))];
}

function finest(page, report) {
  const figure = (panel) =>
    h(
      "figure",
      {},
      h("img", { src: page.store.panelPicture(panel.name, panel.confidence), alt: text("museum.panel", { panel: panel.name }) }),
      h("figcaption", {}, h("b", {}, text("museum.panel", { panel: panel.name })), " ", facts(panel).join(" · ")),
    );
  return h("div", { class: "finest" }, report.finest.map(figure));
}

function selections(page, report) {
  const line = ([panel, crates, share]) => h("li", {}, text("report.selection", { panel, crates: crates.join(", "), share: percent(share) }));
  return h("ol", {}, report.selections.map(line));
}

function doubts(report) {
  const lines = [
    ["report.doubt.doubtful", report.doubtful],
    ["report.doubt.apart", report.apart],
    ["report.doubt.outdated", report.outdated],
    ["report.doubt.strays", report.strays],
    ["report.doubt.duplicates", report.duplicates],
    ["report.doubt.vanished", report.vanished],
  ].filter(([, count]) => count);
  const words = lines.map(([key, count]) => h("li", {}, text(key, { count, shown: number(count) })));
  return h("ul", {}, words, h("li", {}, text("report.doubt.up")));
}

/** Tiles that came in and tiles laid in panels, over time. */
function history(report) {
  const added = [];
  report.days.reduce((sum, [day, count]) => {
    added.push([Date.parse(day), sum + count]);
    return sum + count;
  }, 0);
  const laid = report.history.map((each) => [Date.parse(each.when), each.laid]);
  const now = Date.now();
  const first = Math.min(added[0]?.[0] ?? now, laid[0]?.[0] ?? now);
  const top = Math.max(1, report.tiles);
  const x = (time) => ((time - first) / Math.max(1, now - first)) * CHART.width;
  const y = (count) => CHART.height - (count / top) * (CHART.height - 4);
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", `0 -2 ${CHART.width} ${CHART.height + 4}`);
  svg.setAttribute("class", "history-chart");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", text("report.history"));
  svg.append(curve("added", steps([...added, [now, added.at(-1)?.[1] ?? 0]], x, y)));
  svg.append(curve("laid", steps([...laid, [now, laid.at(-1)?.[1] ?? 0]], x, y)));
  const rows = report.history.slice(-12).toReversed();
  const cells = (each) => [moment(each.when), text(`report.what.${each.what}`), ...["tiles", "panels", "solved", "laid", "strays"].map((name) => number(each[name]))];
  const heads = ["when", "what", "tiles", "panels", "solved", "laid", "strays"];
  const table = h(
    "table",
    {},
    h("thead", {}, h("tr", {}, heads.map((name) => h("th", { scope: "col" }, text(`report.column.${name}`))))),
    h("tbody", {}, rows.map((each) => h("tr", {}, cells(each).map((cell) => h("td", {}, cell))))),
  );
  const key = h("p", { class: "quiet" }, h("i", { class: "line added" }), text("report.added"), " ", h("i", { class: "line laid" }), text("report.laid"));
  return [svg, key, rows.length > 0 && h("div", { class: "wide", tabindex: 0, role: "region", "aria-label": text("report.history") }, table)];
}

/** A line that stays level until the next point. */
function steps(points, x, y) {
  return points.map(([time, count], at) => {
    const [left, height] = [x(time).toFixed(1), y(count).toFixed(1)];
    return at ? `H${left}V${height}` : `M${left} ${CHART.height}V${height}`;
  }).join("");
}

function curve(name, path) {
  const line = document.createElementNS(SVG, "path");
  line.setAttribute("class", name);
  line.setAttribute("d", path);
  return line;
}
