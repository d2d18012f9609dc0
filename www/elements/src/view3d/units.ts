/** Lengths in the unit of the file. */
import { upTo } from "../base/format.js";

/** Units by their metres: sign, and digits behind the point. */
const units: readonly { m: number; sign: string; digits: number }[] = [
  { m: 0.001, sign: "mm", digits: 0 },
  { m: 0.01, sign: "cm", digits: 1 },
  { m: 0.1, sign: "dm", digits: 2 },
  { m: 1, sign: "m", digits: 3 },
  { m: 1000, sign: "km", digits: 6 },
  { m: 0.0254, sign: "in", digits: 2 },
  { m: 0.3048, sign: "ft", digits: 3 },
  { m: 0.9144, sign: "yd", digits: 3 },
];
/** Units that differ by less than this share are the same one. */
const SAME = 1e-3;

/** Metres as lengths of the file: 12.8 m, 12,800 mm; in metres where nobody has a sign for its unit. */
export function length(unit: number, ...metres: number[]): string {
  const of = units.find((one) => Math.abs(one.m / unit - 1) < SAME) ?? units[3];
  if (!of) return "";
  const said = metres.map((one) => {
    const text = upTo(one / of.m, of.digits);
    return /[1-9]/.test(text) ? text.replace("-", "−") : "0";
  });
  return `${said.join(" · ")} ${of.sign}`;
}
