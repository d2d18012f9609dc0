/**
 * Opening models: one file at a time, off the main thread, beside those that are open or in their place; what is open
 * stays until a new one is ready.
 */
import {
  type CellValue,
  type ColumnKey,
  type ElementRef,
  elementId,
  type Json,
  type ModelClient,
  type ModelEdits,
  type ModelFacts,
  type ModelOpenError,
  type ModelQuery,
  type ModelRow,
  type OpenProgress,
  type SandboxModel,
  type Store,
  type TreeNode,
} from "@holdpoint/core/types";
import {
  type Colouring,
  LATE_MS,
  locale,
  type OpenView,
  type ShownColumn,
} from "@holdpoint/elements";
import sample from "../../../../../fixtures/ifc/house-small.ifc?url";
import { modelFile, type OpenModel, OpenModels } from "../../core.js";
import { type Groups, without } from "./colours.js";
import { KeptModels } from "./kept-models.js";
import { modelLines } from "./model-lines.js";
import { cutOff, explained } from "./open-errors.js";
import type { ModelView } from "./page-view.js";
import { RecentFiles } from "./recent.js";
import { firstColumns, readColumns } from "./shown-columns.js";

export const SAMPLE = "house-small.ifc";
/** Between two drawings of the progress; a file may tell of it far more often. */
const PROGRESS_MS = 150;
/** Elements whose properties are fetched for a selection of several. */
const MAX_DETAILS = 1_000;
/** So long rows wait for the columns beside them; of a large model these come later. */
const COLUMNS_MS = 200;

export const emptyModel: ModelView = {
  facts: null,
  models: [],
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
  readonly models: OpenModels;
  readonly recent: RecentFiles;
  readonly #kept: KeptModels;
  /** Rises whenever the model that checks read is another one, or was changed. */
  version = 0;
  /** Rises whenever an extension changed a model. */
  changes = 0;
  /** Rises whenever what is shown is read anew. */
  #reading = 0;
  #abort: AbortController | null = null;
  #selection = 0;
  #finding = false;
  #offers = false;
  /** The columns that a person chose; null until then. */
  #chosen: ColumnKey[] | null = null;
  #begun: Promise<void> = Promise.resolve();
  #typed: { rows: ModelRow[]; types: Map<number, string> } = { rows: [], types: new Map() };

  constructor(
    client: () => ModelClient,
    store: Store,
    private readonly changed: () => void,
    /** Extensions see other models: one came, where it is named, or one is off or closed. */
    private readonly seen: (came?: OpenModel) => void,
  ) {
    this.models = new OpenModels(client);
    this.recent = new RecentFiles(store);
    this.#kept = new KeptModels(store);
  }

  /** The file of the active model; null where none is open. */
  get file(): Blob | null {
    return this.models.active?.file ?? null;
  }

  /** The models that are open, once those that the page begins with are read. */
  async settled(): Promise<SandboxModel[]> {
    await this.#begun;
    return this.models.forExtensions;
  }

  /** Which models extensions see, and which of them is meant; empty where they see none. */
  get sight(): string {
    return this.models.seen.map(({ opening }) => opening).join(" ");
  }

  first(): Promise<void> {
    this.#begun = this.#first().catch(() => undefined);
    return this.#begun;
  }

  /** The models of last time, else the sample. */
  async #first(): Promise<void> {
    await this.recent.load();
    for (const { file, name, on } of await this.#kept.read()) {
      const n = this.models.all.length;
      await this.open(file, name, false, n > 0);
      const fresh = this.models.all[n];
      if (fresh && !on) await this.turn(fresh.facts.model_id, false);
    }
    if (!this.model.facts) await this.sample();
  }

  async sample(beside = false): Promise<void> {
    const answer = await fetch(sample);
    await this.open(await answer.blob(), SAMPLE, true, beside);
  }

  /** Several files: the first beside what is open or in its place, the others beside it. */
  async openAll(files: File[], beside: boolean): Promise<void> {
    for (const [i, file] of files.entries())
      await this.open(file, file.name, true, beside || i > 0);
  }

  /** `beside`: what is open stays open. */
  async open(file: Blob, name: string, keep = true, beside = false): Promise<void> {
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
      const read = await this.models.read(model.file, model.name, show, abort.signal);
      const { facts } = read;
      // Where nothing is open, what is whole of it is better than nothing.
      const cut = this.models.active && (await cutOff(facts.problems, model.file));
      if (cut) {
        read.client.close();
        throw cut;
      }
      facts.opened_ms ||= performance.now() - began;
      clearTimeout(late);
      await this.#take(read, beside);
      this.view = facts.problems.length ? { state: "partly", facts: this.#numbered(facts) } : null;
      if (keep) void this.#kept.keep(this.models.all);
      if (keep && name !== SAMPLE)
        void this.recent.opened(facts.model_id, name, file).then(this.changed);
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

  /** Instances that a problem names, as elements of the model that has it. */
  #numbered(facts: ModelFacts): ModelFacts {
    const place = this.models.of(facts.model_id)?.place ?? 0;
    const problems = facts.problems.map(({ express_id: id, ...one }) =>
      id === undefined ? one : { ...one, express_id: elementId(place, id) },
    );
    return { ...facts, problems };
  }

  /** A file that is open already is on again, and opened no second time. */
  async #take(read: Parameters<OpenModels["take"]>[0], beside: boolean): Promise<void> {
    const known = beside ? this.models.of(read.facts.model_id) : undefined;
    if (known) {
      read.client.close();
      return this.turn(known.facts.model_id, true);
    }
    const { active } = this.models;
    const fresh = this.models.take(read, beside);
    if (this.models.active === active) await this.#again();
    else {
      this.version += 1;
      await this.#show();
      void this.#read();
    }
    this.seen(fresh);
  }

  /** Models are on or off: their elements come and go, and what is searched for stays. */
  async turn(modelId: string, on: boolean): Promise<void> {
    const model = this.models.of(modelId);
    if (!model || model.on === on) return;
    model.on = on;
    void this.#kept.keep(this.models.all);
    await this.#again();
    this.seen(on ? model : undefined);
  }

  /** Only this one of them is on. */
  async only(modelId: string): Promise<void> {
    const came = this.models.all.find((one) => one.facts.model_id === modelId && !one.on);
    for (const one of this.models.all) one.on = one.facts.model_id === modelId;
    void this.#kept.keep(this.models.all);
    await this.#again();
    this.seen(came);
  }

  /** Closes one of several. */
  async close(modelId: string): Promise<void> {
    const model = this.models.of(modelId);
    if (!model || this.models.all.length < 2) return;
    const wasActive = this.models.active === model;
    this.models.close(model);
    const { colouring } = this.model;
    const groups = colouring && without(colouring.groups, new Set([model.place]));
    // Its place may be another model's soon.
    if (groups)
      this.model = { ...this.model, colouring: groups.length ? { ...colouring, groups } : null };
    void this.#kept.keep(this.models.all);
    await this.#again(wasActive);
    this.seen();
  }

  /** From now on checks read this one, and extensions mean it where they name none. */
  async activate(modelId: string): Promise<void> {
    const model = this.models.of(modelId);
    if (!model || model === this.models.active) return;
    this.models.activate(model);
    await this.#again(true);
    this.seen(model.on ? model : undefined);
  }

  /** An extension changed models: everything that was read of them is read again. */
  async change(changes: readonly ModelEdits[]): Promise<void> {
    const changed = changes.flatMap(({ modelId }) => this.models.of(modelId) ?? []);
    if (changed.length === 0) return;
    await this.models.apply(changes);
    this.changes += 1;
    if (changed.some((one) => one === this.models.active)) this.version += 1;
    await this.#again();
  }

  /** Reads what is shown again; `other`: the active model is another one. */
  async #again(other = false): Promise<void> {
    if (other) this.version += 1;
    // What is selected and coloured is that of the moment in which the rows are replaced, not of an earlier one.
    await this.#show(() => {
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
  async #show(kept?: () => Partial<ModelView>): Promise<void> {
    this.#reading += 1;
    const reading = this.#reading;
    const { models } = this;
    const read = await Promise.all([models.rows(), models.tree()]).catch((error: unknown) => {
      // A model was closed meanwhile: what is open then is being read already.
      if (reading === this.#reading) throw error;
      return null;
    });
    if (reading !== this.#reading || !read) return;
    // A model that is closed meanwhile has no columns any more.
    const columns = firstColumns(this.models, this.#chosen).catch(() => []);
    const shown = await Promise.race([columns, later(COLUMNS_MS)]);
    if (reading !== this.#reading) return;
    const [rows, tree] = read;
    const { selected } = this.model;
    const now = { facts: models.active?.facts ?? null, models: modelLines(models) };
    this.model = { ...emptyModel, ...now, rows, tree, shown: shown ?? [], ...kept?.() };
    if (!shown) void columns.then((all) => this.#put(reading, all));
    if (!kept) return;
    const ids = new Set(rows.map((row) => row.id));
    await this.select(selected.filter((id) => ids.has(id)));
  }

  /** Columns that were read after their rows. */
  #put(reading: number, shown: ShownColumn[]): Promise<void> | undefined {
    if (reading !== this.#reading) return;
    this.model = { ...this.model, shown };
    this.changed();
    return this.#fill().catch(() => undefined);
  }

  /** Whether every column is offered to a person; only then all values are read for that. */
  offer(all: boolean): void {
    const begins = all && !this.#offers;
    this.#offers = all;
    if (begins && !this.model.choices) void this.#read();
  }

  /** What comes after the model is shown. */
  async #read(): Promise<void> {
    const reading = this.#reading;
    try {
      const [units, choices] = await Promise.all([
        this.models.units(),
        this.#offers ? this.models.choices() : this.model.choices,
      ]);
      if (reading !== this.#reading) return;
      this.model = { ...this.model, choices, units };
      this.changed();
      await this.#fill();
    } catch {
      // What comes of the file without its values is there already; another file begins anew.
    }
  }

  /** Reads what columns hold that are shown and empty. */
  async #fill(): Promise<void> {
    const reading = this.#reading;
    for (const { set, name, values } of this.model.shown) {
      if (values.length > 0 || this.model.rows.length === 0) continue;
      const read = await this.models.column(set, name);
      if (reading !== this.#reading) return;
      const shown = this.model.shown.map((one) =>
        one.set === set && one.name === name ? { ...one, ...read } : one,
      );
      this.model = { ...this.model, shown };
      this.changed();
    }
  }

  /** The columns that are shown; what a person chose stays for the next model as far as that has it. */
  async choose(columns: ColumnKey[]): Promise<void> {
    this.#chosen = columns;
    const reading = this.#reading;
    const known = new Map(this.model.shown.map((one) => [`${one.set}\n${one.name}`, one]));
    const fresh = columns.filter(({ set, name }) => !known.has(`${set}\n${name}`));
    for (const one of await readColumns(this.models, fresh))
      known.set(`${one.set}\n${one.name}`, one);
    if (reading !== this.#reading || this.#chosen !== columns) return;
    const shown = columns.flatMap(({ set, name }) => known.get(`${set}\n${name}`) ?? []);
    this.model = { ...this.model, shown };
    this.changed();
    await this.#fill().catch(() => undefined);
  }

  /** Searches; of what is asked while an answer is on its way only the last is. */
  find(query: ModelQuery): void {
    this.model = { ...this.model, query: { ...query, locale: locale().numbers } };
    this.changed();
    this.#find();
  }

  #find(): void {
    const { query, found } = this.model;
    const empty = query.text.trim() === "" && query.filters.length === 0;
    if (empty || this.#finding || query === found?.query) return;
    this.#finding = true;
    const reading = this.#reading;
    void this.models
      .find(query)
      .then((answer) => {
        if (reading !== this.#reading) return;
        this.model = { ...this.model, found: { ...answer, query } };
        this.changed();
      })
      .catch(() => undefined)
      .finally(() => {
        this.#finding = false;
        if (this.model.query !== query || reading !== this.#reading) this.#find();
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
    // A model that is closed meanwhile answers no more, and what was selected of it is selected no more.
    const details = await this.models.details(ids.slice(0, MAX_DETAILS)).catch(() => null);
    if (turn !== this.#selection || !details) return true;
    this.model = { ...this.model, details };
    this.changed();
    return true;
  }

  /** What an extension means by a reference; undefined where no model that it sees has it. */
  element(ref: ElementRef): number | undefined {
    return this.models.element(ref);
  }

  /** The names of the models that extensions and scripts see; null where they see none. */
  get seenNames(): string | null {
    const names = this.models.on.map(({ facts }) => facts.name);
    return names.length ? names.join(", ") : null;
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
  colour(name: string, groups: Groups): void {
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

const later = (ms: number): Promise<null> =>
  new Promise((done) => setTimeout(() => done(null), ms));

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
