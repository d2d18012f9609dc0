/** The versions of a result as they stand side by side. Pure. */
import type { FileDiff, RunView, VersionView } from "@holdpoint/core/types";
import { fingerprint } from "../base/format.js";
import { conforms, difference, differences } from "../review/conforms.js";
import { t } from "../text/index.js";

/** Attempts of one bundle, the generation included (authoring.md §6.1). */
const MAX_ATTEMPTS = 5;

export interface VersionsView {
  versions: readonly VersionView[];
  /** The plan that they are compared with. */
  plan: RunView["plan"];
  /** Of each that is not shown, by its content hash: what differs from it in the one that is. */
  diffs: Readonly<Record<string, readonly FileDiff[]>>;
}

/** A fact about each version; `same`: it is the same in all. */
export interface FactRow {
  label: string;
  cells: string[][];
  same: boolean;
}

const A = 65;
const LETTERS = 26;

/** A, B, … Z, AA. */
export function letter(index: number): string {
  const last = String.fromCharCode(A + (index % LETTERS));
  return index < LETTERS ? last : letter(Math.floor(index / LETTERS) - 1) + last;
}

/** The letter of the version that is shown; empty where there is only one. */
export function shownLetter(versions: readonly VersionView[]): string {
  const at = versions.findIndex((one) => one.shown);
  return versions.length > 1 && at >= 0 ? letter(at) : "";
}

/** "Version B 25B0 6607": what stays while something else is looked at. */
export const named = (one: VersionView, index: number): string =>
  `${t("versions.name", { letter: letter(index) })} ${fingerprint(one.result_hash)} (${by(one)})`;

export const by = ({ number }: VersionView): string =>
  t(number === "hand" ? "versions.by.hand" : "versions.by.model");

export function factRows({ versions, plan }: VersionsView): FactRow[] {
  const planned = plan?.approved ? plan.plan : null;
  const row = (label: string, cell: (one: VersionView) => string | string[]): FactRow => {
    const cells = versions.map(cell).map((one) => (typeof one === "string" ? [one] : one));
    return { label, cells, same: cells.every((one) => one.join("\n") === cells[0]?.join("\n")) };
  };
  return [
    row(t("versions.by"), by),
    row(t("versions.plan"), (one) => {
      const found = differences(one.differences);
      if (found.length)
        return found.map((finding) => difference(finding, { plan: planned, manifest: null }));
      return conforms(one.differences, planned) || t("versions.plan.none");
    }),
    row(t("versions.tests"), ({ passed, tests }) =>
      tests ? t("review.tests.of", { n: passed, of: tests }) : t("versions.tests.none"),
    ),
    row(t("versions.size"), ({ files }) => {
      const texts = Object.values(files);
      const lines = texts.reduce((sum, text) => sum + linesOf(text), 0);
      return t("versions.size.of", {
        files: t("review.files", { n: texts.length }),
        lines: t("versions.lines", { n: lines }),
      });
    }),
    row(t("versions.attempts"), ({ attempts }) =>
      t("run.attempts_of", { n: attempts, of: MAX_ATTEMPTS }),
    ),
    row(t("versions.mended"), ({ autofixes }) =>
      autofixes ? t("review.mended", { n: autofixes }) : t("versions.mended.none"),
    ),
    row(t("versions.state"), ({ ok }) => t(ok ? "versions.state.ok" : "versions.state.not")),
  ];
}

const linesOf = (text: string): number => text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
