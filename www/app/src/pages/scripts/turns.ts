/** The editor's routes for a conversation: what they tell of a turn, in the words of a session (script-tool.md §6). */
import type {
  ApplyAnswer,
  ApplyRequest,
  ChatEvent,
  ChatMessage,
  ChatRequest,
  EditOpsAnswer,
  EditorApi,
  Feedback,
  FileId,
  Location,
  VirtualFiles,
} from "@holdpoint/core/editor";
import type {
  EdgeRoutes,
  End,
  Heard,
  Loaded,
  SessionEvent,
  SessionTypes,
  TurnEvent,
  TurnRequest,
} from "@holdpoint/core/session";
import type { ErrorShape } from "@holdpoint/core/types";
import type { TextKey } from "@holdpoint/elements";
import type { Turn } from "@holdpoint/elements/talk/view";
import { moment } from "./around.js";

export interface Ask extends TurnRequest {
  mode: "chat" | "edit";
  active: FileId;
  texts: VirtualFiles;
  location: Location;
  remote?: boolean;
  feedback?: Feedback;
}

/** What is applied is what was signed; what is discarded is named by the call that brought it. */
export type Decision = { apply: ApplyRequest; key: string } | { discard: string; online: boolean };

export interface ScriptTalk extends SessionTypes {
  request: Ask;
  message: Turn;
  progress: never;
  proposal: EditOpsAnswer;
  decision: Decision;
  answer: ApplyAnswer | null;
}

type Event = TurnEvent<ScriptTalk>;
type Ended = Done["data"];

type Done = Extract<ChatEvent, { event: "done" }>;

/** In the place of an answer that has no words. */
const WORDLESS: TextKey = "talk.wordless";
const ELSEWHERE = "remote_fallback_required";
/** How a turn ended, by the reason of its last event; any other reason is an answer. */
const ENDS: Partial<Record<string, End>> = { cancelled: "cancelled", error: "failed" };

export class ScriptRoutes implements EdgeRoutes<ScriptTalk> {
  constructor(
    private readonly api: EditorApi,
    private readonly tool: string,
  ) {}

  async load(): Promise<Loaded<ScriptTalk>> {
    const { messages } = await this.api.thread(this.tool);
    return { messages: messages.map(messageOf) };
  }

  async *ask(ask: Ask, key: string, signal: AbortSignal): AsyncGenerator<Heard<ScriptTalk>> {
    const body = {
      message: ask.text,
      active_file: ask.active,
      virtual_files: ask.texts,
      ...(ask.remote ? { allow_remote_fallback: true } : {}),
    };
    if (ask.mode === "chat") return yield* this.#chat(body, signal);
    yield { events: [{ is: "answer", message: { key } }] };
    const { location, feedback } = ask;
    const more = { tool_id: this.tool, ...location, ...(feedback ? { feedback } : {}) };
    yield { events: proposed(await this.api.generate({ ...body, ...more }, key, signal), key) };
  }

  /** An answer without a word, and a stream that broke off, say so. */
  async *#chat(body: ChatRequest, signal: AbortSignal): AsyncGenerator<Heard<ScriptTalk>> {
    let [wordless, over] = [true, false];
    for await (const event of this.api.chat(this.tool, body, signal)) {
      if (event.event === "delta" && event.data.text.trim() !== "") wordless = false;
      if (event.event === "done") {
        over = true;
        if (wordless && event.data.enabled && event.data.reason === "stop")
          yield { events: [{ is: "answer", message: { said: WORDLESS } }] };
      }
      yield { events: chatted(event) };
    }
    if (!over) yield { events: [{ ...failed("upstream_error", ""), how: "failed" }] };
  }

  async decide(
    decision: Decision,
    tell: (event: SessionEvent<ScriptTalk>) => void,
  ): Promise<ApplyAnswer | null> {
    if ("discard" in decision) {
      const { discard: key, online } = decision;
      tell({ is: "decided", key, as: "discarded" });
      // A word on the thread; where it cannot be said the texts are the same.
      if (online) void this.api.discard(this.tool, key).catch(() => undefined);
      return null;
    }
    const answer = await this.api.apply(decision.apply, decision.key);
    if (answer.applied && answer.ok) tell({ is: "decided", key: decision.key, as: "applied" });
    return answer;
  }

  clear(): Promise<void> {
    return this.api.clear(this.tool);
  }
}

function chatted(heard: ChatEvent): Event[] {
  switch (heard.event) {
    case "meta":
      return [{ is: "taken" }, { is: "answer", message: {} }];
    case "notice":
      return [{ is: "notice", code: "", ...heard.data }];
    case "delta":
      return [{ is: "delta", text: heard.data.text }];
    case "done":
      return ended(heard.data);
  }
}

function ended(done: Ended): Event[] {
  if (!done.enabled) {
    const { enabled: _off, ...told } = { code: "SERVICE_UNAVAILABLE", ...done };
    return [failed(told.code === ELSEWHERE ? ELSEWHERE : "upstream_error", told.message, told)];
  }
  const how = ENDS[done.reason] ?? "done";
  if (how === "failed") return [{ ...failed("upstream_error", ""), how }];
  const cut: Event[] =
    done.reason === "length" ? [{ is: "notice", code: "truncated", message: "" }] : [];
  return [...cut, { is: "ended", how }];
}

function proposed(answer: EditOpsAnswer, key: string): Event[] {
  const { enabled, outcome, ops, assistant_message: text, code, args } = answer;
  if (outcome === "ok" && ops.length)
    return [
      { is: "answer", message: { text } },
      { is: "proposal", key, proposal: answer },
      { is: "ended", how: "done" },
    ];
  if (enabled && (outcome === "ok" || outcome === "empty")) {
    const said = text ? {} : { said: "talk.outcome.empty" as const };
    const taken: Event[] = text ? [{ is: "taken" }] : [];
    return [...taken, { is: "answer", message: { text, ...said } }, { is: "ended", how: "done" }];
  }
  // Nothing usable came: the model failed, or none was asked.
  if (outcome === ELSEWHERE || code === ELSEWHERE) return [failed(ELSEWHERE, text)];
  // Where no sentence of ours stands for it, the model said why in words: they stay in the conversation.
  if (enabled && outcome !== "ok" && text && !args)
    return [
      { is: "answer", message: { text } },
      { ...failed(outcome, ""), how: "failed" },
    ];
  if (enabled && outcome !== "ok") return [failed(outcome, "")];
  const error = { code: code ?? "SERVICE_UNAVAILABLE", message: text, ...(args ? { args } : {}) };
  return [failed("upstream_error", text, error)];
}

const failed = (
  outcome: string,
  message: string,
  error: ErrorShape | null = null,
): Extract<Event, { is: "ended" }> => ({
  is: "ended",
  how: "nothing",
  failure: { outcome, message, error },
});

function messageOf(one: ChatMessage): Turn {
  const answer = one.role === "assistant";
  const at = moment(one.created_at);
  const { decision: as, decided_at = one.created_at, correlation_id: key } = one;
  return {
    id: one.message_id,
    who: answer ? "assistant" : "you",
    text: one.content,
    at,
    state: stateOf(one),
    since: at,
    ...(answer ? toldOf(one) : {}),
    ...(answer && as ? { decided: { as, at: moment(decided_at) } } : {}),
    ...(answer && key ? { key } : {}),
  };
}

/** What stands in for an answer's words, and why it failed. */
function toldOf({ content, status, kind, failure_outcome: outcome }: ChatMessage): Partial<Turn> {
  const wordless = content.trim() === "";
  if (status === "complete") return wordless ? { said: WORDLESS } : {};
  if (status !== "failed" || !isFailure(outcome)) return {};
  const why = `talk.outcome.${outcome}` as const;
  // The words of a model stay; what the edge put in their place is said in the words of the page.
  if (!wordless && (kind === "chat" || outcome === "parse_failed")) return { why };
  return { why, said: outcome === "timeout" ? why : `talk.outcome.${outcome}.what`, text: "" };
}

/** How a turn fails that has words for it. */
const FAILURES = [
  "timeout",
  "upstream_error",
  "context_exceeded",
  "truncated",
  "parse_failed",
  "non_patch_ops",
  "incompatible_ops",
  "remote_fallback_required",
] as const;
type Failure = (typeof FAILURES)[number];
const isFailure = (outcome: string | undefined): outcome is Failure =>
  (FAILURES as readonly (string | undefined)[]).includes(outcome);

function stateOf({ role, status }: ChatMessage): Turn["state"] {
  if (status === "cancelled") return "cancelled";
  if (role !== "assistant") return "done";
  if (status === "failed") return "failed";
  return status === "pending" ? "writing" : "done";
}
