/** Light or dark: as the system says, until the user chooses. */

const REMEMBERED = "azulejar.theme";
const system = matchMedia("(prefers-color-scheme: dark)");

/** Whether the page is dark now. */
export function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : system.matches;
}

/** Take what was chosen before, and tell the table when the system changes. */
export function loadTheme() {
  const remembered = localStorage.getItem(REMEMBERED);
  if (remembered) document.documentElement.dataset.theme = remembered;
  system.addEventListener("change", tell);
}

/** Change to the other one and remember it. */
export function switchTheme() {
  const chosen = isDark() ? "light" : "dark";
  document.documentElement.dataset.theme = chosen;
  localStorage.setItem(REMEMBERED, chosen);
  tell();
}

/** Whether the table stands in the dark room: nothing but the tiles, on black. */
export function isDarkRoom() {
  return "room" in document.documentElement.dataset;
}

/** Go into the dark room, or leave it. */
export function switchRoom() {
  document.documentElement.toggleAttribute("data-room");
  tell();
}

export function leaveRoom() {
  if (isDarkRoom()) switchRoom();
}

function tell() {
  document.dispatchEvent(new Event("themechange"));
}
