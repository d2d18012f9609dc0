/**
 * One proposal from its arrival to its end: read, previewed by the edge, chosen place by place, signed.
 *
 * Invariant: Apply is open only while what is shown is what the edge would apply; a new result unticks every tick
 * (app-builder.md §10, §14).
 */
import type {
  AppProposal,
  AppVersion,
  ProposedFile,
  ResultBuild,
  Verified,
} from "@holdpoint/core/apps";
import { isRefusal } from "@holdpoint/core/session";
import type { Diagnostic, ErrorShape, Hunk } from "@holdpoint/core/types";
import { format, said, t } from "@holdpoint/elements";
import type { AppReviewView, Device } from "@holdpoint/elements/apps/view";
import type { DiffFile } from "@holdpoint/elements/diff/view";
import { found } from "@holdpoint/elements/findings/view";
import type { FootView } from "@holdpoint/elements/review/approval";
import type { Reason } from "@holdpoint/elements/review/view";
import { type Around, refused } from "./around.js";
import { claimsOf } from "./claims.js";
import { gatesOf } from "./facts.js";
import { acceptOf, all, countOf, type Picked, placed, whole } from "./picking.js";

/** Choices that follow each other quickly are one question to the edge. */
const SETTLE_MS = 200;
/** So long apart a result that is being built is asked after. */
const LOOK_MS = 1_000;

export interface ReviewEnds {
  /** The draft that it is applied to. */
  draft(): AppVersion;
  /** It was applied: there is another draft. */
  applied(version: AppVersion): Promise<void>;
  /** It is over, or was put aside. */
  closed(as: "applied" | "discarded"): void;
}

export class Reviewing {
  phase: "loading" | "failed" | "previewing" | "ready" | "applying" = "loading";
  layout: "split" | "uni" = "uni";
  #proposal: AppProposal | null = null;
  #preview: AppProposal | null = null;
  #problem: ErrorShape | null = null;
  #picked: Picked = {};
  #confirmed = false;
  #stale = false;
  #token: string | null = null;
  #reasons: readonly string[] = [];
  #device: Device = "full";
  #route = "#/";
  /** The last result that ran, so that the frame is not empty while the next is built. */
  #ran: { print: string; address: string } | null = null;
  /** Nobody builds it: a tick stands in for having seen it run. */
  #unbuilt = false;
  #question = 0;
  #timer = 0;
  #once = { of: "", key: "" };

  constructor(
    readonly id: string,
    private readonly app: string,
    private readonly around: Around,
    private readonly ends: ReviewEnds,
  ) {}

  async load(): Promise<void> {
    this.phase = "loading";
    this.around.changed();
    try {
      this.#proposal = await this.around.api.proposal(this.app, this.id);
      this.#picked = all(this.#proposal.files);
      const { state } = this.#proposal;
      if (state === "applied" || state === "discarded") return this.ends.closed(state);
      await this.#ask();
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    if (!isRefusal(error)) throw error;
    this.around.failed(error);
    this.phase = "failed";
    this.#problem = error;
    this.around.changed();
  }

  /** What the edge would apply of what is taken now. */
  async #ask(): Promise<void> {
    const proposal = this.#proposal;
    if (!proposal) return;
    this.#question += 1;
    const question = this.#question;
    this.phase = "previewing";
    this.#unbuilt = false;
    this.around.changed();
    try {
      const accept = acceptOf(proposal.files, this.#picked);
      const preview = await this.around.api.previewProposal(this.app, this.id, accept);
      if (question !== this.#question) return;
      this.#arrived(preview);
      void this.#follow(question, accept);
    } catch (error) {
      if (question !== this.#question) return;
      if (isRefusal(error) && Array.isArray(error.details?.diagnostics) && this.#preview) {
        this.#preview = faulty(this.#preview, error.details.diagnostics);
        this.phase = "ready";
        return this.around.changed();
      }
      this.#fail(error);
    }
  }

  #arrived(preview: AppProposal): void {
    if (preview.result_hash !== this.#preview?.result_hash) {
      this.#confirmed = false;
      this.#reasons = [];
    }
    this.#token = preview.confirm_token ?? null;
    this.#preview = unbuildable(preview);
    const proposal = this.#proposal;
    // Rebased on a newer draft, its whole is another one: what was taken of the old places is taken anew.
    if (
      proposal &&
      preview.base_hash !== proposal.base_hash &&
      !acceptOf(proposal.files, this.#picked)
    ) {
      this.#proposal = { ...proposal, base_hash: preview.base_hash, files: preview.files };
      this.#picked = all(preview.files);
    }
    if (preview.preview_url)
      this.#ran = { print: preview.result_hash, address: preview.preview_url };
    this.phase = "ready";
    this.around.changed();
  }

  /** A result is built when it is looked at: its address comes when that is done, or why it does not build. */
  async #follow(question: number, accept: ReturnType<typeof acceptOf>): Promise<void> {
    const isOurs = () => question === this.#question;
    while (isOurs() && isGoing(this.#preview)) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      if (!isOurs() || !this.around.online()) continue;
      try {
        const preview = await this.around.api.previewProposal(this.app, this.id, accept);
        if (isOurs() && this.phase === "ready") this.#arrived(preview);
      } catch (error) {
        if (!isRefusal(error)) throw error;
        if (error.code !== "OFFLINE") break;
      }
    }
    if (!isOurs() || this.#isBuilt() || !this.#holds()) return;
    this.#unbuilt = true;
    this.around.changed();
  }

  /** The result as it would be applied now was built. */
  #isBuilt(): boolean {
    return this.phase !== "previewing" && this.#gates().build === "passed";
  }

  /** Nothing in the result is known to be wrong. */
  #holds(): boolean {
    return this.#preview?.diagnostics.every(({ severity }) => severity !== "error") ?? false;
  }

  get #files(): readonly ProposedFile[] {
    return this.#proposal?.files ?? [];
  }

  take(path: string, id: string, take: boolean): void {
    this.#pick(placed(this.#picked, path, id, take));
  }

  takeFile(path: string, take: boolean): void {
    const file = this.#files.find((one) => one.path === path);
    if (file) this.#pick({ ...this.#picked, [path]: whole(file, take) });
  }

  #pick(picked: Picked): void {
    if (this.phase === "applying") return;
    this.#picked = picked;
    this.#confirmed = false;
    this.#question += 1;
    this.phase = "previewing";
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => void this.#ask(), SETTLE_MS);
    this.around.changed();
  }

  confirm(confirmed: boolean): void {
    this.#confirmed = confirmed;
    this.around.changed();
  }

  again(): Promise<void> {
    this.#stale = false;
    return this.#proposal ? this.#ask() : this.load();
  }

  look(change: { device?: Device; route?: string; layout?: "split" | "uni" }): void {
    this.#device = change.device ?? this.#device;
    this.#route = change.route ?? this.#route;
    this.layout = change.layout ?? this.layout;
    this.around.changed();
  }

  /** Signs what is shown. */
  async apply(): Promise<void> {
    const preview = this.#preview;
    if (!preview || this.#closed()) return;
    const accept = acceptOf(this.#files, this.#picked);
    const { base_hash, patch_id, result_hash } = preview;
    const body = {
      ...{ base_hash, patch_id, result_hash, base_revision_id: this.ends.draft().id },
      ...(accept ? { accept } : {}),
      ...(this.#token && this.#confirmed ? { confirm_token: this.#token } : {}),
    };
    const of = JSON.stringify(body);
    if (this.#once.of !== of) this.#once = { of, key: crypto.randomUUID() };
    this.phase = "applying";
    this.around.changed();
    try {
      const version = await this.around.api.apply(this.app, this.id, body, this.#once.key);
      this.close();
      await this.ends.applied(version);
    } catch (error) {
      this.phase = "ready";
      if (!isRefusal(error)) throw error;
      if (error.code !== "OFFLINE") this.#once = { of: "", key: "" };
      this.#unapplied(error);
    }
  }

  /** Nothing was applied: what the edge says now stands instead, and the person looks again. */
  #unapplied(error: ErrorShape): void {
    const { details = {} } = error;
    if (error.code === "CONFIRMATION_REQUIRED") {
      this.#token = typeof details.confirm_token === "string" ? details.confirm_token : null;
      this.#reasons = Array.isArray(details.reasons) ? details.reasons.map(worded) : [];
      this.#confirmed = false;
      this.around.changed();
      return;
    }
    if (error.code === "PROPOSAL_STALE" || error.code === "REVISION_CONFLICT") {
      this.#stale = true;
      this.#confirmed = false;
      void this.#ask();
      return;
    }
    if (Array.isArray(details.diagnostics) && this.#preview) {
      const { diagnostics, build_error_code: code } = details;
      const build = typeof code === "string" ? { ...UNBUILT, code } : null;
      this.#preview = faulty(this.#preview, diagnostics, build);
    }
    refused(this.around, "apply", error);
  }

  async discard(): Promise<void> {
    try {
      await this.around.api.discard(this.app, this.id);
      this.close();
      this.around.toast(t("apps.discarded"));
      this.ends.closed("discarded");
    } catch (error) {
      refused(this.around, "discard", error);
    }
  }

  hunk(path: string, id: string): Hunk | undefined {
    const file = this.#files.find((one) => one.path === path);
    return file?.diff?.hunks.find((one) => one.id === id);
  }

  /** What an explanation is about. */
  difference(): { from: string; to: string; what: string } | null {
    const from = this.#proposal?.base_revision_id;
    return from ? { from, to: this.id, what: t("apps.explain.proposal") } : null;
  }

  close(): void {
    this.#question += 1;
    clearTimeout(this.#timer);
  }

  // ── drawing ────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Of the whole what its run says; of a part what its own check and its own build say. */
  #gates(): AppReviewView["gates"] {
    const preview = this.#preview;
    const part = acceptOf(this.#files, this.#picked) !== undefined;
    const said = gatesOf(preview?.verified ?? (part ? UNVERIFIED : this.#proposal?.verified));
    if (this.phase === "previewing" || this.phase === "loading") return said;
    // Only what was checked is built.
    const unbuilt = preview?.build?.status === "failed";
    const built = preview?.preview_url ? "passed" : said.build;
    return {
      compile: this.#holds() || unbuilt ? "passed" : "failed",
      tests: said.tests,
      build: unbuilt ? "failed" : built,
    };
  }

  #ofNow(): boolean {
    return this.#preview !== null && this.#ran?.print === this.#preview.result_hash;
  }

  /** What a person has to have seen before it can be signed. */
  #doubts(): Reason[] {
    const reason = (text: string, path: string | null = null): Reason => ({
      ...{ text, path, short: "", hunk: null },
    });
    const warnings = (this.#preview?.diagnostics ?? [])
      .filter(({ severity }) => severity === "warning")
      .map((one) => reason(said(one), one.path ?? null));
    const gates = this.#gates();
    const unrun = gates.build !== "passed" && this.#unbuilt;
    const more = this.#reasons.map((text) => reason(text));
    const parked = this.#proposal?.state === "parked" ? [reason(t("apps.review.is_parked"))] : [];
    return [...parked, ...(unrun ? [reason(t("apps.review.unrun"))] : []), ...warnings, ...more];
  }

  /** Why Apply is off; empty while it can be signed. */
  #closed(): string {
    if (!this.around.online()) return t("apps.off.offline");
    if (this.phase === "applying") return t("apps.review.applying");
    if (this.phase !== "ready") return t("apps.review.checking");
    const errors = this.#preview?.diagnostics.filter(({ severity }) => severity === "error") ?? [];
    if (errors.length) return t("apps.review.errors", { n: errors.length });
    if (countOf(this.#files, this.#picked) === 0) return t("apps.review.nothing");
    if (!this.#isBuilt() && !this.#unbuilt) return t("apps.review.builds");
    const doubts = this.#doubts();
    return doubts.length && !this.#confirmed ? t("apps.review.tick", { n: doubts.length }) : "";
  }

  #foot(): FootView {
    const n = countOf(this.#files, this.#picked);
    const closed = this.#closed();
    const gates = this.#gates();
    const next = String(this.ends.draft().number + 1);
    const built = gates.build === "passed";
    const tested = gates.tests === "passed" ? "tested" : "untested";
    const open = t(built ? `apps.review.hold.${tested}` : "apps.review.hold.unrun", { n: next });
    return {
      state: closed ? waiting(this.phase) : "waits",
      reason: closed || open,
      reasonLook: "c-hold",
      before: [
        {
          id: "discard",
          label: t("script.discard"),
          testid: "hp-discard",
          danger: true,
          off: this.phase === "applying",
          alt: true,
        },
        { id: "ask-on", label: t("apps.review.ask"), alt: true, off: this.phase === "applying" },
      ],
      main: {
        id: "apply",
        label: t("script.apply", { n }),
        icon: "check",
        look: "sign",
        testid: "hp-apply",
        mono: true,
        print: this.#print(),
      },
    };
  }

  /** Of a result that cannot be applied there is none. */
  #print(): string {
    return this.#preview?.result_hash ? format.fingerprint(this.#preview.result_hash) : "";
  }

  #resultState(): "result" | "result-building" | "result-none" {
    if (this.phase === "previewing" || this.phase === "loading") return "result-building";
    if (this.#ofNow()) return "result";
    const over = this.#isBuilt() || this.#unbuilt || !this.#holds();
    return over ? "result-none" : "result-building";
  }

  view(): AppReviewView {
    const proposal = this.#proposal;
    const files = this.#files.map((file): DiffFile => ({ ...file }));
    const doubts = this.#doubts();
    const shown = this.#ran;
    const problem = this.#problem;
    return {
      state: stateOf(this.phase, proposal !== null),
      problem,
      summary: proposal?.summary ?? "",
      rationale: proposal?.rationale ?? "",
      assumptions: proposal?.assumptions ?? [],
      behaviours: (this.#preview ?? proposal)?.behaviours ?? [],
      claims: proposal ? claimsOf(proposal) : [],
      files,
      changed: this.#files,
      taken: this.#picked,
      gates: this.#gates(),
      parked: proposal?.state === "parked",
      stale: this.#stale,
      errors: (this.#preview?.diagnostics ?? [])
        .filter(({ severity }) => severity === "error")
        .map(found),
      sheet: {
        confirm: doubts.length ? { reasons: doubts, confirmed: this.#confirmed } : null,
        permissions: null,
        tests: null,
        notes: [],
        repaired: false,
        findings: [],
        change: {
          files,
          heading: "",
          layout: this.layout,
          stale: [],
          taken: inPlaces(this.#picked),
          asks: this.around.online() && this.phase !== "applying" ? "redo" : "",
        },
        busy: this.phase === "applying",
      },
      foot: this.#foot(),
      layout: this.layout,
      result: {
        address: shown?.address ?? null,
        shown: shown?.print ?? "",
        state: this.#resultState(),
        number: null,
        draft: this.ends.draft().number + 1,
        problem: null,
        print: this.#print(),
        device: this.#device,
        route: this.#route,
        errors: [],
        storage: true,
        picking: null,
        undo: null,
      },
    };
  }
}

const isGoing = (preview: AppProposal | null): boolean =>
  preview?.build?.status === "queued" || preview?.build?.status === "running";

/** What does not build cannot be applied: its findings stand with those of the check. */
function unbuildable(preview: AppProposal): AppProposal {
  const { build } = preview;
  if (build?.status !== "failed") return preview;
  const { code, error, diagnostics } = build;
  const said = { code: code ?? "BUILD_FAILED", severity: "error", message: error ?? "" };
  const found = diagnostics.some(({ severity }) => severity === "error") ? diagnostics : [said];
  return faulty(preview, [...preview.diagnostics, ...found], build);
}

/** A choice that cannot be applied: what was said of the one before it holds no longer. */
const faulty = (
  preview: AppProposal,
  found: unknown[],
  build: ResultBuild | null = null,
): AppProposal => ({
  ...preview,
  diagnostics: found as Diagnostic[],
  result_hash: "",
  verified: UNVERIFIED,
  preview_url: null,
  build,
});

const UNVERIFIED: Verified = { compile: false, tests: false, build: false, bundle: false };
/** A build that failed while Apply waited for it. */
const UNBUILT: ResultBuild = {
  ...{ status: "failed", stage: null, code: null, error: null, diagnostics: [] },
};

const waiting = (phase: Reviewing["phase"]): FootView["state"] =>
  phase === "applying" || phase === "previewing" ? "sending" : "closed";

function stateOf(phase: Reviewing["phase"], read: boolean): AppReviewView["state"] {
  if (phase === "failed") return "failed";
  return read ? "ready" : "loading";
}

const inPlaces = (picked: Picked): Record<string, readonly string[]> =>
  Object.fromEntries(
    Object.entries(picked).flatMap(([path, taken]) =>
      Array.isArray(taken) ? [[path, taken]] : [],
    ),
  );

/** A reason as a sentence, or as a finding. */
function worded(reason: unknown): string {
  if (typeof reason === "string") return reason;
  const { code = "", message = "", args } = (reason ?? {}) as Partial<Diagnostic>;
  return said({ code, message: message || code, args });
}
