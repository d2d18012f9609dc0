/** What goes along with the words of a request: an element, errors, a part of a change, what is to be explained. */
import type { Explain } from "@holdpoint/core/apps";
import type { Diagnostic, Files, Hunk } from "@holdpoint/core/types";
import { type IconName, said, t } from "@holdpoint/elements";
import type { RuntimeError } from "@holdpoint/elements/apps/view";
import type { AlongView } from "@holdpoint/elements/talk/view";
import { type FoundPlace, type Pointed, quoted, spotsOf } from "./pointing.js";

/** What of a change a request holds, at most. */
const MOST_CHARS = 4_000;
/** Findings that a request names, at most. */
const MOST_FINDINGS = 20;

export interface Token {
  id: string;
  mark: IconName;
  label: string;
  places: readonly FoundPlace[];
  /** Which of several places it is. */
  at: number | null;
  /** As the request says it. */
  words(place: string): string;
  explain?: Explain;
  /** The proposal that the request goes on from. */
  from?: string;
}

const token = (one: Omit<Token, "id" | "places" | "at"> & Partial<Token>): Token => ({
  id: crypto.randomUUID(),
  places: [],
  at: null,
  ...one,
});

const written = ({ path, line }: FoundPlace): string => `${path}:${line}`;

/** An element that was pointed at. */
export function elementToken(pointed: Pointed, files: Files): Token {
  const said = quoted(pointed.text || pointed.classes || pointed.tag);
  const places = spotsOf(files, pointed);
  const tag = pointed.tag.replace(/[^\w-]/g, "");
  return token({
    mark: "pick",
    label: said,
    places,
    at: places.length === 1 ? 0 : null,
    words: (place) => t("apps.point.words", { tag, said, place }).trim(),
  });
}

/** Failures of the app in the preview. */
export function errorsToken(errors: readonly RuntimeError[]): Token {
  const said = errors.map(({ message, asset, line, source }) => {
    if (source) return `@${written(source)} ${quoted(message)}`;
    return asset ? `${quoted(message)} (${quoted(asset)}, ${line})` : quoted(message);
  });
  return token({
    mark: "bad",
    label: t("apps.stopped.along", { n: errors.length }),
    words: () => t("apps.stopped.request", { errors: said.map((one) => `- ${one}`).join("\n") }),
  });
}

/** What a build or a save found, as text of the project's tools. */
export function findingsToken(findings: readonly Diagnostic[]): Token {
  const lines = findings.slice(0, MOST_FINDINGS).map((one) => {
    const line = one.range ? `:${one.range.start.line}` : "";
    return `- ${one.path ? `@${one.path}${line} ` : ""}${quoted(said(one))}`;
  });
  return token({
    mark: "bad",
    label: t("apps.repair.along", { n: findings.length }),
    words: () => t("apps.repair.words", { findings: lines.join("\n") }),
  });
}

/** A part of a proposal that is wanted otherwise. */
export function redoToken(from: string, path: string, hunk: Hunk): Token {
  const line = Math.max(1, hunk.new_start);
  const marks = { context: " ", insert: "+", delete: "-" } as const;
  const lines = hunk.lines.map(({ kind, text }) => marks[kind] + text);
  const part = lines.join("\n").slice(0, MOST_CHARS);
  return token({
    ...{ mark: "again", from, at: 0, places: [{ path, line }] },
    label: t("apps.redo.part"),
    words: (place) => t("apps.redo.words", { place, part }),
  });
}

/** A difference that is asked about. */
export const explainToken = (explain: Explain, label: string): Token =>
  token({ mark: "chat", label, explain, words: () => t("apps.explain.words", { what: label }) });

export const viewOf = ({ id, mark, label, places, at }: Token): AlongView => ({
  ...{ id, mark, label, at },
  places: places.map(written),
});

/** What a request says with them; a file is named so that the edge sends it along. */
export const wordsOf = (tokens: readonly Token[]): string[] =>
  tokens.map((one) => {
    const place = one.at === null ? undefined : one.places[one.at];
    return one.words(place ? `@${written(place)}` : "");
  });
