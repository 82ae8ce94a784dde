/** Messages in a corner of the page, and a line for screen readers only. */

import { button, fill, h, iconButton } from "./dom.js";
import { text } from "./texts.js";

const SECONDS = 8;
const toasts = h("div", { class: "toasts", role: "status" });
const heard = h("div", { class: "unseen", "aria-live": "polite", role: "log" });

let last = null; // the message that offers to undo what was done last
let byKeyboard = false; // whether the last thing that was used is the keyboard

/** Add the elements for messages to the page. */
export function installToasts() {
  addEventListener("keydown", () => (byKeyboard = true), true);
  addEventListener("pointerdown", () => (byKeyboard = false), true);
  document.body.append(toasts, heard);
  document.addEventListener("answered", () => toasts.querySelectorAll(".unanswered").forEach((each) => each.remove()));
}

/** Show a sentence, and a remedy if there is one. */
export function showMessage(sentence, remedy = null, kind = "news") {
  if ([...toasts.children].some((each) => each.dataset.sentence === sentence)) return;
  const close = iconButton("close", text("button.close"), () => toast.remove());
  const words = h("div", {}, h("strong", {}, sentence), remedy && h("p", {}, remedy));
  const toast = h("div", { class: `toast ${kind}`, "data-sentence": sentence }, words, close);
  toasts.append(toast);
  onTop();
  if (kind === "news") removeLater(toast);
}

/** Say what was done, with a button that takes it back, at once at hand for who uses the keyboard. */
export function offerUndo(sentence, undo) {
  const back = button(text("bar.undo"), () => {
    toast.remove();
    undo();
  });
  const toast = h("div", { class: "toast news" }, h("div", { class: "row" }, h("strong", {}, sentence), back));
  toasts.append(toast);
  onTop();
  removeLater(toast);
  if (byKeyboard) back.focus();
  return toast;
}

/** The same for the last thing that was done in a store; it is withdrawn when that is no longer the last. */
export function offerLastUndo(sentence, store) {
  withdrawUndo();
  last = offerUndo(sentence, () => store.undo());
}

/** Withdraw that offer: something else is done, or undone. */
export function withdrawUndo() {
  last?.remove();
  last = null;
}

/** Remove a message after a while, but not from under the pointer or the keyboard. */
function removeLater(toast) {
  const leave = () => (toast.matches(":hover, :focus-within") ? removeLater(toast) : toast.remove());
  setTimeout(leave, SECONDS * 1000);
}

/** Show a problem and its remedy; throw errors that have none. */
export function showError(error) {
  if (!error.problem) throw error;
  showMessage(error.problem, error.remedy, error.status === 0 ? "error unanswered" : "error");
}

/** Run `action`; show an error instead of throwing it, and return undefined then. */
export async function attempt(action) {
  try {
    return await action();
  } catch (error) {
    showError(error);
    return undefined;
  }
}

/** Announce something to screen readers only. */
export function announce(sentence) {
  fill(heard, sentence);
}

/** Keep messages above an open dialog. */
function onTop() {
  const open = [...document.querySelectorAll("dialog[open]")].at(-1);
  (open ?? document.body).append(toasts);
}
