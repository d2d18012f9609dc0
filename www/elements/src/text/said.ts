/**
 * The sentence of a finding, an error or a fact, in the language of the page.
 *
 * Each comes with its code and the values of its sentence (facade.md, "Shapes"); the tables of the other languages are
 * generated from `crates/facade/texts`. English is what came, and so is a sentence that no table has.
 */
import { sentences } from "./generated/sv.js";
import { language } from "./index.js";
import { spoken } from "./spoken.js";

type Value = string | number;

/** What a code says; `text` is what a run calls its message. */
export interface Told {
  code: string;
  message: string;
  args?: Readonly<Record<string, unknown>> | null | undefined;
}

/** Values that are sentences themselves: a permission, and what a call in the sandbox threw. */
const SENTENCES: ReadonlySet<string> = new Set(["message", "permission"]);

/** The sentence of a code with its values. */
export function said(told: Told): string {
  return sentence(told, "") ?? told.message;
}

/** The hint of a finding; of those that are no sentence of ours, as it came. */
export function hinted(finding: Told & { hint?: string | undefined }): string {
  return sentence(finding, "#hint") ?? finding.hint ?? "";
}

/** `CODE.CASE`; else the sentence that the code borrows, whose whole name its case is; else `CODE`. */
function sentence({ code, args }: Told, part: string): string | null {
  if (language() === "en") return null;
  const named = args?.case;
  const keys = typeof named === "string" ? [`${code}.${named}`, named] : [code];
  const text = keys.map((key) => sentences[key + part]).find((found) => found !== undefined);
  if (text === undefined) return null;
  let whole = true;
  const filled = text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = args?.[name];
    if (isValue(value)) return SENTENCES.has(name) ? spoken(`${value}`) : `${value}`;
    whole = false;
    return "";
  });
  return whole ? filled : null;
}

const isValue = (value: unknown): value is Value =>
  typeof value === "string" || typeof value === "number";
