/** The card that solves, checks and sorts. */

import { addFiles } from "./add_files.js";
import { referencePicture } from "../common/api.js";
import { openCompare } from "./compare.js";
import { ask, foot, form } from "../common/dialog.js";
import { button, choice, field, fill, h, icon, iconButton, redraw, tick } from "../common/dom.js";
import { moreButton } from "../common/drop_zone.js";
import { askCorners, giveOldPicture, oldPictureOf, removeOldPicture } from "./old_picture.js";
import { hasText, panelWords, text } from "../common/texts.js";
import { attempt } from "../common/toast.js";

const SMALL = 160; // pixels of the old picture

/** The card; it hides while a job runs or nothing is there to solve. */
export function solveCard(page) {
  const { store, signal } = page;
  const extra = { islands: false, withTray: null, every: false, guide: true };
  const words = h("span", {});
  const kept = h("p", { class: "quiet" });
  const start = () => attempt(() => store.start(solveRequest(store, extra)));
  const big = h("button", { type: "button", class: "solve-button", onclick: start }, icon("solve"), words);
  const card = h("section", { class: "card solve", "aria-label": text("solve.title") });
  const choices = options(page, extra, () => show());
  const picture = oldPicturePart(page, () => extra.guide, (value) => (extra.guide = value));
  card.append(big, kept, picture, choices.element, others(page));
  const show = () => {
    const laid = isLaid(store);
    choices.show();
    card.hidden = Boolean(store.job) || Boolean(store.uploading) || !store.tiles.size;
    big.disabled = store.tiles.size < 2;
    words.textContent = solveWords(store, extra, laid);
    const what = laid ? [onlyWords(store, extra), keptWords(store.board)] : [text("solve.first")];
    fill(kept, big.disabled ? text("solve.few") : what.filter(Boolean).join(" "));
  };
  store.on("board panel jobs tiles uploading versions", show, signal);
  show();
  return card;
}

function solveRequest(store, extra) {
  const panel = isEvery(store, extra) ? null : Math.max(0, store.panel);
  const { islands } = extra;
  const pictured = panel === null ? store.board.references.length > 0 : Boolean(oldPictureOf(store.board, panel));
  const reference = extra.guide && pictured;
  return { kind: "solve", settings: store.settings, panel, with_tray: usesTray(store, extra), islands, reference };
}

function isLaid(store) {
  return store.board.placed.some((each) => each.panel >= 0);
}

function isEvery(store, { every }) {
  return every && store.board.panels.length > 1;
}

/** Whether loose tiles are used: of several panels it is unknown to which they belong, and what a sort has left over
 * belongs to none, so only if asked. */
function usesTray(store, extra) {
  const sorted = isLaid(store) && store.versions.some((version) => version.source === "sort");
  return extra.withTray ?? (store.board.panels.length === 1 && !sorted);
}

function solveWords(store, extra, laid) {
  if (store.board.panels.length === 1) return text(laid ? "solve.again" : "solve.solve");
  const name = panelWords(store.board.panels[Math.max(0, store.panel)]);
  return isEvery(store, extra) ? text("solve.again.every") : text("solve.again.panel", { name });
}

/** A sentence on what the next solve leaves alone. */
function onlyWords(store, extra) {
  if (isEvery(store, extra)) return null;
  if (store.board.panels.length === 1) return !usesTray(store, extra) && store.loose > 0 && text("solve.only.laid");
  return text(usesTray(store, extra) ? "solve.only.tray" : "solve.only");
}

/** A sentence on what the next solve will keep. */
function keptWords(board) {
  const counts = [
    ["solve.kept.locked", board.locked.length],
    ["solve.kept.forbidden", board.forbidden.length],
    ["solve.kept.missing", board.missing.length],
    ["solve.kept.outlines", board.outlines.length],
  ];
  const told = counts.filter(([, count]) => count).map(([key, count]) => text(key, { count }));
  return told.length ? text("solve.kept", { what: told.join(", ") }) : text("solve.kept.nothing");
}

/** The options; `changed` is called after a change of those that the button's words depend on. */
function options({ store, offers }, extra, changed) {
  const { settings } = store;
  const every = tick(text("solve.every"), extra.every, (value) => {
    extra.every = value;
    changed();
  });
  const tray = tick(text("solve.tray"), usesTray(store, extra), (value) => {
    extra.withTray = value;
    changed();
  });
  const show = () => {
    every.hidden = store.board.panels.length === 1;
    tray.querySelector("input").checked = usesTray(store, extra) && !isEvery(store, extra);
    tray.querySelector("input").disabled = isEvery(store, extra);
  };
  const save = (name) => (value) => store.saveSettings({ [name]: value });
  const named = (kind, all) => all.map((each) => [each, wordsOf(kind, each)]);
  const element = h(
    "details",
    { class: "options" },
    h("summary", {}, icon("chevron"), text("solve.options")),
    every,
    h(
      "div",
      { class: "pair" },
      field(text("solve.rows"), number(settings.rows, 10000, text("solve.unknown"), save("rows"))),
      field(text("solve.cols"), number(settings.cols, 10000, text("solve.unknown"), save("cols"))),
    ),
    tick(text("solve.upright"), settings.upright, save("upright")),
    tray,
    tick(text("solve.islands"), extra.islands, (value) => (extra.islands = value)),
    field(text("solve.preset"), choice(named("preset", offers.presets), settings.preset, save("preset"))),
    field(text("solve.measure"), choice(named("measure", offers.measures), settings.measure, save("measure"))),
    h(
      "div",
      { class: "pair" },
      field(text("solve.runs"), number(settings.runs, 100, "1", (value) => save("runs")(value ?? 1))),
      field(text("solve.seconds"), number(settings.seconds, 86400, text("solve.unlimited"), save("seconds"))),
    ),
  );
  return { element, show };
}

function wordsOf(kind, name) {
  const key = `solve.${kind}.${name}`;
  return hasText(key) ? text(key) : name;
}

/** A field for a whole number from 1; null when empty. */
function number(value, max, placeholder, onchange) {
  const input = h("input", { type: "number", inputmode: "numeric", min: 1, max, step: 1, placeholder });
  input.value = value ?? "";
  input.addEventListener("change", () => input.reportValidity() && onchange(input.value ? Number(input.value) : null));
  return input;
}

/** Buttons that check the panel, or sort several panels. */
function others(page) {
  const { store, signal } = page;
  const request = () => ({ kind: "audit", settings: store.settings, panel: Math.max(0, store.panel) });
  const check = () => attempt(() => store.start(request()));
  const audit = button(text("audit.start"), check, { drawing: "check" });
  const sort = button(text("sort.start"), () => askSort(store), { drawing: "sort", title: text("sort.hint") });
  const show = () => {
    audit.disabled = !isLaid(store);
    audit.title = text(audit.disabled ? "audit.empty" : "audit.hint");
  };
  store.on("board", show, signal);
  show();
  const more = store.project.museum ? null : moreButton((files) => addFiles(files, store));
  return h("div", { class: "others" }, audit, sort, more);
}

async function askSort(store) {
  const request = await ask(text("sort.title"), (close) => {
    const wanted = { kind: "sort", settings: store.settings, panels: null, solve: true };
    const panels = number(null, 10000, text("solve.unknown"), (value) => (wanted.panels = value));
    const parts = [
      h("p", {}, text("sort.sentence")),
      field(text("sort.panels"), panels),
      tick(text("sort.solve"), true, (value) => (wanted.solve = value)),
      foot(close, text("sort.go"), "sort"),
    ];
    return form(parts, () => close(wanted));
  });
  if (request) await attempt(() => store.start(request));
}

/** The part of the solve card: add a picture of the panel that is open, or see, compare, lay and remove it. */
function oldPicturePart({ store, signal }, guides, changed) {
  const part = h("section", { class: "old-picture", "aria-label": text("reference.title") });
  let shown = null;
  const show = () => {
    const panel = Math.max(0, store.panel);
    const given = oldPictureOf(store.board, panel);
    const laid = store.board.placed.some((each) => each.panel === panel);
    const now = JSON.stringify([panel, given, laid, guides()]);
    if (now === shown) return;
    shown = now;
    if (given) redraw(part, pictureRow(store, given, laid), tick(text("reference.guide"), guides(), changed));
    else redraw(part, adding(store, panel));
  };
  store.on("board panel", show, signal);
  show();
  return part;
}

function adding(store, panel) {
  const add = () => giveOldPicture(store, panel);
  return button(text("reference.add"), add, { drawing: "file-picture", title: text("reference.add.hint") });
}

function pictureRow(store, given, laid) {
  const { panel, file } = given;
  const picture = h("img", { src: referencePicture(store.id, file, SMALL), alt: "" });
  const compare = iconButton("compare", text("reference.compare"), () => openCompare(store, { picture: true }), { disabled: !laid });
  const corners = iconButton("crop", text("reference.corners"), () => askCorners(store, oldPictureOf(store.board, panel)));
  const remove = iconButton("bin", text("reference.remove"), () => removeOldPicture(store, given));
  const buttons = h("div", {}, compare, corners, remove);
  return h("div", { class: "old-picture-row" }, picture, h("span", { title: file }, file), buttons);
}
