/**
 * Numbers as people write them: with the grouping and the decimal sign of their language. Pure.
 *
 * Invariant: nothing is rounded and nothing is guessed; what can be read as two numbers is read as none.
 */

/** `unclear`: it may be one number or a thousand times as much. */
export type NumberRead = { value: number } | { problem: "number" | "integer" | "unclear" };

interface Signs {
  group: string;
  decimal: string;
}

/** The signs that `locale` groups thousands and begins decimals with. */
function signsOf(locale: string): Signs {
  const parts = new Intl.NumberFormat(locale).formatToParts(12_345.5);
  const sign = (type: "group" | "decimal") => parts.find((part) => part.type === type)?.value ?? "";
  return { group: sign("group"), decimal: sign("decimal") };
}

const escaped = (sign: string): string => sign.replace(/[.\\*+?^$|()[\]{}]/g, "\\$&");

/** What `text` says as a number of `locale`; `whole`: without decimals, also where they would be zeros. */
export function readNumber(text: string, locale: string, whole = false): NumberRead {
  const { group, decimal } = signsOf(locale);
  const [, sign = "", amount = ""] = /^([-−+]?)(.*)$/s.exec(text.trim()) ?? [];
  const grouped = ["\\s", escaped(group)].map((by) => `\\d{1,3}(?:${by}\\d{3})+`).join("|");
  // A point or a comma that is not the language's own decimal sign is one all the same where it cannot group.
  const strange = [".", ","].find(
    (one) => one !== decimal && one !== group && amount.includes(one),
  );
  const foreign = strange ?? (amount.split(group).length === 2 ? group : "");
  const own = new RegExp(`^(${grouped}|\\d+)?(?:${escaped(decimal)}(\\d+))?(e[-+]?\\d+)?$`, "i");
  const other = new RegExp(`^(\\d+)?${escaped(foreign)}(\\d+)(e[-+]?\\d+)?$`, "i");
  const found = own.exec(amount) ?? (/^[.,]$/.test(foreign) ? other.exec(amount) : null);
  const [, integer = "", decimals = "", exponent = ""] = found ?? [];
  if (!integer && !decimals) return { problem: "number" };
  if (strange && /^[1-9]\d{0,2}$/.test(integer) && decimals.length === 3 && !exponent)
    return { problem: "unclear" };
  if (whole && decimals) return { problem: "integer" };
  const plain = `${integer.replace(/\D/g, "")}.${decimals}0${exponent}`;
  const value = Number(`${/[-−]/.test(sign) ? "-" : ""}${plain}`);
  if (!Number.isFinite(value)) return { problem: "number" };
  return whole && !Number.isSafeInteger(value) ? { problem: "integer" } : { value };
}

/** A number as a field holds it: with the decimal sign of `locale`, without groups. */
export const writeNumber = (n: number, locale: string): string =>
  new Intl.NumberFormat(locale, { useGrouping: false, maximumFractionDigits: 20 }).format(n);
