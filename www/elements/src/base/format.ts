/**
 * Numbers, times, money and fingerprints as a person reads them. Through `Intl`, never by hand.
 */
import { t } from "../text/index.js";

const locale = "en";
const integers = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
const decimals = new Intl.NumberFormat(locale, { maximumFractionDigits: 3 });
const tenths = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
/** Days before months, hours to 24. */
const dates = "en-GB";
const clock = new Intl.DateTimeFormat(dates, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const day = new Intl.DateTimeFormat(dates, { day: "numeric", month: "long" });
const shortDay = new Intl.DateTimeFormat(dates, { day: "numeric", month: "short" });

const MICROS = 1_000_000;
const MINUTE = 60_000;
const DAY = 86_400_000;

/** An amount in the unit that the account counts in: money where a price is set, tokens otherwise. */
export interface Amount { tokens: number; cost: number }

export const integer = (n: number): string => integers.format(n);
export const decimal = (n: number): string => decimals.format(n);

/** Money where the amount is priced, else tokens: a price that nobody set is never guessed. */
export function amount(value: Amount, currency: string): string {
  if (value.cost > 0) return money(value.cost, currency);
  return t("amount.tokens", { n: value.tokens });
}

/** The same where room is short, as on a button: 317K tokens. */
export function short(value: Amount, currency: string): string {
  if (value.cost > 0) return money(value.cost, currency);
  return t("amount.tokens.short", { text: new Intl.NumberFormat(locale, { notation: "compact", maximumSignificantDigits: 3 }).format(value.tokens) });
}

export function money(micros: number, currency: string): string {
  const style = new Intl.NumberFormat(locale, { style: "currency", currency: currency || "USD" });
  return style.format(micros / MICROS);
}

/** 13:58 */
export const time = (at: number): string => clock.format(at);
/** 21 November */
export const date = (at: number): string => day.format(at);
/** 21 Nov 14:07 */
export const dateTime = (at: number): string => `${shortDay.format(at)} ${clock.format(at)}`;

/** Today only the time, else with the day. */
export const when = (at: number, now: number): string => (now - at < DAY && now >= at ? time(at) : dateTime(at));

/** 1:09 */
export function minutes(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** 0.4 s, 18 s, 1:09 */
export function elapsed(ms: number): string {
  if (ms >= MINUTE) return minutes(ms);
  return t("amount.seconds", { text: ms < 9_950 ? tenths.format(ms / 1000) : integers.format(ms / 1000) });
}

/** 6.2 MB */
export function bytes(n: number): string {
  if (n < 1_000) return t("amount.bytes", { n });
  if (n < 1_000_000) return t("amount.kb", { text: tenths.format(n / 1_000) });
  return t("amount.mb", { text: tenths.format(n / 1_000_000) });
}

/** The first 8 hex digits of a hash as two groups: 7C1E 90AB. */
export function fingerprint(hash: string): string {
  const hex = hash.replace(/^sha256:/, "").slice(0, 8).toUpperCase();
  return `${hex.slice(0, 4)} ${hex.slice(4)}`;
}

export const percent = (share: number): string =>
  new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 0 }).format(share);

/** Days from `now` until `at`, at least 0. */
export const daysUntil = (at: number, now: number): number => Math.max(0, Math.ceil((at - now) / DAY));
