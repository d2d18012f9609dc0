/**
 * The 3D view of the open models: when their geometry is read, what is hidden or a ghost, and in which colours it
 * stands. Nothing of it is loaded before a person opens the view first.
 */
import type { MeshBatch } from "@holdpoint/core/geometry";
import { expressIdOf, type ModelRow, modelPlaceOf } from "@holdpoint/core/types";
import { t, type View3d, type View3dAct } from "@holdpoint/elements";
import { cell } from "@holdpoint/elements/model/elements";
import { numbered } from "@holdpoint/elements/model/kinds";
import type { OpenModel } from "../../core.js";
import { groupsOfModel, storeyOf } from "./mesh-groups.js";
import { MeshedModel } from "./meshed.js";
import type { Opening } from "./opening.js";

/** How the middle of the page shows the model. */
export type Layout = "table" | "model" | "both";

export interface View3dState {
  layout: Layout;
  /** Whether the browser has said that it draws nothing. */
  off: boolean;
  /** null while only the table is there. */
  view: View3d | null;
  /** Elements that a person can bring back. */
  away: number;
}

const GLASS = "IfcWindow";

export class View3dPart {
  layout: Layout = "table";
  #off = typeof WebGL2RenderingContext === "undefined";
  /** The open models, as far as they are read. */
  #meshed: MeshedModel[] = [];
  #count = 0;
  /** Of all of them, in the order in which they came. */
  #batches: MeshBatch[] = [];
  /** Metres from the zero of the first file to the origin of the view. */
  #origin: readonly [number, number, number] | null = null;
  #hidden: ReadonlySet<number> = new Set();
  /** The models whose elements are hidden or isolated. */
  #of: readonly OpenModel[] = [];
  /** What an extension last wanted to be looked at; each time another list. */
  #flight: readonly number[] | null = null;
  /** What is isolated; null while everything is there. */
  #isolated: ReadonlySet<number> | null = null;
  /** What the table's filters leave; null while they leave everything. */
  #shown: ReadonlySet<number> | null = null;
  #ghosts = true;
  #colours = true;
  /** What was last left out, and of what that was reckoned: drawn often, changed rarely. */
  #last: { of: readonly unknown[]; seen: Seen } = {
    of: [],
    seen: { hidden: nobody, ghosted: nobody },
  };
  /** What is hidden with the models that are off, and of what that was read. */
  #offIds: ReadonlySet<number> = nobody;
  #offOf: readonly unknown[] = [];
  #facts = new Facts();

  constructor(
    private readonly opening: Opening,
    private readonly changed: () => void,
  ) {}

  get state(): View3dState {
    const open = this.layout !== "table" && this.opening.file !== null;
    if (open) this.#follow();
    const view = open ? this.#view() : null;
    return { layout: this.layout, off: this.#off, view, away: open ? this.#away() : 0 };
  }

  show(layout: Layout): void {
    if (layout !== "table" && !drawable()) {
      this.off();
      return;
    }
    this.#off = false;
    this.layout = layout;
    this.changed();
  }

  /** The browser draws nothing: the table stays. */
  off(): void {
    this.#off = true;
    this.layout = "table";
    this.changed();
  }

  act(act: View3dAct): void {
    const { selected } = this.opening.model;
    if (act === "isolate") this.#isolated = new Set(selected);
    else if (act === "hide") this.#hidden = new Set([...this.#hidden, ...selected]);
    else if (act === "ghost") this.#ghosts = !this.#ghosts;
    else if (act === "colours") this.#colours = !this.#colours;
    else if (act === "stop") this.#stop();
    else if (act === "on") this.#goOn();
    else this.#bare();
    this.changed();
  }

  /** What an extension does to what is seen. */
  did(op: string, ids: number[]): void {
    this.#renew();
    if (op === "hide") this.#hidden = new Set([...this.#hidden, ...ids]);
    else if (op === "show") {
      const shown = new Set(ids);
      this.#hidden = new Set([...this.#hidden].filter((id) => !shown.has(id)));
      this.#isolated &&= new Set([...this.#isolated, ...ids]);
    } else if (op === "isolate") this.#isolated = new Set(ids);
    else if (op === "resetVisibility") this.#bare();
    else if (op === "flyTo") this.#flight = ids;
    else return;
    this.changed();
  }

  /** The table's filters leave these; null: all. */
  filter(ids: number[] | null): void {
    this.#shown = ids && new Set(ids);
    this.changed();
  }

  /** What was selected is looked at: its storey comes next. */
  selected(): void {
    for (const one of this.#meshed) one.order(this.#order(one.model));
  }

  // ── reading ────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Models that are on are read one after the other; of one that was closed nothing stays. */
  #follow(): void {
    const { all, on } = this.opening.models;
    this.#renew();
    if (this.#meshed.some(({ model }) => !all.includes(model))) this.#drop(all);
    for (const model of on)
      if (!this.#meshed.some((one) => one.model === model)) this.#meshed.push(this.#fresh(model));
    this.#next();
  }

  #drop(all: readonly OpenModel[]): void {
    for (const one of this.#meshed) if (!all.includes(one.model)) one.cancel();
    this.#meshed = this.#meshed.filter((one) => all.includes(one.model));
    if (this.#meshed.length === 0) this.#origin = null;
    // Another list is another picture.
    this.#batches = this.#meshed.flatMap(({ batches }) => batches);
  }

  #fresh(model: OpenModel): MeshedModel {
    this.#count += 1;
    return new MeshedModel(model, this.#count - 1, {
      origin: (own) => {
        this.#origin ??= own;
        return this.#origin;
      },
      took: (batch) => this.#batches.push(batch),
      changed: this.changed,
      ended: () => this.#next(),
    });
  }

  /** Begins with the next model, once none is being read. */
  #next(): void {
    const reads = ({ begun, state }: MeshedModel): boolean =>
      begun && (state === "reading" || state === "drawing");
    if (this.#meshed.some((one) => reads(one) || one.state === "stopped")) return;
    const next = this.#meshed.find(({ begun, model }) => !begun && model.on);
    if (next) this.#begin(next);
  }

  #begin(one: MeshedModel): void {
    const { tree, rows } = this.opening.model;
    const { model } = one;
    void one.begin(groupsOfModel(model.place, tree, rows), this.#order(model));
  }

  #stop(): void {
    for (const one of this.#meshed) if (one.begun && one.state !== "done") one.stop();
  }

  #goOn(): void {
    const stopped = this.#meshed.find(({ state }) => state === "stopped");
    if (stopped) this.#begin(stopped);
  }

  /** What is hidden goes with the last model that was open with it. */
  #renew(): void {
    const [first] = this.opening.models.all;
    if (this.#of.some((one) => this.opening.models.all.includes(one))) {
      this.#of = this.opening.models.all;
      return;
    }
    this.#of = first ? this.opening.models.all : [];
    this.#flight = null;
    this.#bare();
  }

  /** Everything is seen again. */
  #bare(): void {
    this.#isolated = null;
    this.#hidden = new Set();
  }

  /** Storeys of a model, nearest first: to what is selected of it, else to the ground. */
  #order({ facts: { storeys }, place }: OpenModel): (number | null)[] {
    const { selected, tree } = this.opening.model;
    const first = selected.find((id) => modelPlaceOf(id) === place);
    const at = first === undefined ? undefined : storeyOf(tree, first);
    const level =
      storeys.find((one) => at !== undefined && one.id === expressIdOf(at))?.elevation ?? 0;
    const far = (elevation: number | null): number => Math.abs((elevation ?? 0) - level);
    return [...storeys].sort((a, b) => far(a.elevation) - far(b.elevation)).map((one) => one.id);
  }

  /** How far the models that are on are, as of one. */
  #progress(): Pick<View3d, "state" | "done" | "total" | "message" | "unit" | "origin" | "failed"> {
    const all = this.#meshed.filter(({ model }) => model.on);
    const is = (state: View3d["state"]) => all.find((one) => one.state === state);
    const now =
      is("stopped") ?? is("drawing") ?? is("reading") ?? is("failed") ?? is("done") ?? null;
    const sum = (of: (one: MeshedModel) => number) => all.reduce((n, one) => n + of(one), 0);
    const [first] = this.#meshed;
    return {
      state: now?.state ?? "reading",
      message: now?.message ?? "",
      done: sum((one) => one.done),
      total: sum((one) => one.total),
      unit: first?.unit ?? 1,
      origin: this.#origin ?? [0, 0, 0],
      failed: all.length === 1 ? (all[0]?.failed ?? []) : all.flatMap((one) => one.failed),
    };
  }

  // ── what is shown ──────────────────────────────────────────────────────────────────────────────────────────────

  #view(): View3d {
    const { model } = this.opening;
    const facts = this.#facts.of(model.rows);
    const { hidden, ghosted } = this.#seen(model.rows);
    return {
      batches: this.#batches,
      count: this.#batches.length,
      ...this.#progress(),
      selected: model.selected,
      hidden,
      ghosted,
      ghosts: this.#ghosts,
      glass: facts.glass,
      paint: this.#facts.paint(this.#colours ? model.colouring : null),
      colours: model.colouring ? shown(this.#colours) : "none",
      picked: this.#picked(),
      flight: this.#flight,
      name: (id) => facts.names.get(id) ?? numbered(id),
    };
  }

  #picked(): View3d["picked"] {
    const { selected, rows, shown } = this.opening.model;
    const [id] = selected;
    if (id === undefined) return null;
    if (selected.length > 1) return { name: t("model.selected", { n: selected.length }), more: "" };
    const at = this.#facts.of(rows).places.get(id);
    if (at === undefined) return null;
    const row = rows[at];
    const [column] = shown;
    const value = column?.values[at] ?? null;
    const name = row?.name ?? numbered(id);
    return { name, more: column && value !== null ? `${column.name} ${cell(value)}` : "" };
  }

  /** What is hidden, and what of it is a ghost: what a person hid is gone, what is left out by others is a breath. */
  #seen(rows: ModelRow[]): Seen {
    const hidden = this.#gone();
    if (!this.#isolated && !this.#shown) return { hidden, ghosted: nobody };
    const of = [rows, this.#isolated, this.#shown, hidden, this.#ghosts];
    if (of.some((one, i) => one !== this.#last.of[i]))
      this.#last = { of, seen: this.#left(rows, hidden) };
    return this.#last.seen;
  }

  /** What a person hid, and what is of a model that is off. */
  #gone(): ReadonlySet<number> {
    const off = this.#meshed.filter(({ model }) => !model.on);
    if (off.length === 0) return this.#hidden;
    const of = [this.#hidden, ...off.flatMap(({ batches }) => [batches, batches.length])];
    if (of.length !== this.#offOf.length || of.some((one, i) => one !== this.#offOf[i])) {
      const own = off.flatMap(({ batches }) => batches.flatMap(({ ids }) => [...ids]));
      this.#offOf = of;
      this.#offIds = new Set([...this.#hidden, ...own]);
    }
    return this.#offIds;
  }

  #left(rows: ModelRow[], hidden: ReadonlySet<number>): Seen {
    const out = rows.flatMap(({ id }) => {
      const there = (this.#isolated?.has(id) ?? true) && (this.#shown?.has(id) ?? true);
      return there || hidden.has(id) ? [] : [id];
    });
    return this.#ghosts
      ? { hidden, ghosted: new Set(out) }
      : { hidden: new Set([...hidden, ...out]), ghosted: nobody };
  }

  #away(): number {
    const { rows } = this.opening.model;
    const isolated = this.#isolated;
    if (!isolated && this.#hidden.size === 0) return 0;
    return rows.filter(({ id }) => this.#hidden.has(id) || (isolated && !isolated.has(id))).length;
  }
}

interface Seen {
  hidden: ReadonlySet<number>;
  ghosted: ReadonlySet<number>;
}

const shown = (on: boolean): "on" | "off" => (on ? "on" : "off");
const nobody: ReadonlySet<number> = new Set();

/** What is read off the rows, once for each list of them. */
class Facts {
  #rows: ModelRow[] | null = null;
  #colouring: unknown = undefined;
  #paint: ReadonlyMap<number, string> = new Map();
  glass: ReadonlySet<number> = nobody;
  names: ReadonlyMap<number, string> = new Map();
  places: ReadonlyMap<number, number> = new Map();

  of(rows: ModelRow[]): this {
    if (this.#rows === rows) return this;
    this.#rows = rows;
    this.glass = new Set(rows.filter((row) => row.type === GLASS).map((row) => row.id));
    this.names = new Map(rows.flatMap(({ id, name }) => (name === null ? [] : [[id, name]])));
    this.places = new Map(rows.map((row, i) => [row.id, i]));
    return this;
  }

  /** Later colours lie over earlier ones. */
  paint(colouring: { groups: { color: string; ids: number[] }[] } | null) {
    if (this.#colouring === colouring) return this.#paint;
    this.#colouring = colouring;
    this.#paint = new Map(
      (colouring?.groups ?? []).flatMap(({ color, ids }) => ids.map((id) => [id, color] as const)),
    );
    return this.#paint;
  }
}

/** Whether this browser draws; asked before anything is loaded for it. */
function drawable(): boolean {
  const context = document.createElement("canvas").getContext("webgl2");
  context?.getExtension("WEBGL_lose_context")?.loseContext();
  return context !== null;
}
