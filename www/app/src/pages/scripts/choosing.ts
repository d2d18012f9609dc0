/**
 * What a person chose of a proposal, when the proposal is shown anew against other texts.
 *
 * A change is known again by the lines that go and come, never by their numbers. Invariant: what was rejected stays
 * rejected as far as it can be known again; what is new is accepted, as in every proposal that nobody looked at.
 */
import type { Accept, EngineHunk } from "@holdpoint/core/editor";
import type { ProposedFile } from "@holdpoint/elements/script/view";

/** What was shown, and of its changes those that were accepted. */
export interface Chosen {
  files: readonly ProposedFile[];
  taken: Accept;
}

const changed = (hunk: EngineHunk): string[] =>
  hunk.lines.flatMap(({ kind, text }) => (kind === "context" ? [] : [`${kind} ${text}`]));

/** The same choice among the changes of `files`. */
export function carried(before: Chosen, files: readonly ProposedFile[]): Accept {
  return Object.fromEntries(
    files.map(({ path, diff }) => {
      const was = before.files.find((one) => one.path === path)?.diff.hunks ?? [];
      const taken = new Set(before.taken[path]);
      const known = was.map((hunk) => ({ lines: changed(hunk), taken: taken.has(hunk.id) }));
      const ids = diff.hunks.filter((hunk) => isTaken(changed(hunk), known)).map(({ id }) => id);
      return [path, ids];
    }),
  );
}

interface Known {
  lines: string[];
  taken: boolean;
}

/** As the first of the same kind that nothing was known by; else as most of its lines were decided. */
function isTaken(lines: readonly string[], known: Known[]): boolean {
  const same = known.findIndex((one) => String(one.lines) === String(lines));
  const [found] = same < 0 ? [] : known.splice(same, 1);
  if (found) return found.taken;
  const shared = (taken: boolean): number => {
    const there = new Set(known.filter((one) => one.taken === taken).flatMap((one) => one.lines));
    return lines.filter((line) => there.has(line)).length;
  };
  const left = shared(false);
  return left === 0 || shared(true) > left;
}
