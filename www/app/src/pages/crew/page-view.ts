/** Everything the crew pages show. The controllers (or a fixture of the gallery) fill it, the page draws it. */
import type { ErrorShape } from "@holdpoint/core/types";
import type {
  AgentView,
  AssetView,
  CompareView,
  PackagesView,
  PackageView,
  WorkflowView,
} from "@holdpoint/elements/crew/view";
import type { AskView } from "@holdpoint/elements/shell/asking";
import type { ShellView } from "../../shell-view.js";

export type CrewPane = "list" | "graph" | "step";

/** What stands between bar and foot: exactly one. */
export type CrewBody =
  | { is: "packages"; view: PackagesView }
  | { is: "package"; view: PackageView }
  | { is: "workflow"; view: WorkflowView }
  | { is: "agent"; view: AgentView }
  | { is: "asset"; view: AssetView }
  | { is: "compare"; view: CompareView }
  | { is: "away"; view: AwayView };

/** In the place of a package or a part: it comes, it failed, or there is none. */
export interface AwayView {
  state: "loading" | "missing" | "part" | "failed";
  problem: ErrorShape | null;
  back: { name: string; href: string } | null;
}

export interface CrewPageView extends ShellView {
  body: CrewBody;
  /** The open package, for the bar. */
  document: { name: string; version: string } | null;
  pane: CrewPane;
  ask: AskView | null;
  budgetOpen: boolean;
  /** What a person who does not look has to hear. */
  live: string;
}
