/** All texts of the page, in the language that was chosen or that the browser prefers. */

const TAGS = ["en", "pt"]; // a language more is a file in ../texts and its tag here

/** The languages by their tags, each named in itself. */
export const LANGUAGES = {};
const REMEMBERED = "azulejar.language";
const LABEL_VALUE = 30; // letters of a value in a label
const REFRESH = 20_000; // ms after which moments are told anew

const fingers = matchMedia("(hover: none) and (pointer: coarse)");
let texts = {};
let language = "en";
const textsOf = {};

/** The language in use. */
export function currentLanguage() {
  return language;
}

/** Load the texts of every language; use the remembered one, the browser's, or English. */
export async function loadTexts() {
  await Promise.all(TAGS.map(load));
  for (const tag of TAGS) LANGUAGES[tag] = textsOf[tag]["language.name"];
  const remembered = localStorage.getItem(REMEMBERED);
  const wanted = [remembered, ...navigator.languages].filter(Boolean).map((tag) => tag.slice(0, 2));
  speak(wanted.find((tag) => tag in LANGUAGES) ?? "en");
  setInterval(refreshMoments, REFRESH);
}

async function load(tag) {
  const reply = await fetch(new URL(`../../texts/${tag}.json`, import.meta.url));
  textsOf[tag] = await reply.json();
}

/** Change to a language at once, and remember it if the user chose it. */
export function speak(tag, remember = false) {
  texts = textsOf[tag];
  language = tag;
  document.documentElement.lang = locale();
  if (remember) localStorage.setItem(REMEMBERED, tag);
}

/** The text of a key with {name} filled in; of {one, other} the form that fits values.count, of {touch, other} the
 * one without keys for who has only fingers. */
export function text(key, values = {}) {
  let found = texts[key] ?? key;
  if (typeof found === "object") found = (fingers.matches && found.touch) || (found[plural(values.count)] ?? found.other);
  return found.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

/** Whether there is a text for a key. */
export function hasText(key) {
  return key in texts;
}

/** An error of the server {code, values, problem, remedy} as {problem, remedy} in the language of
 * the page. Its own English sentences are used where there is no text for its code. */
export function phraseError({ code, values, problem, remedy }) {
  const found = texts.errors?.[code];
  if (!found) return { problem, remedy };
  // An error within the import of one photograph carries that photograph's name and its cause.
  const photo = values.cause ? `${values.photo}: ` : "";
  return { problem: photo + fillIn(found.problem, values), remedy: fillIn(found.remedy, values) };
}

/** A note of a job {code, values, text}, likewise; the note may also be an error. */
export function phraseNote({ code, values, text: english }) {
  const note = texts.notes?.[code];
  if (note) return fillIn(note, values);
  if (!texts.errors?.[code]) return english;
  const { problem, remedy } = phraseError({ code, values });
  return `${problem} ${remedy}`;
}

/** The note that an import left on a tile: English remarks joined by semicolons, known ones translated. */
export function phraseTileNote(note) {
  return note.split("; ").map(phraseRemark).join("; ");
}

function phraseRemark(remark) {
  for (const [english, translated] of Object.entries(texts.remarks ?? {})) {
    const pattern = english.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replace(/\{(\w+)\}/g, "(?<$1>.+?)");
    const found = remark.match(new RegExp(`^${pattern}$`));
    if (found) return fillIn(translated, found.groups ?? {});
  }
  return remark;
}

/** A template with {name} or, as in Python, {name:,}, {name:.1f} or {name:.0%} filled in. */
function fillIn(template, values) {
  const filled = (_, name, spec) => written(values[name] ?? "", spec ?? "");
  return template.replace(/\{(\w+)(?:!r)?(?::([^}]*))?\}/g, filled);
}

function written(value, spec) {
  if (Array.isArray(value)) return value.join(", ");
  if (typeof value !== "number") return texts.words?.[value] ?? share(String(value));
  const [, digits, percents] = spec.match(/^,?(?:\.(\d+))?[fg]?(%?)$/) ?? [];
  return localized(value, percents ? { style: "percent" } : {}, digits);
}

/** A share that the server has written in English, as 1.4%, in the language of the page; other words as they are. */
function share(words) {
  const [, number, digits = ""] = words.match(/^(\d+(?:\.(\d+))?)%$/) ?? [];
  return number ? localized(number / 100, { style: "percent" }, digits.length) : words;
}

function localized(value, style, digits) {
  const exact = digits ? { minimumFractionDigits: Number(digits), maximumFractionDigits: Number(digits) } : {};
  return new Intl.NumberFormat(locale(), { ...style, ...exact }).format(value);
}

/** The label of an action as the server keeps it: "table.edit.move|count=1|number=t12", so that each page
 * says it in its own language. */
export function writeLabel(key, values = {}) {
  const short = (value) => String(value).replaceAll("|", " ").slice(0, LABEL_VALUE);
  return [key, ...Object.entries(values).map(([name, value]) => `${name}=${short(value)}`)].join("|");
}

/** A label, or the source of a version such as solve, in the language of the page; other words as they are. */
export function sourceName(name) {
  if (hasText(`versions.from.${name}`)) return text(`versions.from.${name}`);
  const [key, ...values] = name.split("|");
  if (!hasText(key)) return name;
  return text(key, Object.fromEntries(values.map((each) => each.split(/=(.*)/s, 2))));
}

/** A number with its decimals as the language writes them. */
export function decimal(value) {
  return new Intl.NumberFormat(locale()).format(value);
}

/** A panel's name: "Panel 2" for one that is only numbered. */
export function panelWords(name) {
  return /^\d+$/.test(name) ? text("tabs.panel.number", { name }) : name;
}

/** "Solved" for a version that nobody has named, else its name. */
export function versionName(version) {
  return sourceName(version.name || version.source);
}

function locale() {
  return text("language.locale");
}

function plural(count) {
  return new Intl.PluralRules(locale()).select(Number(count ?? 0));
}

/** 12345 as 12,345. */
export function count(number) {
  return new Intl.NumberFormat(locale()).format(number);
}

/** 0.934 as 93 %. */
export function percent(fraction) {
  return new Intl.NumberFormat(language, { style: "percent" }).format(fraction);
}

/** A probability in percent; nothing that a program thinks is called entirely sure. */
export function sureness(probability) {
  return percent(Math.min(0.99, probability));
}

/** A number of bytes as text, in MB. */
export function megabytes(bytes) {
  const style = { style: "unit", unit: "megabyte", maximumFractionDigits: bytes < 1e7 ? 1 : 0 };
  return new Intl.NumberFormat(locale(), style).format(bytes / 1e6);
}

/** A number of seconds as text. */
export function duration(seconds) {
  if (seconds < 90) return text("time.seconds", { count: Math.max(1, Math.round(seconds)) });
  if (seconds < 5400) return text("time.minutes", { count: Math.round(seconds / 60) });
  return text("time.hours", { count: Math.round(seconds / 3600) });
}

/** A moment as an element whose words stay true. */
export function momentElement(iso) {
  const element = document.createElement("time");
  element.dateTime = iso;
  element.textContent = moment(iso);
  return element;
}

/** Tell all moments of the page anew. */
export function refreshMoments() {
  for (const each of document.querySelectorAll("time[datetime]")) each.textContent = moment(each.dateTime);
}

/** A moment as text: a few minutes ago, or its day and time. */
export function moment(iso) {
  const then = new Date(iso);
  const minutes = (Date.now() - then) / 60000;
  if (minutes < 1) return text("time.now");
  if (minutes < 60) return new Intl.RelativeTimeFormat(language).format(-Math.round(minutes), "minute");
  const style = { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" };
  if (then.getFullYear() !== new Date().getFullYear()) style.year = "numeric";
  return new Intl.DateTimeFormat(locale(), style).format(then);
}
