/**
 * What a person does to a plan at its gate: edits, and the steps back.
 *
 * Invariant: an edit goes on from what is shown, also while the run has not heard of the one before it.
 */
import type { HumanEvent, Plan, PlannedCapability, RunView, Store } from "@holdpoint/core/types";

interface Around {
  store: Store;
  changed(): void;
}

/** The run whose plan is edited. */
interface Run {
  readonly key: string;
  readonly view: RunView;
  send(event: HumanEvent): Promise<void>;
}

export class PlanEdits {
  /** The plan as the model made it. */
  proposed: Plan | null = null;
  /** Its permissions in words. */
  planned: PlannedCapability[] = [];
  #undo: Plan[] = [];
  /** The plan as a person left it, until the run has it. */
  #edited: Plan | null = null;

  constructor(
    private readonly run: Run,
    private readonly around: Around,
  ) {}

  /** Whether the run has every edit: until then what it says of the plan is of an older one. */
  get settled(): boolean {
    return this.#edited === null;
  }

  get #kept(): string {
    return `proposed-${this.run.key}`;
  }

  async restore(): Promise<void> {
    const { store } = this.around;
    this.proposed = (await store.get<Plan>("drafts", this.#kept)) ?? null;
    this.planned = (await store.get<PlannedCapability[]>("drafts", `${this.#kept}-may`)) ?? [];
  }

  /** The run moved: a plan that nobody edited is the model's own. */
  moved({ state, plan }: RunView): void {
    if (state !== "gate" || !plan || plan.edits !== 0 || this.proposed === plan.plan) return;
    this.proposed = plan.plan;
    this.planned = plan.capabilities;
    this.#undo = [];
    void this.around.store.put("drafts", this.#kept, plan.plan);
    void this.around.store.put("drafts", `${this.#kept}-may`, plan.capabilities);
  }

  async edit(plan: Plan): Promise<void> {
    const before = this.#edited ?? this.run.view.plan?.plan;
    if (before) this.#undo.push(before);
    await this.#write(plan);
  }

  async undo(): Promise<void> {
    const before = this.#undo.pop() ?? this.proposed;
    if (before) await this.#write(before);
  }

  /** Another plan is asked for: no edit of this one is left. */
  forget(): void {
    this.#undo = [];
  }

  async #write(plan: Plan): Promise<void> {
    this.#edited = plan;
    this.around.changed();
    try {
      await this.run.send({ type: "PlanEdited", plan });
    } finally {
      if (this.#edited === plan) this.#edited = null;
      this.around.changed();
    }
  }

  /** The card with the edits that undo can still take back. */
  card(view: RunView): RunView {
    if (!view.plan) return view;
    const plan = view.plan.approved ? view.plan.plan : (this.#edited ?? view.plan.plan);
    // After a reload the single steps are gone; undo then leads to the model's own plan.
    const edited = this.proposed !== null && JSON.stringify(plan) !== JSON.stringify(this.proposed);
    const steps = this.#undo.length || (edited ? 1 : 0);
    // Of a plan that is signed nothing is taken back: what counts is whether it is the proposed one.
    const edits = view.plan.approved && this.proposed !== null && !edited ? 0 : steps;
    return { ...view, plan: { ...view.plan, plan, edits } };
  }
}
