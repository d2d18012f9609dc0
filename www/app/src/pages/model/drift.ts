/**
 * What a new version of the SDK did to what is installed: each extension is tried once, its tests on the canonical
 * fixtures and never on the open model. Spec: authoring.md §8.
 *
 * Invariants: what is broken is off until it is repaired; nothing is changed without a review.
 */
import type {
  Api,
  BundleTest,
  Checks,
  Diagnostic,
  Files,
  Plan,
  SandboxClient,
  Store,
} from "@holdpoint/core/types";
import {
  type DriftCause,
  type DriftLine,
  type DriftOutcome,
  type DriftView,
  driftNotice,
  format,
} from "@holdpoint/elements";
import type { Installed, Live } from "./installed.js";
import { Pricing, SDK } from "./pricing.js";

/** Of what was tried, by the extension's id. */
const TRIED = "drift";

/** What an extension came to under an SDK. */
export interface Tried {
  hash: string;
  sdk: string;
  at: number;
  ms: number;
  outcome: DriftOutcome;
  passed: number;
  tests: number;
  /** The first error of the check. */
  finding: Diagnostic | null;
  /** Why it is off: that, or what its first failing test found. */
  why: Diagnostic | null;
  causes: DriftCause[];
  /** Its next version, whose range holds the SDK, where one is needed. */
  widened?: Files;
  /** What a repair keeps to. */
  plan?: Plan;
  /** A person leaves it off. */
  left?: boolean;
}

interface Judged {
  outcome: DriftOutcome | null;
  diagnostics: Diagnostic[];
  relevant: DriftCause[];
  trial?: Files;
  widened?: Files;
  plan?: Plan;
}

interface Around {
  api: Api;
  checks: Checks;
  sandbox: Pick<SandboxClient, "test">;
  store: Store;
  installed: Installed;
  overlay(): string;
  currency(): string;
  offline(): boolean;
  changed(): void;
}

export class Drift {
  /** Its sheet is in front. */
  open = false;
  #tried: Record<string, Tried> = {};
  #closed = false;
  /** Some are being tried: one notice tells of all of them. */
  #trying = false;
  #last: Promise<void> = Promise.resolve();
  /** By the content hash of what is repaired. */
  readonly #prices = new Map<string, Pricing>();

  constructor(private readonly around: Around) {}

  /** Tries what this SDK has not been tried with, and keeps off what is broken. */
  run(): Promise<void> {
    this.#last = this.#last
      .then(() => this.#run())
      .catch(() => undefined)
      .finally(() => {
        this.#trying = false;
        this.around.changed();
      });
    return this.#last;
  }

  async #run(): Promise<void> {
    const { installed, store } = this.around;
    this.#tried = (await store.get<Record<string, Tried>>("settings", TRIED)) ?? {};
    const older = [...installed.all.values()].filter(({ record }) => record.sdk_version !== SDK);
    this.#trying = older.some((live) => !this.of(live));
    for (const live of older) {
      // What cannot be tried now is tried the next time, and the others meanwhile.
      const fresh = this.of(live) ? null : await this.#try(live).catch(() => null);
      if (fresh) await this.#keep(live.id, fresh);
      // A project that was read since may have it on.
      const now = installed.all.get(live.id);
      const tried = now && this.of(now);
      if (now?.record.enabled && tried?.outcome === "broken" && tried.why)
        await installed.off(now.id, tried.why);
    }
  }

  /** What an extension came to as it stands; undefined where its SDK is this one. */
  of({ id, record }: Live): Tried | undefined {
    const tried = this.#tried[id];
    const same = tried?.sdk === SDK && tried.hash === record.content_hash;
    return same && record.sdk_version !== SDK ? tried : undefined;
  }

  async #try(live: Live): Promise<Tried> {
    const { checks, sandbox } = this.around;
    const began = performance.now();
    const input = { files: live.files, from: live.record.sdk_version, to: SDK };
    let judged = await checks.call<Judged>("drift.judge", input);
    let tested: BundleTest | null = null;
    if (judged.outcome === null && judged.trial) {
      tested = await sandbox.test(judged.trial, undefined, live.record.granted);
      const passed = tested.ok;
      judged = await checks.call<Judged>("drift.judge", { ...input, passed });
    }
    const { outcome, diagnostics, relevant: causes, widened, plan } = judged;
    const finding = diagnostics.find((one) => one.severity === "error") ?? null;
    const failing = tested?.tests.find((test) => !test.ok)?.diagnostics[0] ?? null;
    return {
      ...{ hash: live.record.content_hash, sdk: SDK, at: Date.now(), causes },
      ms: performance.now() - began,
      outcome: outcome ?? "broken",
      passed: tested?.tests.filter((test) => test.ok).length ?? 0,
      tests: tested?.tests.length ?? 0,
      ...{ finding, why: finding ?? failing },
      ...(widened ? { widened } : {}),
      ...(plan ? { plan } : {}),
    };
  }

  async #keep(id: string, tried: Tried): Promise<void> {
    const { store } = this.around;
    this.#tried = await store.update<Record<string, Tried>>("settings", TRIED, (now = {}) => ({
      ...now,
      [id]: tried,
    }));
  }

  /** Whether it stays off until it is repaired. */
  isBroken(live: Live): boolean {
    return this.of(live)?.outcome === "broken";
  }

  show(open: boolean): void {
    const next = open && this.#lines().length > 0;
    if (next === this.open) return;
    this.open = next;
    this.around.changed();
  }

  /** The notice is put away: until the page is opened again nobody is told. */
  close(): void {
    this.#closed = true;
    this.around.changed();
  }

  /** Nobody is asked about it any more. */
  async leave(live: Live): Promise<void> {
    const tried = this.of(live);
    if (tried) await this.#keep(live.id, { ...tried, left: true });
    this.around.changed();
  }

  get notice(): ReturnType<typeof driftNotice> {
    if (this.#closed || this.open || this.#trying) return null;
    return driftNotice({ sdk: SDK, lines: this.#lines() });
  }

  /** Null while its sheet is not in front. */
  get view(): DriftView | null {
    const lines = this.open ? this.#lines() : [];
    if (!lines.length) return null;
    const all = [...this.around.installed.all.values()].flatMap((live) => this.of(live) ?? []);
    return {
      ...{ sdk: SDK, lines, offline: this.around.offline() },
      at: Math.max(...all.map(({ at }) => at)),
      ms: all.reduce((sum, { ms }) => sum + ms, 0),
    };
  }

  #lines(): DriftLine[] {
    return [...this.around.installed.all.values()].flatMap((live) => {
      const tried = this.of(live);
      return tried ? [this.#line(live, tried)] : [];
    });
  }

  #line(live: Live, tried: Tried): DriftLine {
    const { outcome, passed, tests, finding, causes, widened, left = false } = tried;
    return {
      ...{ id: live.id, name: live.manifest.name, version: live.manifest.version },
      ...{ outcome, passed, tests, finding, causes, left },
      range: live.manifest.engines?.ifcLiteSdk ?? "",
      next: widened ? versionOf(widened) : null,
      most: outcome === "broken" ? this.#most(tried) : "",
    };
  }

  /** What a repair costs at most, as far as it is known. */
  #most({ plan, hash }: Tried): string {
    if (!plan) return "";
    let pricing = this.#prices.get(hash);
    if (!pricing) {
      pricing = new Pricing(this.around);
      this.#prices.set(hash, pricing);
      void this.#price(pricing, plan, hash);
    }
    const { quote } = pricing;
    if (!quote) return "";
    return format.short({ tokens: quote.tokens.max, cost: quote.cost.max }, this.around.currency());
  }

  async #price(pricing: Pricing, plan: Plan, hash: string): Promise<void> {
    const { estimate } = await this.around.checks.planCheck(plan);
    if (estimate) await pricing.price({ plan, plan_hash: hash, estimate }, "");
  }
}

/** The version that a bundle's manifest names. */
const versionOf = (files: Files): string | null =>
  (JSON.parse(files["manifest.json"] ?? "{}") as { version?: string }).version ?? null;
