// An edge in memory for the workbench (ai-sessions.md §3): one project, its sessions, turns that a test performs.

import type { IncomingMessage, ServerResponse } from "node:http";
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

export const SESSION = "as_00112233445566aa";
export const TURN = (n: number): string => `turn_${String(n).padStart(16, "0")}`;

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

/** A refusal: status, code, and what else it tells. */
export interface Refused {
  status: number;
  code: string;
  details?: object;
  hints?: string[];
}

/** So often a turn is looked for, each 10 ms. */
const ASKED_TRIES = 1_500;

type Frame = [event: string, data: unknown];

/** A turn that runs at the edge whoever listens. */
class Turn {
  frames: Frame[] = [];
  over = false;
  readonly listening = new Set<() => void>();

  constructor(readonly id: string) {
    this.tell("turn", { turnId: id, messageId: `msg_${id.slice(5)}`, seq: 1 });
  }

  tell(event: string, data: unknown): void {
    this.frames.push([event, data]);
    if (event === "result" || event === "error") this.over = true;
    for (const wake of this.listening) wake();
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

export class CrewEdge {
  /** Method and path of each call, in turn. */
  calls: string[] = [];
  messages: SessionMessage[] = [];
  /** Bodies of messages and applies, in turn. */
  sent: MessageBody[] = [];
  applied: ApplyBody[] = [];
  suggestion: Suggestion | null = null;
  preview: PreviewAnswer | null = null;
  status = "active";
  turns: Turn[] = [];
  /** What the next call of a path that ends so answers. */
  refusals = new Map<string, Refused>();
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
  /** Connections of streams, to be broken. */
  readonly open = new Set<ServerResponse>();

  get turn(): Turn {
    const last = this.turns.at(-1);
    if (!last) throw new Error("No turn runs.");
    return last;
  }

  /** The turn is asked for. */
  async asked(n = 1): Promise<Turn> {
    for (let tries = 0; this.turns.length < n; tries += 1) {
      if (tries > ASKED_TRIES) throw new Error(`Turn ${n} was not asked for.`);
      await new Promise((done) => setTimeout(done, 10));
    }
    return this.turns[n - 1];
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
      messageId: `msg_${this.turn.id.slice(5)}`,
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

  /** Answers a call of these routes; `false` where it is none. */
  async answer(
    path: string,
    search: string,
    request: IncomingMessage,
    response: ServerResponse,
    body: unknown,
  ): Promise<boolean> {
    const method = request.method ?? "GET";
    if (!/^\/(projects|users)\//.test(path)) return false;
    this.calls.push(`${method} ${path}${search}`);
    const refusal = [...this.refusals].find(([end]) => path.endsWith(end) && method !== "GET");
    if (refusal) {
      this.refusals.delete(refusal[0]);
      const { status, code, details, hints } = refusal[1];
      const error = { code, message: `${code} happened.`, details, hints };
      send(response, status, { data: null, error });
      return true;
    }
    if (path.endsWith("/messages")) this.#message(body as MessageBody, response);
    else if (/\/turns\/.*\/events$/.test(path)) this.#events(path, request, response);
    else send(response, 200, { data: this.#data(method, path, search, body), error: null });
    return true;
  }

  #message(body: MessageBody, response: ServerResponse): void {
    this.sent.push(body);
    const again = this.messages.find((one) => one.clientMessageId === body.clientMessageId);
    const turn = new Turn(TURN(this.turns.length + 1));
    if (again) Object.assign(again, { status: "ok", turnId: turn.id });
    else
      this.messages.push({
        ...row("user", body.content, turn.id, null),
        clientMessageId: body.clientMessageId,
      });
    this.turns.push(turn);
    this.#stream(turn, 0, response);
  }

  #events(path: string, request: IncomingMessage, response: ServerResponse): void {
    const turn = this.turns.find(({ id }) => path.includes(id));
    const last = String(request.headers["last-event-id"] ?? "");
    const after = last ? Number(last.split(":")[1]) : 0;
    if (turn) this.#stream(turn, after, response);
    else send(response, 404, { data: null, error: { code: "AI_TURN_NOT_FOUND", message: "" } });
  }

  #stream(turn: Turn, after: number, response: ServerResponse): void {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write("retry: 2000\n\n");
    let at = after;
    this.open.add(response);
    const wake = () => {
      for (; at < turn.frames.length; at += 1) {
        const [event, data] = turn.frames[at];
        response.write(
          `id: ${turn.id}:${at + 1}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`,
        );
      }
      if (turn.over) response.end();
    };
    turn.listening.add(wake);
    response.on("close", () => {
      turn.listening.delete(wake);
      this.open.delete(response);
    });
    wake();
  }

  /** Breaks every stream in its middle. */
  breaks(): void {
    for (const response of this.open) response.destroy();
  }

  #data(method: string, path: string, search: string, body: unknown): unknown {
    if (path === "/users/me/llm-profile") return this.profile;
    if (path.endsWith("/bundle")) return bundle;
    if (path.endsWith("/revisions")) return { items: this.revisions, nextCursor: null };
    if (path.endsWith("/audit/events")) return { items: this.audit, nextCursor: null };
    if (path.endsWith("/ai/sessions")) return this.#listed(method, search, body);
    if (path.endsWith("/context")) return context;
    if (path.endsWith("/preview")) return this.preview;
    if (path.endsWith("/apply")) return this.#apply(body as ApplyBody);
    if (path.endsWith("/stop")) return this.#stop();
    if (path.endsWith("/validate")) {
      if (this.suggestion) this.suggestion.status = "validated";
      return { ...this.preview?.validation, status: "validated", preview: this.preview?.preview };
    }
    if (path.endsWith("/revert")) {
      this.propose({ changed: [{ ...changed(), before: AFTER, after: BEFORE }] });
      if (this.suggestion) this.suggestion.status = "staged";
      if (this.preview?.preview) Object.assign(this.preview.preview, this.confirms);
      return { changeSetId: this.suggestion?.changeSetId, status: "staged", warnings: [] };
    }
    if (path.endsWith("/cancel")) {
      this.status = "cancelled";
      return { cancelled: true, sessionId: SESSION, rejectedCount: 1 };
    }
    const earlier = this.earlier.find(({ session }) => path.endsWith(session.sessionId));
    if (earlier)
      return {
        session: earlier.session,
        ...{ latestSuggestion: null, validation: null, preview: null, activeTurn: null },
        messages: { items: earlier.messages, nextCursor: null },
      };
    const active = this.turns.at(-1);
    return {
      session: this.#session(),
      latestSuggestion: this.suggestion,
      validation: this.preview?.validation ?? null,
      preview: this.preview?.preview ?? null,
      activeTurn: active && !active.over ? { turnId: active.id } : null,
      messages: { items: this.messages, nextCursor: null },
    };
  }

  about = {
    targetType: "workflow",
    targetId: "1",
    mode: "optimize",
    workflowId: 1 as number | null,
  };

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

  #listed(method: string, search: string, body: unknown): unknown {
    if (method === "POST") {
      if (this.sessions > 0) this.#anew();
      this.sessions += 1;
      this.about = { ...this.about, ...(body as object) };
      this.status = "active";
      return { ...this.#session(), latestSuggestion: null };
    }
    const all = [
      ...(this.sessions > 0 ? [this.#session()] : []),
      ...this.earlier.map(({ session }) => session),
    ];
    const items = search.includes("status=active")
      ? all.filter(({ status }) => status === "active")
      : all;
    return { items, nextCursor: null };
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

function send(response: ServerResponse, status: number, value: object): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(value));
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
