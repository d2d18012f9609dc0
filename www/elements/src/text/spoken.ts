/**
 * Sentences of the Rust core that have no code of their own, in the language of the page.
 *
 * Findings and errors are said from code and args (`said.ts`). What is left here comes as an English sentence alone:
 * permissions, why a test asks for less, what a call in the sandbox threw, what opening a model found, and how an
 * assistant's turn ended. Where a catalogue knows the sentence (`sv.core.ts`), it is said in the page's language with
 * the same names and numbers; a sentence that no pattern fits is shown as it came.
 *
 * A pattern is the sentence with `{name}` for what varies; `{*name}` varies too and is itself such a sentence.
 */
import { language } from "./index.js";
import { core } from "./sv.core.js";

interface Pattern {
  expression: RegExp;
  names: string[];
  text: string;
}

/** Sentences that were put into words once; a page shows the same ones again and again. */
const MAX_KNOWN = 500;
const known = new Map<string, string>();
let patterns: Pattern[] | null = null;

/** `text` as the page says it. */
export function spoken(text: string): string {
  if (language() === "en" || text === "") return text;
  const before = known.get(text);
  if (before !== undefined) return before;
  if (known.size >= MAX_KNOWN) known.clear();
  const said = translated(text) ?? text;
  known.set(text, said);
  return said;
}

function translated(text: string): string | null {
  patterns ??= core.map(([english, text]) => ({ ...compiled(english), text }));
  for (const { expression, names, text: words } of patterns) {
    const match = expression.exec(text);
    if (!match) continue;
    const values = new Map(names.map((name, i) => [name, match[i + 1] ?? ""]));
    return words.replace(/\{(\*?\w+)\}/g, (whole, name: string) => {
      const value = values.get(name);
      if (value === undefined) return whole;
      return name.startsWith("*") ? (translated(value) ?? value) : value;
    });
  }
  return null;
}

function compiled(english: string): { expression: RegExp; names: string[] } {
  const names: string[] = [];
  const source = english.split(/(\{\*?\w+\})/).map((piece) => {
    if (!/^\{\*?\w+\}$/.test(piece)) return piece.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    names.push(piece.slice(1, -1));
    return "(.+?)";
  });
  return { expression: new RegExp(`^${source.join("")}$`, "s"), names };
}
