/**
 * An open workbench: the conversation, the newest proposal, what goes along, and what was applied.
 *
 * Owns which answer of the edge is shown. Knows no element: `bench-view.ts` says it as one value.
 */
import {
  type Applied,
  type Bundle,
  type ContextAnswer,
  type CrewPackage,
  type CrewSession,
  type ModelProfile,
  openPackage,
  type SessionAnswer,
  type Suggestion,
  type TurnResult,
} from "@holdpoint/core/crew";
import { isRefusal } from "@holdpoint/core/session";
import type { ErrorShape } from "@holdpoint/core/types";
import { t } from "@holdpoint/elements";
import { Applying, type Signed } from "./applying.js";
import type { Around } from "./around.js";
import { Asking } from "./asking.js";
import { type Change, errorsOf, foundOf, readChange } from "./change.js";
import { openSession } from "./opening.js";
import { type Query, wayBack } from "./query.js";

export class Bench implements Signed {
  state: "loading" | "ready" | "failed" = "loading";
  problem: ErrorShape | null = null;
  info: CrewSession | null = null;
  asking: Asking | null = null;
  change: Change | null = null;
  /** A turn said that it changes something, and no set came with it. */
  unavailable = false;
  /** The proposal is read, or checked. */
  reading = false;
  context: ContextAnswer | null = null;
  contextProblem: ErrorShape | null = null;
  profile: ModelProfile | null = null;
  bundle: Bundle | null = null;
  pack: CrewPackage | null = null;
  layout: "split" | "uni" = "split";
  selected = "";
  readonly applying: Applying;
  readonly #key = crypto.randomUUID();
  #suggestion: Suggestion | null = null;
  /** Counts readings of proposals: what an earlier one brings late is dropped. */
  #count = 0;
  /** What was written by a set, by its id: its message says so. */
  readonly applied = new Map<string, number>();

  constructor(
    readonly around: Around,
    readonly query: Query,
  ) {
    this.applying = new Applying(around, this);
  }

  get back(): string {
    return wayBack(this.query);
  }

  async open(): Promise<void> {
    this.state = "loading";
    this.around.changed();
    void this.#package();
    void this.#model();
    try {
      this.info = await openSession(this.around, this.query, this.#key);
    } catch (error) {
      return this.#unopened(error);
    }
    const { sessionId } = this.info;
    this.around.address(sessionId);
    const { projectId, targetType, targetId, workflowId } = this.query;
    const about = [projectId, workflowId ?? "", targetType, targetId].join(" ");
    this.asking = new Asking(this.around, sessionId, about, {
      whole: (answer) => this.#whole(answer),
      came: (result) => this.#came(result),
      ended: () => this.#ended(),
    });
    await this.asking.open();
    this.state = "ready";
    void this.readContext();
    this.around.changed();
  }

  #unopened(error: unknown): void {
    if (!isRefusal(error)) throw error;
    this.state = "failed";
    this.problem = error;
    this.around.failed(error);
    this.around.changed();
  }

  async #package(): Promise<void> {
    try {
      this.bundle = await this.around.projects.bundle(this.query.projectId);
      this.pack = openPackage(this.bundle.files, this.bundle.name);
    } catch (error) {
      if (!isRefusal(error)) throw error;
    }
    this.around.changed();
  }

  async #model(): Promise<void> {
    try {
      this.profile = await this.around.sessions.profile();
    } catch (error) {
      if (!isRefusal(error)) throw error;
    }
    this.around.changed();
  }

  // ── the proposal ───────────────────────────────────────────────────────────────────────────────────────────────

  #whole({ session, latestSuggestion, activeTurn }: SessionAnswer): void {
    this.info = session;
    this.#suggestion = latestSuggestion;
    if (!activeTurn) void this.fresh(latestSuggestion);
  }

  #came({ hasChange, changeSetId, latestSuggestion }: TurnResult): void {
    this.unavailable = hasChange && !changeSetId;
    this.applying.written = null;
    this.applying.inverse = "";
    this.applying.reset();
    if (latestSuggestion) this.#suggestion = latestSuggestion;
    if (changeSetId) void this.fresh(this.#suggestion);
  }

  /** What goes along is another text now; a turn that failed may have staged something. */
  #ended(): void {
    void this.readContext();
    if (this.asking?.session.view.failure) void this.fresh();
  }

  /** Reads the newest proposal, checks it where nobody did, and shows it; null where there is none. */
  async fresh(known?: Suggestion | null): Promise<Change | null> {
    const session = this.info?.sessionId;
    if (!session) return null;
    this.#count += 1;
    const mine = this.#count;
    this.reading = true;
    this.around.changed();
    try {
      const change = await this.#read(session, known);
      if (mine !== this.#count) return this.change;
      this.change = change;
      this.selected = change?.rows[0]?.file ?? "";
    } catch (error) {
      if (!isRefusal(error)) throw error;
      if (mine !== this.#count) return this.change;
      if (!NONE.has(error.code)) this.around.refused("preview", error);
      if (error.code !== "OFFLINE") this.change = null;
      this.around.failed(error);
    } finally {
      if (mine === this.#count) this.reading = false;
      this.around.changed();
    }
    return this.change;
  }

  async #read(session: string, known?: Suggestion | null): Promise<Change | null> {
    const { sessions, compare } = this.around;
    const suggestion = known ?? (await sessions.read(session)).latestSuggestion;
    this.#suggestion = suggestion;
    const set = suggestion?.changeSetId;
    if (!suggestion || !set || suggestion.status === "applied") return null;
    if (suggestion.status === "staged") {
      const { status } = await sessions.validate(session, set);
      suggestion.status = status ?? suggestion.status;
    }
    const answer = await sessions.preview(session, set);
    // One that was dropped, and not by its check, is none any more.
    if (suggestion.status === "rejected" && answer.validation?.valid !== false) return null;
    return readChange(compare, suggestion, answer);
  }

  decide(body: Parameters<Signed["decide"]>[0]): Promise<Applied> {
    const { asking } = this;
    if (!asking) throw new Error("There is no conversation to decide in.");
    return asking.session.decide(body);
  }

  wrote({ suggestion }: Change, { changeSetId }: Applied): void {
    suggestion.status = "applied";
    this.applied.set(changeSetId, Date.now());
    this.change = null;
    this.selected = "";
    void this.#package();
    void this.readContext();
  }

  /** The model is told which errors to mend. */
  async fix(): Promise<void> {
    const errors = errorsOf(this.change?.answer.validation ?? null).map(foundOf);
    const rows = errors.map(({ code, text, place }) => `- ${text} (${code}, ${place})`);
    await this.asking?.ask([t("wb.fix.ask"), ...rows].join("\n"));
  }

  // ── what goes along ────────────────────────────────────────────────────────────────────────────────────────────

  async readContext(): Promise<void> {
    const session = this.info?.sessionId;
    if (!session) return;
    try {
      this.context = await this.around.sessions.context(session);
      this.contextProblem = null;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      this.contextProblem = error;
    }
    this.around.changed();
  }

  exclude(object: string, out: boolean): void {
    this.asking?.exclude(object, out);
    this.around.changed();
  }

  // ── the end ────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Ends the conversation, then leads back; nothing else is touched. */
  async cancel(): Promise<void> {
    const session = this.info?.sessionId;
    if (!session) return this.around.leave(this.back);
    try {
      await this.around.sessions.cancel(session);
      this.around.leave(this.back);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      this.around.failed(error);
      this.around.refused("cancel", error);
    }
  }

  undo(): Promise<void> {
    return this.applying.undo(this.info?.sessionId ?? "");
  }

  /** The network is there again: what could not be read is. */
  reconnected(): void {
    if (this.state === "failed") void this.open();
    else if (this.asking?.session.view.state === "failed") void this.asking.session.resume();
  }

  close(): void {
    this.asking?.session.close();
  }
}

/** Nothing is proposed. */
const NONE: ReadonlySet<string> = new Set([
  "AI_NO_STAGED_CHANGES",
  "AI_CHANGESET_NOT_FOUND",
  "AI_CHANGESET_CLOSED",
]);
