/** Dialogs: the browser's own, so that focus and Escape behave. */

import { button, field, h, iconButton } from "./dom.js";
import { text } from "./texts.js";

/** Open a dialog with a title; resolves with what `close(value)` was given, or null.
 * Whoever goes back in the browser leaves it with the view that it was opened in. */
export function ask(title, build, className = "") {
  return new Promise((resolve) => {
    let answer = null;
    const close = (value = null) => {
      answer = value;
      dialog.close();
    };
    const heading = h("h2", { id: "dialog-title" }, title);
    const head = h("header", {}, heading, iconButton("close", text("button.close"), () => close()));
    const dialog = h("dialog", { class: className, "aria-labelledby": "dialog-title" }, head);
    dialog.append(build(close, dialog));
    dialog.addEventListener("click", (event) => event.target === dialog && close());
    const view = location.href;
    const left = () => location.href !== view && close();
    addEventListener("popstate", left);
    dialog.addEventListener("close", () => {
      removeEventListener("popstate", left);
      document.body.append(...dialog.querySelectorAll(".toasts"));
      dialog.remove();
      resolve(answer);
    });
    document.body.append(dialog);
    dialog.showModal();
    const first = dialog.querySelector("[autofocus]");
    first?.focus();
    first?.select?.(); // what is typed takes the place of the words there
  });
}

/** The buttons at a dialog's foot: the last one is what the dialog is for. */
export function foot(close, label, drawing = null) {
  return h(
    "footer",
    {},
    button(text("button.cancel"), () => close()),
    button(label, null, { kind: "primary", drawing, type: "submit" }),
  );
}

/** A form in a dialog; `submit` runs when it is sent by button or Enter. */
export function form(children, submit) {
  const onsubmit = (event) => {
    event.preventDefault();
    submit();
  };
  return h("form", { onsubmit }, ...children);
}

/** Ask for a name; null if the user thinks better of it. */
export function askName(title, label, value, confirm) {
  return ask(title, (close) => {
    const input = h("input", { value, required: true, maxlength: 120, autofocus: true });
    const submit = () => input.value.trim() && close(input.value.trim());
    return form([field(label, input), foot(close, confirm)], submit);
  });
}

/** Ask whether to go on. */
export function confirmed(title, sentence, confirm) {
  return ask(title, (close) => form([h("p", {}, sentence), foot(close, confirm)], () => close(true)));
}
