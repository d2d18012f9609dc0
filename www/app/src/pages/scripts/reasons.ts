/** The reasons to look, as sentences with their places: what was tolerated, moved or guessed. script-tool.md §11. */
import {
  CONFIRM_OFFSET,
  type EngineHunk,
  type FileId,
  type PlacedHunk,
  type Preview,
  type VirtualFiles,
} from "@holdpoint/core/editor";
import { has, language, t } from "@holdpoint/elements";
import type { Mark } from "@holdpoint/elements/diff/view";
import type { Reason } from "@holdpoint/elements/review/view";
import type { ProposedFile } from "@holdpoint/elements/script/view";

interface Place {
  file: ProposedFile;
  hunk: EngineHunk;
  n: number;
}

/** Worded once for a preview and a language, so that who draws sees that nothing changed. */
export class Worded {
  #last: { told: Preview; in: string; reasons: readonly Reason[] } | null = null;

  of(
    told: Preview,
    whole: Preview,
    files: readonly ProposedFile[],
    base: VirtualFiles,
  ): readonly Reason[] {
    if (this.#last?.told !== told || this.#last.in !== language()) {
      const found = reasons(told.meta.reasons, whole, files, base);
      this.#last = { told, in: language(), reasons: found };
    }
    return this.#last.reasons;
  }
}

function reasons(
  tags: readonly string[],
  whole: Preview,
  files: readonly ProposedFile[],
  base: VirtualFiles,
): Reason[] {
  return tags.flatMap((tag): Reason[] => {
    const found = placed(tag, whole, files, base);
    return found.length ? found : [plain(tag)];
  });
}

/** The reasons of a tag that says where to look. */
function placed(
  tag: string,
  whole: Preview,
  files: readonly ProposedFile[],
  base: VirtualFiles,
): Reason[] {
  if (tag === "used_fuzz") return fuzz(whole, files);
  if (tag === "large_offset") return moved(whole, files);
  return tag === "other_matches" ? twins(files, base) : doubted(tag, whole, files);
}

/** A doubt of single places that has words for one: a part of a line, dots, a forgotten marker. */
function doubted(tag: string, whole: Preview, files: readonly ProposedFile[]): Reason[] {
  const key = `script.reason.${tag}.place`;
  const short = `script.reason.${tag}.short`;
  if (!has(key) || !has(short)) return [];
  return whole.meta.hunks
    .filter((placed) => placed.doubts.some((doubt) => doubt === tag))
    .flatMap((placed): Reason[] => {
      const place = placeOf(placed, files, tag);
      return place
        ? [
            {
              text: t(key, { place: place.n }),
              short: t(short),
              path: place.file.path,
              hunk: place.hunk.id,
            },
          ]
        : [];
    });
}

const looks: Partial<Record<PlacedHunk["doubts"][number], Mark["look"]>> = {
  matched_inside_line: "part",
  matched_elision: "stays",
  inserts_near_copy: "copy",
  marks_existing_line: "there",
};

/** The lines of a file that doubts are about. */
export const marks = (whole: Preview, path: FileId): Mark[] =>
  whole.meta.hunks
    .filter((placed) => placed.target_file === path)
    .flatMap((placed) => placed.marks ?? [])
    .flatMap(({ tag, ...lines }) => {
      const look = looks[tag];
      return look ? [{ look, ...lines }] : [];
    });

export const notes = (whole: Preview): string[] =>
  whole.meta.normalizations_applied.flatMap((tag) => {
    const key = `script.note.${tag}`;
    return has(key) ? [t(key)] : [];
  });

function plain(tag: string): Reason {
  const key = tag === "other_matches" ? "script.reason.other_matches.any" : `script.reason.${tag}`;
  return {
    text: has(key) ? t(key, { n: 1, place: "" }) : t("script.reason.other", { tag }),
    short: "",
    path: null,
    hunk: null,
  };
}

/**
 * The place of the diff that a placed hunk made, or that a doubt of it is about: the nearest of its file. None for what
 * an earlier block brought.
 */
function placeOf(placed: PlacedHunk, files: readonly ProposedFile[], doubt?: string): Place | null {
  const mark = placed.marks?.find(({ tag }) => tag === doubt);
  const from = mark?.from ?? placed.line;
  if (from === null) return null;
  const to = mark?.to ?? from;
  let n = 0;
  let best: Place | null = null;
  let nearest = Infinity;
  for (const file of files)
    for (const hunk of file.diff.hunks) {
      n += 1;
      if (file.path !== placed.target_file) continue;
      const behind = hunk.old_start + Math.max(0, hunk.old_count - 1);
      const distance = from > behind ? from - behind : Math.max(0, hunk.old_start - to);
      if (distance < nearest) {
        nearest = distance;
        best = { file, hunk, n };
      }
    }
  return best;
}

function fuzz(whole: Preview, files: readonly ProposedFile[]): Reason[] {
  return whole.meta.hunks
    .filter((placed) => placed.fuzz > 0)
    .flatMap((placed): Reason[] => {
      const place = placeOf(placed, files);
      return place
        ? [
            {
              text: t("script.reason.used_fuzz", { n: placed.fuzz, place: place.n }),
              short: t("script.reason.used_fuzz.short", { n: placed.fuzz }),
              path: place.file.path,
              hunk: place.hunk.id,
            },
          ]
        : [];
    });
}

function moved(whole: Preview, files: readonly ProposedFile[]): Reason[] {
  return whole.meta.hunks
    .filter((placed) => Math.abs(placed.offset) > CONFIRM_OFFSET)
    .flatMap((placed): Reason[] => {
      const place = placeOf(placed, files);
      const n = Math.abs(placed.offset);
      return place
        ? [
            {
              text: t(
                placed.offset > 0
                  ? "script.reason.large_offset.lower"
                  : "script.reason.large_offset.higher",
                { n, place: place.n },
              ),
              short: t("script.reason.large_offset.short", { n }),
              path: place.file.path,
              hunk: place.hunk.id,
            },
          ]
        : [];
    });
}

/** Where the lines that change also stand. The engine says that they do; the lines are looked up in the text before. */
function twins(files: readonly ProposedFile[], base: VirtualFiles): Reason[] {
  let n = 0;
  return files.flatMap((file) =>
    file.diff.hunks.flatMap((hunk): Reason[] => {
      n += 1;
      const lines = others(base[file.path], hunk)
        .map((line) => t("script.reason.line", { n: String(line) }))
        .join(", ");
      return lines
        ? [
            {
              text: t("script.reason.other_matches", { place: n, lines }),
              short: t("script.reason.other_matches.short", { lines }),
              path: file.path as FileId,
              hunk: hunk.id,
            },
          ]
        : [];
    }),
  );
}

/** Most lines that a sentence names. */
const MAX_LINES = 3;

function others(text: string, hunk: EngineHunk): number[] {
  const lines = text.split(/\r?\n/);
  const old = hunk.lines.filter((line) => line.kind !== "insert");
  const first = old.findIndex((_, i) => near(hunk, i));
  const core = old.filter((_, i) => near(hunk, i)).map((line) => line.text);
  if (!core.some((line) => /[\p{L}\p{N}]/u.test(line))) return [];
  const here = hunk.old_start - 1 + first;
  const out: number[] = [];
  for (let at = 0; at + core.length <= lines.length && out.length < MAX_LINES; at += 1)
    if (at !== here && core.every((line, i) => lines[at + i] === line)) out.push(at + 1);
  return out;
}

/** Whether the i-th old line of a hunk changes or stands directly beside a change. */
function near(hunk: EngineHunk, i: number): boolean {
  let old = -1;
  for (const [k, line] of hunk.lines.entries()) {
    if (line.kind !== "insert") old += 1;
    if (old !== i || line.kind === "insert") continue;
    const beside = [hunk.lines[k - 1], hunk.lines[k + 1]];
    return (
      line.kind === "delete" || beside.some((one) => one !== undefined && one.kind !== "context")
    );
  }
  return false;
}
