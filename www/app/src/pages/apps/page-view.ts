/** What the pages of apps show. The controller fills it. */

import type { ErrorShape } from "@holdpoint/core/types";
import type { AppEditors } from "@holdpoint/elements/apps/editors";
import type {
  AppBarView,
  AppConflictView,
  AppExportView,
  AppReviewView,
  AppServicesView,
  AppSettingsView,
  AppsView,
  AppTalkView,
  AppVersionsView,
  BuildView,
  CodeView,
  PreviewView,
  PublishView,
  StepView,
} from "@holdpoint/elements/apps/view";
import type { ShellView } from "../../shell-view.js";

/** The panes of a narrow page. */
export type AppPane = "chat" | "preview" | "code" | "change" | "result";

export interface WorkspaceView {
  front: "preview" | "code";
  preview: PreviewView;
  /** What is said of the version that is shown. */
  shown: string;
  code: CodeView;
  editors: AppEditors;
  /** Below what it is of, where it failed or a person asked for it. */
  build: BuildView | null;
  undo: StepView;
  redo: StepView;
  talk: AppTalkView;
  review: AppReviewView | null;
  conflict: AppConflictView | null;
}

export interface OpenAppView {
  bar: AppBarView;
  /** The address of its pages. */
  href: string;
  work: WorkspaceView | null;
  versions: AppVersionsView | null;
  publish: PublishView | null;
  settings: AppSettingsView | null;
  services: AppServicesView | null;
  exporting: AppExportView | null;
}

export interface AppsPageView extends ShellView {
  list: AppsView | null;
  app: OpenAppView | null;
  /** An app that is not there, or not yet. */
  away: { state: "loading" | "failed" | "missing"; problem: ErrorShape | null } | null;
  pane: AppPane;
  budgetOpen: boolean;
  chatWidth: number;
  currency: string;
}
