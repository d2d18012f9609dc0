/** The whole page as one value. The page draws it; the controller (or a fixture of the gallery) fills it. */
import type {
  ColumnChoice,
  ElementDetail,
  ElementRef,
  Found,
  ModelFacts,
  ModelQuery,
  ModelRow,
  ModelUnit,
  SavedFilter,
  TreeNode,
} from "@holdpoint/core/types";
import type {
  ChangeView,
  ChecksView,
  Colouring,
  ExamplesView,
  InstalledView,
  ModelLine,
  OpenView,
  PanelView,
  ShownColumn,
} from "@holdpoint/elements";
import type { DockView } from "@holdpoint/elements/dock/open-panels";
import type { ShellView } from "../../shell-view.js";
import type { CommandRef, StatusText } from "./contributions.js";
import type { ExtensionCommand } from "./palette.js";
import type { Waiting } from "./queue.js";
import type { RecentFile } from "./recent.js";
import type { View3dState } from "./view3d.js";

export type Pane = "tree" | "model" | "change" | "panels";

export interface ModelView {
  /** Of the active model; null while none is open. */
  facts: ModelFacts | null;
  /** All that are open. */
  models: ModelLine[];
  rows: ModelRow[];
  tree: TreeNode[];
  /** Columns that can be shown; null until every value is read. */
  choices: ColumnChoice[] | null;
  /** The columns that are shown beside type, name and storey. */
  shown: ShownColumn[];
  /** What the table is searched for. */
  query: ModelQuery;
  /** The answer to the last search. */
  found: Found | null;
  /** What the file measures in. */
  units: ModelUnit[];
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

/** Of the panes that a person can make wider, in px; of the dock below the model its height. */
export interface Widths {
  tree: number;
  left: number;
  bottom: number;
  dock: number;
  work: number | null;
}

export interface PageView extends ShellView {
  /** What was signed here and is not stored yet. */
  waiting?: Waiting[];
  model: ModelView;
  /** Filters that a person named. */
  saved: SavedFilter[];
  /** Files that can be opened again; those that are open among them. */
  recent: Pick<RecentFile, "id" | "name" | "handle">[];
  /** What extensions see of the selection. */
  visible: ElementRef[];
  view3d: View3dState;
  opening: OpenView | null;
  /** A check of the model, in place of docks and change; null or nothing while none is open. */
  ids?: ChecksView | null;
  change: ChangeView;
  /** The docks that have panels; what is tried before it is signed stands alone. */
  docks: DockView[];
  /** Two versions that run side by side, in place of the model and of all docks. */
  trials: PanelView[];
  /** Where one of them has room: the one that is not signed is in front. */
  beside: boolean;
  /** The panel that was seen last; null while none is open. */
  panel: string | null;
  commands: CommandButton[];
  /** Commands of extensions, while the commands are searched; null: they are not. */
  palette: ExtensionCommand[] | null;
  /** Keys of extensions, as `pressed` spells them. */
  keys: ReadonlyMap<string, CommandRef>;
  status: StatusText[];
  extensions: InstalledView[];
  /** The page of examples, in place of the panes; null while it is closed. */
  examples: ExamplesView | null;
  /** What a new SDK did, where a person has to know. */
  drift: { heading: string; also: string } | null;
  answering: { model: string; scripted: boolean } | null;
  pane: Pane;
  /** In low windows dock and change share their place. */
  pair: "dock" | "work";
  drawer: boolean;
  filtering: boolean;
  /** A click on a storey of the tree also filters the table. */
  storeyFilters: boolean;
  /** Commands are searched. */
  commanding: boolean;
  /** The chooser of columns stands beside the table. */
  choosing: boolean;
  adjusting: boolean;
  popover: { kind: "budget" | "extensions"; anchor: HTMLElement | null } | null;
  widths: Widths;
  wide: boolean;
  /** A file is dragged over the page. */
  dropping: boolean;
}
