/**
 * Units in panels: a title names one in brackets at its end (`Area (m²)`), or a value brings its own, as quantities of
 * the SDK do (`{value, unit}`). A person reads it behind each number. Pure.
 */
import type { Json } from "@holdpoint/core/types";
import { decimal, percent } from "../base/format.js";

const KNOWN = new Set(
  (
    "m mm cm dm km µm in ft yd mi sqm g kg mg t lb s min h W kW MW Wh kWh MWh N kN MN Pa kPa MPa GPa " +
    "J kJ MJ K °C °F ° % ‰ dB Hz kHz lx lm V kV A l L"
  ).split(" "),
);
/** Letters that alone name a class or a count more often than a unit. */
const VAGUE = /^[NJKVALls]$/;
/** Units that a file converts are called by name. */
const NAMES = /^(square |cubic )?(foot|feet|inch|inches|yard|yards|mile|miles)$/i;
/** A title with something in brackets at its end, which may hold brackets itself: `W/(m²·K)`. */
const ENDS = /^(.*\S)\s*[([]((?:[^()[\]]|\([^()]*\))+)[)\]]$/;
const POWER = /(?:[²³⁴]|\^?[234])$/;

/** A title without its unit, and the unit; null where it names none. */
export interface Titled {
  label: string;
  unit: string | null;
}

export function titled(title: string): Titled {
  const [, label = "", unit = ""] = ENDS.exec(title.trim()) ?? [];
  return isUnit(unit) ? { label, unit } : untitled(title);
}

/** A title of what is no number, as it stands. */
export const untitled = (label: string): Titled => ({ label, unit: null });

function isUnit(text: string): boolean {
  const parts = text.split(/[/·*()]/).filter(Boolean);
  const known = (part: string): boolean => KNOWN.has(part.replace(POWER, "")) || NAMES.test(part);
  return parts.length > 0 && parts.every(known) && !VAGUE.test(text);
}

/** A number that brings its unit; null for any other value. */
export function measure(value: Json | undefined): { value: number; unit: string } | null {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  const { value: number, unit } = value;
  return typeof number === "number" && typeof unit === "string" ? { value: number, unit } : null;
}

/** A number with its unit behind it; without one the number alone. */
export function measured(value: number, unit: string | null, format = decimal): string {
  if (unit === "%") return percent(value / 100, 2);
  return unit ? `${format(value)}\u00a0${unit}` : format(value);
}
