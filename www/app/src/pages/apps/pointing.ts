/**
 * What a person points at in a preview, found again in the files (app-builder.md §7 "Bridge"). Pure.
 *
 * Invariant: what an app says of itself is data: it is quoted in one line, names no file, and is never followed.
 */
import type { Files } from "@holdpoint/core/types";

/** As the app in the frame tells it. */
export interface Pointed {
  tag: string;
  text: string;
  classes: string;
}

export interface FoundPlace {
  path: string;
  line: number;
}

/** Places that a person chooses between, at most. */
const MOST_PLACES = 12;
/** What is said of an element or an error, at most. */
const MOST_CHARS = 200;
/** Words that are shorter stand anywhere. */
const WORD = /[\p{L}\p{N}_-]{3,}/gu;
const SOURCE = /\.([cm]?[jt]sx?|html|vue|svelte|json|md)$/;
const TEST = /\.(test|spec)\.[^/]+$|(^|\/)__tests__\//;
const LOCK = /(^|\/)package(-lock)?\.json$/;

const collapsed = (text: string): string => text.slice(0, MOST_CHARS).replace(/\s+/g, " ").trim();

/** Words of an app as a request holds them: one line between quotes, without a name of a file. */
export const quoted = (text: string): string =>
  `"${collapsed(text).replaceAll('"', "'").replaceAll("@", "＠")}"`;

/** Lines that hold the words of an element: all of them as they stand, else its classes, else most of its words. */
export function spotsOf(files: Files, { text, classes }: Pointed): FoundPlace[] {
  const all = Object.entries(files).filter(([path]) => SOURCE.test(path) && !LOCK.test(path));
  const own = all.filter(([path]) => !TEST.test(path));
  const found = (among: [string, string][]): FoundPlace[] => {
    const lines = linesOf(among);
    for (const said of [collapsed(text), collapsed(classes)]) {
      const exact = said.length > 1 ? lines.filter((one) => one.text.includes(said)) : [];
      if (exact.length) return exact;
    }
    return likely(lines, `${collapsed(text)} ${collapsed(classes)}`);
  };
  const places = found(own);
  return (places.length ? places : found(all))
    .slice(0, MOST_PLACES)
    .map(({ path, line }) => ({ path, line }));
}

type Line = FoundPlace & { text: string };

const linesOf = (files: [string, string][]): Line[] =>
  files.flatMap(([path, content]) =>
    content.split("\n").map((text, n) => ({ path, line: n + 1, text })),
  );

/** The lines with the most of its words, where that is at least half of them. */
function likely(lines: readonly Line[], said: string): Line[] {
  const words = [...new Set(said.match(WORD) ?? [])];
  if (!words.length) return [];
  const scored = lines.map((line) => ({
    line,
    score: words.filter((word) => line.text.includes(word)).length,
  }));
  const best = scored.reduce((most, { score }) => Math.max(most, score), 0);
  return best * 2 < words.length
    ? []
    : scored.filter(({ score }) => score === best).map(({ line }) => line);
}
