/** Calm messages in a corner, and a line that only screen readers hear. */

import { h, fill, iconButton } from "./dom.js";
import { text } from "./texts.js";

const SECONDS = 8;
const toasts = h("div", { class: "toasts", role: "status" });
const heard = h("div", { class: "unseen", "aria-live": "polite", role: "log" });

/** Put the places for messages on the page. */
export function installToasts() {
  document.body.append(toasts, heard);
}

/** Show a sentence, and what to do about it if anything. */
export function tell(sentence, remedy = null, kind = "news") {
  if ([...toasts.children].some((each) => each.dataset.sentence === sentence)) return;
  const close = iconButton("close", text("button.close"), () => toast.remove());
  const words = h("div", {}, h("strong", {}, sentence), remedy && h("p", {}, remedy));
  const toast = h("div", { class: `toast ${kind}`, "data-sentence": sentence }, words, close);
  toasts.append(toast);
  onTop();
  if (kind === "news") setTimeout(() => toast.remove(), SECONDS * 1000);
}

/** Show what went wrong. */
export function tellRefusal(refusal) {
  if (!refusal.problem) throw refusal;
  tell(refusal.problem, refusal.remedy, "refusal");
}

/** Run something for the user; what goes wrong is told, and undefined comes back. */
export async function attempt(action) {
  try {
    return await action();
  } catch (refusal) {
    tellRefusal(refusal);
    return undefined;
  }
}

/** Say something to a screen reader only. */
export function announce(sentence) {
  fill(heard, sentence);
}

/** Messages stay above an open dialog. */
function onTop() {
  const open = [...document.querySelectorAll("dialog[open]")].at(-1);
  (open ?? document.body).append(toasts);
}
