/** The permissions of a review as it shows them. */
import type { CapabilityUse, TestResult } from "@holdpoint/core/types";

export interface GrantView {
  /** What is ticked, as the manifest writes it. */
  granted: string[];
  /** What is declared; `required` also where a test needs it. */
  uses: CapabilityUse[];
  /** What only a test needs, and which: found by running it without. */
  needing: Record<string, string>;
  /** In canonical form: what was not granted of the version before. */
  added: string[];
  /** In canonical form: what of it a person had taken away. */
  taken: string[];
  /** Results with what is ticked. */
  tests: TestResult[];
  /** The tests run again with what is ticked. */
  running: { done: number; total: number } | null;
  /** They could not run: nothing was left out. */
  fault: boolean;
}

/** Whether something that is declared is not granted. */
export const leftOut = ({ granted, uses }: GrantView): number =>
  uses.filter((use) => !granted.includes(use.declared)).length;
