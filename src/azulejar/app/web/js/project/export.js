/** Files to take away: few questions, and the download comes by itself. */

import { exportOf } from "../common/api.js";
import { ask, foot, form } from "../common/dialog.js";
import { choice, field, h, icon, tick } from "../common/dom.js";
import { myName } from "../session.js";
import { isBusy } from "./store.js";
import { currentLanguage, LANGUAGES, percent, text } from "../common/texts.js";
import { attempt, showMessage } from "../common/toast.js";

const KINDS = ["picture", "plan", "placement", "inventory", "joints", "report", "manifest", "record", "solution", "project"];
const EMPTY_TOO = new Set(["project", "inventory"]);
const SCALES = ["1:1", "1:2", "1:5", "1:10"];
const awaited = new Set();

/** Ask what to write, and begin. */
export async function openExport(store) {
  const request = await ask(text("export.title"), (close) => {
    const wanted = { kind: "export", what: null, language: currentLanguage(), by: myName(), panel: Math.max(0, store.panel) };
    const laid = store.board.placed.some((each) => each.panel >= 0);
    const questions = h("div", { class: "questions" });
    const choose = (what) => {
      wanted.what = what;
      questions.replaceChildren(...questionsOf(what, wanted));
    };
    const cards = KINDS.map((what) => kindCard(what, choose, laid || EMPTY_TOO.has(what)));
    const first = cards.map((card) => card.querySelector("input")).find((radio) => !radio.disabled);
    first.checked = true;
    choose(first.value);
    const kinds = h("div", { class: "exports", role: "radiogroup" }, cards);
    return form([kinds, questions, foot(close, text("export.go"), "download")], () => close(wanted));
  }, "wide");
  if (!request) return;
  const job = await attempt(() => store.start(request));
  if (!job) return;
  awaited.add(`${store.id} ${job.job}`);
  showMessage(text("export.begun"));
  store.emit("jobs");
}

function kindCard(what, choose, enabled) {
  const attributes = { type: "radio", name: "what", value: what, disabled: !enabled };
  const radio = h("input", { ...attributes, onchange: () => choose(what) });
  const words = [h("strong", {}, text(`export.${what}`)), h("small", {}, text(`export.${what}.hint`))];
  return h("label", { class: "export" }, radio, icon(`file-${what}`), h("span", {}, ...words));
}

function questionsOf(what, wanted) {
  const set = (name) => (value) => (wanted[name] = value);
  if (what === "picture") {
    const formats = [["png", text("export.png")], ["tiff", text("export.tiff")]];
    return [
      field(text("export.format"), choice(formats, wanted.format ?? "png", set("format"))),
      tick(text("export.between"), wanted.joints ?? false, set("joints")),
      tick(text("export.before"), wanted.before_after ?? false, set("before_after")),
    ];
  }
  if (what === "plan") {
    const side = h("input", { type: "number", min: 1, max: 1000, step: 0.1, value: wanted.tile_cm ?? 14 });
    side.addEventListener("change", () => side.reportValidity() && (wanted.tile_cm = Number(side.value)));
    return [
      field(text("export.tile"), side),
      field(text("export.scale"), choice(SCALES.map((each) => [each, each]), wanted.scale ?? "1:5", set("scale"))),
      field(text("export.paper"), choice([["A4", "A4"], ["A3", "A3"]], wanted.paper ?? "A4", set("paper"))),
      rowsField(wanted, set),
    ];
  }
  if (what === "placement") return [headingsField(wanted, set), rowsField(wanted, set)];
  if (what === "inventory") return [headingsField(wanted, set)];
  if (what === "joints") {
    const shares = [0.5, 0.9, 0.95, 0.98].map((each) => [String(each), percent(each)]);
    const least = choice(shares, String(wanted.least ?? 0.9), (value) => (wanted.least = Number(value)));
    return [
      field(text("export.least"), least, text("export.least.hint")),
      headingsField(wanted, set),
      words("by", wanted),
    ];
  }
  if (what === "manifest") {
    return [
      addressField(wanted, text("export.address.hint")),
      tick(text("export.each"), wanted.each_tile ?? false, set("each_tile")),
    ];
  }
  if (what === "record") {
    const standards = [["lido", "LIDO 1.1 (XML)"], ["linked-art", "Linked Art (JSON-LD)"]];
    return [
      field(text("export.format"), choice(standards, wanted.standard ?? "lido", set("standard"))),
      words("by", wanted),
      words("museum", wanted),
      addressField(wanted),
    ];
  }
  return [];
}

function headingsField(wanted, set) {
  return field(text("export.headings"), choice(Object.entries(LANGUAGES), wanted.language, set("language")));
}

function rowsField(wanted, set) {
  const starts = ["top", "bottom"].map((start) => [start, text(`export.rows.${start}`)]);
  return field(text("export.rows"), choice(starts, wanted.rows_from ?? "top", set("rows_from")));
}

function addressField(wanted, hint = null) {
  const address = h("input", { type: "url", value: wanted.base_url ?? "http://localhost:8000", maxlength: 500 });
  address.addEventListener("change", () => (wanted.base_url = address.value));
  return field(text("export.address"), address, hint);
}

function words(name, wanted) {
  const input = h("input", { value: wanted[name] ?? "", maxlength: 200 });
  input.addEventListener("change", () => (wanted[name] = input.value));
  return field(text(`export.${name}`), input);
}

/** Download what this page asked for as soon as it is written. */
export function downloads({ store, signal }) {
  const look = () => {
    for (const job of store.jobs.values()) {
      const key = `${store.id} ${job.job}`;
      if (!awaited.has(key) || isBusy(job)) continue;
      awaited.delete(key);
      if (job.download) download(store, job.download);
    }
  };
  store.on("jobs", look, signal);
}

function download(store, name) {
  const link = h("a", { href: exportOf(store.id, name), download: name });
  document.body.append(link);
  link.click();
  link.remove();
  showMessage(text("export.done", { name }));
}
