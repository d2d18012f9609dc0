/** What the panel of checks shows: a check that runs, its report, issues of a BCF file; and what is counted of them. */
import type {
  BcfTopic,
  BcfVersion,
  IdsReport,
  IdsSpecification,
  ModelOpenError,
} from "@holdpoint/core/types";

/** Which kind of file was opened. */
export type CheckKind = "ids" | "bcf";

/** A report, with the file that it is of. `ms` is how long the check took, `at` when it ended. */
export interface ReportView {
  state: "report";
  name: string;
  report: IdsReport;
  at: number;
  ms: number;
  /** The model is another one since: it is checked again, or waits for a person. */
  since: "same" | "changed" | "running";
  version: BcfVersion;
  /** The file of issues is being made. */
  exporting: boolean;
}

export type ChecksView =
  | { state: "running"; kind: CheckKind; name: string }
  | { state: "cancelled"; kind: CheckKind; name: string }
  | { state: "failed"; kind: CheckKind; name: string; error: ModelOpenError }
  /** A file that was picked for a check and is for none. */
  | { state: "other"; kind: CheckKind; name: string }
  | ReportView
  | { state: "topics"; name: string; topics: BcfTopic[] };

/** What a person asks of the panel. */
export type ChecksAsk =
  | { act: "open" | "close" | "again" | "cancel" | "show" | "bcf" | "csv" }
  | { act: "version"; version: BcfVersion };

/** A specification that the model gives no reason to look at. */
export const isNeedless = (one: IdsSpecification): boolean =>
  one.status === "passed" && one.applicable === 0;

export interface Counts {
  failing: number;
  needless: number;
  /** Of elements against requirements. */
  passed: number;
  failed: number;
  /** ExpressIds, each once. */
  elements: number[];
}

export function counted({ specifications }: IdsReport): Counts {
  let [passed, failed] = [0, 0];
  for (const { requirements, failed: own } of specifications) {
    for (const one of requirements) {
      passed += one.passed;
      failed += one.failed.length;
    }
    if (requirements.length === 0) failed += own.length;
  }
  return {
    failing: specifications.filter((one) => one.status === "failed").length,
    needless: specifications.filter(isNeedless).length,
    passed,
    failed,
    elements: [...new Set(specifications.flatMap((one) => one.failed))],
  };
}

/** 0: it fails, 1: it passes, 2: it is not needed. */
export function rankOf(one: IdsSpecification): 0 | 1 | 2 {
  if (one.status === "failed") return 0;
  return isNeedless(one) ? 2 : 1;
}

/** Failing specifications first, then those that pass, then those that are not needed. */
export const ordered = ({ specifications }: IdsReport): IdsSpecification[] =>
  [...specifications].sort((a, b) => rankOf(a) - rankOf(b));
