// Literals: ordinary values, and those at which engines differ.

import type { Dice } from "./dice.ts";

export const NUMBERS = [
  "0",
  "-0",
  "1",
  "2",
  "3",
  "7",
  "10",
  "-1",
  "-5",
  "0.5",
  "1.5",
  "-2.25",
  "0.1",
  "255",
  "1e21",
  "1e-7",
  "123456.789",
  "2147483647",
  "2147483648",
  "-2147483649",
  "4294967295",
  "9007199254740991",
  "1.7976931348623157e308",
  "5e-324",
  "NaN",
  "Infinity",
  "-Infinity",
  "0x1F",
  "0b101",
  "0o17",
  "1_000",
] as const;

export const TEXTS = [
  "''",
  "'a'",
  "'b'",
  "'abc'",
  "'10'",
  "' 7 '",
  "'0x1f'",
  "'-0'",
  "'1e3'",
  "'x,y,z'",
  "'aXbXc'",
  "'A-b_C'",
  "'\\u{1F600}'",
  "'a\\u{1F600}b'",
  "'\\ud800'",
  "'\\udc00x'",
  "'\\u00e9'",
  "'e\\u0301'",
  "'\\u00df'",
  "'\\u0130'",
  "'line\\nnext\\r\\nlast'",
  "'\\t\\u00a0\\ufeff\\u2003pad '",
  "'length'",
  "'0'",
  "'null'",
] as const;

const BIGS = ["0n", "1n", "-1n", "5n", "-3n", "10n", "18446744073709551615n", "0xffn"] as const;
const OTHERS = ["null", "undefined", "true", "false"] as const;

export const number = (dice: Dice): string => dice.of(NUMBERS);
export const small = (dice: Dice): string => String(dice.upTo(5));
export const text = (dice: Dice): string => dice.of(TEXTS);
export const big = (dice: Dice): string => dice.of(BIGS);

/** A literal of any sort; small whole numbers and short texts most of the time. */
export function literal(dice: Dice): string {
  const sort = dice.upTo(20);
  if (sort < 7) return small(dice);
  if (sort < 11) return number(dice);
  if (sort < 16) return text(dice);
  if (sort < 17) return big(dice);
  return dice.of(OTHERS);
}
