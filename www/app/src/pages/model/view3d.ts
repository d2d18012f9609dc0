/**
 * The 3D view of the open model: when its geometry is read, what is hidden or a ghost, and in which colours it stands.
 *
 * Nothing of it is loaded before a person opens the view first. Another file begins anew.
 */
import type { MeshBatch, Meshing } from "@holdpoint/core/geometry";
import type { ModelRow } from "@holdpoint/core/types";
import { type NotDrawn, t, type View3d, type View3dAct } from "@holdpoint/elements";
import { cell } from "@holdpoint/elements/model/elements";
import { groupsOf, storeyOf } from "./mesh-groups.js";
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

type Progress = Pick<View3d, "state" | "done" | "total" | "message" | "unit" | "origin">;
const begun: Progress = {
  state: "reading",
  done: 0,
  total: 0,
  message: "",
  unit: 1,
  origin: [0, 0, 0],
};

export class View3dPart {
  layout: Layout = "table";
  #off = typeof WebGL2RenderingContext === "undefined";
  #meshing: Meshing | null = null;
  /** The file that is read, and what of it is there. */
  #file: Blob | null = null;
  #batches: MeshBatch[] = [];
  #failed: NotDrawn[] = [];
  #progress: Progress = begun;
  #asked = new Set<number>();
  #hidden: ReadonlySet<number> = new Set();
  /** The file whose elements are hidden or isolated. */
  #of: Blob | null = null;
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
  #facts = new Facts();

  constructor(
    private readonly opening: Opening,
    private readonly changed: () => void,
  ) {}

  get state(): View3dState {
    const open = this.layout !== "table" && this.opening.file !== null;
    if (open) void this.#follow();
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
    else if (act === "on") void this.#mesh();
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
    if (this.#progress.state === "drawing") this.#meshing?.order(this.#order());
  }

  // ── reading ────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Another file was opened, or the first one. */
  async #follow(): Promise<void> {
    if (this.#file === this.opening.file) return;
    this.#meshing?.cancel();
    this.#file = this.opening.file;
    this.#batches = [];
    this.#failed = [];
    this.#progress = begun;
    this.#asked = new Set();
    this.#renew();
    await this.#mesh();
  }

  /** What is hidden belongs to one file. */
  #renew(): void {
    if (this.#of === this.opening.file) return;
    this.#of = this.opening.file;
    this.#flight = null;
    this.#bare();
  }

  /** Everything is seen again. */
  #bare(): void {
    this.#isolated = null;
    this.#hidden = new Set();
  }

  async #mesh(): Promise<void> {
    const file = this.#file;
    if (!file) return;
    const groups = groupsOf(this.opening.model.tree, this.opening.model.rows);
    const left = groups.map(({ storey, ids }) => ({
      storey,
      ids: ids.filter((id) => !this.#asked.has(id)),
    }));
    this.#progress = {
      ...this.#progress,
      state: this.#asked.size > 0 ? "drawing" : "reading",
      total: groups.reduce((sum, { ids }) => sum + ids.length, 0),
    };
    const { mesh } = await import("@holdpoint/core/geometry");
    if (this.#file !== file) return;
    // Shapes of a run that was stopped keep their numbers.
    const before = this.#batches.reduce((sum, { shapes }) => sum + shapes.length, 0);
    this.#meshing = mesh(file, left, {
      begun: (origin, unit) => this.#set({ state: "drawing", origin, unit }),
      batch: (batch) => this.#take(batch, before),
      done: () => this.#set({ state: "done" }),
      failed: (message) => this.#set({ state: "failed", message }),
    });
    this.#meshing.order(this.#order());
  }

  #stop(): void {
    this.#meshing?.cancel();
    this.#progress = { ...this.#progress, state: "stopped" };
  }

  #take(batch: MeshBatch, before: number): void {
    for (const id of batch.done) this.#asked.add(id);
    for (const shape of batch.shapes) shape.shape += before;
    if (before > 0) batch.parts = batch.parts.map((part) => part + before);
    if (batch.parts.length > 0) this.#batches.push(batch);
    this.#failed = [...this.#failed, ...batch.failed];
    this.#set({ done: this.#asked.size });
  }

  #set(change: Partial<Progress>): void {
    this.#progress = { ...this.#progress, ...change };
    this.changed();
  }

  /** Storeys, nearest first: to what is selected, else to the ground. */
  #order(): (number | null)[] {
    const { facts, selected, tree } = this.opening.model;
    const storeys = facts?.storeys ?? [];
    const [first] = selected;
    const at = first === undefined ? undefined : storeyOf(tree, first);
    const level = storeys.find((one) => one.id === at)?.elevation ?? 0;
    const far = (elevation: number | null): number => Math.abs((elevation ?? 0) - level);
    return [...storeys].sort((a, b) => far(a.elevation) - far(b.elevation)).map((one) => one.id);
  }

  // ── what is shown ──────────────────────────────────────────────────────────────────────────────────────────────

  #view(): View3d {
    const { model } = this.opening;
    const facts = this.#facts.of(model.rows);
    const { hidden, ghosted } = this.#seen(model.rows);
    return {
      batches: this.#batches,
      count: this.#batches.length,
      ...this.#progress,
      failed: this.#failed,
      selected: model.selected,
      hidden,
      ghosted,
      ghosts: this.#ghosts,
      glass: facts.glass,
      paint: this.#facts.paint(this.#colours ? model.colouring : null),
      colours: model.colouring ? shown(this.#colours) : "none",
      picked: this.#picked(),
      flight: this.#flight,
      name: (id) => facts.names.get(id) ?? t("model.unnamed", { id: String(id) }),
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
    const name = row?.name ?? t("model.unnamed", { id: String(id) });
    return { name, more: column && value !== null ? `${column.name} ${cell(value)}` : "" };
  }

  /** What is hidden, and what of it is a ghost: what a person hid is gone, what is left out by others is a breath. */
  #seen(rows: ModelRow[]): Seen {
    if (!this.#isolated && !this.#shown) return { hidden: this.#hidden, ghosted: nobody };
    const of = [rows, this.#isolated, this.#shown, this.#hidden, this.#ghosts];
    if (of.some((one, i) => one !== this.#last.of[i])) this.#last = { of, seen: this.#left(rows) };
    return this.#last.seen;
  }

  #left(rows: ModelRow[]): Seen {
    const out = rows.flatMap(({ id }) => {
      const there = (this.#isolated?.has(id) ?? true) && (this.#shown?.has(id) ?? true);
      return there || this.#hidden.has(id) ? [] : [id];
    });
    return this.#ghosts
      ? { hidden: this.#hidden, ghosted: new Set(out) }
      : { hidden: new Set([...this.#hidden, ...out]), ghosted: nobody };
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
