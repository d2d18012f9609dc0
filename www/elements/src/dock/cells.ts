/** Values of rows as text: a member of a row, and what stands where there is none. */
import type { Json } from "@holdpoint/core/types";
import { html } from "lit";
import { decimal } from "../base/format.js";
import { t } from "../text/index.js";
import { read, shown } from "./binding.js";

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

export function plain(value: Json | undefined): string {
  if (typeof value === "boolean") return t(value ? "model.yes" : "model.no");
  return typeof value === "number" ? decimal(value) : shown(value);
}
