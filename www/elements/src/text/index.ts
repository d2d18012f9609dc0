/**
 * Texts by key, with parameters and plural forms.
 *
 * One file a language (`en.ts`); a text is a string, or plural forms that are chosen by the parameter `n` through
 * `Intl.PluralRules`. `{name}` is replaced; numbers are written by `Intl.NumberFormat`.
 */
import { en } from "./en.js";

export type TextKey = keyof typeof en;
export type Params = Record<string, string | number>;
export type Plural = { one: string; other: string };

const locale = "en";
const plurals = new Intl.PluralRules(locale);
const numbers = new Intl.NumberFormat(locale);

/** The text of `key` with `params` filled in. */
export function t(key: TextKey, params: Params = {}): string {
  const entry: string | Plural = en[key];
  const text = typeof entry === "string" ? entry : plural(entry, params["n"]);
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = params[name];
    if (value === undefined) return whole;
    return typeof value === "number" ? numbers.format(value) : value;
  });
}

function plural(forms: Plural, n: string | number | undefined): string {
  return plurals.select(Number(n ?? 0)) === "one" ? forms.one : forms.other;
}

/** Whether `key` is a text; for codes that may have one. */
export function has(key: string): key is TextKey {
  return Object.hasOwn(en, key);
}
