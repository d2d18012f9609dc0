/**
 * What a page reads of a Markdown file by itself: its first heading, and the members of its head as they are written.
 * Pure. What a member says is the engine's matter.
 */

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const HEADING = /^( {0,3}#[ \t]+)(.*?)((?:[ \t]+#+)?[ \t]*)$/;

interface Heading {
  /** The place of its line in the list of lines. */
  at: number;
  text: string;
  /** The line with other words. */
  with(text: string): string;
}

/** The first heading of level 1 outside of code; null where there is none. */
function firstHeading(lines: readonly string[]): Heading | null {
  let fence = "";
  for (const [at, line] of lines.entries()) {
    const [, mark = ""] = FENCE.exec(line) ?? [];
    if (fence) {
      if (mark.startsWith(fence) && line.trim() === mark) fence = "";
      continue;
    }
    fence = mark;
    const [, before = "", text = "", after = ""] = mark ? [] : (HEADING.exec(line) ?? []);
    if (before) return { at, text: text.trim(), with: (other) => `${before}${other}${after}` };
  }
  return null;
}

const ENDS = /(\r\n|\n|\r)/;

export const headingOf = (body: string): string => firstHeading(body.split(ENDS))?.text ?? "";

/** The body with other words in its heading, where that said `was` so far; else as it is. */
export function withHeading(body: string, was: string, text: string): string {
  const parts = body.split(ENDS);
  const heading = firstHeading(parts);
  if (!heading || heading.text !== was.trim() || !text.trim()) return body;
  parts[heading.at] = heading.with(text.trim());
  return parts.join("");
}

/** A member of a head, with all of its lines. */
export interface HeadMember {
  /** Empty for what stands before the first member: the marker, comments. */
  key: string;
  text: string;
}

const MEMBER =
  /^(?:"((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)'|([^\s#'"\-?:,[\]{}&*!|>%@`][^:]*?))\s*:(?=\s|$)/;

/** The members of a head in their order, which joined are the head again. `head` has both markers. */
export function headMembers(head: string): HeadMember[] {
  const members: HeadMember[] = [{ key: "", text: "" }];
  for (const line of head.match(/[^\n]*(?:\n|$)/g) ?? []) {
    const [, double, single, plain] = MEMBER.exec(line) ?? [];
    const key = double ?? single ?? plain;
    if (key !== undefined) members.push({ key, text: line });
    else if (/^---[ \t]*(?:\r?\n|$)/.test(line) && members.length > 1)
      members.push({ key: "", text: line });
    else members[members.length - 1] = joined(members.at(-1), line);
  }
  return members.filter(({ text }) => text !== "");
}

const joined = (member: HeadMember | undefined, line: string): HeadMember => ({
  key: member?.key ?? "",
  text: (member?.text ?? "") + line,
});

/** The names that a member of a head gives values, in a block or in one line: those of `variables`. */
export function namesIn(head: string, key: string): string[] {
  const text = headMembers(head).find((member) => member.key === key)?.text ?? "";
  const value = text.slice(text.indexOf(":") + 1);
  if (!/^\s*\{/.test(value)) {
    const lines = value.split("\n").slice(1);
    const indent = Math.min(
      ...lines.filter((line) => line.trim()).map((line) => line.search(/\S/)),
    );
    const own = lines.filter((line) => line.search(/\S/) === indent);
    return own.flatMap((line) => MEMBER.exec(line.trim())?.slice(1).find(Boolean) ?? []);
  }
  const names: string[] = [];
  let depth = 0;
  for (const [part, quoted, plain] of value.matchAll(
    /"((?:[^"\\]|\\.)*)"(?=\s*:)|([\w.-]+)(?=\s*:)|"(?:[^"\\]|\\.)*"|[{}[\]]/g,
  )) {
    if (part === "{" || part === "[") depth += 1;
    else if (part === "}" || part === "]") depth -= 1;
    else if (depth === 1) names.push(...[quoted ?? plain ?? []].flat());
  }
  return names;
}
