/** The workbench as one value: an address that says too little, or the bench, and the shell around it. */
import type { BenchPane, BenchView, FaultView } from "@holdpoint/elements/crew/workbench/view";
import type { ShellView } from "../../../shell-view.js";

export interface WorkbenchPageView extends ShellView {
  fault: FaultView | null;
  bench: BenchView | null;
  pane: BenchPane;
  /** What has just been applied, in the band below the bar. */
  stamp: { print: string; changes: number; files: number; at: number; undone: boolean } | null;
  budgetOpen: boolean;
}
