// The workbench over an edge in memory (ai-sessions.md §3): one project, its sessions, turns that a test performs.

import type {
  ApplyBody,
  AuditEvent,
  ChangedText,
  ChangePreview,
  ContextAnswer,
  CrewSession,
  MessageBody,
  PreviewAnswer,
  Revision,
  SessionMessage,
  SetFinding,
  Suggestion,
  TurnResult,
} from "@holdpoint/core/crew";
import type { Page } from "playwright-core";
import { comes, Edge, Refused, type Routes } from "./edge.ts";
import { pagesOver } from "./pages.ts";
import { Stream } from "./stream.ts";

export const SESSION = "as_00112233445566aa";

const graph = {
  schemaVersion: "1.1",
  entryNodeId: "collect",
  nodes: [
    { id: "collect", type: "step", title: "Take the claim", file: "workflows/1/steps/collect.md" },
    { id: "end", type: "end", title: "Claim closed", file: "workflows/1/steps/end.md" },
  ],
  edges: [{ from: "collect", to: "end", label: "next" }],
};
export const BEFORE = "---\ntitle: Take the claim\n---\n\n## Goal\n\nTake it.\n";
export const AFTER = BEFORE.replace("Take it.", "Take it, and thank for it.");

/** A turn that runs at the edge whoever listens. */
class Turn extends Stream {
  constructor(n: number) {
    super(`turn_${String(n).padStart(16, "0")}`);
    this.tell("turn", { turnId: this.id, messageId: this.message, seq: 1 });
  }

  get message(): string {
    return `msg_${this.id.slice(5)}`;
  }

  override tell(event: string, data: unknown): void {
    super.tell(event, data, event === "result" || event === "error");
  }

  thinks(phase: string, text?: string): void {
    this.tell("runtime", { kind: "thinking", payload: { phase, ...(text ? { text } : {}) } });
  }

  calls(name: string, callId: string, ok?: boolean, code?: string): void {
    const state = ok === undefined ? "started" : "ended";
    const more = ok === undefined ? {} : { ok, ...(code ? { code } : {}) };
    this.tell("runtime", { kind: "function_call", payload: { name, callId, state, ...more } });
  }
}

/** A list, all of it. */
const whole = (items: unknown[]): object => ({ items, nextCursor: null });

export class CrewEdge extends Edge {
  messages: SessionMessage[] = [];
  /** Bodies of messages and applies, in turn. */
  sent: MessageBody[] = [];
  applied: ApplyBody[] = [];
  suggestion: Suggestion | null = null;
  preview: PreviewAnswer | null = null;
  status = "active";
  turns: Turn[] = [];
  /** What a proposal that takes another back asks for. */
  confirms: Partial<ChangePreview> = {};
  /** Warnings of the next apply. */
  warnings: SetFinding[] = [];
  profile: object = {
    provider: "openai-compatible",
    model: "writer-large",
    effectiveAvailability: { available: true, code: "OK", message: "" },
  };
  sessions = 0;
  #id = SESSION;
  /** Conversations before the one that is open. */
  earlier: { session: CrewSession; messages: SessionMessage[] }[] = [];
  /** Versions of the package, newest first. */
  revisions: Revision[] = [];
  audit: AuditEvent[] = [];
  about = {
    targetType: "workflow",
    targetId: "1",
    mode: "optimize",
    workflowId: 1 as number | null,
  };
  protected override readonly routes: Routes = {
    "GET /users/me/llm-profile": () => this.profile,
    "GET /projects/:project": () => ({ name: bundle.name }),
    "GET .*/bundle": () => bundle,
    "GET .*/revisions": () => whole(this.revisions),
    "GET .*/audit/events": () => whole(this.audit),
    "GET .*/ai/sessions": ({ query }) => this.#listed(query.get("status")),
    "POST .*/ai/sessions": ({ body }) => this.#create(body),
    "GET .*/context": () => context,
    "GET .*/preview": () => this.preview,
    "POST .*/apply": ({ body }) => this.#apply(body as unknown as ApplyBody),
    "POST .*/messages": ({ body }) => this.#message(body as unknown as MessageBody),
    "GET .*/turns/:turn/events": (_, id) => this.#found(id),
    "POST .*/turns/:turn/stop": () => this.#stop(),
    "POST .*/validate": () => this.#validate(),
    "POST .*/revert": () => this.#revert(),
    "POST .*/cancel": () => this.#cancel(),
    "GET .*/ai/sessions/:id": (_, id) => this.#conversation(id),
  };

  get turn(): Turn {
    const last = this.turns.at(-1);
    if (!last) throw new Error("No turn runs.");
    return last;
  }

  /** A turn, once it was asked for. */
  begun(n = 1): Promise<Turn> {
    return comes(() => this.turns[n - 1], `Turn ${n}`);
  }

  /** Ends the turn with words alone. */
  says(text: string): void {
    this.#ends(this.#result(text, null));
  }

  /** Ends the turn with a proposal. */
  proposes(
    text: string,
    preview: Partial<PreviewAnswer> & Pick<PreviewAnswer, "changed">,
    more: Partial<TurnResult> = {},
  ): void {
    this.propose(preview);
    this.#ends({ ...this.#result(text, this.suggestion), ...more });
  }

  /** A proposal stands there. */
  propose(given: Partial<PreviewAnswer> & Pick<PreviewAnswer, "changed">): void {
    const version = (this.suggestion?.version ?? 0) + 1;
    const id = `cs_${String(version).padStart(16, "0")}`;
    const valid = given.validation?.valid ?? true;
    this.suggestion = {
      version,
      changeSetId: id,
      status: valid ? "validated" : "rejected",
      changeSet: { revisions: { workflowRevision: 3 }, operations: [] },
    };
    this.preview = {
      validation: {
        valid: true,
        schemaFailed: false,
        errors: [],
        warnings: [],
        meta: { affected: [] },
      },
      impact: { objects: [...new Set(given.changed.map(({ object }) => object))], riskFlags: [] },
      preview: {
        changeSetId: id,
        baseHash: `sha256:${"b".repeat(64)}`,
        resultHash: `sha256:${String(version).repeat(8)}${"0".repeat(56)}`,
        confirm: [],
        confirmToken: null,
      },
      ...given,
    };
  }

  #result(assistantSummary: string, suggestion: Suggestion | null): TurnResult {
    const { validation = null, preview = null } = suggestion ? (this.preview ?? {}) : {};
    return {
      sessionId: SESSION,
      turnId: this.turn.id,
      messageId: this.turn.message,
      assistantSummary,
      hasChange: suggestion !== null,
      suggestionVersion: suggestion?.version ?? null,
      changeSetId: suggestion?.changeSetId ?? null,
      valid: validation?.valid ?? null,
      latestSuggestion: suggestion,
      validation,
      preview,
      errors: validation?.errors ?? [],
      warnings: [],
      notes: [],
      assumptions: [],
      usage: { promptTokens: 900, completionTokens: 90, iterations: 2, repairs: 0 },
    };
  }

  #ends(result: TurnResult): void {
    const { hasChange, suggestionVersion, valid, warnings, notes, assumptions, usage } = result;
    this.messages.push({
      ...row("assistant", result.assistantSummary, this.turn.id, result.changeSetId),
      result: { hasChange, suggestionVersion, valid, warnings, notes, assumptions, usage },
    });
    this.turn.tell("result", { data: result, error: null });
  }

  /** The turn fails. */
  fails(code: string, hints: string[] = []): void {
    const asked = this.messages.findLast(({ role }) => role === "user");
    const error = { code, message: `${code} happened.`, hints };
    if (asked) Object.assign(asked, { status: "failed", error });
    this.turn.tell("error", { data: null, error });
  }

  #message(body: MessageBody): Turn {
    this.sent.push(body);
    const again = this.messages.find((one) => one.clientMessageId === body.clientMessageId);
    const turn = new Turn(this.turns.length + 1);
    if (again) Object.assign(again, { status: "ok", turnId: turn.id });
    else
      this.messages.push({
        ...row("user", body.content, turn.id, null),
        clientMessageId: body.clientMessageId,
      });
    this.turns.push(turn);
    return turn;
  }

  #found(id: string): Turn {
    const turn = this.turns.find((one) => one.id === id);
    if (!turn) throw new Refused({ status: 404, code: "AI_TURN_NOT_FOUND" });
    return turn;
  }

  #validate(): object {
    if (this.suggestion) this.suggestion.status = "validated";
    return { ...this.preview?.validation, status: "validated", preview: this.preview?.preview };
  }

  #revert(): object {
    this.propose({ changed: [{ ...changed(), before: AFTER, after: BEFORE }] });
    if (this.suggestion) this.suggestion.status = "staged";
    if (this.preview?.preview) Object.assign(this.preview.preview, this.confirms);
    return { changeSetId: this.suggestion?.changeSetId, status: "staged", warnings: [] };
  }

  #cancel(): object {
    this.status = "cancelled";
    return { cancelled: true, sessionId: SESSION, rejectedCount: 1 };
  }

  /** A session as it is read; the one that is open, if it is none of the earlier ones. */
  #conversation(id: string): object {
    const earlier = this.earlier.find(({ session }) => session.sessionId === id);
    const active = earlier ? undefined : this.turns.at(-1);
    return {
      session: earlier?.session ?? this.#session(),
      latestSuggestion: earlier ? null : this.suggestion,
      validation: earlier ? null : (this.preview?.validation ?? null),
      preview: earlier ? null : (this.preview?.preview ?? null),
      activeTurn: active && !active.over ? { turnId: active.id } : null,
      messages: whole(earlier?.messages ?? this.messages),
    };
  }

  #session(): CrewSession {
    const { about, status } = this;
    const sessionId = this.#id;
    const said = this.messages.find(({ role }) => role === "user")?.content ?? null;
    return {
      ...{ sessionId, projectId: "prj_1", status, ...about, createdAt: 1, updatedAt: 1 },
      title: said,
      suggestionStatus: this.suggestion?.status ?? null,
    } as CrewSession;
  }

  /** What was talked about before stays, and nothing is said in the new one. */
  #anew(): void {
    this.earlier.unshift({ session: this.#session(), messages: this.messages });
    this.#id = `as_00112233445566${(0xaa + this.sessions).toString(16)}`;
    Object.assign(this, { messages: [], suggestion: null, preview: null, turns: [] });
  }

  #create(body: object): object {
    if (this.sessions > 0) this.#anew();
    this.sessions += 1;
    this.about = { ...this.about, ...body };
    this.status = "active";
    return { ...this.#session(), latestSuggestion: null };
  }

  #listed(status: string | null): object {
    const now = this.sessions > 0 ? [this.#session()] : [];
    const all = [...now, ...this.earlier.map(({ session }) => session)];
    return whole(all.filter((one) => status === null || one.status === status));
  }

  #apply(body: ApplyBody): unknown {
    this.applied.push(body);
    this.audit.unshift({
      ...{ type: "ai.apply.succeeded", changeSetId: body.changeSetId },
      at: Date.UTC(2026, 10, 12, 14, 22),
    });
    if (this.suggestion) this.suggestion.status = "applied";
    return {
      applied: true,
      sessionId: SESSION,
      sessionStatus: "active",
      changeSetId: body.changeSetId,
      newRevision: { workflowRevision: 4 },
      changed: [],
      warnings: this.warnings,
    };
  }

  #stop(): object {
    const { turn } = this;
    if (!turn.over)
      turn.tell("error", { data: null, error: { code: "AI_TURN_STOPPED", message: "" } });
    return { stopped: true };
  }
}

const ABOUT = "?targetType=workflow&targetId=1&workflowId=1&source=builder";

/** For the top of a test file: workbenches of a workflow. */
export const benches = () =>
  pagesOver({
    make: () => new CrewEdge(),
    root: "/builder/prj_1/ai-workbench",
    part: ABOUT,
    ready: (page) => page.locator("hp-workbench-page").waitFor(),
  });

/** Asks in the composer. */
export async function ask(page: Page, text: string): Promise<void> {
  await page.getByTestId("wb-composer").locator("textarea").fill(text);
  await page.getByTestId("wb-send").click();
}

/** The one file of a small proposal. */
export const changed = (more: Partial<ChangedText> = {}): ChangedText => ({
  object: "step:collect",
  file: "workflows/1/steps/collect.md",
  status: "M",
  before: BEFORE,
  after: AFTER,
  ...more,
});

let rows = 0;
function row(
  role: SessionMessage["role"],
  content: string,
  turnId: string,
  changeSetId: string | null,
): SessionMessage {
  rows += 1;
  return {
    id: `msg_row${rows}`,
    turnId,
    role,
    content,
    status: "ok",
    changeSetId,
    createdAt: 1_000,
  };
}

const bundle = {
  projectId: "prj_1",
  name: "Claims desk",
  revision: 3,
  files: {
    "bmad.json": JSON.stringify({
      schemaVersion: "1.1",
      name: "Claims desk",
      version: "0.4.0",
      entry: {
        workflow: "workflows/1/workflow.md",
        graph: "workflows/1/workflow.graph.json",
        agents: "agents.json",
      },
      workflows: [
        {
          id: "1",
          displayName: "Motor claim",
          name: "Motor claim",
          workflow: "workflows/1/workflow.md",
          graph: "workflows/1/workflow.graph.json",
        },
      ],
    }),
    "agents.json": JSON.stringify({ schemaVersion: "1.1", agents: [] }),
    "workflows/1/workflow.md": "---\nname: Motor claim\n---\n",
    "workflows/1/workflow.graph.json": JSON.stringify(graph),
    "workflows/1/steps/collect.md": BEFORE,
    "workflows/1/steps/end.md": "---\ntitle: Claim closed\n---\n",
  },
  revisions: { workflows: { "1": 3 }, agentsRevision: 1, assetsRevision: 1 },
  diagnostics: [],
};

const context: ContextAnswer = {
  contextEnvelope: {
    session_meta: {},
    domain_profile: null,
    normative_baseline: { schemaVersion: "1.1" },
    target_snapshot: { workflow_md: "---\nname: Motor claim\n---\n" },
    dependency_digest: {
      agents: { items: [{ id: "clerk", name: "Intake clerk", role: "Takes claims" }], total: 1 },
      assets: { items: [{ path: "assets/guide.md", bytes: 12, hash: "sha256:0" }], total: 1 },
    },
    tool_capabilities: null,
    revision_info: {},
  },
  trimReport: {
    applied: true,
    estimateBefore: 12_000,
    estimateAfter: 6_000,
    contextBudget: 11_200,
    reserveForResponse: 4_800,
    actions: [
      {
        section: "dependency_digest.assets",
        action: "summarize",
        beforeChars: 1_940,
        afterChars: 260,
      },
    ],
  },
  promptSignature: "sha256:0",
  tokens: 6_120,
};
