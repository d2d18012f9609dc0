/** Opening models: one at a time, off the main thread, the old one stays until the new one is ready. */
import {
  ANY_SET,
  type CellValue,
  type ColumnChoice,
  type ColumnKey,
  type Json,
  type ModelClient,
  type ModelFacts,
  type ModelOpenError,
  type ModelQuery,
  type ModelRow,
  type OpenProgress,
  type Store,
  type TreeNode,
} from "@holdpoint/core/types";
import { type Colouring, LATE_MS, type OpenView, type ShownColumn } from "@holdpoint/elements";
import sample from "../../../../../fixtures/ifc/house-small.ifc?url";
import { modelFile } from "../../core.js";
import type { ModelView } from "./page-view.js";

export const SAMPLE = "house-small.ifc";
const LAST = "last";
/** Between two drawings of the progress; a file may tell of it far more often. */
const PROGRESS_MS = 150;
/** Elements whose properties are fetched for a selection of several. */
const MAX_DETAILS = 1_000;
/** Bytes at each end of a broken file that are looked at, to say what it is. */
const LOOK_BYTES = 400;
/** The column that is shown first where the model has it. */
const PREFERRED = ["FireRating", "IsExternal"];

export const emptyModel: ModelView = {
  facts: null,
  rows: [],
  tree: [],
  choices: null,
  shown: [],
  query: { text: "", filters: [] },
  found: null,
  units: [],
  selected: [],
  details: [],
  colouring: null,
};

export class Opening {
  model: ModelView = emptyModel;
  view: OpenView | null = null;
  /** The open file, for extensions that run on it. */
  file: Blob | null = null;
  /** Rises whenever the open model is another one, or was changed. */
  version = 0;
  #abort: AbortController | null = null;
  #selection = 0;
  #finding = false;
  /** The columns that a person chose; null until then. */
  #chosen: ColumnKey[] | null = null;
  #begun: Promise<void> = Promise.resolve();
  #typed: { rows: ModelRow[]; types: Map<number, string> } = { rows: [], types: new Map() };

  constructor(
    private readonly client: ModelClient,
    private readonly store: Store,
    private readonly changed: () => void,
    private readonly opened: () => void,
  ) {}

  /** The model that is open, once the one that the page begins with is read; null where there is none. */
  async settled(): Promise<{ file: Blob; name: string } | null> {
    await this.#begun;
    return this.file && { file: this.file, name: this.model.facts?.name ?? "" };
  }

  first(): Promise<void> {
    this.#begun = this.#first().catch(() => undefined);
    return this.#begun;
  }

  /** The model of last time, else the sample. */
  async #first(): Promise<void> {
    const last = await this.store.get<{ name: string; file: Blob }>("models", LAST);
    if (last) await this.open(last.file, last.name, false);
    if (!this.model.facts) await this.sample();
  }

  async sample(): Promise<void> {
    const answer = await fetch(sample);
    await this.open(await answer.blob(), SAMPLE);
  }

  async open(file: Blob, name: string, keep = true): Promise<void> {
    this.#abort?.abort();
    const abort = new AbortController();
    this.#abort = abort;
    const began = performance.now();
    let last: OpenProgress | null = null;
    let drawn = 0;
    const show = (progress: OpenProgress | null): void => {
      const same = progress?.stage === last?.stage;
      last = progress;
      const now = performance.now();
      if (now - began < LATE_MS || abort.signal.aborted || (same && now - drawn < PROGRESS_MS))
        return;
      drawn = now;
      this.view = { state: "opening", name, progress, ms: performance.now() - began };
      this.changed();
    };
    const late = setTimeout(() => show(last), LATE_MS + 1);
    this.view = null;
    this.changed();
    try {
      const model = await modelFile(file, name, show, abort.signal);
      const facts = await this.client.open(model.file, model.name, show, abort.signal);
      await this.#show({ ...facts, opened_ms: facts.opened_ms || performance.now() - began });
      clearTimeout(late);
      this.file = model.file;
      this.version += 1;
      void this.#read();
      this.view = facts.problems.length ? { state: "partly", facts } : null;
      if (keep) await this.store.put("models", LAST, { name, file }).catch(() => undefined);
      this.opened();
    } catch (error) {
      clearTimeout(late);
      if (abort.signal.aborted) this.view = null;
      else
        this.view = {
          state: "failed",
          name,
          error: await explained(error as ModelOpenError, file),
        };
    }
    if (this.#abort === abort) this.#abort = null;
    this.changed();
  }

  /** An extension changed the open model: everything that was read of it is read again. */
  async change(edits: Json): Promise<void> {
    const facts = await this.client.apply(edits);
    this.version += 1;
    const opened_ms = this.model.facts?.opened_ms ?? 0;
    // What is selected and coloured is that of the moment in which the rows are replaced, not of an earlier one.
    await this.#show({ ...facts, opened_ms }, () => {
      const { colouring, query } = this.model;
      return { colouring, query };
    });
    this.changed();
    void this.#read();
    this.#find();
  }

  cancel(): void {
    this.#abort?.abort();
    this.view = null;
    this.changed();
  }

  /** `kept` is what of the model before stays; with it, what is selected stays as far as it is there. */
  async #show(facts: ModelFacts, kept?: () => Partial<ModelView>): Promise<void> {
    const [rows, tree, columns] = await Promise.all([
      this.client.rows(),
      this.client.tree(),
      this.client.columns(),
    ]);
    const shown = await this.#columns(this.#wanted(columns));
    const { selected } = this.model;
    this.model = { ...emptyModel, facts, rows, tree, shown, ...kept?.() };
    if (!kept) return;
    const ids = new Set(rows.map((row) => row.id));
    await this.select(selected.filter((id) => ids.has(id)));
  }

  /** What a person chose as far as the model has it, else one that many look for. */
  #wanted(columns: ColumnChoice[]): ColumnKey[] {
    const there = ({ set, name }: ColumnKey): boolean =>
      set === "" ||
      columns.some((one) => one.name === name && (set === ANY_SET || one.set === set));
    const kept = this.#chosen?.filter(there);
    if (kept && (kept.length > 0 || this.#chosen?.length === 0)) return kept;
    const preferred = PREFERRED.map((name) => columns.find((one) => one.name === name));
    const first = preferred.find((one) => one !== undefined) ?? columns[0];
    return first ? [first] : [];
  }

  /** Columns for which every value has to be read are filled later. */
  #columns(keys: readonly ColumnKey[]): Promise<ShownColumn[]> {
    const late = ({ set }: ColumnKey): boolean => set === "" || set === ANY_SET;
    return Promise.all(
      keys.map(async (key) => ({
        ...{ set: key.set, name: key.name },
        values: late(key) ? [] : await this.client.column(key.set, key.name),
      })),
    );
  }

  /** What takes a look at every value comes after the model is shown. */
  async #read(): Promise<void> {
    const { version } = this;
    try {
      const [choices, units] = await Promise.all([this.client.choices(), this.client.units()]);
      if (version !== this.version) return;
      this.model = { ...this.model, choices, units };
      this.changed();
      await this.#fill();
    } catch {
      // What comes of the file without its values is there already; another file begins anew.
    }
  }

  /** Reads what columns hold that are shown and empty. */
  async #fill(): Promise<void> {
    const { version } = this;
    for (const { set, name, values } of this.model.shown) {
      if (values.length > 0 || this.model.rows.length === 0) continue;
      const read = await this.client.column(set, name);
      if (version !== this.version) return;
      const shown = this.model.shown.map((one) =>
        one.set === set && one.name === name ? { ...one, values: read } : one,
      );
      this.model = { ...this.model, shown };
      this.changed();
    }
  }

  /** The columns that are shown; what a person chose stays for the next model as far as that has it. */
  async choose(columns: ColumnKey[]): Promise<void> {
    this.#chosen = columns;
    const { version } = this;
    const known = new Map(this.model.shown.map((one) => [`${one.set}\n${one.name}`, one]));
    const fresh = columns.filter(({ set, name }) => !known.has(`${set}\n${name}`));
    for (const one of await this.#columns(fresh)) known.set(`${one.set}\n${one.name}`, one);
    if (version !== this.version || this.#chosen !== columns) return;
    const shown = columns.flatMap(({ set, name }) => known.get(`${set}\n${name}`) ?? []);
    this.model = { ...this.model, shown };
    this.changed();
    await this.#fill().catch(() => undefined);
  }

  /** Searches; of what is asked while an answer is on its way only the last is. */
  find(query: ModelQuery): void {
    this.model = { ...this.model, query };
    this.changed();
    this.#find();
  }

  #find(): void {
    const { query, found } = this.model;
    const empty = query.text.trim() === "" && query.filters.length === 0;
    if (empty || this.#finding || query === found?.query) return;
    this.#finding = true;
    const { version } = this;
    void this.client
      .find(query)
      .then((answer) => {
        if (version !== this.version) return;
        this.model = { ...this.model, found: { ...answer, query } };
        this.changed();
      })
      .catch(() => undefined)
      .finally(() => {
        this.#finding = false;
        if (this.model.query !== query) this.#find();
      });
  }

  /** Whether that is another selection than before. */
  async select(ids: number[]): Promise<boolean> {
    if (sameSelection(this.model.selected, ids)) return false;
    this.#selection += 1;
    const turn = this.#selection;
    this.model = { ...this.model, selected: ids, details: ids.length ? this.model.details : [] };
    this.changed();
    if (!ids.length) return true;
    const details = await this.client.details(ids.slice(0, MAX_DETAILS));
    if (turn !== this.#selection) return true;
    this.model = { ...this.model, details };
    this.changed();
    return true;
  }

  /** What a prompt may know of the open file: schema, counts, storeys; never geometry or the file. */
  get told(): Json | null {
    const { facts } = this.model;
    if (!facts) return null;
    return {
      schema: facts.schema,
      types: Object.fromEntries(facts.types.map((one) => [one.type, one.count])),
      storeys: facts.storeys.map((one) => one.name),
    };
  }

  /** The names of what is selected, and what each is. */
  get selectedNames(): string[] {
    const wanted = new Set(this.model.selected);
    const rows = this.model.rows.filter((row) => wanted.has(row.id));
    return rows.map(({ name, type }) => (name ? `${name} (${type})` : type));
  }

  /** The types of elements of the open model. */
  typesOf(ids: number[]): Set<string> {
    if (this.#typed.rows !== this.model.rows)
      this.#typed = {
        rows: this.model.rows,
        types: named(this.model.tree, new Map(this.model.rows.map((row) => [row.id, row.type]))),
      };
    return new Set(ids.flatMap((id) => this.#typed.types.get(id) ?? []));
  }

  /** Colours over the table; a group that has a word of its own says it, others what their elements share. */
  colour(name: string, groups: { color: string; ids: number[]; value?: CellValue }[]): void {
    const word = (group: { ids: number[]; value?: CellValue }) =>
      group.value === undefined ? this.#word(group.ids) : {};
    const colouring: Colouring | null = groups.length
      ? { name, groups: groups.map((group) => ({ ...group, ...word(group) })) }
      : null;
    this.model = { ...this.model, colouring };
    this.changed();
  }

  /** A colour's word: the value that all of its elements share in the shown column. */
  #word(ids: number[]): { value?: CellValue } {
    const wanted = new Set(ids);
    const found = new Set<CellValue>();
    const values = this.model.shown[0]?.values ?? [];
    this.model.rows.forEach((row, i) => {
      if (wanted.has(row.id)) found.add(values[i] ?? null);
    });
    const [only] = found;
    return found.size === 1 && only !== undefined ? { value: only } : {};
  }
}

/** Whether the same elements are selected, in the same order. */
export const sameSelection = (one: number[], other: number[]): boolean =>
  one.length === other.length && one.every((id, i) => id === other[i]);

/** Every node of the tree with its type: storeys are no rows of the table. */
function named(nodes: TreeNode[], types: Map<number, string>): Map<number, string> {
  for (const node of nodes) {
    types.set(node.id, node.type);
    named(node.children, types);
  }
  return types;
}

/** What is wrong with a file, from its first and last bytes: not an IFC file, or cut off. */
async function explained(error: ModelOpenError, file: Blob): Promise<ModelOpenError> {
  // What is packed or too large says so itself.
  if (error.details?.reason) return error;
  const head = await file
    .slice(0, LOOK_BYTES)
    .text()
    .catch(() => "");
  const tail = await file
    .slice(Math.max(0, file.size - LOOK_BYTES))
    .text()
    .catch(() => "");
  const line = error.details?.line ?? (error as { line?: number }).line;
  const shape: ModelOpenError = {
    code: error.code ?? "MODEL_INVALID",
    message: error.message,
    ...(error.args ? { args: error.args } : {}),
    details: { ...error.details, ...(line === undefined ? {} : { line }) },
  };
  const details = shape.details ?? {};
  if (!/ISO-10303-21/.test(head))
    return { ...shape, details: { ...details, reason: "header", begins: head.slice(0, 12) } };
  if (!/END-ISO-10303-21/.test(tail))
    return {
      ...shape,
      details: {
        ...details,
        reason: "cut",
        excerpt: tail.split(/\r?\n/).slice(-2).join("\n").slice(-160),
      },
    };
  return shape;
}
