/** What is wrong with a field, in the words of the page: the browser has only those of its own language. */

import { decimal, text } from "./texts.js";

/** Let every field of the page say so. */
export function explainFields() {
  document.addEventListener("invalid", ({ target }) => explain(target), true);
  document.addEventListener("input", ({ target }) => target.setCustomValidity?.(""), true);
}

function explain(control) {
  control.setCustomValidity("");
  if (!control.validity.valid) control.setCustomValidity(sentence(control));
}

function sentence({ validity, min, max, minLength }) {
  if (validity.valueMissing && !validity.badInput) return text("field.missing");
  if (validity.tooShort) return text("field.short", { count: minLength });
  if (validity.rangeUnderflow || validity.rangeOverflow) {
    return text("field.range", { least: decimal(Number(min)), most: decimal(Number(max)) });
  }
  return text(validity.stepMismatch ? "field.step" : "field.number");
}
