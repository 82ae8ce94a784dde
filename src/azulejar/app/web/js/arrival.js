/** Files arrive: what they are, where they go, how far they are, and what is done with them. */

import * as api from "./api.js";
import { ask, foot, form } from "./dialog.js";
import { choice, field, h, icon } from "./dom.js";
import { PICTURE, RECORDS, guess, nameOf } from "./files.js";
import { text } from "./texts.js";
import { announce, attempt, tell, tellRefusal } from "./toast.js";

const KINDS = ["tiles", "photographs", "panel"];
const COLOURS = ["none", "grey-world", "card"];
const AT_ONCE = 3;
const TRIES = 5;
const PAUSE = 2000;

/** Photographs of panels sent from this page, so that their corners can be shown. */
const sent = new Map();

let waiting = null; // files for a project that is about to open

/** Files for a project, or for a new one if `store` is null. */
export async function bring({ files, passed, folder }, store = null) {
  if (!files.length) {
    tell(text("arrival.nothing"), text("arrival.nothing.remedy"), "refusal");
    return;
  }
  if (passed) tell(text("arrival.passed", { count: passed }));
  const first = await guess(files);
  const name = nameOf(files, folder) ?? text("project.new");
  const clear = first.sure && (store || folder);
  const wish = clear ? { kind: first.kind, name } : await askWhat(files, first.kind, name, store);
  if (!wish) return;
  if (store) {
    await send(store, files, wish);
    return;
  }
  const project = await attempt(() => api.createProject(wish.name));
  if (!project) return;
  waiting = { id: project.project, files, wish };
  location.hash = `project=${project.project}`;
}

/** Begin with what was brought for this project before it was open. */
export function sendWaiting(store) {
  if (waiting?.id !== store.id) return;
  const { files, wish } = waiting;
  waiting = null;
  send(store, files, wish);
}

/** The file of a photograph of a panel, if this page sent it. */
export function sentPanel(name) {
  return sent.get(name) ?? null;
}

function askWhat(files, guessed, name, store) {
  return ask(text("arrival.title", { count: files.length }), (close) => {
    const wish = { kind: guessed, name, rows: null, cols: null, colour: "none" };
    const questions = h("div", { class: "questions" });
    const more = () => questions.replaceChildren(...questionsOf(wish));
    const cards = KINDS.map((kind) => kindCard(kind, wish, more));
    more();
    const input = h("input", { value: name, maxlength: 120, required: true });
    const named = store ? null : field(text("project.name"), input);
    const submit = () => close({ ...wish, name: input.value.trim() || name });
    const kinds = h("div", { class: "kinds", role: "radiogroup" }, cards);
    return form([kinds, questions, named, foot(close, text("arrival.go"), "arrow")], submit);
  }, "wide");
}

function kindCard(kind, wish, more) {
  const chosen = kind === wish.kind;
  const radio = h("input", { type: "radio", name: "kind", value: kind, checked: chosen, autofocus: chosen });
  radio.addEventListener("change", () => {
    wish.kind = kind;
    more();
  });
  const words = [h("strong", {}, text(`arrival.${kind}`)), h("small", {}, text(`arrival.${kind}.hint`))];
  return h("label", { class: "kind" }, radio, icon(`kind-${kind}`, "drawing"), ...words);
}

function questionsOf(wish) {
  if (wish.kind === "photographs") {
    const options = COLOURS.map((each) => [each, text(`arrival.colour.${each}`)]);
    return [field(text("arrival.colour"), choice(options, wish.colour, (value) => (wish.colour = value)))];
  }
  if (wish.kind === "panel") return [sizeField(wish, "rows"), sizeField(wish, "cols")];
  return [];
}

/** A field for the rows or columns of a wish, which may be unknown. */
export function sizeField(wish, side) {
  const input = h("input", { type: "number", min: 1, max: 10000, value: wish[side] ?? "" });
  input.placeholder = text("solve.unknown");
  input.addEventListener("input", () => (wish[side] = input.value ? Number(input.value) : null));
  return field(text(`solve.${side}`), input);
}

/** Upload everything, a few at once, and begin the work that follows. */
async function send(store, files, wish) {
  const bytes = files.reduce((sum, file) => sum + file.size, 0);
  const progress = { kind: wish.kind, count: files.length, done: 0, bytes, sent: 0, stopped: false };
  const taken = [];
  const passed = [];
  const left = files.filter((file) => file.name !== RECORDS);
  const records = files.filter((file) => file.name === RECORDS);
  store.uploading = progress;
  store.emit("uploading");
  const sendAll = async () => {
    while (left.length && !progress.stopped) await sendOne(store, left.shift(), progress, taken, passed);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sendAll));
  left.push(...records); // tiles.csv speaks of pictures that must be there
  await sendAll();
  store.uploading = null;
  store.emit("uploading");
  announce(text("arrival.done", { count: taken.length }));
  if (passed.length) showPassed(passed, files.length);
  await store.reload();
  if (taken.length && !progress.stopped) await goOn(store, files, wish, taken);
}

async function sendOne(store, file, progress, taken, passed) {
  let before = 0;
  const onProgress = (now) => {
    progress.sent += now - before;
    before = now;
    store.emit("uploading");
  };
  for (let attempts = 1; ; attempts++) {
    try {
      const said = await api.upload(store.id, progress.kind, file, onProgress);
      taken.push(...said.taken);
      passed.push(...said.passed_over);
      break;
    } catch (refusal) {
      if (refusal.status !== 0 || attempts === TRIES || progress.stopped) {
        passed.push(refusal);
        break;
      }
      onProgress(0);
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
  }
  progress.done += 1;
  onProgress(file.size);
}

async function goOn(store, files, wish, taken) {
  try {
    if (wish.kind === "photographs") await store.start({ kind: "import", colour: wish.colour ?? "none" });
    if (wish.kind !== "panel") return;
    for (const file of files.filter((each) => PICTURE.test(each.name))) sent.set(file.name, file);
    for (const name of taken) {
      await store.start({ kind: "cut", file: name, rows: wish.rows ?? null, cols: wish.cols ?? null });
    }
  } catch (refusal) {
    tellRefusal(refusal);
  }
}

/** What the server did not take, with the reason of each. */
function showPassed(passed, count) {
  const title = text("arrival.refused", { count: passed.length, total: count });
  const row = ({ problem, remedy }) => h("li", {}, h("strong", {}, problem), h("p", {}, remedy));
  ask(title, (close) => {
    const list = h("ul", { class: "reasons" }, passed.slice(0, 200).map(row));
    const ok = h("button", { class: "button primary", autofocus: true }, text("button.understood"));
    return form([list, h("footer", {}, ok)], () => close());
  });
}
