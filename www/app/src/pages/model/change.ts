/** One change from ask to install: its run, its plan, its review, its hand edits. The column shows what stands here. */
import type {
  Api,
  Checks,
  Conversation,
  Core,
  ErrorShape,
  Files,
  HumanEvent,
  InstallConfirmation,
  IntentContext,
  Json,
  RunView,
  SandboxClient,
  SpentOn,
  Store,
} from "@holdpoint/core/types";
import type { Priced } from "@holdpoint/elements/change/cost";
import {
  type RunProgress,
  type RunSession,
  type RunSurroundings,
  restoreRun,
  startRun,
} from "../../core.js";
import { worded } from "./change-lines.js";
import { Costs } from "./costs.js";
import type { Installed } from "./installed.js";
import { KIND } from "./kind.js";
import { PlanEdits } from "./plan-edits.js";
import { Pricing } from "./pricing.js";
import { Promoting } from "./promoting.js";
import { type Signed, Signing } from "./signing.js";
import { type Edited, SourceEdit } from "./source-edit.js";
import { conversation } from "./told.js";
import { Versions } from "./versions.js";
import { type Repairable, Wrong } from "./wrong.js";

export interface Around {
  core: Core;
  checks: Checks;
  api: Api;
  store: Store;
  sandbox: SandboxClient;
  installed: Installed;
  token(): string | undefined;
  modelContext(): Json | null;
  /** The standing wishes; empty where there are none. */
  overlay(): string;
  /** The model that is open, once it is read. */
  models: RunSurroundings["models"];
  /** The names of the elements that are selected. */
  selection(): string[];
  /** What money is counted in; empty where tokens are. */
  currency(): string;
  changed(): void;
  /** A bundle was signed and is on this device. */
  arrived(id: string): void;
}

export class Change implements Signed, Edited {
  adjusting = false;
  /** What the person asked, where the run heard it in other words. */
  asked: string | null = null;
  /** Other words for the plan, until they are said. */
  words = "";
  readonly plan: PlanEdits;
  readonly signing: Signing;
  readonly source: SourceEdit;
  readonly versions: Versions;
  readonly promoting: Promoting;
  readonly wrong: Wrong;
  readonly costs: Costs;
  readonly #pricing: Pricing;
  /** Why a budget refused it: the session knows that until the page is left. */
  #refused: ErrorShape | null = null;
  /** With these budgets the plan was priced. */
  #budgets: unknown = null;

  private constructor(
    readonly key: string,
    /** The same in every browser. */
    readonly name: string,
    readonly session: RunSession,
    private readonly around: Around,
  ) {
    this.plan = new PlanEdits(this, around);
    this.signing = new Signing(this, around);
    this.source = new SourceEdit(this, around);
    this.versions = new Versions(this, around);
    this.costs = new Costs(this, around.store);
    this.promoting = new Promoting(this, around);
    this.wrong = new Wrong(() => this.#repairable(), around);
    this.#pricing = new Pricing(around);
    session.subscribe(() => this.#moved());
  }

  static async start(number: number, name: string, base: Files, around: Around): Promise<Change> {
    const key = String(number);
    let change: Change | undefined;
    const surroundings = Change.#surroundings(around, () => change);
    change = new Change(key, name, await startRun(key, base, surroundings), around);
    return change;
  }

  static async restore(key: string, name: string, around: Around): Promise<Change | null> {
    let change: Change | undefined;
    const surroundings = Change.#surroundings(around, () => change);
    const session = await restoreRun(key, surroundings);
    if (!session) return null;
    change = new Change(key, name, session, around);
    await change.plan.restore();
    await change.signing.restore();
    await change.costs.restore();
    change.#refused = (await around.store.get<ErrorShape>("drafts", change.#kept)) ?? null;
    change.#moved();
    return change;
  }

  static #surroundings(around: Around, change: () => Change | undefined): RunSurroundings {
    return {
      kind: KIND,
      token: around.token,
      store: around.store,
      sandbox: around.sandbox,
      modelContext: around.modelContext,
      overlay: around.overlay,
      models: around.models,
      apply: async (view: RunView, confirmation: InstallConfirmation) => {
        const signed = change();
        if (!signed) return { type: "Refused", code: "NOT_READY" };
        // Changes nothing, and is refused where another tab has the change: nothing is signed here then.
        await around.store.update("drafts", `installed-${signed.key}`, (at) => at);
        return signed.signing.store(view, confirmation);
      },
    };
  }

  get number(): number {
    return Number(this.key);
  }

  get #kept(): string {
    return `refused-${this.key}`;
  }

  /** Why the model could not be asked, also after a reload where that was a budget. */
  get problem(): ErrorShape | null {
    const { failure } = this.session.view;
    if (failure) return failure.error ?? null;
    return this.view.state === "failed" && this.view.reason === "tokens" ? this.#refused : null;
  }

  #keepRefusal(): void {
    const error = this.session.view.failure?.error ?? null;
    if (!error?.code.startsWith("BUDGET_") || error === this.#refused) return;
    this.#refused = error;
    void this.around.store.put("drafts", this.#kept, error);
  }

  /** What is reviewed, where a person may say that it is wrong. */
  #repairable(): Repairable | null {
    const { state, files } = this.view;
    if (state !== "review") return null;
    return {
      name: this.signing.manifest?.name ?? "",
      repair: (text, test) => this.send({ type: "Repair", text, files, test }),
    };
  }

  /** What is drawn of the run; a session is given out once there is something. */
  get progress(): RunProgress {
    return this.session.view.progress as RunProgress;
  }

  get view(): RunView {
    return this.progress.view;
  }

  /** The run as its person reads it. */
  get shown(): RunView {
    return worded(this.view, this.asked);
  }

  /** What its run cost so far; null where none was opened. */
  get spent(): SpentOn | null {
    const account = this.progress.gateway;
    if (!account) return null;
    const { spent_tokens: tokens, spent_cost: cost } = account;
    return { tokens, cost, currency: this.around.currency() };
  }

  told(view: RunView): Conversation | null {
    return conversation(this.name, this.number, worded(view, this.asked), this.spent);
  }

  /** A person asks; `context` is what is installed, so that words that name it are understood. */
  async ask(text: string, context?: IntentContext): Promise<void> {
    await this.session.send({ text, ...(context ? { context } : {}) });
    const { failure } = this.session.view;
    if (failure?.outcome === "refused") throw failure.error;
  }

  /** What the plan as it stands will cost. */
  get quote(): Priced | null {
    return this.#pricing.quote;
  }

  /** Asks anew for what a plan costs that did not fit, each time that `budgets` were read: more may be granted. */
  fitsAgain(budgets: unknown): void {
    if (budgets === this.#budgets) return;
    this.#budgets = budgets;
    const { plan, request, state } = this.view;
    if (state === "gate" && plan && this.quote?.fits === false)
      void this.#pricing.price(plan, request, true);
  }

  async send(event: HumanEvent): Promise<void> {
    await this.session.decide(event);
  }

  /** Once nothing is written or tested. */
  async rested(): Promise<void> {
    await new Promise<void>((resolve) => {
      const look = (): void => {
        if (["generating", "testing"].includes(this.view.state)) return;
        end();
        resolve();
      };
      const end = this.session.subscribe(look);
      look();
    });
  }

  install(confirmation: InstallConfirmation): Promise<void> {
    return this.send({ type: "Install", confirmation });
  }

  edit(files: Files): Promise<void> {
    return this.send({ type: "HandEdit", files });
  }

  /** An edit of a person is on its way to the run. */
  get writing(): boolean {
    return this.source.writing || this.versions.choosing || !this.plan.settled;
  }

  checked(): ReturnType<Signing["check"]> {
    return this.signing.check();
  }

  /** Signs the plan that is shown. */
  async approve(): Promise<void> {
    const { plan } = this.view;
    if (plan?.ok && this.signing.settled)
      await this.send({ type: "Approved", plan_hash: plan.plan_hash });
  }

  /** Other words for the plan are asked for, or not any more. */
  adjusts(on: boolean, words = this.words): void {
    this.adjusting = on;
    this.words = words;
    this.around.changed();
  }

  async adjust(text: string): Promise<void> {
    this.adjusting = false;
    this.words = "";
    this.plan.forget();
    await this.send({ type: "Adjust", text });
  }

  /** The run with its plan as the card shows it. */
  card(): RunView {
    return this.plan.card(this.shown);
  }

  /** What follows from the run having moved: the model's own plan, the quote, a clean review. */
  #moved(): void {
    const { view } = this;
    this.#keepRefusal();
    this.plan.moved(view);
    this.costs.moved();
    this.wrong.moved(view);
    if (view.state === "gate" && view.plan) void this.#pricing.price(view.plan, view.request);
    if (view.state === "generating" || view.state === "testing") this.source.shown = false;
    this.signing.moved(view);
  }

  dispose(): void {
    this.source.close();
    this.session.close();
  }
}
