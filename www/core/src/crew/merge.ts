/**
 * Two edits of one file put together: by member where the file is JSON or has a head, by line elsewhere. What only one
 * side changed is taken; where both changed the same, a person chooses. Pure; `Lines` compares two texts.
 */
import type { TextDiff } from "../generated/TextDiff";
import { type HeadMember, headMembers } from "./markdown.ts";
import { isRecord, jsonText } from "./package.ts";

export type Side = "mine" | "theirs";

/** A place that both sides changed, each in its own way. */
export interface Clash {
  /** Of this place in this file, as long as the base stays. */
  key: string;
  /** The names of a member, from the outside in; none for lines. */
  member: readonly string[];
  /** The line of my text on which it begins, from 1; 0 for a member or a whole file. */
  line: number;
  /** Null where that side has nothing there. */
  mine: string | null;
  theirs: string | null;
}

export interface MergedFile {
  /** With theirs where nothing is chosen yet. Null: the file goes. */
  text: string | null;
  clashes: readonly Clash[];
}

/** A file as both began with it, and as each side has it; null where it is not there. */
export interface ThreeTexts {
  base: string | null;
  mine: string | null;
  theirs: string | null;
}

/** How a file is read: as members of JSON, as a head above lines, or as lines. */
export type MergedAs = "json" | "head" | "lines";

/** Lines of one text that stand for lines of another: places from 0, `end` not included. */
export interface LineChange {
  start: number;
  end: number;
  lines: readonly string[];
}
export type Lines = (before: string, after: string) => readonly LineChange[];

export function mergedFile(
  texts: ThreeTexts,
  as: MergedAs,
  chosen: (key: string) => Side | undefined,
  changes: Lines,
): MergedFile {
  const { base, mine, theirs } = texts;
  if (mine === base || mine === theirs) return { text: theirs, clashes: [] };
  if (theirs === base) return { text: mine, clashes: [] };
  const merge = new Merge(chosen, changes);
  if (mine === null || theirs === null || base === null)
    return { text: merge.text(WHOLE, mine, theirs), clashes: merge.clashes };
  const text = as === "json" ? merge.json(base, mine, theirs) : null;
  const headed = as === "head" ? merge.headed(base, mine, theirs) : null;
  return { text: text ?? headed ?? merge.lines(base, mine, theirs), clashes: merge.clashes };
}

type Place = Pick<Clash, "key" | "member" | "line">;
const WHOLE: Place = { key: "", member: [], line: 0 };
interface Worded<T> {
  value: T;
  words: string | null;
}

class Merge {
  readonly clashes: Clash[] = [];

  constructor(
    private readonly chosen: (key: string) => Side | undefined,
    private readonly changes: Lines,
  ) {}

  /** What stands at a place that both changed: a value, with its words. */
  settle<T>(place: Place, mine: Worded<T>, theirs: Worded<T>): T {
    this.clashes.push({ ...place, mine: mine.words, theirs: theirs.words });
    return (this.chosen(place.key) === "mine" ? mine : theirs).value;
  }

  text(place: Place, mine: string | null, theirs: string | null): string | null {
    return this.settle(place, { value: mine, words: mine }, { value: theirs, words: theirs });
  }

  // ── members ────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Null where one of the texts is no JSON. */
  json(base: string, mine: string, theirs: string): string | null {
    const [from, own, other] = [base, mine, theirs].map(parsed);
    if (!from || !own || !other) return null;
    const value = this.#value([], from, own, other);
    if (same(value, own)) return mine;
    return same(value, other) ? theirs : jsonText(value);
  }

  #value(at: readonly string[], base: unknown, mine: unknown, theirs: unknown): unknown {
    if (same(mine, base) || same(mine, theirs)) return theirs;
    if (same(theirs, base)) return mine;
    if (isRecord(mine) && isRecord(theirs))
      return this.#record(at, isRecord(base) ? base : {}, mine, theirs);
    const lists = [base ?? [], mine, theirs].map(keyed);
    const [from, own, other] = lists;
    if (from && own && other) return Object.values(this.#record(at, from, own, other));
    // Where a node stands in the drawing is nobody's loss.
    if (at.includes("positions")) return mine;
    const place = { key: at.join("/"), member: at, line: 0 };
    return this.settle(place, worded(mine), worded(theirs));
  }

  #record(
    at: readonly string[],
    base: Record<string, unknown>,
    mine: Record<string, unknown>,
    theirs: Record<string, unknown>,
  ): Record<string, unknown> {
    const names = new Set([...Object.keys(theirs), ...Object.keys(mine)]);
    const out: Record<string, unknown> = {};
    for (const name of names) {
      const value = this.#value([...at, name], base[name], mine[name], theirs[name]);
      if (value !== undefined) out[name] = value;
    }
    return out;
  }

  /** The members of a head each for itself, then the lines below. Null where one of the texts has no head. */
  headed(base: string, mine: string, theirs: string): string | null {
    const texts = [base, mine, theirs].map(parted);
    const [from, own, other] = texts;
    if (!from || !own || !other) return null;
    const names = new Set([...other.members.keys(), ...own.members.keys()]);
    let head = other.open;
    for (const name of names) {
      const [b, m, t] = [from, own, other].map(({ members }) => members.get(name) ?? null);
      head += this.#member(name, b ?? null, m ?? null, t ?? null) ?? "";
    }
    const line = own.head.split("\n").length - 1;
    return head + other.close + this.lines(from.body, own.body, other.body, line);
  }

  #member(name: string, base: string | null, mine: string | null, theirs: string | null) {
    if (mine === base || mine === theirs) return theirs;
    if (theirs === base) return mine;
    return this.text({ key: name, member: [name], line: 0 }, mine, theirs);
  }

  // ── lines ──────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Changes that overlap or touch are one place. `above`: lines of my file before this text. */
  lines(base: string, mine: string, theirs: string, above = 0): string {
    const all = lined(base);
    const waiting = {
      mine: [...this.changes(base, mine)],
      theirs: [...this.changes(base, theirs)],
    };
    const out: string[] = [];
    let at = 0;
    let moved = 0;
    for (let place = next(waiting); place; place = next(waiting)) {
      out.push(...all.slice(at, place.start));
      const own = changed(all, place, place.mine);
      const other = changed(all, place, place.theirs);
      if (!place.theirs.length || own === other) out.push(own);
      else if (!place.mine.length) out.push(other);
      else {
        const line = above + place.start + moved + 1;
        const of = { key: `line ${place.start}`, member: [], line };
        out.push(this.text(of, own, other) ?? "");
      }
      for (const { start: from, end, lines } of place.mine) moved += lines.length - (end - from);
      at = place.end;
    }
    return [...out, ...all.slice(at)].join("");
  }
}

interface Waiting {
  mine: LineChange[];
  theirs: LineChange[];
}

/** Takes the first place that one side changed, with all changes that overlap it or touch it. */
function next(waiting: Waiting): (Waiting & { start: number; end: number }) | null {
  const firsts = [waiting.mine[0], waiting.theirs[0]].flatMap((one) => (one ? [one.start] : []));
  if (!firsts.length) return null;
  const start = Math.min(...firsts);
  const place = { start, end: start, mine: [] as LineChange[], theirs: [] as LineChange[] };
  const take = (side: "mine" | "theirs"): boolean => {
    const [one] = waiting[side];
    if (!one || one.start > place.end) return false;
    waiting[side].shift();
    place[side].push(one);
    place.end = Math.max(place.end, one.end);
    return true;
  };
  while (take("mine") || take("theirs"));
  return place;
}

/** The lines of a place with the changes of one side. */
function changed(
  all: readonly string[],
  { start, end }: { start: number; end: number },
  changes: readonly LineChange[],
): string {
  const out: string[] = [];
  let at = start;
  for (const change of changes) {
    out.push(...all.slice(at, change.start), ...change.lines);
    at = change.end;
  }
  return [...out, ...all.slice(at, end)].join("");
}

/** Lines with their ends. */
export const lined = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

interface Parted {
  head: string;
  open: string;
  members: Map<string, string>;
  close: string;
  body: string;
}

/** A file with a head; null where it has none, or a member twice. */
function parted(text: string): Parted | null {
  const [head] = /^\uFEFF?---[ \t]*\r?\n(?:[\s\S]*?\n)??---[ \t]*(?:\r?\n|$)/.exec(text) ?? [];
  if (head === undefined) return null;
  const all = headMembers(head);
  const named = all.filter(({ key }) => key !== "");
  const members = new Map(named.map(({ key, text: own }): [string, string] => [key, own]));
  if (members.size !== named.length) return null;
  const edge = (one: HeadMember | undefined): string => (one && !one.key ? one.text : "");
  const close = named.length ? edge(all.at(-1)) : "";
  return { head, open: edge(all[0]), members, close, body: text.slice(head.length) };
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

/** A list by what names its items: an id, or the two ends of an edge. Null where something is nameless or twice. */
function keyed(list: unknown): Record<string, unknown> | null {
  if (!Array.isArray(list)) return null;
  const out: Record<string, unknown> = {};
  for (const item of list as unknown[]) {
    const { id, from, to } = isRecord(item) ? item : {};
    const name = typeof id === "string" ? id : `${String(from)} → ${String(to)}`;
    // A name of digits alone would be put in front of the others.
    const key = /^\d+$/.test(name) ? `#${name}` : name;
    if ((typeof id !== "string" && typeof from !== "string") || key in out) return null;
    out[key] = item;
  }
  return out;
}

function worded(value: unknown): Worded<unknown> {
  if (value === undefined) return { value, words: null };
  return { value, words: typeof value === "string" ? value : JSON.stringify(value, null, 2) };
}

const same = (a: unknown, b: unknown): boolean =>
  a === b || JSON.stringify(a) === JSON.stringify(b);

/** The places of a difference without context, for `mergedFile`. */
export function lineChanges({ hunks }: Pick<TextDiff, "hunks">, after: string): LineChange[] {
  const all = lined(after);
  const place = (start: number, count: number): number => (count ? start - 1 : start);
  return hunks.map(({ old_start, old_count, new_start, new_count }) => {
    const start = place(old_start, old_count);
    const from = place(new_start, new_count);
    return { start, end: start + old_count, lines: all.slice(from, from + new_count) };
  });
}
