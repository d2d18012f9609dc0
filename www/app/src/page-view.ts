/** The whole page as one value. The page draws it; the controller (or a fixture of the gallery) fills it. */
import type {
  CellValue,
  ColumnChoice,
  ElementDetail,
  Indicator,
  ModelFacts,
  ModelRow,
  TreeNode,
} from "@holdpoint/core/types";
import type {
  ChangeView,
  Colouring,
  Failing,
  InstalledView,
  Language,
  MenuItem,
  OpenView,
  PanelView,
  TextKey,
} from "@holdpoint/elements";
import type { CommandRef, StatusText } from "./contributions.js";

export type Pane = "tree" | "model" | "change" | "panels";
export type Theme = "system" | "light" | "dark";
export type Density = "comfortable" | "compact";

export interface ModelView {
  facts: ModelFacts | null;
  rows: ModelRow[];
  tree: TreeNode[];
  columns: ColumnChoice[];
  column: { set: string; name: string } | null;
  values: CellValue[];
  selected: number[];
  details: ElementDetail[];
  colouring: Colouring | null;
}

/** A toolbar button of an extension. */
export interface CommandButton {
  extension: string;
  command: string;
  title: string;
  busy: boolean;
  keys: string;
}

export interface Widths {
  tree: number;
  dock: number;
  work: number | null;
}

/** What was wanted and not done, in a line above the page. */
export interface Problem {
  heading: TextKey;
  name: string;
  error: Failing;
}

/** What both pages show around their content. */
export interface ShellView {
  signIn: { reason: "missing" | "unknown" | "expired"; refused: string; sending: boolean } | null;
  indicator: Indicator | null;
  offline: boolean;
  menu: {
    label: string;
    items: MenuItem[];
    anchor: HTMLElement | null;
    at?: { x: number; y: number };
  } | null;
  /** What was done; a failure is no toast. */
  toast: { text: string; sub: string } | null;
  problem: Problem | null;
  theme: Theme;
  density: Density;
  language: Language;
  now: number;
}

export interface PageView extends ShellView {
  model: ModelView;
  opening: OpenView | null;
  change: ChangeView;
  panels: PanelView[];
  /** The dock panel in front; null while none is open. */
  panel: string | null;
  commands: CommandButton[];
  /** Keys of extensions, as `pressed` spells them. */
  keys: ReadonlyMap<string, CommandRef>;
  status: StatusText[];
  extensions: InstalledView[];
  answering: { model: string; scripted: boolean } | null;
  pane: Pane;
  /** In low windows dock and change share their place. */
  pair: "dock" | "work";
  drawer: boolean;
  filtering: boolean;
  adjusting: boolean;
  popover: { kind: "budget" | "extensions"; anchor: HTMLElement | null } | null;
  widths: Widths;
  wide: boolean;
  dropping: boolean;
}
