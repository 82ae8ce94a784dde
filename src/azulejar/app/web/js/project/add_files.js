/** Add files to a project: ask what they show, upload them, and start the job that follows. */

import * as api from "../common/api.js";
import { ask, foot, form } from "../common/dialog.js";
import { choice, field, h, icon } from "../common/dom.js";
import { sizeField, startLook } from "./grid_view.js";
import { RECORDS, guess, nameOf } from "../common/files.js";
import { text } from "../common/texts.js";
import { endUpload, sendAll, showRefused, startUpload } from "../common/sending.js";
import { announce, attempt, showMessage, showError } from "../common/toast.js";

const KINDS = ["tiles", "photographs", "panel"];
const COLOURS = ["auto", "chart", "glaze", "off"];

let pending = null; // files for a project that is about to open

/** Add files to a project, or to a new one if `store` is null. */
export async function addFiles({ files, passed, folder }, store = null) {
  if (store?.project.museum) {
    showMessage(text("arrival.museum"), text("arrival.museum.remedy"), "error");
    return;
  }
  if (!files.length) {
    showMessage(text("arrival.nothing"), text("arrival.nothing.remedy"), "error");
    return;
  }
  if (passed) showMessage(text("arrival.passed", { count: passed }));
  const first = await guess(files);
  const name = nameOf(files, folder) ?? text("project.new");
  const clear = first.sure && (store || folder);
  const request = clear ? { kind: first.kind, name } : await askWhat(files, first.kind, name, store);
  if (!request) return;
  if (store) {
    await send(store, files, request);
    return;
  }
  const project = await attempt(() => api.createProject(request.name));
  if (!project) return;
  pending = { id: project.project, files, request };
  location.hash = `project=${project.project}`;
}

/** Upload the files that were chosen for this project before it was open. */
export function uploadPending(store) {
  if (pending?.id !== store.id) return;
  const { files, request } = pending;
  pending = null;
  send(store, files, request, true);
}

function askWhat(files, guessed, name, store) {
  return ask(text("arrival.title", { count: files.length }), (close) => {
    const request = { kind: guessed, name, rows: null, cols: null, colour: "auto", half_tiles: false, side: null };
    const questions = h("div", { class: "questions" });
    const more = () => questions.replaceChildren(...questionsOf(request));
    const cards = KINDS.map((kind) => kindCard(kind, request, more));
    more();
    const input = h("input", { value: name, maxlength: 120, required: true });
    const named = store ? null : field(text("project.name"), input);
    const submit = () => close({ ...request, name: input.value.trim() || name });
    const kinds = h("div", { class: "kinds", role: "radiogroup" }, cards);
    return form([kinds, questions, named, foot(close, text("arrival.go"), "arrow")], submit);
  }, "wide");
}

function kindCard(kind, request, more) {
  const chosen = kind === request.kind;
  const radio = h("input", { type: "radio", name: "kind", value: kind, checked: chosen, autofocus: chosen });
  radio.addEventListener("change", () => {
    request.kind = kind;
    more();
  });
  const words = [h("strong", {}, text(`arrival.${kind}`)), h("small", {}, text(`arrival.${kind}.hint`))];
  return h("label", { class: "kind" }, radio, icon(`kind-${kind}`, "drawing"), ...words);
}

function questionsOf(request) {
  if (request.kind === "photographs") {
    const options = COLOURS.map((each) => [each, text(`arrival.colour.${each}`)]);
    return [
      field(text("arrival.colour"), choice(options, request.colour, (value) => (request.colour = value))),
      halfTilesTick(request.half_tiles, (checked) => (request.half_tiles = checked)),
      field(text("arrival.side"), sideInput(request)),
    ];
  }
  if (request.kind === "panel") return [sizeField(request, "rows"), sizeField(request, "cols")];
  return [];
}

/** The question whether photographs show half and quarter tiles too. */
function halfTilesTick(checked, onChange) {
  const box = h("input", { type: "checkbox", checked, onchange: () => onChange(box.checked) });
  return h("label", { class: "tick" }, box, h("span", {}, text("arrival.half"), h("small", {}, text("arrival.half.hint"))));
}

/** The side of a whole tile in cm, by which the sizes of all tiles are told. */
function sideInput(request) {
  const input = h("input", { type: "number", min: 1, max: 200, step: 0.1, value: request.side ?? "" });
  input.addEventListener("input", () => (request.side = input.value ? Number(input.value) : null));
  return input;
}

/** Upload all files, a few at once, and start the job that follows.
 * A `fresh` project of which nothing comes is not kept. */
async function send(store, files, request, fresh = false) {
  const progress = startUpload(store, request.kind, files);
  const taken = [];
  const waiting = (wanted) => files.filter(wanted).map((file) => ({ file }));
  const upload = async ({ file }, onProgress) => {
    const reply = await api.upload(store.id, progress.kind, file, onProgress);
    taken.push(...reply.taken);
    return reply;
  };
  const passed = await sendAll(store, progress, waiting((file) => file.name !== RECORDS), upload);
  // tiles.csv refers to pictures that must be there first
  passed.push(...(await sendAll(store, progress, waiting((file) => file.name === RECORDS), upload)));
  endUpload(store);
  announce(text("arrival.done", { count: taken.length }));
  const empty = fresh && !taken.length;
  if (empty && (await attempt(() => api.deleteProject(store.id).then(() => true)))) location.hash = "";
  if (passed.length) showRefused(passed, taken.length + passed.length); // a zip holds several
  if (empty) return;
  await store.reload();
  if (taken.length && !progress.stopped) await goOn(store, files, request, taken);
}

async function goOn(store, files, request, taken) {
  try {
    const { colour = "auto", half_tiles = false, side = null } = request;
    if (request.kind === "photographs") await store.start({ kind: "import", colour, half_tiles, side });
    if (request.kind !== "panel") return;
    for (const name of taken) {
      const wanted = { kind: "cut", file: name, rows: request.rows ?? null, cols: request.cols ?? null };
      await startLook(store, wanted, files.find((file) => file.name === name));
    }
  } catch (error) {
    showError(error);
  }
}
