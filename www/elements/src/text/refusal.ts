/** A failure in words, for people; and its details, for those whom they tell. UI.md §4, §7. */
import { has, t } from "./index.js";
import { said, type Told } from "./said.js";

/** What every failure has: of the edge, of the sandbox, of the engine. */
export interface Failing extends Told {
  details?: unknown;
}

/** The words that the page has for its code, else the sentence that came with it. */
export function refusal(told: Told): string {
  const key = `error.${told.code}`;
  return has(key) ? t(key) : said(told);
}

/** Code, message and details as they came, to be copied. */
export function detailed({ code, message, details }: Failing): string {
  const told = message && message !== code ? `${code}: ${message}` : code;
  const none = details === undefined || details === null || JSON.stringify(details) === "{}";
  return none ? told : `${told}\n${JSON.stringify(details, null, 2)}`;
}
