/** The accounts of the server, for managers: add, change and remove them; who logged in. */

import * as api from "./common/api.js";
import { ask, confirmed, form } from "./common/dialog.js";
import { button, choice, field, h, iconButton, redraw } from "./common/dom.js";
import { hasText, momentElement, text } from "./common/texts.js";
import { attempt, showMessage } from "./common/toast.js";

const ROLES = ["look", "work", "manage"];
const SHOWN = 20;

/** Open the list of people. */
export function openPeople() {
  return ask(
    text("people.title"),
    () => {
      const list = h("ul", { class: "plain people" });
      const history = h("ol", { class: "plain history" });
      const load = async () => {
        const people = await attempt(() => api.listPeople());
        if (people) redraw(list, people.map((person) => row(person, load)));
        const entries = (await attempt(() => api.getAccountHistory())) ?? [];
        redraw(history, entries.slice(0, SHOWN).map(entryRow));
      };
      load();
      const past = h("details", {}, h("summary", {}, text("people.history")), history);
      return h("div", {}, list, newPerson(load), past);
    },
    "wide",
  );
}

function row(person, load) {
  const change = async (changes) => {
    await attempt(() => api.changePerson(person.person, changes));
    load();
  };
  const label = text("people.role.of", { name: person.name });
  const role = choice(roles(), person.role, (chosen) => change({ role: chosen }), { "aria-label": label });
  const password = async () => {
    const given = await askPassword(person.name);
    if (!given) return;
    await change({ password: given });
    showMessage(text("people.password.done", { name: person.name }));
  };
  const remove = async () => {
    const sentence = text("people.remove.sentence", { name: person.name });
    if (!(await confirmed(text("people.remove.title"), sentence, text("people.remove")))) return;
    await attempt(() => api.removePerson(person.person));
    load();
  };
  return h(
    "li",
    {},
    h("strong", {}, person.name),
    role,
    iconButton("key", text("people.password.of", { name: person.name }), password),
    iconButton("bin", text("people.remove.of", { name: person.name }), remove),
  );
}

function roles() {
  return ROLES.map((role) => [role, text(`role.${role}`)]);
}

function newPerson(load) {
  const name = h("input", { required: true, maxlength: 120, autocomplete: "off" });
  const password = h("input", { type: "password", required: true, minlength: 10, autocomplete: "new-password" });
  const role = choice(roles(), "work");
  const submit = async () => {
    const person = { name: name.value.trim(), role: role.value, password: password.value };
    if (!(await attempt(() => api.addPerson(person)))) return;
    name.value = password.value = "";
    load();
  };
  const fields = h(
    "div",
    { class: "questions" },
    field(text("login.name"), name),
    field(text("people.role"), role),
    field(text("login.password"), password, text("login.password.hint")),
  );
  const add = button(text("people.add"), null, { kind: "primary", type: "submit" });
  return form([h("h3", {}, text("people.new")), fields, add], submit);
}

function askPassword(name) {
  return ask(text("people.password.of", { name }), (close) => {
    const attributes = { type: "password", required: true, minlength: 10, autocomplete: "new-password" };
    const input = h("input", { ...attributes, autofocus: true });
    const save = button(text("button.save"), null, { kind: "primary", type: "submit" });
    const hint = text("login.password.hint");
    return form([field(text("account.password.new"), input, hint), h("footer", {}, save)], () => close(input.value));
  });
}

/** An entry of a history: what, who, when. */
export function entryRow({ who, what, about, at }) {
  const key = what === "job" ? `history.job.${about}` : `history.${what}`;
  const words = hasText(key) ? text(key, { about, count: Number(about) }) : `${what} ${about}`;
  return h("li", {}, h("span", {}, words), h("small", {}, who && `${who} · `, momentElement(at)));
}
