/**
 * The sentence of a finding, an error or a fact, in the language of the page.
 *
 * Each comes with its code and the values of its sentence (facade.md, "Shapes"); the tables of the other languages are
 * generated from `crates/facade/texts`. English is what came, and so is a sentence that no table has.
 */
import { sentences as swedish } from "./generated/sv.js";
import { sentences as chinese } from "./generated/zh.js";
import { type Language, language } from "./index.js";

/** By language; English is what came. */
const tables: Partial<Record<Language, Readonly<Record<string, string>>>> = {
  sv: swedish,
  zh: chinese,
};

/** What a code says; `text` is what a run calls its message. */
export interface Told {
  code: string;
  message: string;
  args?: Readonly<Record<string, unknown>> | null | undefined;
}

/** The sentence of a code with its values. */
export function said(told: Told): string {
  return sentence(told, "") ?? told.message;
}

/** What a capability lets an extension do. */
export const permission = (one: { sentence: string; args?: Told["args"] }): string =>
  said({ code: "PERMISSION", message: one.sentence, args: one.args });

/** Why a test asks for less than before. */
export const weakening = (one: { reason: string; args?: Told["args"] }): string =>
  said({ code: "TEST_WEAKENED", message: one.reason, args: one.args });

/** Why an extension is off: `off` is what this device found, `reason` what an edge or an earlier page wrote. */
export const switchedOff = (one: { off?: Told; reason?: string }): string =>
  one.off ? said(one.off) : (one.reason ?? "");

/** The hint of a finding; of those that are no sentence of ours, as it came. */
export function hinted(finding: Told & { hint?: string | undefined }): string {
  return sentence(finding, "#hint") ?? finding.hint ?? "";
}

/** `CODE.CASE`; else the sentence that the code borrows, whose whole name its case is; else `CODE`. */
function sentence({ code, args }: Told, part: string): string | null {
  const table = tables[language()];
  if (!table) return null;
  const named = args?.case;
  const keys = typeof named === "string" ? [`${code}.${named}`, named] : [code];
  const text = keys.map((key) => table[key + part]).find((found) => found !== undefined);
  if (text === undefined) return null;
  let whole = true;
  const filled = text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = worded(args?.[name]);
    if (value === null) whole = false;
    return value ?? "";
  });
  return whole ? filled : null;
}

/** A value as it stands in a sentence; one that is a sentence itself is said. */
function worded(value: unknown): string | null {
  if (typeof value === "string" || typeof value === "number") return `${value}`;
  return isTold(value) ? said(value) : null;
}

const isTold = (value: unknown): value is Told =>
  typeof value === "object" &&
  value !== null &&
  typeof (value as Partial<Told>).code === "string" &&
  typeof (value as Partial<Told>).message === "string";
