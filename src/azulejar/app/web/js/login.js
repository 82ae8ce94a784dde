/** The page to log in. */

import { logIn } from "./common/api.js";
import { form } from "./common/dialog.js";
import { button, field, fill, h, icon } from "./common/dom.js";
import { preferences } from "./preferences.js";
import { setSession } from "./session.js";
import { text } from "./common/texts.js";

/** Draw the page to log in; `enter` is called afterwards. */
export function loginPage(shell, root, enter) {
  const name = h("input", { autocomplete: "username", required: true, maxlength: 120, autofocus: true });
  const password = h("input", { type: "password", autocomplete: "current-password", required: true, maxlength: 500 });
  const submit = async () => {
    try {
      setSession(await logIn(name.value, password.value));
    } catch (error) {
      fill(wrong, `${error.problem} ${error.remedy}`);
      password.value = "";
      return password.focus();
    }
    return enter();
  };
  const wrong = h("p", { class: "wrong", role: "alert" });
  const go = button(text("login.go"), null, { kind: "primary large", type: "submit" });
  const fields = [field(text("login.name"), name), field(text("login.password"), password), wrong, go];
  fill(
    root,
    h(
      "main",
      { class: "login" },
      h("header", { class: "start-head" }, h("h1", { class: "wordmark" }, icon("azulejo", "mark"), text("app.title"))),
      h("p", { class: "quiet" }, text("login.sentence")),
      form(fields, submit),
      preferences(shell),
    ),
  );
  name.focus();
}
