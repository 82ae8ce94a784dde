/** Files into crates: ask what they are, send those that have not arrived yet, and add them. */

import * as api from "../common/api.js";
import { ask, foot, form } from "../common/dialog.js";
import { choice, field, h } from "../common/dom.js";
import { RECORDS, folderOf, guess } from "../common/files.js";
import { text } from "../common/texts.js";
import { attempt, showMessage } from "../common/toast.js";
import { endUpload, sendAll, showRefused, startUpload } from "../common/sending.js";
import { number } from "./words.js";

const COLOURS = ["auto", "chart", "glaze", "off"];

/** Ask what was dropped or chosen, and send it. */
export async function receiveCrates(page, { files, passed }) {
  if (!files.length) {
    showMessage(text("arrival.nothing"), text("arrival.nothing.remedy"), "error");
    return;
  }
  if (passed) showMessage(text("arrival.passed", { count: passed }));
  const crates = byCrate(files);
  const request = await askCrates(page, crates, (await guess(files)).kind === "photographs");
  if (request) await attempt(() => sendMissing(page.store, request));
}

/** The files of each crate: the folder they lay in, a zip by itself, or "" for loose ones. */
function byCrate(files) {
  const crates = new Map();
  for (const file of files) {
    const zip = /\.zip$/i.test(file.name) ? file.name.replace(/\.zip$/i, "") : null;
    const crate = zip ?? folderOf(file) ?? "";
    if (!crates.has(crate)) crates.set(crate, []);
    crates.get(crate).push(file);
  }
  const inOrder = new Intl.Collator([], { numeric: true }).compare;
  return new Map([...crates].sort(([one], [other]) => inOrder(one, other)));
}

function askCrates(page, crates, photographs) {
  const count = [...crates.values()].reduce((sum, files) => sum + files.length, 0);
  const title = text("crates.add.title", { count, shown: number(count) });
  return ask(title, (close) => {
    const only = crates.size === 1 ? [...crates.keys()][0] : null;
    const name = h("input", { value: page.asked.crate ?? only ?? "", required: true, maxlength: 120, autofocus: true });
    const loose = crates.has("") && crates.size > 1;
    const asks = only !== null || loose;
    const list = [...crates].filter(([crate]) => crate).map(([crate, files]) => `${crate} (${number(files.length)})`);
    const kinds = ["tiles", "photographs"].map((kind) => {
      const checked = (kind === "photographs") === photographs;
      const radio = h("input", { type: "radio", name: "kind", value: kind, checked });
      radio.addEventListener("change", () => (colour.hidden = kind === "tiles"));
      return h("label", { class: "tick" }, radio, h("span", {}, text(`arrival.${kind}`), h("small", {}, text(`arrival.${kind}.hint`))));
    });
    const options = COLOURS.map((each) => [each, text(`arrival.colour.${each}`)]);
    const light = choice(options, "auto");
    const colour = field(text("arrival.colour"), light);
    colour.hidden = !photographs;
    const submit = () => {
      const called = name.value.trim();
      if (asks && !called) return;
      const named = [...crates].map(([crate, files]) => [only !== null || !crate ? called : crate, files]);
      const chosen = kinds.some((each) => each.firstChild.checked && each.firstChild.value === "photographs");
      close({ crates: named, photographs: chosen, colour: light.value });
    };
    return form(
      [
        asks && field(text(only === null ? "crates.add.loose" : "crates.add.name"), name),
        only === null && h("p", {}, text("crates.add.each"), " ", list.slice(0, 30).join(", "), list.length > 30 && " …"),
        h("div", { class: "kinds-short", role: "radiogroup", "aria-label": text("crates.add.kind") }, kinds),
        colour,
        foot(close, text("crates.add.go"), "arrow"),
      ].filter(Boolean),
      submit,
    );
  });
}

/** Send the files that are not there yet, a few at once, then start the job that adds them. */
async function sendMissing(store, { crates, photographs, colour }) {
  const waiting = [];
  for (const [crate, files] of crates) {
    const known = files.map((file) => ({ name: file.name, size: file.size }));
    const { missing } = await api.findMissing(store.id, { crate, photographs, files: known });
    const wanted = new Set(missing);
    const place = crates.length > 1 ? crate : null;
    waiting.push(...files.filter((file) => wanted.has(file.name)).map((file) => ({ crate, place, file })));
  }
  // tiles.csv comes last, when the pictures that it names are there.
  waiting.sort((one, other) => (one.file.name === RECORDS) - (other.file.name === RECORDS));
  const total = crates.reduce((sum, [, files]) => sum + files.length, 0);
  const details = { count: total, done: total - waiting.length, taken: total - waiting.length };
  const progress = startUpload(store, "crates", waiting.map(({ file }) => file), details);
  const refused = await sendAll(store, progress, waiting, async ({ crate, file }, onProgress) => {
    const reply = await api.uploadToCrate(store.id, crate, photographs, file, onProgress);
    progress.taken += reply.taken.length; // of a zip, all files in it
    return reply;
  });
  endUpload(store);
  if (refused.length) showRefused(refused, progress.taken + refused.length);
  if (progress.stopped || !progress.taken) return;
  const names = [...new Set(crates.map(([crate]) => crate))];
  await store.start({ kind: "museum_add", crates: names, photographs, colour });
}
