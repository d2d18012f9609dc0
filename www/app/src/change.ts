/** One change from ask to install: its run, its review, its hand edits. What the column shows comes from here. */
import type {
  Api,
  Base,
  BundleCheck,
  CapabilityDiff,
  Core,
  ErrorShape,
  Files,
  HumanEvent,
  InstallConfirmation,
  InstallRequest,
  Json,
  Manifest,
  Plan,
  Quote,
  Range,
  Review,
  RunView,
  SandboxClient,
  Store,
} from "@holdpoint/core/types";
import type { ChangeView, GrantView } from "@holdpoint/elements";
import { type PageRun, type RunSurroundings, restoreRun, startRun } from "./core.js";
import { fingerprinted, type GrantedBundle, Grants, named } from "./grants.js";
import type { Installed } from "./installed.js";

const SDK = "1.0.0";
/** Tokens of the generate prompt where it cannot be composed: its static part. */
const PROMPT_GUESS = 20_000;
/** The driver asks a refused call again by itself after at most this long. */
const MAX_WAIT_MS = 5_000;
/** A hand edit is checked this long after the last key. */
const CHECK_MS = 250;

export interface Around {
  core: Core;
  api: Api;
  store: Store;
  sandbox: SandboxClient;
  installed: Installed;
  token(): string | undefined;
  modelContext(): Json | null;
  changed(): void;
  /** A bundle was signed and is on this device. */
  arrived(id: string): void;
}

export class Change {
  screen: "change" | "source" = "change";
  adjusting = false;
  typed = "";
  accepted: string[] = [];
  stale: "" | "stale" | "moved" = "";
  sending = false;
  proposed: Plan | null = null;
  quote: Quote | null = null;
  source: NonNullable<ChangeView["source"]> | null = null;
  installedAt: number | null = null;
  #undo: Plan[] = [];
  #quoted = "";
  #grants: Grants;
  /** What the project sent instead of storing, for the grants that were signed. */
  #fresh: { review: Review; granted: string } | null = null;
  #against: { key: string; added: string[]; taken: string[] } | null = null;
  #checked: { key: string; check: BundleCheck } | null = null;
  #printed: { key: string; print: string } | null = null;
  #reviewed: { key: string; review: Review } | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  private constructor(
    readonly key: string,
    readonly number: number,
    readonly run: PageRun,
    private readonly around: Around,
  ) {
    this.#grants = this.#freshGrants();
    run.subscribe(() => this.#moved());
  }

  #freshGrants(): Grants {
    const { sandbox, changed } = this.around;
    return new Grants(() => this.#granting(), sandbox, changed);
  }

  static start(number: number, base: Files, around: Around): Change {
    const key = String(number);
    let change: Change | undefined;
    const run = startRun(
      key,
      base,
      Change.#surroundings(around, () => change),
    );
    change = new Change(key, number, run, around);
    return change;
  }

  static async restore(key: string, around: Around): Promise<Change | null> {
    let change: Change | undefined;
    const run = await restoreRun(
      key,
      Change.#surroundings(around, () => change),
    );
    if (!run) return null;
    change = new Change(key, Number(key), run, around);
    change.proposed = (await around.store.get<Plan>("drafts", `proposed-${key}`)) ?? null;
    change.installedAt = (await around.store.get<number>("drafts", `installed-${key}`)) ?? null;
    change.#moved();
    return change;
  }

  static #surroundings(around: Around, change: () => Change | undefined): RunSurroundings {
    return {
      token: around.token,
      store: around.store,
      sandbox: around.sandbox,
      modelContext: around.modelContext,
      apply: (view: RunView, confirmation: InstallConfirmation) =>
        change()?.store(view, confirmation) ??
        Promise.resolve({ type: "Refused", code: "NOT_READY" }),
    };
  }

  get view(): RunView {
    return this.run.view;
  }

  #waiting = { problem: "", until: 0 };

  /** Before this time a refused call is asked again by itself; 0 where a person has to. */
  get waits(): number {
    const problem = this.run.problem as (ErrorShape & { retry_after_ms?: number }) | null;
    const key = problem ? JSON.stringify(problem) : "";
    if (key !== this.#waiting.problem)
      this.#waiting = {
        problem: key,
        until: problem?.retry_after_ms
          ? Date.now() + Math.min(problem.retry_after_ms, MAX_WAIT_MS)
          : 0,
      };
    return this.#waiting.until;
  }

  async send(event: HumanEvent): Promise<void> {
    await this.run.send(event);
    this.#moved();
  }

  // ── the plan ───────────────────────────────────────────────────────────────────────────────────────────────────

  async editPlan(plan: Plan): Promise<void> {
    const before = this.view.plan?.plan;
    if (before) this.#undo.push(before);
    await this.send({ type: "PlanEdited", plan });
  }

  async undoPlan(): Promise<void> {
    const before = this.#undo.pop() ?? this.proposed;
    if (before) await this.send({ type: "PlanEdited", plan: before });
  }

  async adjust(text: string): Promise<void> {
    this.adjusting = false;
    this.#undo = [];
    await this.send({ type: "Adjust", text });
  }

  /** The card with the edits that undo can still take back. */
  card(): RunView {
    const view = this.view;
    if (!view.plan || view.plan.approved) return view;
    // After a reload the single steps are gone; undo then leads to the model's own plan.
    const edited =
      this.proposed !== null && JSON.stringify(view.plan.plan) !== JSON.stringify(this.proposed);
    return { ...view, plan: { ...view.plan, edits: this.#undo.length || (edited ? 1 : 0) } };
  }

  /** What follows from the run having moved: the model's own plan, the quote, a clean review. */
  #moved(): void {
    const view = this.view;
    if (
      view.state === "gate" &&
      view.plan &&
      view.plan.edits === 0 &&
      this.proposed !== view.plan.plan
    ) {
      this.proposed = view.plan.plan;
      this.#undo = [];
      void this.around.store.put("drafts", `proposed-${this.key}`, view.plan.plan);
    }
    if (view.state === "gate") void this.#price();
    if (view.state !== "review" && view.state !== "failed" && view.state !== "installed") {
      this.#grants = this.#freshGrants();
      this.typed = "";
      this.accepted = [];
    }
    if (view.state === "review") void this.#grants.run();
    if (view.state === "generating" || view.state === "testing") this.screen = "change";
    if (view.state === "installed") this.sending = false;
    this.around.changed();
  }

  async #price(): Promise<void> {
    const plan = this.view.plan;
    const estimate = plan?.estimate;
    if (!plan || !estimate || this.#quoted === plan.plan_hash) return;
    this.#quoted = plan.plan_hash;
    const prompt = this.#prompt(plan.plan);
    this.quote = {
      tokens: { min: prompt + estimate.output_low, max: estimate.hold_tokens },
      cost: { min: 0, max: 0 },
      fits: true,
    };
    this.around.changed();
    try {
      const quote = await this.around.api.quote(estimate, prompt);
      if (this.#quoted === plan.plan_hash)
        this.quote = { ...quote, tokens: { min: quote.tokens.min, max: estimate.hold_tokens } };
    } catch {
      this.#quoted = "";
    }
    this.around.changed();
  }

  #prompt(plan: Plan): number {
    try {
      return this.around.core.call<{ tokens: number }>("prompt.compose", {
        kind: "ifc-extension",
        purpose: "generate",
        sdk_version: SDK,
        request: this.view.request,
        plan,
      }).tokens;
    } catch {
      return PROMPT_GUESS;
    }
  }

  // ── review and install ─────────────────────────────────────────────────────────────────────────────────────────

  check(files: Files = this.view.files): BundleCheck | null {
    if (Object.keys(files).length === 0) return null;
    const key =
      files === this.view.files
        ? `${this.view.updated_at} ${this.view.attempt}`
        : JSON.stringify(files);
    if (this.#checked?.key !== key) this.#checked = { key, check: this.around.core.check(files) };
    return this.#checked.check;
  }

  get manifest(): Manifest | null {
    return this.check()?.manifest ?? null;
  }

  get grants(): GrantView {
    return this.#grants.view;
  }

  tick(granted: string[]): Promise<void> {
    return this.#grants.tick(granted);
  }

  #granting(): GrantedBundle {
    const { files, capabilities: uses, tests } = this.view;
    return { files, uses, tests, ...this.#since() };
  }

  /** Of what is declared, in canonical form: what was not granted before, and what of it a person had taken away. */
  #since(): { added: string[]; taken: string[] } {
    const base = this.#base();
    const next = this.view.capabilities.map((use) => use.capability);
    const key = JSON.stringify([base?.hash, base?.granted, next]);
    if (this.#against?.key !== key) {
      const since = (previous: string[]) =>
        this.around.core.call<CapabilityDiff>("capability.diff", { previous, next }).added;
      const declared = base
        ? (this.around.core.check(base.files).manifest?.capabilities ?? [])
        : [];
      const [added, unknown] = [since(base?.granted ?? declared), since(declared)];
      this.#against = { key, added, taken: added.filter((one) => !unknown.includes(one)) };
    }
    return this.#against;
  }

  /** The review of what is shown with the grants that are ticked; after a 409 the one that the project sent. */
  review(): Review | null {
    const view = this.view;
    if (view.state !== "review" && view.state !== "installed") return null;
    const { granted } = this.#grants;
    if (this.#fresh?.granted === named(granted)) return this.#fresh.review;
    const base = this.#base();
    const key = JSON.stringify([granted, base?.hash, base?.granted, view.updated_at]);
    if (this.#reviewed?.key !== key) {
      try {
        this.#reviewed = {
          key,
          review: this.around.core.review(view.files, base, granted, view.plan?.plan),
        };
      } catch {
        return view.review;
      }
    }
    return this.#reviewed.review;
  }

  /** The fingerprint of exactly what is shown: another one where a permission is left out. */
  print(): string {
    const { files } = this.view;
    const hash = this.review()?.result_hash;
    if (hash === undefined) return "";
    const declared = this.manifest?.capabilities ?? [];
    const { granted } = this.#grants;
    const key = `${hash} ${named(granted)}`;
    if (this.#printed?.key !== key)
      this.#printed = {
        key,
        print: fingerprinted(this.around.core, { files, hash, declared }, granted),
      };
    return this.#printed.print;
  }

  /** What stands installed under this id now and what was granted of it; the run's own base otherwise. */
  #base(): (Base & { hash: string }) | null {
    const id = this.manifest?.id;
    const live = id === undefined ? undefined : this.around.installed.all.get(id);
    if (live?.stored && live.change !== this.key) {
      const { granted, content_hash } = live.record;
      return { files: live.files, granted, hash: content_hash };
    }
    return Object.keys(this.view.base).length ? { files: this.view.base, hash: "" } : null;
  }

  baseVersion(): string | null {
    const base = this.#base();
    return base ? (this.around.core.check(base.files).manifest?.version ?? null) : null;
  }

  async install(): Promise<void> {
    const review = this.review();
    if (!review || this.sending) return;
    this.sending = true;
    const confirmation: InstallConfirmation = {
      base_hash: review.base_hash,
      patch_id: review.patch_id,
      result_hash: review.result_hash,
      granted: this.#grants.granted,
      ...(review.confirm_token ? { confirm_token: review.confirm_token } : {}),
      ...(this.typed ? { typed_id: this.typed } : {}),
    };
    this.around.changed();
    await this.send({ type: "Install", confirmation });
  }

  /** The run's `Apply`: the project stores it, or the device keeps it until it can. */
  async store(
    view: RunView,
    confirmation: InstallConfirmation,
  ): Promise<{ type: string; [member: string]: unknown }> {
    const { api, installed, store } = this.around;
    const manifest = this.around.core.check(view.files).manifest;
    if (!manifest) return { type: "Refused", code: "BUNDLE_INVALID" };
    const request: InstallRequest = {
      ...confirmation,
      files: view.files,
      origin: view.attempt === "hand" ? "hand" : "authored",
      ...(view.plan ? { plan: view.plan.plan } : {}),
    };
    const at = Date.now();
    try {
      const record = await api.install(request);
      await this.#signed(at);
      await installed.keep({ record, files: view.files, stored: true, change: this.key });
      this.#done(manifest.id);
      return { type: "Stored", revision_id: record.revision_id };
    } catch (error) {
      const shape = error as ErrorShape;
      if (shape.code === "OFFLINE") {
        const record = {
          id: manifest.id,
          version: manifest.version,
          content_hash: confirmation.result_hash,
          granted: confirmation.granted,
          enabled: true,
          origin: request.origin,
          installed_at: at,
          sdk_version: SDK,
          revision_id: "",
          can_undo: false,
          can_redo: false,
        };
        await this.#signed(at);
        await store.put("queue", manifest.id, { request, change: this.key });
        await installed.keep({ record, files: view.files, stored: false, change: this.key });
        this.#done(manifest.id);
        return { type: "Queued" };
      }
      this.sending = false;
      this.refused(shape, "stale");
      return { type: "Refused", code: shape.code };
    }
  }

  async #signed(at: number): Promise<void> {
    this.installedAt = at;
    await this.around.store.put("drafts", `installed-${this.key}`, at);
  }

  #done(id: string): void {
    this.sending = false;
    this.stale = "";
    this.#fresh = null;
    this.around.arrived(id);
  }

  /**
   * The base moved: what is shown is fresh, every tick of consent is gone, and the earlier signature does not count.
   * What was granted stays as it was signed.
   */
  refused(
    error: { code: string; details?: Record<string, unknown> },
    how: "stale" | "moved",
    granted = this.#grants.granted,
  ): void {
    this.stale = how;
    void this.#grants.tick(granted);
    this.typed = "";
    this.accepted = [];
    const fresh = error.details?.review;
    this.#fresh =
      fresh && typeof fresh === "object"
        ? { review: fresh as Review, granted: named(granted) }
        : null;
    this.#reviewed = null;
    this.around.changed();
  }

  // ── source ─────────────────────────────────────────────────────────────────────────────────────────────────────

  openSource(at: { path: string; range?: Range } | null): void {
    const files = this.view.files;
    if (Object.keys(files).length === 0) return;
    this.source ??= {
      base: files,
      files,
      check: this.check(files),
      checkedAt: Date.now(),
      at: null,
    };
    this.source = { ...this.source, at };
    this.screen = "source";
    this.around.changed();
  }

  editSource(files: Files): void {
    if (!this.source) return;
    this.source = { ...this.source, files, at: null };
    this.around.changed();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (!this.source) return;
      const plan = this.view.plan?.plan;
      this.source = {
        ...this.source,
        check: this.around.core.check(this.source.files, {
          origin: "hand",
          ...(plan ? { plan } : {}),
        }),
        checkedAt: Date.now(),
      };
      this.around.changed();
    }, CHECK_MS);
  }

  async saveSource(): Promise<void> {
    const files = this.source?.files;
    if (!files) return;
    this.leaveSource(true);
    await this.send({ type: "HandEdit", files });
  }

  leaveSource(drop: boolean): void {
    if (drop) this.source = null;
    this.screen = "change";
    this.around.changed();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.run.dispose();
  }
}
