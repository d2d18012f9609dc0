/**
 * Four inks for code in diffs and findings: keyword, string, number, comment.
 *
 * A line at a time and by shape alone: it colours, it does not parse. The editor has a real grammar. Text nodes only.
 */
import { html, type TemplateResult } from "lit";
import { stretches } from "./unseen.js";

const keywords = new Set(
  (
    "await async break case catch class const continue default delete do else export extends false finally for from " +
    "function if import in instanceof let new null of return static super switch this throw true try typeof " +
    "undefined var void while yield"
  ).split(" "),
);
const token =
  /(\/\/.*$|\/\*.*?\*\/)|("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`)|(\b\d[\d_.]*\b)|([A-Za-z_$][\w$]*)/g;

const pythonKeywords = new Set(
  (
    "and as assert async await break case class continue def del elif else except False finally for from global " +
    "if import in is lambda match None nonlocal not or pass raise return True try while with yield"
  ).split(" "),
);
const pythonToken =
  /(#.*$)|([rbfuRBFU]{0,2}(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'))|(\b\d[\d_.]*\b)|([A-Za-z_][\w]*)/g;

/** Whose words are keywords, and how its comments begin. */
export type Grammar = "script" | "python" | "plain";
const grammars = {
  script: { token, keywords },
  python: { token: pythonToken, keywords: pythonKeywords },
};

export function grammarOf(path: string): Grammar {
  if (path.endsWith(".py")) return "python";
  return path.endsWith(".md") || path.endsWith(".txt") ? "plain" : "script";
}

export interface Ink {
  text: string;
  ink: "" | "k" | "st" | "nu" | "co";
}

function inkOf([, comment, string, number, word]: RegExpMatchArray, keywords: Set<string>) {
  if (comment) return "co";
  if (string) return "st";
  if (number) return "nu";
  return word && keywords.has(word) ? "k" : "";
}

export function inks(line: string, grammar: Grammar = "script"): Ink[] {
  if (grammar === "plain") return line ? [{ text: line, ink: "" }] : [];
  const { token, keywords } = grammars[grammar];
  const out: Ink[] = [];
  let at = 0;
  for (const match of line.matchAll(token)) {
    const [text] = match;
    const ink = inkOf(match, keywords);
    if (ink === "") continue;
    if (match.index > at) out.push({ text: line.slice(at, match.index), ink: "" });
    out.push({ text, ink });
    at = match.index + text.length;
  }
  if (at < line.length) out.push({ text: line.slice(at), ink: "" });
  return out;
}

/**
 * The line in its inks, with the changed words marked, and the part of it that a person has to look at. `spans` and
 * `part` are [start, end) in UTF-16 code units.
 */
export function coloured(
  line: string,
  spans: readonly (readonly [number, number])[] = [],
  mark = "",
  grammar: Grammar = "script",
  part?: readonly [number, number],
): TemplateResult {
  const pieces: TemplateResult[] = [];
  let at = 0;
  for (const { text, ink } of inks(line, grammar)) {
    let from = at;
    for (const piece of cut(text, at, spans)) {
      for (const one of cut(piece.text, from, part ? [part] : [])) {
        const seen = shown(one.text);
        const inked = ink ? html`<span class=${ink}>${seen}</span>` : html`${seen}`;
        const body = one.marked ? html`<span class="part">${inked}</span>` : inked;
        pieces.push(piece.marked ? html`<mark class=${mark}>${body}</mark>` : body);
      }
      from += piece.text.length;
    }
    at += text.length;
  }
  return html`${pieces}`;
}

const shown = (text: string) =>
  stretches(text).map((one) => (one.sign ? html`<span class="ctl">${one.text}</span>` : one.text));

function cut(
  text: string,
  from: number,
  spans: readonly (readonly [number, number])[],
): { text: string; marked: boolean }[] {
  const out: { text: string; marked: boolean }[] = [];
  let at = 0;
  for (const [start, end] of spans) {
    const low = Math.max(0, start - from);
    const high = Math.min(text.length, end - from);
    if (high <= low) continue;
    if (low > at) out.push({ text: text.slice(at, low), marked: false });
    out.push({ text: text.slice(low, high), marked: true });
    at = high;
  }
  if (at < text.length) out.push({ text: text.slice(at), marked: false });
  return out;
}
