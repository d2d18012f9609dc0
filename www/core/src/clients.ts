/** What the page asks of model, sandbox, edge and device. The clients implement it over Web Workers, Wasm and HTTP. */

import type { EditOp } from "./generated/EditOp";
import type { TextDiff } from "./generated/TextDiff";
import type { TextPreview } from "./generated/TextPreview";
import type { BcfTopic, BcfVersion, IdsReport, NewTopic } from "./model/checks.ts";
import type { PreparedFor, RecordEdit } from "./sandbox/wire.ts";
import type {
  BundleCheck,
  BundleDiff,
  BundleTest,
  ErrorShape,
  Files,
  HistoryEntry,
  Indicator,
  InstallConfirmation,
  Json,
  Plan,
  PlanCheck,
  PlanEstimate,
  Quote,
  Review,
  Revision,
  StoredExtension,
  ToldChange,
} from "./types.ts";

// ── the model (crates/model) ─────────────────────────────────────────────────────────────────────────────────────

export interface ModelProblem {
  code: string;
  message: string;
  args?: Record<string, unknown>;
  line?: number;
  express_id?: number;
  text?: string;
}

export interface ModelFacts {
  /** 16 hex of the SHA-256 of the file's bytes. */
  model_id: string;
  name: string;
  schema: string;
  size: number;
  elements: number;
  opened_ms: number;
  types: { type: string; count: number }[];
  storeys: { id: number; name: string; elevation: number | null; count: number }[];
  without_storey: number;
  /** What could not be read; empty when everything was. */
  problems: ModelProblem[];
}

/** The type of the node that stands for a file where several are open; it is no class of any schema. */
export const FILE_NODE = "File";

export interface TreeNode {
  id: number;
  type: string;
  name: string | null;
  elevation?: number | null;
  children: TreeNode[];
}

export interface ModelRow {
  id: number;
  type: string;
  name: string | null;
  global_id: string | null;
  storey: string | null;
  /** The storey's number in the file: two storeys may have one name. */
  storey_id?: number | null;
}

/** A column by its name alone, whatever set it stands in; an attribute of an element has the set "". */
export const ANY_SET = "*";

export type ColumnKind = "properties" | "quantities" | "attributes" | "relations";

export interface ColumnKey {
  set: string;
  name: string;
}

/** A column that the table can show. */
export interface ColumnChoice extends ColumnKey {
  /** Rows that have a value. */
  count: number;
  kind?: ColumnKind;
  /** null where rows differ in it, or have none. */
  unit?: string | null;
  /** Of any set: the sets that have it, most rows first. */
  sets?: { set: string; count: number }[];
  /** Whether all of its values are numbers. */
  numbers?: boolean;
}
export type CellValue = string | number | boolean | null;

/** What a column holds. */
export interface ModelColumn {
  /** One a row. */
  values: CellValue[];
  /** null where rows differ in it, or have none. */
  unit: string | null;
  /** Whether all of its values are numbers. */
  numbers: boolean;
}

/** What a row has to have. `none` and `some` need no value; texts are compared without case. */
export interface ValueFilter extends ColumnKey {
  op: "=" | "≠" | "<" | "≤" | ">" | "≥" | "contains" | "none" | "some";
  value: CellValue;
}

/** Words that stand somewhere in an element's values, and filters that all have to fit. */
export interface ModelQuery {
  text: string;
  filters: ValueFilter[];
  /** The locale that numbers in `text` are written in; absent: English. */
  locale?: string;
}

/** What narrows the table, with its columns: plain JSON, without anything of one file but names. */
export interface FilterSet {
  text: string;
  filters: ValueFilter[];
  /** IFC classes, one of which a row has to be. */
  types: string[];
  /** Names of storeys; null: on none. */
  storeys: (string | null)[];
  columns: ColumnKey[];
}

/** A filter that a person named. */
export interface SavedFilter extends FilterSet {
  id: string;
  name: string;
}

/** What a text may mean, with the number of rows behind each; counts keep to the filters that are set. */
export interface Suggestions {
  properties: (ColumnKey & { count: number })[];
  values: { filter: ValueFilter; n: number }[];
  /** Rows that contain the text somewhere. */
  contains: number;
}

/** An answer to a search: a one for each row that fits, in the order of `rows()`. */
export interface Found {
  query: ModelQuery;
  /** By filters; null without any. */
  fits: Uint8Array | null;
  /** By the text; null without one. */
  texts: Uint8Array | null;
  suggestions: Suggestions;
}

/** A unit of the file: `LENGTHUNIT`, `mm`. */
export interface ModelUnit {
  kind: string;
  symbol: string;
}

export interface PropertyValue {
  name: string;
  value: CellValue;
  unit?: string | null;
  /** What is measured: `IfcLengthMeasure`, of a quantity its class, `IfcQuantityArea`. */
  measure?: string | null;
}
export interface PropertyGroup {
  name: string;
  kind: "properties" | "quantities";
  values: PropertyValue[];
}

export interface ElementDetail {
  id: number;
  type: string;
  name: string | null;
  global_id: string | null;
  storey: string | null;
  description?: string | null;
  object_type?: string | null;
  tag?: string | null;
  predefined_type?: string | null;
  storey_id?: number | null;
  /** Its values, those of its type where it has none of its own. */
  groups: PropertyGroup[];
  /** Its type, with the type's own values. */
  type_object?: {
    id: number;
    type: string;
    name: string | null;
    global_id: string | null;
    groups: PropertyGroup[];
  } | null;
  material?: {
    name: string | null;
    kind: string;
    layers: { name: string | null; thickness: number | null }[];
  } | null;
  /** Of layers. */
  thickness_unit?: string | null;
  classifications?: {
    system: string | null;
    identification: string | null;
    name: string | null;
    location: string | null;
  }[];
  documents?: { name: string | null; identification: string | null; location: string | null }[];
}

export interface OpenProgress {
  stage: "unpack" | "header" | "elements" | "storeys";
  read: number;
  total: number;
  lines?: number;
  elements?: number;
  header?: string;
}

/** A failed opening: `MODEL_INVALID` and where the file stops making sense. */
export interface ModelOpenError extends ErrorShape {
  details?: {
    reason?: string;
    line?: number;
    column?: number;
    excerpt?: string;
    begins?: string;
    read?: number;
    /** Of a packed file: the models that it holds. */
    names?: string[];
    /** Bytes of a file that is too large, and what a tab holds. */
    size?: number;
    limit?: number;
  };
}

/** A model in a Web Worker of its own; ids are express ids. A second `open` takes the place of the first. */
export interface ModelClient {
  open(
    file: Blob,
    name: string,
    onProgress: (progress: OpenProgress) => void,
    signal: AbortSignal,
  ): Promise<ModelFacts>;
  /** Lists come in blocks, so that the page answers meanwhile; they are kept until the model changes. */
  tree(): Promise<TreeNode[]>;
  rows(): Promise<ModelRow[]>;
  /** Values in the order of `rows()`; those of any set, or of none, come when all values are read. */
  column(set: string, name: string): Promise<ModelColumn>;
  /** The column of one of these names that is shown first, else any that a row has. */
  preferred(names: string[]): Promise<ColumnKey | null>;
  /** Whether a set has a property or quantity of this name. */
  named(name: string): Promise<boolean>;
  /** Every column that can be shown, most filled first; it comes when all values are read. */
  choices(): Promise<ColumnChoice[]>;
  /** What fits, over every value; it comes when all values are read. */
  find(query: ModelQuery): Promise<Found>;
  units(): Promise<ModelUnit[]>;
  details(ids: number[]): Promise<ElementDetail[]>;
  /** Does what a call of an extension did on its copy of the model; what was read before is to be read again. */
  apply(edits: RecordEdit[]): Promise<ModelFacts>;
  /** Checks the model against an IDS 1.0 file; `IDS_INVALID` with line and column where it is none. */
  check(file: Uint8Array): Promise<IdsReport>;
  /** Ends a check, or the reading of issues: `CANCELLED`. */
  endCheck(): void;
  /** Issues as a BCF file. */
  bcf(topics: NewTopic[], version: BcfVersion): Promise<Uint8Array>;
  /** The issues of a BCF file; `BCF_INVALID` where it is none. */
  issues(file: Uint8Array): Promise<BcfTopic[]>;
  close(): void;
}

// ── the edge (authoring.md §9.1, gateway.md §13) ─────────────────────────────────────────────────────────────────

/** What is installed; one that is asked for comes with its files. */
export type ExtensionRecord = StoredExtension & {
  files?: Files;
  /** Why this device switched it off; `reason` is that in English. */
  off?: ErrorShape;
};

export interface InstallRequest extends InstallConfirmation {
  files: Files;
  /** The newest revision of the id that was seen, null where there never was one. */
  base_revision_id?: string | null;
  plan?: Plan;
  origin: "authored" | "hand" | "promoted";
  /** What led to it. */
  conversation?: Conversation;
}

/** What was said on the way to an install. */
export type Conversation = Omit<ToldChange, "signed">;

/** Every call rejects with an `ErrorShape`; `OFFLINE` when the network did not answer. */
export interface Api {
  extensions(): Promise<ExtensionRecord[]>;
  extension(id: string): Promise<ExtensionRecord>;
  /** What happened to an extension, newest first. */
  revisions(id: string): Promise<Revision[]>;
  /** One of them, with its files; without them where it took the extension away. */
  revision(id: string, revision: string): Promise<Revision & { files?: Files }>;
  /** What happened to everything that is or was installed, newest first. */
  history(): Promise<HistoryEntry[]>;
  /** What led to the versions of an extension, newest first. */
  conversation(id: string): Promise<ToldChange[]>;
  review(files: Files, baseHash: string | null, granted: string[], plan?: Plan): Promise<Review>;
  /** What is asked again with the same `once` is done once, and answered as the first time. */
  install(request: InstallRequest, once?: string): Promise<ExtensionRecord>;
  change(
    id: string,
    action: "undo" | "redo" | "enable" | "disable" | "remove",
    baseHash: string | null,
    once?: string,
  ): Promise<ExtensionRecord | null>;
  indicator(): Promise<Indicator>;
  quote(estimate: PlanEstimate, promptTokens: number): Promise<Quote>;
  /** The alias or model that answers, for the page to say. */
  model(): Promise<{ model: string; scripted: boolean }>;
}

/** Everything that the device keeps (IndexedDB). Values are structured clones. */
export interface Store {
  /** Names the store, and with it the person: locks of records bear it. */
  readonly name: string;
  get<T>(area: StoreArea, key: string): Promise<T | undefined>;
  /** Rejects with `WRITER_REPLACED` where `claim` is not the newest of its record; nothing is written then. */
  put<T>(area: StoreArea, key: string, value: T, claim?: Claim): Promise<void>;
  /** As `put`. */
  delete(area: StoreArea, key: string, claim?: Claim): Promise<void>;
  keys(area: StoreArea): Promise<string[]>;
  /** Reads and writes in one transaction, so that no other tab writes in between; `undefined` deletes. As `put`. */
  update<T>(
    area: StoreArea,
    key: string,
    change: (now: T | undefined) => T,
    claim?: Claim,
  ): Promise<T>;
  /** Makes the caller the one writer of a record: every claim of it before this one is refused from now on. */
  claim(record: string): Promise<Claim>;
}

export type StoreArea = "runs" | "drafts" | "models" | "installs" | "queue" | "settings";

/** The right to write a record, and which claim of the record it is. */
export interface Claim {
  record: string;
  number: number;
}

/** What a bundle is reviewed over, and what its user granted of it; without `granted` all that it declares. */
export interface Base {
  files: Files;
  granted?: string[];
}

/** Pure calls of `wasm-core`, typed, on the main thread; `call` is the door to its other methods. */
export interface Core {
  call<T>(method: string, input: unknown): T;
  diff(before: Files, after: Files): BundleDiff;
  /** `text.diff` of two texts, which pass as they are and not within JSON. */
  textDiff(before: string, after: string, context?: number): TextDiff;
  /** `text.preview`: edits as a model wrote them, placed or refused; nothing is written. */
  preview(request: PreviewRequest): TextPreview;
  when(expression: string, context: Record<string, Json>): boolean;
}

/** Edits of some texts; with a location they may name a place by it (text-engine.md §4). */
export interface PreviewRequest {
  files: Files;
  ops: EditOp[];
  active_file?: string;
  selection?: { from: number; to: number };
  cursor?: { pos: number };
  /** The hunks that are taken, by file; without it all. */
  accept?: Record<string, string[]>;
}

/**
 * What the check module of a kind answers, in a Web Worker of its own; `call` is the door to its other methods, and one
 * that only another kind has is `UNKNOWN_METHOD`. Every call rejects with an `ErrorShape`: `CHECK_TRAPPED` where the
 * check itself broke off, `CHECK_NOT_LOADED` where it is not there.
 */
export interface Checks {
  call<T>(method: string, input: object): Promise<T>;
  check(
    files: Files,
    options?: { plan?: Plan; origin?: "authored" | "hand" | "promoted" },
  ): Promise<BundleCheck>;
  planCheck(plan: Plan): Promise<PlanCheck>;
  review(
    files: Files,
    base: Base | null,
    granted: string[],
    of?: { plan?: Plan; origin?: "promoted" },
  ): Promise<Review>;
  /**
   * Tests of a bundle, ready for the sandbox, or the answer of `bundle.test` when nothing is run. They may do what is
   * granted; without `granted` all that is declared.
   */
  prepareTests(files: Files, granted?: string[]): Promise<{ plan?: Json; answer?: Json }>;
  /** The answer of `bundle.test` for the outcomes of a plan. */
  judgeTests(plan: Json, outcomes: Json[]): Promise<BundleTest>;
  /** One call of an installed bundle, ready for the sandbox; null where the bundle has nothing to call. */
  prepareCall(asked: PreparedFor): Promise<Json | null>;
  dispose(): void;
}
