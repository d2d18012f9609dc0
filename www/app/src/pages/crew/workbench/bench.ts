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
  type Revision,
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
import { namesOf, targetOf } from "./facts.js";
import { versionOf } from "./now.js";
import { type Chosen, openSession } from "./opening.js";
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
  applying: Applying;
  #chosen: Chosen = null;
  /** Counts openings: what an earlier one brings late is dropped. */
  #opened = 0;
  #key = crypto.randomUUID();
  #suggestion: Suggestion | null = null;
  /** Counts readings of proposals: what an earlier one brings late is dropped. */
  #count = 0;
  /** When a set was applied, by its id, and which version came of it where it was done here: its message says so. */
  readonly applied = new Map<string, { at: number; version: string }>();
  /** The newest versions of the package, where something was applied over newer ones. */
  saves: readonly Revision[] = [];

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
    this.#opened += 1;
    const mine = this.#opened;
    this.state = "loading";
    this.around.changed();
    void this.#package();
    void this.#model();
    try {
      const info = await openSession(this.around, this.query, this.#chosen, this.#key);
      if (mine !== this.#opened) return;
      this.info = info;
    } catch (error) {
      return mine === this.#opened ? this.#unopened(error) : undefined;
    }
    const { sessionId, status } = this.info;
    // One that is over is only read: a reload goes on with the newest.
    if (status === "active") this.around.address(sessionId);
    const { projectId, targetType, targetId, workflowId } = this.query;
    const about = [projectId, workflowId ?? "", targetType, targetId].join(" ");
    this.asking = new Asking(this.around, sessionId, about, {
      whole: (answer) => this.#whole(answer),
      came: (result) => this.#came(result),
      ended: () => this.#ended(),
    });
    await this.asking.open();
    if (mine !== this.#opened) return;
    this.state = "ready";
    void this.readContext();
    this.around.changed();
  }

  /** All conversations about the same, newest first; null where they could not be read. */
  async conversations(): Promise<readonly CrewSession[] | null> {
    const { targetType, targetId, workflowId } = this.query;
    try {
      return await this.around.sessions.of(targetType, targetId, workflowId, "all");
    } catch (error) {
      if (!isRefusal(error)) throw error;
      this.around.failed(error);
      this.around.refused("conversations", error);
      return null;
    }
  }

  /** What is talked about, as people call it. */
  get name(): string {
    return namesOf(this, this.change).of(targetOf(this));
  }

  /** Another conversation about the same, or a new one, takes the place of this one, which goes on being there. */
  async choose(chosen: Exclude<Chosen, null>): Promise<void> {
    this.close();
    this.#chosen = chosen;
    this.#key = crypto.randomUUID();
    this.#count += 1;
    this.asking = null;
    this.change = null;
    this.#suggestion = null;
    this.unavailable = false;
    this.reading = false;
    this.context = null;
    this.selected = "";
    this.applied.clear();
    this.applying = new Applying(this.around, this);
    await this.open();
    if (this.state === "ready") this.around.focus("chat");
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
    if (latestSuggestion && this.applied.size === 0) void this.#applies();
    if (!activeTurn) void this.fresh(latestSuggestion);
  }

  /** Which sets were applied, and when: their messages say so after a reload too. */
  async #applies(): Promise<void> {
    const session = this.info?.sessionId ?? "";
    try {
      const events = await this.around.sessions.applies(session);
      if (session !== this.info?.sessionId) return;
      for (const { changeSetId, at } of events)
        if (changeSetId && !this.applied.has(changeSetId))
          this.applied.set(changeSetId, { at, version: "" });
    } catch (error) {
      if (!isRefusal(error)) throw error;
    }
    this.around.changed();
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

  newest(): Promise<Change | null> {
    return this.#read(this.info?.sessionId ?? "");
  }

  decide(body: Parameters<Signed["decide"]>[0]): Promise<Applied> {
    const { asking } = this;
    if (!asking) throw new Error("There is no conversation to decide in.");
    return asking.session.decide(body);
  }

  wrote({ suggestion }: Change, { changeSetId, newRevision }: Applied): void {
    suggestion.status = "applied";
    const version = versionOf(this.query, newRevision);
    this.applied.set(changeSetId, { at: Date.now(), version });
    if (this.applying.written?.newer.length) void this.#saves();
    this.change = null;
    this.selected = "";
    void this.#package();
    void this.readContext();
  }

  /** Who saved what meanwhile: the versions say so. */
  async #saves(): Promise<void> {
    try {
      const { items } = await this.around.projects.revisions(this.query.projectId);
      // The newest is what was just applied.
      this.saves = items.slice(1);
    } catch (error) {
      if (!isRefusal(error)) throw error;
    }
    this.around.changed();
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
    this.asking?.close();
  }
}

/** Nothing is proposed. */
const NONE: ReadonlySet<string> = new Set([
  "AI_NO_STAGED_CHANGES",
  "AI_CHANGESET_NOT_FOUND",
  "AI_CHANGESET_CLOSED",
]);
