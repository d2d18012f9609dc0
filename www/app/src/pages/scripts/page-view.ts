/** The script pages as one value: the list or one script, and the shell around them. */
import type { Editors } from "@holdpoint/elements/script/editors";
import type { ScriptView, ToolsView } from "@holdpoint/elements/script/view";
import type { AskView } from "@holdpoint/elements/shell/asking";
import type { ShellView } from "../../shell-view.js";

export type ScriptPane = "code" | "run" | "panel" | "chat";

export interface ScriptPageView extends ShellView {
  tools: ToolsView | null;
  script: ScriptView | null;
  editors: Editors | null;
  pane: ScriptPane;
  /** One question in front of the page. */
  ask: AskView | null;
  budgetOpen: boolean;
  chatWidth: number;
}
