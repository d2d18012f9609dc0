/** The script pages as one value: the list or one script, and the shell around them. */
import type { Indicator } from "@holdpoint/core/types";
import type { Language, MenuItem } from "@holdpoint/elements";
import type { Editors } from "@holdpoint/elements/script/editors";
import type { ScriptView, ToolsView } from "@holdpoint/elements/script/view";
import type { Density, Theme } from "../page-view.js";

export type ScriptPane = "code" | "panel" | "chat";

export interface ScriptPageView {
  signIn: { reason: "missing" | "unknown" | "expired"; refused: string; sending: boolean } | null;
  tools: ToolsView | null;
  script: ScriptView | null;
  editors: Editors | null;
  indicator: Indicator | null;
  offline: boolean;
  pane: ScriptPane;
  menu: { label: string; items: MenuItem[]; anchor: HTMLElement | null } | null;
  budgetOpen: boolean;
  toast: { text: string; sub: string } | null;
  theme: Theme;
  density: Density;
  language: Language;
  chatWidth: number;
  now: number;
}
