/**
 * The review of one change and its signature: what is shown is what the checks say of it, with the grants that are
 * ticked.
 *
 * Invariant: what is sent to be stored is what was shown, and nothing is signed while a newer answer comes.
 */

import type {
  Base,
  BundleCheck,
  CapabilityDiff,
  Conversation,
  ErrorShape,
  HumanEvent,
  InstallConfirmation,
  Manifest,
  Review,
  RunView,
} from "@holdpoint/core/types";
import type { GrantView } from "@holdpoint/elements";
import { type Approved, approved } from "./approved.js";
import type { Around } from "./change.js";
import { fingerprinted, type GrantedBundle, Grants, named } from "./grants.js";
import { Latest } from "./latest.js";
import { recordOf, requestOf } from "./signed.js";
import type { Tryable } from "./trial.js";
import { placed } from "./versions.js";

/** Of permissions, in canonical form: what was not granted before, and what of it a person had taken away. */
type Since = Pick<GrantedBundle, "added" | "taken">;

/** What is signed, and what else has to come to rest before. */
export interface Signed {
  readonly key: string;
  readonly view: RunView;
  /** A person's edit is on its way to the run. */
  readonly writing: boolean;
  /** What led here, to be kept with the install; null where nothing was asked. */
  told(view: RunView): Conversation | null;
  install(confirmation: InstallConfirmation): Promise<void>;
  send(event: HumanEvent): Promise<void>;
}

export class Signing {
  typed = "";
  accepted: string[] = [];
  stale: "" | "stale" | "moved" = "";
  /** Why it was not stored, where that is not that the project moved. */
  refusal: ErrorShape | null = null;
  sending = false;
  /** Settled once the run has taken what became of the last signature. */
  rested: Promise<unknown> = Promise.resolve();
  installedAt: number | null = null;
  #grants: Grants;
  /** What the project sent instead of storing, for the grants that were signed. */
  #fresh: { review: Review; granted: string } | null = null;
  /** Content hash of what was reviewed last. */
  #bundle = "";
  readonly #since = new Map<string, Since>();
  readonly #checked: Latest<BundleCheck>;
  readonly #baseChecked: Latest<BundleCheck>;
  readonly #printed: Latest<string>;
  readonly #reviewed: Latest<Review>;
  readonly #approved: Latest<Approved>;

  constructor(
    private readonly change: Signed,
    private readonly around: Around,
  ) {
    this.#grants = this.#freshGrants();
    const latest = <T>(): Latest<T> => new Latest<T>(() => this.#settled());
    this.#checked = latest();
    this.#baseChecked = latest();
    this.#printed = latest();
    this.#reviewed = latest();
    this.#approved = new Latest<Approved>(() => this.around.changed());
  }

  #freshGrants(): Grants {
    const { sandbox, changed } = this.around;
    return new Grants(() => this.#granting(), sandbox, changed);
  }

  /** When this device installed it, also before a reload. */
  async restore(): Promise<void> {
    const { key } = this.change;
    this.installedAt = (await this.around.store.get<number>("drafts", `installed-${key}`)) ?? null;
  }

  /**
   * What was signed and was not stored as it was is in review again, also where the page was left before the run had
   * heard of it.
   */
  async again(): Promise<void> {
    const row = this.around.installed.queue.of(this.change.key);
    if (!row?.error || !row.state || row.state === "taken") return;
    if (this.change.view.state === "installed")
      await this.change.send({ type: "Refused", code: row.error.code });
    if (this.change.view.state === "review") this.refused(row.error, "moved", row.request.granted);
  }

  /**
   * The run moved: a bundle that is not reviewed any more takes its ticks with it, also where another one is
   * chosen.
   */
  moved({ state, review }: RunView): void {
    const reviewed = review?.result_hash ?? this.#bundle;
    const other = this.#bundle !== "" && reviewed !== this.#bundle;
    this.#bundle = reviewed;
    if (other || (state !== "review" && state !== "failed" && state !== "installed")) {
      this.#grants = this.#freshGrants();
      this.typed = "";
      this.accepted = [];
      if (other) this.#fresh = null;
    }
    if (state === "installed") this.sending = false;
    this.#settled();
  }

  /** What the ticks follow from may be another one: what is ticked now has passed its tests, or they run. */
  #settled(): void {
    if (this.change.view.state === "review") void this.#grants.run();
    this.around.changed();
  }

  /** The check of the bundle as it stands; null until there is one. */
  check(): BundleCheck | null {
    const { files, updated_at, attempt, work } = this.change.view;
    if (Object.keys(files).length === 0 || work === "script") return null;
    const options = work === "promoted" ? { origin: work } : {};
    const ask = () => this.around.checks.check(files, options);
    return this.#checked.get(`${updated_at} ${attempt}`, ask);
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

  /** A weakened test is accepted, or not any more. */
  accept(name: string): void {
    const { accepted } = this;
    this.accepted = accepted.includes(name)
      ? accepted.filter((other) => other !== name)
      : [...accepted, name];
  }

  #granting(): GrantedBundle {
    const { files, capabilities: uses, tests } = this.change.view;
    return { files, uses, tests, ...this.since(uses.map((use) => use.capability)) };
  }

  /** Of what is declared, in canonical form: what was not granted before, and what of it a person had taken away. */
  since(next: string[]): Since {
    const base = this.#base();
    const manifest = this.#baseManifest();
    const key = JSON.stringify([base?.hash, base?.granted, manifest?.capabilities, next]);
    const known = this.#since.get(key);
    if (known) return known;
    const added = (previous: string[]) =>
      this.around.core.call<CapabilityDiff>("capability.diff", { previous, next }).added;
    const declared = manifest?.capabilities ?? [];
    const [fresh, unknown] = [added(base?.granted ?? declared), added(declared)];
    const since = { added: fresh, taken: fresh.filter((one) => !unknown.includes(one)) };
    this.#since.set(key, since);
    return since;
  }

  /** The review of what is shown with the grants that are ticked; after a 409 the one that the project sent. */
  review(): Review | null {
    const view = this.change.view;
    if (view.state !== "review" && view.state !== "installed") return null;
    const { granted } = this.#grants;
    if (this.#fresh?.granted === named(granted)) return this.#fresh.review;
    const base = this.#base();
    const key = JSON.stringify([granted, base?.hash, base?.granted, view.updated_at]);
    const { checks } = this.around;
    const of = {
      ...(view.plan ? { plan: view.plan.plan } : {}),
      ...(view.work === "promoted" ? { origin: "promoted" as const } : {}),
    };
    const ask = () => checks.review(view.files, base, granted, of);
    return this.#reviewed.get(key, ask) ?? view.review;
  }

  /** The fingerprint of exactly what is shown: another one where a permission is left out. */
  print(): string {
    const { files } = this.change.view;
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
    if (this.change.writing) return false;
    if (this.change.view.state !== "review") return true;
    return this.manifest !== null && this.#reviewed.settled && this.#printed.settled;
  }

  /** What is tried on the open model before it is signed; null while it is not known what that is. */
  tryable(): Tryable | null {
    const { state, files, versions } = this.change.view;
    const { manifest } = this;
    if (state !== "review" || !manifest || !this.settled) return null;
    const { granted, tests } = this.grants;
    const passed = tests.filter((test) => test.ok).length;
    const version = placed(versions, (one) => one.shown);
    return { files, manifest, granted, print: this.print(), passed, version };
  }

  /** What another change installed under this id. */
  #live() {
    const id = this.manifest?.id;
    const live = id === undefined ? undefined : this.around.installed.all.get(id);
    return live?.stored && live.change !== this.change.key ? live : undefined;
  }

  /** What stands installed under this id now and what was granted of it; the run's own base otherwise. */
  #base(): (Base & { hash: string }) | null {
    const live = this.#live();
    if (live) {
      const { granted, content_hash } = live.record;
      return { files: live.files, granted, hash: content_hash };
    }
    return Object.keys(this.change.view.base).length
      ? { files: this.change.view.base, hash: "" }
      : null;
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

  /** When the behaviours were approved that this may change; none while nobody knows, as offline. */
  approved(): Approved {
    const manifest = this.#baseManifest();
    const record = manifest && this.around.installed.all.get(manifest.id)?.record;
    if (!manifest || !record) return {};
    const ask = () => approved(this.around.api, manifest);
    return this.#approved.get(`${manifest.id} ${record.revision_id}`, ask) ?? {};
  }

  async install(): Promise<void> {
    const review = this.review();
    if (!review || !this.settled || this.sending || this.around.installed.signer() === null) return;
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
    const taken = this.change.install(confirmation);
    this.rested = taken.catch(() => undefined);
    try {
      await taken;
    } finally {
      // The run may have another bundle by now, and shows that one to be signed.
      if (this.change.view.state !== "installed") this.sending = false;
      this.around.changed();
    }
  }

  /** The run's `Apply`: the project stores it, or the device keeps it until it can. */
  async store(
    view: RunView,
    confirmation: InstallConfirmation,
  ): Promise<{ type: string; [member: string]: unknown }> {
    const { installed } = this.around;
    const { manifest } = await this.around.checks.check(view.files);
    if (!manifest) return { type: "Refused", code: "BUNDLE_INVALID" };
    if (installed.signer() === null) return { type: "Refused", code: "AUTH_MISSING_TOKEN" };
    const { id, name } = manifest;
    const { key: change } = this.change;
    const signed = requestOf(view, confirmation, this.change.told(view));
    const request = { ...signed, base_revision_id: installed.newest(id) };
    const at = Date.now();
    await installed.queue.put(id, { request, change, name });
    const sent = await installed.queue.send(id);
    if (sent.is === "undecided") return this.#refused(id, sent.error);
    // What this answer says is of the request, and a person is there who reads it.
    if (sent.is === "waits" && sent.waits.reason === "refused")
      return this.#refused(id, sent.waits.error);
    await this.#signed(at);
    if (sent.is === "waits") {
      const record = recordOf(manifest, request, at);
      await installed.keep({ record, files: view.files, stored: false, change });
      this.#done(id);
      return { type: "Queued" };
    }
    await installed.took(id, sent);
    this.#done(id);
    const revision_id = sent.is === "stored" ? sent.record.revision_id : installed.newest(id);
    return { type: "Stored", revision_id: revision_id ?? "" };
  }

  async #refused(id: string, error: ErrorShape): Promise<{ type: string; code: string }> {
    await this.around.installed.queue.drop(id);
    this.around.installed.queue.saw(id, error.details?.base_revision_id);
    this.sending = false;
    this.refused(error, "stale");
    return { type: "Refused", code: error.code };
  }

  async #signed(at: number): Promise<void> {
    this.installedAt = at;
    await this.around.store.put("drafts", `installed-${this.change.key}`, at);
  }

  #done(id: string): void {
    this.sending = false;
    this.stale = "";
    this.refusal = null;
    this.#fresh = null;
    this.around.arrived(id);
  }

  /**
   * The base moved: what is shown is fresh, every tick of consent is gone, and the earlier signature does not count.
   * What was granted stays as it was signed.
   */
  refused(error: ErrorShape, how: "stale" | "moved", granted = this.#grants.granted): void {
    this.stale = how;
    this.refusal = error.code === "CONFLICT" ? null : error;
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
}
