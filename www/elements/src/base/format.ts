/**
 * Numbers, times, money and fingerprints as a person reads them. Through `Intl`, never by hand, in the language of the
 * moment.
 */
import { locale, t } from "../text/index.js";

const MICROS = 1_000_000;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** An amount in the unit that the account counts in: money where a price is set, tokens otherwise. */
export interface Amount {
  tokens: number;
  cost: number;
}

/** One formatter a language and shape: making one costs more than using it. */
const made = new Map<string, Intl.NumberFormat | Intl.DateTimeFormat>();

function numbers(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = `${locale().numbers} ${JSON.stringify(options)}`;
  const known = made.get(key) ?? new Intl.NumberFormat(locale().numbers, options);
  made.set(key, known);
  return known as Intl.NumberFormat;
}

function dates(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale().dates} ${JSON.stringify(options)}`;
  const known = made.get(key) ?? new Intl.DateTimeFormat(locale().dates, options);
  made.set(key, known);
  return known as Intl.DateTimeFormat;
}

export const integer = (n: number): string => numbers({ maximumFractionDigits: 0 }).format(n);
export const decimal = (n: number): string => numbers({ maximumFractionDigits: 3 }).format(n);
/** With so many digits behind the point at most. */
export const upTo = (n: number, digits: number): string =>
  numbers({ maximumFractionDigits: digits }).format(n);
const tenths = (n: number): string =>
  numbers({ minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(n);
/** +3.60, −0.40, as levels are written. */
export const level = (n: number): string =>
  numbers({ minimumFractionDigits: 2, maximumFractionDigits: 2, signDisplay: "exceptZero" })
    .format(n)
    .replace("-", "−");

/** 3.92M, where room is short. */
export const compact = (n: number): string =>
  numbers({ notation: "compact", maximumSignificantDigits: 3 }).format(n);

/** Money where the amount is priced, else tokens: a price that nobody set is never guessed. */
export function amount(value: Amount, currency: string): string {
  if (value.cost > 0) return money(value.cost, currency);
  return t("amount.tokens", { n: value.tokens });
}

/** The same where room is short, as on a button: 317K tokens. */
export function short(value: Amount, currency: string): string {
  if (value.cost > 0) return money(value.cost, currency);
  return t("amount.tokens.short", {
    text: compact(value.tokens),
  });
}

export function money(micros: number, currency: string): string {
  return numbers({ style: "currency", currency: currency || "USD" }).format(micros / MICROS);
}

/** The same without decimals where there are none, and with more of them below a cent: $50, $12.52, $0.0004. */
export function roundMoney(micros: number, currency: string): string {
  const whole = micros % MICROS === 0 ? { maximumFractionDigits: 0 } : {};
  const small = micros > 0 && micros < MICROS / 100 ? { maximumSignificantDigits: 2 } : {};
  const shape = { currency: currency || "USD", ...whole, ...small };
  return numbers({ style: "currency", ...shape }).format(micros / MICROS);
}

/** 13:58 */
export const time = (at: number): string =>
  dates({ hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(at);
/** 21 November */
export const date = (at: number): string => dates({ day: "numeric", month: "long" }).format(at);
/** 21 Nov 2026, for dates that data holds. */
export const calendar = (at: number): string => dates({ dateStyle: "medium" }).format(at);
/** 21 Nov */
export const day = (at: number): string => dates({ day: "numeric", month: "short" }).format(at);
/** 21 Nov 14:07 */
export const dateTime = (at: number): string => `${day(at)} ${time(at)}`;

/** November 2026: a month of the ledger, which counts in UTC as its days do. */
export const month = (at: number): string =>
  dates({ month: "long", year: "numeric", timeZone: "UTC" }).format(at);
/** 21 November, in UTC */
export const countedDay = (at: number): string =>
  dates({ day: "numeric", month: "long", timeZone: "UTC" }).format(at);
/** 30 Nov, in UTC */
export const countedDayShort = (at: number): string =>
  dates({ day: "numeric", month: "short", timeZone: "UTC" }).format(at);

/** Whether both are on one day, where the person is. */
export const sameDay = (at: number, now: number): boolean =>
  new Date(at).setHours(0, 0, 0, 0) === new Date(now).setHours(0, 0, 0, 0);
/** Today only the time, else with the day. */
export const when = (at: number, now: number): string =>
  sameDay(at, now) ? time(at) : dateTime(at);

/** 1:09 */
export function minutes(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** 0.4 s, 18 s, 1:09 */
export function elapsed(ms: number): string {
  if (ms >= MINUTE) return minutes(ms);
  return t("amount.seconds", { text: ms < 9_950 ? tenths(ms / 1000) : integer(ms / 1000) });
}

/** 6.2 MB */
export function bytes(n: number): string {
  if (n < 1_000) return t("amount.bytes", { n });
  if (n < 1_000_000) return t("amount.kb", { text: tenths(n / 1_000) });
  return t("amount.mb", { text: tenths(n / 1_000_000) });
}

/** Parts of a list, beside each other: a, b, c. */
export const listed = (parts: readonly string[]): string => parts.join(t("app.comma"));

/** The first 8 hex digits of a hash as two groups: 7C1E 90AB. */
export function fingerprint(hash: string): string {
  const hex = hash
    .replace(/^sha256:/, "")
    .slice(0, 8)
    .toUpperCase();
  return `${hex.slice(0, 4)} ${hex.slice(4)}`;
}

export const percent = (share: number, digits = 0): string =>
  numbers({ style: "percent", maximumFractionDigits: digits }).format(share);

/** In 56 minutes, in 3 hours, in 12 days: how long it is from `now` until `at`, as people say it. */
export function until(at: number, now: number): string {
  const left = Math.max(0, at - now);
  const say = new Intl.RelativeTimeFormat(locale().dates, { numeric: "always" });
  const minutes = Math.ceil(left / MINUTE);
  if (minutes < 60) return say.format(Math.max(1, minutes), "minute");
  const hours = Math.round(left / HOUR);
  return hours < 24 ? say.format(hours, "hour") : say.format(Math.ceil(left / DAY), "day");
}

/** Today, yesterday, 3 days ago; longer ago its date. `at` is the beginning of a day in UTC. */
export function dayAgo(at: number, now: number): string {
  const days = Math.floor(now / DAY) - Math.floor(at / DAY);
  if (days > 6 || days < 0) return countedDay(at);
  return new Intl.RelativeTimeFormat(locale().dates, { numeric: "auto" }).format(-days, "day");
}

/** When something is there again: at 14:05, in 56 minutes; on another day its date instead. */
export const again = (at: number, now: number): string =>
  listed([sameDay(at, now) ? time(at) : date(at), until(at, now)]);
