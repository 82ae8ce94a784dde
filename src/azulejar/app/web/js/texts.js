/** All words of the page, in the language that was chosen or that the browser speaks. */

export const LANGUAGES = { en: "English", pt: "Português" };
const REMEMBERED = "azulejar.language";

let words = {};
let language = "en";

/** The language in use. */
export function spoken() {
  return language;
}

/** Load the words of the language remembered, of the browser's, or English. */
export async function loadTexts() {
  const remembered = localStorage.getItem(REMEMBERED);
  const wanted = [remembered, ...navigator.languages].filter(Boolean).map((tag) => tag.slice(0, 2));
  await speak(wanted.find((tag) => tag in LANGUAGES) ?? "en");
}

/** Change to a language, and remember it if the user chose it. */
export async function speak(tag, remember = false) {
  const answer = await fetch(new URL(`../texts/${tag}.json`, import.meta.url));
  words = await answer.json();
  language = tag;
  document.documentElement.lang = tag === "pt" ? "pt-PT" : tag;
  if (remember) localStorage.setItem(REMEMBERED, tag);
}

/** The words of a key with {name} filled in; of {one, other} the one that fits values.count. */
export function text(key, values = {}) {
  let found = words[key] ?? key;
  if (typeof found === "object") found = found[plural(values.count)] ?? found.other;
  return found.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

/** Whether there are words for a key. */
export function knows(key) {
  return key in words;
}

function plural(count) {
  return new Intl.PluralRules(language === "pt" ? "pt-PT" : language).select(count ?? 0);
}

/** 0.934 as 93 %. */
export function percent(fraction) {
  return new Intl.NumberFormat(language, { style: "percent" }).format(fraction);
}

/** A span of seconds in words. */
export function duration(seconds) {
  if (seconds < 90) return text("time.seconds", { count: Math.max(1, Math.round(seconds)) });
  if (seconds < 5400) return text("time.minutes", { count: Math.round(seconds / 60) });
  return text("time.hours", { count: Math.round(seconds / 3600) });
}

/** A moment as people say it: a few minutes ago, or its day and time. */
export function moment(iso) {
  const then = new Date(iso);
  const minutes = (Date.now() - then) / 60000;
  if (minutes < 1) return text("time.now");
  if (minutes < 60) return new Intl.RelativeTimeFormat(language).format(-Math.round(minutes), "minute");
  const style = { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" };
  if (then.getFullYear() !== new Date().getFullYear()) style.year = "numeric";
  return new Intl.DateTimeFormat(language === "pt" ? "pt-PT" : language, style).format(then);
}
