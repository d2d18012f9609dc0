/** Values of rows as text: a member of a row, and what stands where there is none. */
import type { Json } from "@holdpoint/core/types";
import { html, type TemplateResult } from "lit";
import { t } from "../text/index.js";
import { read, shown } from "./binding.js";
import { measure, measured } from "./units.js";

export const notGiven = () => html`<span class="quiet">${t("dock.not_given")}</span>`;

/** A field of a row: its own member of that name, else the path of names between dots. */
export function member(row: Json, name: string): Json | undefined {
  if (row === null || typeof row !== "object" || Array.isArray(row)) return undefined;
  return Object.hasOwn(row, name) ? row[name] : read(row, name.split("."));
}

/** The elements that a row is about: its `ref`, or its `refs`. */
export function elementsOf(row: Json): Json[] {
  const many = member(row, "refs");
  const all = Array.isArray(many) ? many : [member(row, "ref") ?? null];
  return all.filter((ref) => typeof ref === "object" && ref !== null && "expressId" in ref);
}

/** A value as text; `unit` stands behind a number that brings none. */
export function plain(value: Json | undefined, unit: string | null = null): string {
  if (typeof value === "boolean") return t(value ? "model.yes" : "model.no");
  if (typeof value === "number") return measured(value, unit);
  const own = measure(value);
  return own ? measured(own.value, own.unit) : shown(value);
}

/** A colour as extensions write it; names of colours are words, and stay so. */
const COLOUR = /^#[0-9a-f]{6}$/i;

/** A value as it is drawn: a colour with a swatch, anything else as text. */
export function drawn(
  value: Json | undefined,
  unit: string | null = null,
): string | TemplateResult {
  if (typeof value !== "string" || !COLOUR.test(value)) return plain(value, unit);
  return html`<span class="swatch" style="background:${value}"></span> ${value}`;
}
