/** Where everything begins: words, colours, and the page that the address names. */

import { about } from "./common/api.js";
import { button, fill, h } from "./common/dom.js";
import { openKeys } from "./key_help.js";
import { loginPage } from "./login.js";
import { museumPage } from "./museum/museum_page.js";
import { MuseumStore } from "./museum/museum_store.js";
import { projectPage } from "./project/project.js";
import { loadSession } from "./session.js";
import { sharedPage } from "./project/share.js";
import { startPage } from "./start.js";
import { Store } from "./project/store.js";
import { loadTexts, speak, text } from "./common/texts.js";
import { loadTheme } from "./common/theme.js";
import { installToasts, showError } from "./common/toast.js";
import { explainFields } from "./common/validity.js";

const AGAIN_AFTER = 2000; // ms
const app = document.getElementById("app");
let store = null;
let leave = new AbortController();

/** What the address asks for: #project=ID, #museum=ID, #link=SECRET, #shared, or nothing. */
function wanted() {
  const asked = new URLSearchParams(location.hash.slice(1));
  if (asked.has("link") || asked.has("shared")) return { kind: null, secret: asked.get("link") };
  if (asked.has("museum")) return { kind: MuseumStore, id: asked.get("museum") };
  return { kind: Store, id: asked.get("project") };
}

async function show() {
  const { kind, id, secret } = wanted();
  if (!kind) return drawShared(secret);
  if (outside) return drawLogin();
  const open = store instanceof kind && store.id === id;
  if (open && kind === MuseumStore && app.querySelector(".museum")) return; // its page follows by itself
  if (store && !open) {
    store.close();
    store = null;
  }
  try {
    if (id && !store) store = await kind.open(id);
    offers = (await asked) ?? offers;
    if (!id && offers.museum) location.replace(`#museum=${offers.museum}`);
    else draw();
  } catch (error) {
    showError(error);
    if (error.status === 0 || id === offers.museum) drawLost();
    else location.hash = "";
  }
}

/** Draw the page anew in the language of now. */
function draw() {
  leave.abort();
  leave = new AbortController();
  document.title = store ? text("app.title.project", { name: store.name }) : text("app.title");
  if (store instanceof MuseumStore) museumPage(store, shell(), app);
  else if (store) projectPage(store, shell(), app);
  else startPage(shell(), app);
}

/** What every page needs: when it is left, how to change the language, what the server offers. */
function shell() {
  return { signal: leave.signal, speak: changeLanguage, offers };
}

/** Draw the panel that a link leads to. */
async function drawShared(secret = null) {
  store?.close();
  store = null;
  leave.abort();
  leave = new AbortController();
  try {
    await sharedPage(shell(), app, secret);
  } catch (error) {
    fill(app, h("main", { class: "lost" }, h("h1", {}, error.problem), h("p", {}, error.remedy)));
  }
}

/** Draw the page to log in, whatever the address asks for. */
function drawLogin() {
  store?.close();
  store = null;
  leave.abort();
  leave = new AbortController();
  document.title = text("app.title");
  loginPage(shell(), app, async () => {
    outside = false;
    offers = await about().catch(() => offers);
    show();
  });
}

function drawLost() {
  const again = button(text("error.again"), () => location.reload(), { kind: "primary" });
  fill(app, h("main", { class: "lost" }, h("p", {}, text("error.unanswered")), again));
  document.addEventListener("answered", show, { once: true });
  const ask = () => about().catch(() => setTimeout(ask, AGAIN_AFTER));
  setTimeout(ask, AGAIN_AFTER);
}

function changeLanguage(tag) {
  speak(tag, true);
  if (!wanted().kind) drawShared();
  else if (outside) drawLogin();
  else draw();
}

/** What the server offers: its measures, presets and limits, and the museum if it serves that alone. */
let offers = { measures: ["dlcm"], presets: ["standard"], museum: null };
let outside = false; // nobody is logged in

loadTheme();
await loadTexts();
installToasts();
explainFields();
outside = !(await loadSession().catch(() => true));
const asked = outside ? null : about().catch(() => offers);
addEventListener("logged-out", () => {
  if (outside) return;
  outside = true;
  drawLogin();
});
addEventListener("gone", ({ detail }) => {
  if (!store) return;
  showError(detail);
  location.hash = "";
});
addEventListener("hashchange", show);
addEventListener("keydown", (event) => {
  const writing = event.target.closest?.("input, textarea, select");
  if (event.key === "?" && !writing && !document.querySelector("dialog[open]")) openKeys();
});
show();
