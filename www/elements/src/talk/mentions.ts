/** Files that a request names with `@`: what is named at the caret, what fits it, how a path is written. Pure. */

/** So many files are offered at once. */
const MOST = 8;
/** What stands at the caret: an `@` that begins a word, and what was written of its name. */
const OPEN = /(?<![\p{L}\p{N}_./+-])@(?:"([^"\n]*)|([\p{L}\p{N}._/\\-]*))$/u;
const PLAIN = /^[\p{L}\p{N}._/-]*[\p{L}\p{N}_/]$/u;

export interface NameAtCaret {
  /** Where its `@` stands. */
  start: number;
  /** As far as it is written. */
  name: string;
}

export function namingAt(text: string, caret: number): NameAtCaret | null {
  const found = OPEN.exec(text.slice(0, caret));
  return found && { start: found.index, name: found[1] ?? found[2] ?? "" };
}

/** Files that fit what is written, best first: by the beginning of their names, by a part of it, by their folders. */
export function fitting(files: readonly string[], { name }: NameAtCaret): string[] {
  const wanted = name.replaceAll("\\", "/").toLowerCase();
  const rank = (path: string): number => {
    const lower = path.toLowerCase();
    const base = lower.slice(lower.lastIndexOf("/") + 1);
    if (base.startsWith(wanted)) return 0;
    if (base.includes(wanted)) return 1;
    return lower.includes(wanted) ? 2 : 3;
  };
  return files
    .map((path) => ({ path, rank: rank(path) }))
    .filter((one) => one.rank < 3)
    .sort((a, b) => a.rank - b.rank || (a.path < b.path ? -1 : 1))
    .slice(0, MOST)
    .map(({ path }) => path);
}

/** A path as a text names it: in quotes where it would not be read whole. */
export function named(path: string): string {
  if (PLAIN.test(path)) return `@${path}`;
  const quote = ['"', "'", "`"].find((one) => !path.includes(one)) ?? '"';
  return `@${quote}${path}${quote}`;
}

/** The text with the name from `start` to `end` in its place, and where the caret stands then. */
export function put(text: string, path: string, start: number, end: number) {
  const rest = text.slice(end);
  const name = `${named(path)}${/^\s/.test(rest) ? "" : " "}`;
  return { text: text.slice(0, start) + name + rest, caret: start + name.length };
}
