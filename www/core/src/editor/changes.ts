/**
 * The smallest set of replacements that makes one text of another, from the engine's own diff.
 *
 * Lines that stay are not touched, and inside a changed line only its changed words are: cursor, scroll and folding of
 * an editor survive. Law: `replaced(before, changes(before, after, diff)) === after`.
 */

import type { EngineDiff, EngineLine } from "./wire.ts";

/** Offsets are UTF-16 units of the text before; ascending, without overlaps. */
export interface Replacement {
  from: number;
  to: number;
  insert: string;
}

const BREAKS = { lf: "\n", crlf: "\r\n", none: "" } as const;
const whole = (line: EngineLine): string => line.text + BREAKS[line.eol];

/** `diff` is `text.diff` of the two; without one (or with one that does not fit) the texts are cut at both ends. */
export function changes(before: string, after: string, diff: EngineDiff | null): Replacement[] {
  if (before === after) return [];
  if (diff) {
    const found = byLines(before, diff);
    if (replaced(before, found) === after) return found;
  }
  return cut(0, before, after);
}

/** A text with replacements made. */
export function replaced(text: string, all: readonly Replacement[]): string {
  let out = "";
  let at = 0;
  for (const { from, to, insert } of all) {
    out += text.slice(at, from) + insert;
    at = to;
  }
  return out + text.slice(at);
}

function byLines(before: string, diff: EngineDiff): Replacement[] {
  const starts = [0];
  for (let at = before.indexOf("\n"); at !== -1; at = before.indexOf("\n", at + 1))
    starts.push(at + 1);
  const out: Replacement[] = [];
  for (const hunk of diff.hunks) {
    // With a count of 0 the start names the line before.
    let line = hunk.old_count === 0 ? hunk.old_start : hunk.old_start - 1;
    let gone: EngineLine[] = [];
    let come: EngineLine[] = [];
    let from = 0;
    const flush = (): void => {
      out.push(...block(from, gone, come));
      gone = [];
      come = [];
    };
    for (const one of hunk.lines) {
      if (one.kind === "context" || (one.kind === "delete" && come.length)) flush();
      if (one.kind !== "context" && !gone.length && !come.length)
        from = starts[line] ?? before.length;
      if (one.kind === "delete") gone.push(one);
      if (one.kind === "insert") come.push(one);
      else line += 1;
    }
    flush();
  }
  return out;
}

/** One run of deletions and the insertions behind it: pairs change by words, the rest as a block. */
function block(from: number, gone: EngineLine[], come: EngineLine[]): Replacement[] {
  const out: Replacement[] = [];
  let at = from;
  let paired = 0;
  for (; paired < Math.min(gone.length, come.length); paired += 1) {
    const [left, right] = [gone[paired], come[paired]];
    if (!left?.spans || !right?.spans) break;
    const made = words(at, left, right);
    if (!made) break;
    out.push(...made);
    at += whole(left).length;
  }
  const rest = cut(
    at,
    gone.slice(paired).map(whole).join(""),
    come.slice(paired).map(whole).join(""),
  );
  return [...out, ...rest];
}

/** What is shared between the two lines is the same text on both sides; the spans stand between its pieces. */
function words(at: number, left: EngineLine, right: EngineLine): Replacement[] | null {
  const outside = (
    line: EngineLine,
  ): { shared: string; gaps: { at: number; start: number; text: string }[] } => {
    const gaps: { at: number; start: number; text: string }[] = [];
    let shared = "";
    let to = 0;
    for (const [start, end] of line.spans ?? []) {
      shared += line.text.slice(to, start);
      gaps.push({ at: shared.length, start, text: line.text.slice(start, end) });
      to = end;
    }
    return { shared: shared + line.text.slice(to), gaps };
  };
  const [a, b] = [outside(left), outside(right)];
  if (a.shared !== b.shared) return null;
  const points = [...new Set([...a.gaps, ...b.gaps].map((gap) => gap.at))].sort((x, y) => x - y);
  let deleted = 0;
  const out = points.map((point): Replacement => {
    const out_ = a.gaps.find((gap) => gap.at === point);
    const in_ = b.gaps.find((gap) => gap.at === point);
    const from = at + point + deleted;
    deleted += out_?.text.length ?? 0;
    return { from, to: from + (out_?.text.length ?? 0), insert: in_?.text ?? "" };
  });
  if (left.eol !== right.eol) {
    const end = at + left.text.length;
    out.push({ from: end, to: end + BREAKS[left.eol].length, insert: BREAKS[right.eol] });
  }
  return out;
}

/** One replacement, without what both sides begin and end with; never through the middle of a character or of CRLF. */
function cut(at: number, before: string, after: string): Replacement[] {
  if (before === after) return [];
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head += 1;
  while (head > 0 && splits(before, head, after)) head -= 1;
  let tail = 0;
  while (tail < most - head && before[before.length - 1 - tail] === after[after.length - 1 - tail])
    tail += 1;
  while (tail > 0 && (breaks(before, before.length - tail) || breaks(after, after.length - tail)))
    tail -= 1;
  return [
    {
      from: at + head,
      to: at + before.length - tail,
      insert: after.slice(head, after.length - tail),
    },
  ];
}

const splits = (before: string, at: number, after: string): boolean =>
  breaks(before, at) || breaks(after, at);

/** Whether `at` is inside a surrogate pair or between CR and LF. */
function breaks(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length) return false;
  const [left, right] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
  return (
    (left >= 0xd800 && left <= 0xdbff && right >= 0xdc00 && right <= 0xdfff) ||
    (left === 0x0d && right === 0x0a)
  );
}
