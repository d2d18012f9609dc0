/** Files of three sides put together, path by path: what a person wrote, a newer version, and what both began from. */
import { isRefusal } from "@holdpoint/core/session";
import type { Checks, Files } from "@holdpoint/core/types";

export interface Merged {
  /** What fits together. Of paths that meet: the newer version's. */
  files: Files;
  /** Paths that both sides changed in the same place. */
  meet: string[];
}

interface MergedText {
  clean: boolean;
  text: string | null;
}

/** `checks` puts two changed texts together (`text.merge`). */
export async function merged(
  checks: Pick<Checks, "call">,
  base: Files,
  mine: Files,
  theirs: Files,
): Promise<Merged> {
  const files: Files = {};
  const meet: string[] = [];
  const paths = new Set([...Object.keys(base), ...Object.keys(mine), ...Object.keys(theirs)]);
  for (const path of [...paths].sort()) {
    const sides = { base: base[path], ours: mine[path], theirs: theirs[path] };
    const one = await joined(checks, sides);
    if (one.meets) meet.push(path);
    if (one.text !== undefined) files[path] = one.text;
  }
  return { files, meet };
}

interface Sides {
  base: string | undefined;
  ours: string | undefined;
  theirs: string | undefined;
}

async function joined(
  checks: Pick<Checks, "call">,
  sides: Sides,
): Promise<{ text: string | undefined; meets: boolean }> {
  const { base, ours, theirs } = sides;
  if (ours === theirs || ours === base) return { text: theirs, meets: false };
  if (theirs === base) return { text: ours, meets: false };
  if (base === undefined || ours === undefined || theirs === undefined)
    return { text: theirs, meets: true };
  const { clean, text } = await mergedText(checks, { base, ours, theirs });
  return clean && text !== null ? { text, meets: false } : { text: theirs, meets: true };
}

/** Where the engine is not there, or refuses the texts, a person decides. */
async function mergedText(checks: Pick<Checks, "call">, sides: object): Promise<MergedText> {
  try {
    return await checks.call<MergedText>("text.merge", sides);
  } catch (error) {
    if (isRefusal(error)) return { clean: false, text: null };
    throw error;
  }
}
