/** A failure in words, for people; and its details, for those whom they tell. UI.md §4, §7. */
import { has, t } from "./index.js";
import { spoken } from "./spoken.js";

/** What every failure has: of the edge, of the sandbox, of the engine. */
export interface Failing {
  code: string;
  message: string;
  details?: unknown;
}

/** The words that the page has for its code, else the sentence that came with it. */
export function refusal({ code, message }: Pick<Failing, "code" | "message">): string {
  const key = `error.${code}`;
  return has(key) ? t(key) : spoken(message);
}

/** Code, message and details as they came, to be copied. */
export function detailed({ code, message, details }: Failing): string {
  const said = message && message !== code ? `${code}: ${message}` : code;
  const none = details === undefined || details === null || JSON.stringify(details) === "{}";
  return none ? said : `${said}\n${JSON.stringify(details, null, 2)}`;
}
