/**
 * The models that are open, each in a Web Worker of its own, and their answers as one.
 *
 * Lists come model after model, in the order in which they were opened; a model that is off takes no part in them.
 * Invariant: ids are those of `element-ids.ts` on this side and express ids on the other; nothing else changes them.
 */

import type { ElementRef, ModelEdits, SandboxModel } from "../sandbox/wire.ts";
import {
  type ColumnChoice,
  type ColumnKey,
  type ElementDetail,
  FILE_NODE,
  type Found,
  type ModelClient,
  type ModelColumn,
  type ModelFacts,
  type ModelQuery,
  type ModelRow,
  type ModelUnit,
  type OpenProgress,
  type TreeNode,
} from "../types.ts";
import type { BcfTopic, BcfVersion, IdsReport, NewTopic } from "./checks.ts";
import { elementId, expressIdOf, modelPlaceOf } from "./element-ids.ts";
import { mergedChoices, mergedColumn, mergedFound } from "./merging.ts";
import { NOT_OPEN } from "./protocol.ts";

/** What the one model was called for extensions before several could be open; they may have kept it. */
const FORMER_ID = "model-1";

export interface OpenModel {
  /** Its place in the ids of its elements; of a model that was closed it is free again. */
  place: number;
  /** Which opening of a file it is, of all that there were. */
  opening: number;
  file: Blob;
  facts: ModelFacts;
  on: boolean;
  client: ModelClient;
}

export class OpenModels {
  /** In the order in which they were opened. */
  all: OpenModel[] = [];
  #active: OpenModel | undefined;
  #openings = 0;

  /** `make` gives a client without a model. */
  constructor(private readonly make: () => ModelClient) {}

  /** The one that checks read, and that extensions mean where they name none; undefined while none is open. */
  get active(): OpenModel | undefined {
    return this.#active;
  }

  get on(): OpenModel[] {
    return this.all.filter((one) => one.on);
  }

  of(modelId: string): OpenModel | undefined {
    return this.all.find((one) => one.facts.model_id === modelId);
  }

  /** The model that has an element. */
  ofElement(id: number): OpenModel | undefined {
    const place = modelPlaceOf(id);
    return this.all.find((one) => one.place === place);
  }

  /** Opens a file in a fresh worker and reads its lists; nothing of what is open changes before `take`. */
  async read(
    file: Blob,
    name: string,
    progress: (progress: OpenProgress) => void,
    signal: AbortSignal,
  ): Promise<Pick<OpenModel, "file" | "facts" | "client">> {
    const client = this.make();
    const end = (): void => client.close();
    try {
      const facts = await client.open(file, name, progress, signal);
      signal.addEventListener("abort", end);
      await Promise.all([client.rows(), client.tree()]);
      return { file, client, facts };
    } catch (error) {
      end();
      throw error;
    } finally {
      signal.removeEventListener("abort", end);
    }
  }

  /** Adds a model that was read, beside the others or in their place. */
  take(read: Pick<OpenModel, "file" | "facts" | "client">, beside: boolean): OpenModel {
    if (!beside) for (const one of [...this.all]) this.close(one);
    const places = new Set(this.all.map((one) => one.place));
    let place = 0;
    while (places.has(place)) place += 1;
    this.#openings += 1;
    const model = { ...read, place, opening: this.#openings, on: true };
    this.all = [...this.all, model];
    this.#active ??= model;
    return model;
  }

  close(model: OpenModel): void {
    this.all = this.all.filter((one) => one !== model);
    if (this.#active === model) this.#active = this.on[0] ?? this.all[0];
    model.client.close();
  }

  activate(model: OpenModel): void {
    this.#active = model;
  }

  /** Does what a call of an extension did; models that are closed by now are left out. */
  async apply(changes: readonly ModelEdits[]): Promise<void> {
    for (const model of this.all) {
      const { model_id, opened_ms } = model.facts;
      const edits = changes.flatMap((one) => (one.modelId === model_id ? one.edits : []));
      if (edits.length === 0) continue;
      model.facts = { ...(await model.client.apply(edits)), model_id, opened_ms };
    }
  }

  // ── what extensions see ────────────────────────────────────────────────────────────────────────────────────────

  /** Those that are on; the one that is meant where none is named comes first: the active one, unless it is off. */
  get seen(): OpenModel[] {
    const { on } = this;
    return [
      ...on.filter((one) => one === this.#active),
      ...on.filter((one) => one !== this.#active),
    ];
  }

  /** Every open model, as the sandbox takes it. */
  get forExtensions(): SandboxModel[] {
    const [meant] = this.seen;
    return this.all.map((one) => {
      const { file, facts, on, opening } = one;
      const { model_id: id, name } = facts;
      return { id, opening, name, file, on, active: one === meant };
    });
  }

  /** The element of a model that is on; without a model, or by its former name, of the active one. */
  element({ modelId, expressId }: ElementRef): number | undefined {
    const active = modelId === undefined || modelId === FORMER_ID;
    const model = active ? this.seen[0] : this.on.find((one) => one.facts.model_id === modelId);
    return model && elementId(model.place, expressId);
  }

  /** How elements are called outside of the page; those of models that are off have no name there. */
  refs(ids: readonly number[]): ElementRef[] {
    return ids.flatMap((id) => {
      const model = this.ofElement(id);
      return model?.on ? [{ modelId: model.facts.model_id, expressId: expressIdOf(id) }] : [];
    });
  }

  // ── answers of all that are on ─────────────────────────────────────────────────────────────────────────────────

  rows(): Promise<ModelRow[]> {
    return this.#lists(async ({ client, place }) => {
      const rows = await client.rows();
      return place === 0 ? rows : rows.map((row) => numbered(row, place));
    });
  }

  /** A model alone is its tree; of several each has a node of its own. */
  async tree(): Promise<TreeNode[]> {
    const several = this.all.length > 1;
    return this.#lists(async ({ client, place, facts }) => {
      const own = await client.tree();
      const children = place === 0 ? own : own.map((node) => replaced(node, place));
      if (!several) return children;
      return [{ id: elementId(place, 0), type: FILE_NODE, name: facts.name, children }];
    });
  }

  /** The column that is shown first, of the first model that has one of these names, else any. */
  async preferred(names: string[]): Promise<ColumnKey | null> {
    const all = await this.#each(({ client }) => client.preferred(names));
    const rank = (key: ColumnKey | null): number => {
      if (!key) return Number.POSITIVE_INFINITY;
      const at = names.indexOf(key.name);
      return at < 0 ? names.length : at;
    };
    return all.reduce((best, one) => (rank(one) < rank(best) ? one : best), null);
  }

  /** Whether any of them has a property or quantity of this name. */
  async named(name: string): Promise<boolean> {
    return (await this.#each(({ client }) => client.named(name))).includes(true);
  }

  async choices(): Promise<ColumnChoice[]> {
    return mergedChoices(await this.#each(({ client }) => client.choices()));
  }

  async column(set: string, name: string): Promise<ModelColumn> {
    return mergedColumn(await this.#each(({ client }) => client.column(set, name)));
  }

  async find(query: ModelQuery): Promise<Found> {
    return mergedFound(query, await this.#each(({ client }) => client.find(query)));
  }

  /** Those of the active model. */
  async units(): Promise<ModelUnit[]> {
    return (await this.#active?.client.units()) ?? [];
  }

  /** In the order of the ids; those of no open model are left out. */
  async details(ids: readonly number[]): Promise<ElementDetail[]> {
    const found = await Promise.all(
      this.all.map(async ({ client, place }) => {
        const own = ids.filter((id) => modelPlaceOf(id) === place);
        if (own.length === 0) return [];
        const details = await client.details(own.map(expressIdOf));
        return place === 0 ? details : details.map((one) => numbered(one, place));
      }),
    );
    if (found.length < 2) return found.flat();
    const byId = new Map(found.flat().map((one) => [one.id, one]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }

  // ── checks, on the active model ────────────────────────────────────────────────────────────────────────────────

  async check(file: Uint8Array): Promise<IdsReport> {
    const { client, place } = this.#checked();
    const report = await client.check(file);
    if (place === 0) return report;
    const ids = (all: number[]) => all.map((id) => elementId(place, id));
    return {
      ...report,
      specifications: report.specifications.map((one) => ({
        ...{ ...one, failed: ids(one.failed) },
        requirements: one.requirements.map((asked) => ({
          ...{ ...asked, failed: ids(asked.failed) },
          failures: asked.failures.map((failure) => ({
            ...{ ...failure, id: elementId(place, failure.id) },
          })),
        })),
      })),
    };
  }

  bcf(topics: NewTopic[], version: BcfVersion): Promise<Uint8Array> {
    const { client } = this.#checked();
    const own = topics.map((topic) => ({ ...topic, ids: topic.ids.map(expressIdOf) }));
    return client.bcf(own, version);
  }

  async issues(file: Uint8Array): Promise<BcfTopic[]> {
    const { client, place } = this.#checked();
    const topics = await client.issues(file);
    const ids = (topic: BcfTopic) => topic.ids.map((id) => elementId(place, id));
    return topics.map((topic) => ({ ...topic, ids: ids(topic) }));
  }

  endCheck(): void {
    for (const { client } of this.all) client.endCheck();
  }

  #checked(): OpenModel {
    if (!this.#active) throw NOT_OPEN;
    return this.#active;
  }

  #each<T>(ask: (model: OpenModel) => Promise<T>): Promise<T[]> {
    return Promise.all(this.on.map(ask));
  }

  async #lists<T>(ask: (model: OpenModel) => Promise<T[]>): Promise<T[]> {
    const lists = await this.#each(ask);
    return lists.length === 1 ? (lists[0] ?? []) : lists.flat();
  }
}

function numbered<T extends { id: number; storey_id?: number | null }>(one: T, place: number): T {
  const { storey_id } = one;
  const storey = storey_id == null ? {} : { storey_id: elementId(place, storey_id) };
  return { ...one, ...storey, id: elementId(place, one.id) };
}

const replaced = (node: TreeNode, place: number): TreeNode => ({
  ...node,
  id: elementId(place, node.id),
  children: node.children.map((child) => replaced(child, place)),
});
