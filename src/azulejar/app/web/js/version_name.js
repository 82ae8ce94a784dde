/** What a version is called on the page. */

import { knows, text } from "./texts.js";

/** What the server names by the kind of work, such as solve, in the user's language. */
export function workWords(name) {
  return knows(`versions.from.${name}`) ? text(`versions.from.${name}`) : name;
}

/** "Solved" for a version that nobody has named, else its name. */
export function nameOfVersion(version) {
  return workWords(version.name || version.source);
}
