/** Links for colleagues: made, copied and withdrawn here, opened on a page of their own. */

import * as api from "../common/api.js";
import { ask, form } from "../common/dialog.js";
import { button, field, fill, h, icon, iconButton, redraw } from "../common/dom.js";
import { preferences } from "../preferences.js";
import { Table } from "../table/table.js";
import { moment, text } from "../common/texts.js";
import { attempt, showMessage } from "../common/toast.js";

const AGAIN = 20_000; // ms between two looks whether a link still leads here

/** Open the list of the project's links, and the form for a new one to the open panel. */
export function openShare(store) {
  const panel = Math.max(0, store.panel);
  return ask(text("share.title"), () => {
    const list = h("ul", { class: "plain people" });
    const copied = h("div", { class: "made", "aria-live": "polite" });
    let shown = null; // the link whose address can be copied
    const load = async () => {
      const links = await attempt(() => api.listLinks(store.id));
      redraw(list, (links ?? []).map((link) => row(store, link, gone)));
    };
    const gone = ({ link }) => {
      if (link === shown) fill(copied); // its address leads nowhere now
      load();
    };
    load();
    const name = h("input", { required: true, maxlength: 120, autofocus: true });
    const submit = async () => {
      const made = await attempt(() => api.makeLink(store.id, { panel, name: name.value.trim() }));
      if (!made) return;
      name.value = "";
      shown = made.link.link;
      fill(copied, address(`${location.origin}/#link=${made.secret}`));
      load();
    };
    const make = button(text("share.make"), null, { drawing: "link", kind: "primary", type: "submit" });
    const sentence = text("share.sentence", { panel: isAlone(store) ? store.name : store.board.panels[panel] });
    return h("div", { class: "share" }, form([h("p", {}, sentence), field(text("share.name"), name), make], submit), copied, list);
  });
}

/** Whether the project has one panel only, which goes by the name of the project. */
function isAlone(store) {
  return store.board.panels.length === 1;
}

/** The address of a new link, to be copied now: it is not shown again. */
function address(url) {
  const shown = h("input", { readonly: true, value: url, "aria-label": text("share.address") });
  const copy = async () => {
    shown.select();
    await navigator.clipboard?.writeText(url).catch(() => null);
    showMessage(text("share.copied"));
  };
  return [h("p", { class: "quiet" }, text("share.once")), h("div", { class: "row" }, shown, button(text("share.copy"), copy))];
}

function row(store, link, onGone) {
  const withdraw = async () => {
    await attempt(() => api.withdrawLink(store.id, link.link));
    onGone(link);
  };
  const panel = store.board.panels[link.panel] ?? link.panel + 1;
  const facts = [!isAlone(store) && text("share.panel", { panel }), link.who, moment(link.created)].filter(Boolean).join(" · ");
  const words = h("div", { class: "grow" }, h("strong", {}, link.name), h("br"), h("small", {}, facts));
  return h("li", {}, words, iconButton("bin", text("share.withdraw.of", { name: link.name }), withdraw));
}

/** Draw the panel that a link leads to; `secret` is null once the link has been opened. */
export async function sharedPage(shell, root, secret) {
  const shown = await (secret ? api.openLink(secret) : api.getShared());
  history.replaceState(null, "", "#shared");
  const canvas = h("canvas", { class: "table", tabindex: 0 });
  const about = h("small", { "aria-live": "polite" });
  const panel = shown.panel && text("share.panel", { panel: shown.panel });
  const title = h("h1", { class: "name" }, [shown.project, panel].filter(Boolean).join(" · "));
  const head = h("header", { class: "bar" }, icon("azulejo", "mark"), title, about, h("span", { class: "grow" }), preferences(shell));
  fill(root, h("div", { class: "shared" }, head, h("main", { class: "stage" }, canvas)));
  document.title = text("app.title.project", { name: shown.project });
  const table = new Table(canvas, { texts: text, readOnly: true });
  const state = { revision: 0, board: shown.board };
  table.open({ tiles: shown.tiles, state }, await api.getSharedAtlas().catch(() => null), "/api/shared");
  const numbers = new Map(shown.tiles.map((tile) => [tile.tile, tile]));
  const tell = ({ detail: { tile } }) => {
    const found = numbers.get(tile);
    about.textContent = found ? [found.number, found.crate].filter(Boolean).join(" · ") : "";
  };
  table.addEventListener("hover", tell, { signal: shell.signal });
  const look = () => follow(table, root);
  const timer = setInterval(look, AGAIN);
  document.addEventListener("visibilitychange", look, { signal: shell.signal });
  shell.signal.addEventListener("abort", () => {
    clearInterval(timer);
    table.destroy();
  });
}

/** Show the panel no longer once its link is withdrawn. */
async function follow(table, root) {
  try {
    await api.getShared();
  } catch (error) {
    if (error.status !== 401) return;
    table.destroy();
    fill(root, h("main", { class: "lost" }, h("h1", {}, error.problem), h("p", {}, error.remedy)));
  }
}
