/**
 * Texts by key, with parameters and plural forms, in the language of the moment.
 *
 * One catalogue a language (`en.ts`, `sv.ts`, and `zh.ts` for the crew pages); a text is a string, or plural forms that
 * are chosen by the parameter `n` through `Intl.PluralRules`. `{name}` is replaced; numbers are written by
 * `Intl.NumberFormat`. English is the source: it says which keys there are, and stands in for a key that another
 * catalogue lacks, by its own plural rules. Who draws texts listens with
 * `onLanguage`; `HpElement` does.
 */
import { en } from "./en.js";
import { sv } from "./sv.js";
import { zh } from "./zh.js";

export const languages = ["en", "sv", "zh"] as const;
export type Language = (typeof languages)[number];
export type TextKey = keyof typeof en;
export type Params = Record<string, string | number>;
export type Plural = { readonly one: string; readonly other: string };
export type Entry = string | Plural;

const catalogues: Record<Language, Readonly<Partial<Record<TextKey, Entry>>>> = { en, sv, zh };
/** Numbers, and dates: days before months and hours to 24 in all. */
const locales = {
  en: { numbers: "en", dates: "en-GB" },
  sv: { numbers: "sv-SE", dates: "sv-SE" },
  zh: { numbers: "zh-CN", dates: "zh-CN" },
} as const;

let current: Language = "en";
const source = new Intl.PluralRules("en");
let plurals = source;
let numbers = new Intl.NumberFormat(locales[current].numbers);
const listeners = new Set<() => void>();

/** The language of what is drawn. */
export const language = (): Language => current;
/** Its locales for `Intl`. */
export const locale = (): (typeof locales)[Language] => locales[current];

export function setLanguage(next: Language): void {
  if (next === current) return;
  current = next;
  plurals = new Intl.PluralRules(next);
  numbers = new Intl.NumberFormat(locales[next].numbers);
  for (const heard of [...listeners]) heard();
}

/** Calls `heard` after every change of language; the answer ends that. */
export function onLanguage(heard: () => void): () => void {
  listeners.add(heard);
  return () => void listeners.delete(heard);
}

/** The first language of a person's list (`navigator.languages`) that is among those there are; else English. */
export function preferred(
  wanted: readonly string[],
  among: readonly Language[] = languages,
): Language {
  for (const tag of wanted) {
    const found = among.find((one) => one === tag.toLowerCase().split("-")[0]);
    if (found) return found;
  }
  return "en";
}

/** The text of `key` with `params` filled in. */
export function t(key: TextKey, params: Params = {}): string {
  const own = catalogues[current][key];
  const entry = own ?? en[key];
  const rules = own === undefined ? source : plurals;
  const text = typeof entry === "string" ? entry : plural(entry, params.n, rules);
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = params[name];
    if (value === undefined) return whole;
    return typeof value === "number" ? numbers.format(value) : value;
  });
}

function plural(forms: Plural, n: string | number | undefined, rules: Intl.PluralRules): string {
  return rules.select(Number(n ?? 0)) === "one" ? forms.one : forms.other;
}

/** The English text of `key`, for words that a machine reads. */
export const english = (key: TextKey): string => {
  const entry: Entry = en[key];
  return typeof entry === "string" ? entry : entry.other;
};

/** Whether `key` is a text; for codes that may have one. */
export function has(key: string): key is TextKey {
  return Object.hasOwn(en, key);
}
