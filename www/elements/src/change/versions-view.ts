/** The versions of a result as they stand side by side. Pure. */
import type { FileDiff, RunView, VersionView } from "@holdpoint/core/types";
import { type Amount, amount, decimal, fingerprint } from "../base/format.js";
import { conforms, difference, differences } from "../review/conforms.js";
import { t } from "../text/index.js";
import { permission, type Told } from "../text/said.js";

/** How a version runs on the open model. */
export interface VersionTrial {
  /** The fingerprint of exactly what runs. */
  print: string;
  granted: readonly string[];
  state: "running" | "ran" | "stopped" | "nomodel";
  /** How long the last call took; null until one ended. */
  ms: number | null;
}

/** A permission that a version asks for. */
export interface Asked {
  /** Its name in canonical form. */
  capability: string;
  /** As its manifest writes it. */
  declared: string;
  sentence: string;
  args?: Told["args"];
}

/** What is known of versions beside what their run says, each by its content hash. */
export interface VersionFacts {
  /** Of each that is not shown: what differs from it in the one that is. */
  diffs: Readonly<Record<string, readonly FileDiff[]>>;
  /** Those that run on the open model. */
  trials: Readonly<Record<string, VersionTrial>>;
  asked: Readonly<Record<string, readonly Asked[]>>;
  /** What it cost to write each, where that is known. */
  spent: Readonly<Record<string, Amount>>;
  /** The one that stands beside the one that is shown. */
  beside: string | null;
}

export interface VersionsView extends VersionFacts {
  versions: readonly VersionView[];
  /** The plan that they are compared with. */
  plan: RunView["plan"];
  /** Attempts that the model has at each. */
  attempts_max: number;
  /** What money is counted in; empty where tokens are. */
  currency: string;
}

/** A fact about each version; `same`: it is the same in all. */
export interface FactRow {
  label: string;
  cells: string[][];
  same: boolean;
  mono?: true;
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

type Row = (label: string, cell: (one: VersionView) => string | string[]) => FactRow;

export function factRows(view: VersionsView): FactRow[] {
  const { versions, plan, trials } = view;
  const planned = plan?.approved ? plan.plan : null;
  const row: Row = (label, cell) => {
    const cells = versions.map(cell).map((one) => (typeof one === "string" ? [one] : one));
    return { label, cells, same: cells.every((one) => one.join("\n") === cells[0]?.join("\n")) };
  };
  return [
    {
      ...row(t("review.fingerprint"), ({ result_hash: hash }) =>
        fingerprint(trials[hash]?.print ?? hash),
      ),
      mono: true,
    },
    row(t("versions.by"), by),
    row(t("versions.plan"), (one) => {
      const found = differences(one.differences);
      if (found.length)
        return found.map((finding) => difference(finding, { plan: planned, manifest: null }));
      return conforms(one.differences, planned) || t("versions.plan.none");
    }),
    ...(Object.keys(view.asked).length ? [row(t("review.may"), (one) => may(view, one))] : []),
    row(t("versions.tests"), ({ passed, tests }) =>
      tests ? t("review.tests.of", { n: passed, of: tests }) : t("versions.tests.none"),
    ),
    ...onModel(view),
    row(t("versions.size"), ({ files }) => {
      const texts = Object.values(files);
      const lines = texts.reduce((sum, text) => sum + linesOf(text), 0);
      return t("versions.size.of", {
        files: t("review.files", { n: texts.length }),
        lines: t("versions.lines", { n: lines }),
      });
    }),
    row(t("versions.attempts"), ({ attempts }) =>
      t("run.attempts_of", { n: attempts, of: view.attempts_max }),
    ),
    row(t("versions.mended"), ({ autofixes }) =>
      autofixes ? t("review.mended", { n: autofixes }) : t("versions.mended.none"),
    ),
    ...costs(view, row),
    ...(versions.every(({ ok }) => ok)
      ? []
      : [row(t("versions.state"), ({ ok }) => t(`versions.state.${ok ? "ok" : "not"}`))]),
  ];
}

/** What a version may, where it runs what of it is granted; and what another one may besides. */
function may({ asked, trials, plan }: VersionsView, { result_hash }: VersionView): string[] {
  const granted = (hash: string): readonly Asked[] => {
    const all = asked[hash] ?? [];
    const { granted: only } = trials[hash] ?? {};
    return only ? all.filter((one) => only.includes(one.declared)) : all;
  };
  const own = granted(result_hash);
  const has = (one: Asked, of: readonly Asked[]): boolean =>
    of.some((other) => other.capability === one.capability);
  const missing = Object.keys(asked)
    .flatMap(granted)
    .filter((one, i, all) => !has(one, own) && !has(one, all.slice(0, i)));
  const planned = plan?.approved ? plan.capabilities.map((one) => one.capability) : null;
  const isPlanned =
    planned?.length === own.length && own.every((one) => planned.includes(one.capability));
  return [
    isPlanned ? t("conforms.as") : t("versions.may", { n: own.length }),
    ...missing.map((one) => t("versions.without", { name: permission(one).replace(/\.$/, "") })),
  ];
}

/** Where one of them is known; what a person wrote cost nothing. */
function costs({ versions, spent, currency }: VersionsView, row: Row): FactRow[] {
  if (!versions.some((one) => spent[one.result_hash])) return [];
  return [
    row(t("word.cost"), ({ result_hash, number }) => {
      const cost = spent[result_hash];
      if (cost) return amount(cost, currency);
      return t(number === "hand" ? "versions.mended.none" : "versions.cost.unknown");
    }),
  ];
}

/** How they run on the open model, once any does. Times differ by chance: they say nothing of the versions. */
function onModel({ versions, trials }: VersionsView): FactRow[] {
  const all = versions.map((one) => trials[one.result_hash]);
  if (!all.some((one) => one && one.state !== "nomodel")) return [];
  const same = all.every((one) => (one?.state === "stopped") === (all[0]?.state === "stopped"));
  return [{ label: t("versions.model"), cells: all.map((one) => [ran(one)]), same }];
}

function ran(trial: VersionTrial | undefined): string {
  if (trial?.state === "stopped") return t("versions.model.stopped");
  if (trial?.state === "running") return t("versions.model.running");
  return trial?.ms == null ? t("versions.model.none") : seconds(trial.ms);
}

/** How long a call took. */
export const seconds = (ms: number): string =>
  t("preview.seconds", { n: decimal(Math.round(ms / 100) / 10) });

const linesOf = (text: string): number => text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
