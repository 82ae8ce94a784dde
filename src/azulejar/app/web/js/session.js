/** Who looks at the page, what they may do, and their account. */

import * as api from "./common/api.js";
import { ask, foot, form } from "./common/dialog.js";
import { button, field, h } from "./common/dom.js";
import { openPeople } from "./people.js";
import { text } from "./common/texts.js";
import { attempt, showMessage } from "./common/toast.js";

let session = { accounts: false, name: "", role: "manage" };

/** Ask the server who looks at the page; false if they have to log in first. */
export async function loadSession() {
  return setSession(await api.getSession());
}

/** Take what the server says of who looks at the page; false if that is nobody. */
export function setSession(found) {
  session = found;
  document.body.dataset.role = session.role ?? "none";
  return session.role !== null;
}

/** The name of who looks at the page; empty where there are no accounts. */
export function myName() {
  return session.name;
}

/** Whether they may change anything. */
export function mayWork() {
  return session.role === "work" || session.role === "manage";
}

/** Whether there are accounts, so that others can be asked to look. */
export function hasAccounts() {
  return session.accounts;
}

/** A button with one's name: what can be done with one's account; nothing where there are none. */
export function accountButton() {
  if (!session.accounts || !session.role) return null;
  const label = text("account.title", { name: session.name });
  return h(
    "button",
    { type: "button", class: "account", title: label, "aria-label": label, onclick: openAccount },
    initials(session.name),
  );
}

/** A disc with the first letters of a name's first and last word; what it stands in says the name. */
export function initials(name) {
  const words = name.trim().split(/\s+/);
  const letters = words.length > 1 ? [words[0], words.at(-1)] : words;
  const shown = letters.map((word) => [...word][0]?.toUpperCase() ?? "").join("");
  return h("span", { class: "initials", "data-letters": shown });
}

function openAccount() {
  ask(session.name, (close) => {
    const leave = async () => {
      await attempt(() => api.logOut());
      location.reload();
    };
    const then = (act) => () => {
      close();
      act();
    };
    return h(
      "div",
      { class: "account-choices" },
      h("p", { class: "quiet" }, text(`role.${session.role}.hint`)),
      session.role === "manage" && button(text("people.title"), then(openPeople), { drawing: "people" }),
      button(text("account.password"), then(openPassword), { drawing: "pen" }),
      button(text("account.leave"), leave, { drawing: "leave" }),
    );
  });
}

function openPassword() {
  const attributes = { type: "password", required: true, maxlength: 500 };
  ask(text("account.password"), (close) => {
    const old = h("input", { ...attributes, autocomplete: "current-password", autofocus: true });
    const changed = h("input", { ...attributes, autocomplete: "new-password", minlength: 10 });
    const submit = async () => {
      if (!(await attempt(() => api.changePassword(old.value, changed.value)))) return;
      close();
      showMessage(text("account.password.done"));
    };
    const fields = [field(text("account.password.old"), old)];
    fields.push(field(text("account.password.new"), changed, text("login.password.hint")));
    return form([...fields, foot(close, text("button.save"))], submit);
  });
}
