/** One change from ask to install: its run, its review, its hand edits. What the column shows comes from here. */
import type {
  Api,
  Base,
  BundleCheck,
  CapabilityDiff,
  Checks,
  Core,
  ErrorShape,
  Files,
  HumanEvent,
  InstallConfirmation,
  Json,
  Manifest,
  Quote,
  Range,
  Review,
  RunView,
  SandboxClient,
  Store,
} from "@holdpoint/core/types";
import type { ChangeView, GrantView } from "@holdpoint/elements";
import {
  type RunProgress,
  type RunSession,
  type RunSurroundings,
  restoreRun,
  startRun,
} from "../../core.js";
import { fingerprinted, type GrantedBundle, Grants, named } from "./grants.js";
import type { Installed } from "./installed.js";
import { KIND } from "./kind.js";
import { Latest } from "./latest.js";
import { PlanEdits } from "./plan-edits.js";
import { Pricing } from "./pricing.js";
import { recordOf, requestOf } from "./signed.js";

/** A hand edit is checked this long after the last key. */
const CHECK_MS = 250;

export interface Around {
  core: Core;
  checks: Checks;
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
  #writing = false;
  source: NonNullable<ChangeView["source"]> | null = null;
  installedAt: number | null = null;
  readonly plan: PlanEdits;
  readonly #pricing: Pricing;
  #grants: Grants;
  /** What the project sent instead of storing, for the grants that were signed. */
  #fresh: { review: Review; granted: string } | null = null;
  #against: { key: string; added: string[]; taken: string[] } | null = null;
  readonly #checked: Latest<BundleCheck>;
  readonly #baseChecked: Latest<BundleCheck>;
  readonly #printed: Latest<string>;
  readonly #reviewed: Latest<Review>;
  #timer: ReturnType<typeof setTimeout> | undefined;

  private constructor(
    readonly key: string,
    readonly number: number,
    readonly session: RunSession,
    private readonly around: Around,
  ) {
    this.#grants = this.#freshGrants();
    this.plan = new PlanEdits(this, around);
    this.#pricing = new Pricing(around);
    const latest = <T>(): Latest<T> => new Latest<T>(() => this.#settled());
    this.#checked = latest();
    this.#baseChecked = latest();
    this.#printed = latest();
    this.#reviewed = latest();
    session.subscribe(() => this.#moved());
  }

  #freshGrants(): Grants {
    const { sandbox, changed } = this.around;
    return new Grants(() => this.#granting(), sandbox, changed);
  }

  static async start(number: number, base: Files, around: Around): Promise<Change> {
    const key = String(number);
    let change: Change | undefined;
    const session = await startRun(
      key,
      base,
      Change.#surroundings(around, () => change),
    );
    change = new Change(key, number, session, around);
    return change;
  }

  static async restore(key: string, around: Around): Promise<Change | null> {
    let change: Change | undefined;
    const session = await restoreRun(
      key,
      Change.#surroundings(around, () => change),
    );
    if (!session) return null;
    change = new Change(key, Number(key), session, around);
    await change.plan.restore();
    change.installedAt = (await around.store.get<number>("drafts", `installed-${key}`)) ?? null;
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
      apply: (view: RunView, confirmation: InstallConfirmation) =>
        change()?.store(view, confirmation) ??
        Promise.resolve({ type: "Refused", code: "NOT_READY" }),
    };
  }

  /** What is drawn of the run; a session is given out once there is something. */
  get progress(): RunProgress {
    return this.session.view.progress as RunProgress;
  }

  get view(): RunView {
    return this.progress.view;
  }

  /** What the plan as it stands will cost. */
  get quote(): Quote | null {
    return this.#pricing.quote;
  }

  async send(event: HumanEvent): Promise<void> {
    await this.session.decide(event);
  }

  // ── the plan ───────────────────────────────────────────────────────────────────────────────────────────────────

  /** Signs the plan that is shown. */
  async approve(): Promise<void> {
    const { plan } = this.view;
    if (plan?.ok && this.settled) await this.send({ type: "Approved", plan_hash: plan.plan_hash });
  }

  async adjust(text: string): Promise<void> {
    this.adjusting = false;
    this.plan.forget();
    await this.send({ type: "Adjust", text });
  }

  /** The run with its plan as the card shows it. */
  card(): RunView {
    return this.plan.card(this.view);
  }

  /** What follows from the run having moved: the model's own plan, the quote, a clean review. */
  #moved(): void {
    const view = this.view;
    this.plan.moved(view);
    if (view.state === "gate" && view.plan) void this.#pricing.price(view.plan, view.request);
    if (view.state !== "review" && view.state !== "failed" && view.state !== "installed") {
      this.#grants = this.#freshGrants();
      this.typed = "";
      this.accepted = [];
    }
    if (view.state === "generating" || view.state === "testing") this.screen = "change";
    if (view.state === "installed") this.sending = false;
    this.#settled();
  }

  /** What the ticks follow from may be another one: what is ticked now has passed its tests, or they run. */
  #settled(): void {
    if (this.view.state === "review") void this.#grants.run();
    this.around.changed();
  }

  // ── review and install ─────────────────────────────────────────────────────────────────────────────────────────

  /** The check of the bundle as it stands; null until there is one. */
  check(): BundleCheck | null {
    const { files, updated_at, attempt } = this.view;
    if (Object.keys(files).length === 0) return null;
    return this.#checked.get(`${updated_at} ${attempt}`, () => this.around.checks.check(files));
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
    const manifest = this.#baseManifest();
    const key = JSON.stringify([base?.hash, base?.granted, manifest?.capabilities, next]);
    if (this.#against?.key !== key) {
      const since = (previous: string[]) =>
        this.around.core.call<CapabilityDiff>("capability.diff", { previous, next }).added;
      const declared = manifest?.capabilities ?? [];
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
    const { checks } = this.around;
    const ask = () => checks.review(view.files, base, granted, view.plan?.plan);
    return this.#reviewed.get(key, ask) ?? view.review;
  }

  /** The fingerprint of exactly what is shown: another one where a permission is left out. */
  print(): string {
    const { files } = this.view;
    const hash = this.review()?.result_hash;
    if (hash === undefined) return "";
    const declared = this.manifest?.capabilities ?? [];
    const { granted } = this.#grants;
    const key = `${hash} ${named(granted)}`;
    const ask = () => fingerprinted(this.around.checks, { files, hash, declared }, granted);
    return this.#printed.get(key, ask) ?? "";
  }

  /** Whether what is shown is what the checks say of it: while a newer answer comes, nothing is signed. */
  get settled(): boolean {
    if (this.#writing || !this.plan.settled) return false;
    if (this.view.state !== "review") return true;
    return this.manifest !== null && this.#reviewed.settled && this.#printed.settled;
  }

  /** What another change installed under this id. */
  #live() {
    const id = this.manifest?.id;
    const live = id === undefined ? undefined : this.around.installed.all.get(id);
    return live?.stored && live.change !== this.key ? live : undefined;
  }

  /** What stands installed under this id now and what was granted of it; the run's own base otherwise. */
  #base(): (Base & { hash: string }) | null {
    const live = this.#live();
    if (live) {
      const { granted, content_hash } = live.record;
      return { files: live.files, granted, hash: content_hash };
    }
    return Object.keys(this.view.base).length ? { files: this.view.base, hash: "" } : null;
  }

  /** The manifest of what is reviewed over; null where there is none, or not yet. */
  #baseManifest(): Manifest | null {
    const base = this.#base();
    if (!base) return null;
    const live = this.#live();
    if (live) return live.manifest;
    const ask = () => this.around.checks.check(base.files);
    return this.#baseChecked.get("base", ask)?.manifest ?? null;
  }

  baseVersion(): string | null {
    return this.#baseManifest()?.version ?? null;
  }

  async install(): Promise<void> {
    const review = this.review();
    if (!review || !this.settled || this.sending) return;
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
    try {
      await this.send({ type: "Install", confirmation });
    } finally {
      // The run may have another bundle by now, and shows that one to be signed.
      if (this.view.state !== "installed") this.sending = false;
      this.around.changed();
    }
  }

  /** The run's `Apply`: the project stores it, or the device keeps it until it can. */
  async store(
    view: RunView,
    confirmation: InstallConfirmation,
  ): Promise<{ type: string; [member: string]: unknown }> {
    const { api, installed, store } = this.around;
    const { manifest } = await this.around.checks.check(view.files);
    if (!manifest) return { type: "Refused", code: "BUNDLE_INVALID" };
    const request = requestOf(view, confirmation);
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
        await this.#signed(at);
        await store.put("queue", manifest.id, { request, change: this.key });
        const record = recordOf(manifest, request, at);
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
    this.#reviewed.clear();
    this.around.changed();
  }

  // ── source ─────────────────────────────────────────────────────────────────────────────────────────────────────

  openSource(at: { path: string; range?: Range } | null): void {
    const { files, edited } = this.view;
    if (Object.keys(files).length === 0) return;
    // An edit that did not pass is what its author goes on with.
    this.source ??= {
      base: files,
      files: edited ?? files,
      check: edited ? null : this.check(),
      checkedAt: Date.now(),
      at: null,
    };
    this.source = { ...this.source, at };
    if (!this.source.check) void this.#checkSource();
    this.screen = "source";
    this.around.changed();
  }

  editSource(files: Files): void {
    if (!this.source) return;
    this.source = { ...this.source, files, at: null };
    this.around.changed();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      void this.#checkSource();
    }, CHECK_MS);
  }

  /** Checks the hand edits as they stand; an answer for older ones is dropped. */
  async #checkSource(): Promise<void> {
    const files = this.source?.files;
    if (!files) return;
    const plan = this.view.plan?.plan;
    const options = { origin: "hand" as const, ...(plan ? { plan } : {}) };
    const check = await this.around.checks.check(files, options).catch(() => null);
    if (this.source?.files !== files) return;
    this.source = { ...this.source, check, checkedAt: Date.now() };
    this.around.changed();
  }

  async saveSource(): Promise<void> {
    const files = this.source?.files;
    if (!files) return;
    await this.#write(files);
  }

  /** Lets the edits go; where a saved one did not pass, the best bundle is checked and shown again. */
  async dropSource(): Promise<void> {
    const { files, edited } = this.view;
    if (edited) await this.#write(files);
    else this.leaveSource(true);
  }

  /** A person's own files. Until the run has them what is shown is what they were, and nothing is signed. */
  async #write(files: Files): Promise<void> {
    this.#writing = true;
    this.leaveSource(true);
    try {
      await this.send({ type: "HandEdit", files });
    } finally {
      this.#writing = false;
      this.around.changed();
    }
  }

  leaveSource(drop: boolean): void {
    if (drop) this.source = null;
    this.screen = "change";
    this.around.changed();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.session.close();
  }
}
