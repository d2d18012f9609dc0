/** Which places of a proposal are taken: as the edge asks for it, and as it is counted. Pure. */
import type { Accept, ProposedFile } from "@holdpoint/core/apps";

export type Picked = Readonly<Record<string, boolean | readonly string[]>>;

/** A file whose places can be taken one by one; a new, deleted or binary one is taken whole or not. */
const inPlaces = ({ status, diff }: ProposedFile): boolean =>
  status === "modified" && (diff?.hunks.length ?? 0) > 0;

export const all = (files: readonly ProposedFile[]): Picked =>
  Object.fromEntries(files.map((file) => [file.path, whole(file, true)]));

/** A file taken whole, or not at all. */
export function whole(file: ProposedFile, take: boolean): boolean | readonly string[] {
  if (!inPlaces(file)) return take;
  return take ? (file.diff?.hunks.map(({ id }) => id) ?? []) : [];
}

/** One place more, or one less. */
export function placed(picked: Picked, path: string, id: string, take: boolean): Picked {
  const before = picked[path];
  if (!Array.isArray(before)) return { ...picked, [path]: take };
  const rest = before.filter((one) => one !== id);
  return { ...picked, [path]: take ? [...rest, id] : rest };
}

/** What the edge is asked for; nothing where everything is taken. */
export function acceptOf(files: readonly ProposedFile[], picked: Picked): Accept | undefined {
  const accept: Accept = {};
  let part = false;
  for (const file of files) {
    const taken = picked[file.path] ?? true;
    const value = inPlaces(file) && Array.isArray(taken) ? ofPlaces(file, taken) : taken === true;
    accept[file.path] = value;
    if (value !== true) part = true;
  }
  return part ? accept : undefined;
}

function ofPlaces({ diff }: ProposedFile, taken: readonly string[]): boolean | string[] {
  if (taken.length === 0) return false;
  return taken.length === diff?.hunks.length ? true : [...taken];
}

/** How many changes are taken; a file that is taken whole is one. */
export const countOf = (files: readonly ProposedFile[], picked: Picked): number =>
  files.reduce((sum, file) => {
    const taken = picked[file.path] ?? true;
    return sum + (Array.isArray(taken) ? taken.length : Number(taken === true));
  }, 0);
