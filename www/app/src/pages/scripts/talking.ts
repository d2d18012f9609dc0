/** The conversation about one script: chat over SSE, asking for a proposal, stopping, and what became of a turn. */
import {
  type ChatMessage,
  type EditOpsAnswer,
  type Feedback,
  FILES,
  type FileId,
  type Location,
  local,
  type Outcome,
  type VirtualFiles,
} from "@holdpoint/core/editor";
import type { ErrorShape } from "@holdpoint/core/types";
import { said, spoken, t } from "@holdpoint/elements";
import type { ChatView } from "@holdpoint/elements/script/view";
import type { OutcomeView, OverBudget, ProposalCard, Turn } from "@holdpoint/elements/talk/view";
import { type Around, failed, isError, moment, refused } from "./around.js";

/** `typed`: the words in the composer, where they are not those that are asked. */
export interface Ask {
  text: string;
  typed: string;
  mode: "chat" | "edit";
  active: FileId;
  texts: VirtualFiles;
  location: Location;
  remote?: boolean;
  feedback?: Feedback;
}

/**
 * A proposal that came: the words, the ops, and the call that it belongs to. Answers whether there is a preview of it.
 */
export type Arrived = (ask: Ask, answer: EditOpsAnswer, correlation: string) => Promise<boolean>;

/** Sizes are estimated as for a model that has no rule of its own. */
const MODEL = "default";
/** How a turn ended, by the reason of its last event; any other reason is an answer. */
const ENDS: Partial<Record<string, "cancelled" | "failed">> = {
  cancelled: "cancelled",
  error: "failed",
};
/** So long after a wait the page is still drawn, so that its end is seen. */
const WAITED_MS = 2_000;

export class Talking {
  mode: "chat" | "edit" = "edit";
  draft = "";
  over: OverBudget | null = null;
  state: ChatView["state"] = "loading";
  problem: ErrorShape | null = null;
  outcome: OutcomeView | null = null;
  running: "chat" | "edit" | null = null;
  #since = 0;
  #turns: Turn[] = [];
  #pending: Ask | null = null;
  #cut: AbortController | null = null;
  /** Late events of a stopped call carry an older number. */
  #stream = 0;

  /** `fate` says of the call that brought a proposal what became of it. */
  constructor(
    private readonly around: Around,
    private readonly tool: string,
    private readonly arrived: Arrived,
    private readonly fate: (correlation: string) => ProposalCard | null,
  ) {}

  async load(): Promise<void> {
    this.state = "loading";
    try {
      const { messages } = await this.around.api.thread(this.tool);
      if (this.running) return;
      this.#turns = messages
        .filter((one) => one.content !== "" || one.role === "user" || one.status !== "complete")
        .map((one) => this.#turn(one));
      this.state = "ready";
    } catch (error) {
      this.problem = failed(this.around, error);
      this.state = "failed";
    }
    this.around.changed();
  }

  #turn(one: ChatMessage): Turn {
    const answer = one.role === "assistant";
    const at = moment(one.created_at);
    const card =
      answer && one.decision
        ? {
            state: one.decision,
            files: 0,
            places: 0,
            taken: 0,
            at: moment(one.decided_at ?? one.created_at),
            stalePath: "",
          }
        : null;
    return {
      id: one.message_id,
      who: answer ? "assistant" : "you",
      text: one.content,
      at,
      state: stateOf(one),
      since: at,
      card,
      ...(answer && one.correlation_id ? { key: one.correlation_id } : {}),
    };
  }

  async ask(ask: Ask): Promise<void> {
    if (this.running) return;
    this.#pending = ask;
    this.outcome = null;
    this.over = null;
    this.running = ask.mode;
    this.#since = Date.now();
    this.#stream += 1;
    const mine = this.#stream;
    this.#cut = new AbortController();
    const before = this.#turns.at(-1);
    const again = ask.feedback !== undefined || (before?.who === "you" && before.text === ask.text);
    // Asked again with what failed: the answer of that turn is replaced.
    if (ask.feedback)
      this.#turns = this.#turns.slice(0, this.#turns.findLastIndex((one) => one.who === "you") + 1);
    if (!again)
      this.#turns = [
        ...this.#turns,
        { id: `you-${mine}`, who: "you", text: ask.text, at: Date.now(), state: "done" },
      ];
    this.around.changed();
    try {
      await (ask.mode === "chat" ? this.#chat(ask, mine) : this.#edit(ask, mine));
    } catch (error) {
      if (mine === this.#stream) this.#refused(ask, error, again);
    }
    if (mine === this.#stream) this.running = null;
    this.around.spent();
    this.around.changed();
  }

  async #chat(ask: Ask, mine: number): Promise<void> {
    const turn: Turn = {
      id: `assistant-${mine}`,
      who: "assistant",
      text: "",
      at: null,
      state: "writing",
      since: this.#since,
    };
    const body = {
      message: ask.text,
      active_file: ask.active,
      virtual_files: ask.texts,
      ...(ask.remote ? { allow_remote_fallback: true } : {}),
    };
    await this.around.api.chat(this.tool, body, this.#signal(), (heard) => {
      if (mine !== this.#stream) return;
      if (heard.event === "meta") {
        this.#cleared(ask);
        this.#put(turn);
      }
      if (heard.event === "notice") this.around.toast(spoken(heard.data.message));
      if (heard.event === "delta") this.#put(turn, { text: turn.text + heard.data.text });
      if (heard.event === "done") this.#ended(turn, ask, heard.data);
    });
  }

  #ended(
    turn: Turn,
    ask: Ask,
    done: { enabled: true; reason: string } | { enabled: false; message: string; code?: string },
  ): void {
    if (!done.enabled) {
      const elsewhere = done.code === "remote_fallback_required";
      const outcome = elsewhere ? "remote_fallback_required" : "upstream_error";
      this.#failed(outcome, done.message, done.code ?? "SERVICE_UNAVAILABLE");
      return;
    }
    const state = ENDS[done.reason] ?? "done";
    this.#put(turn, { state, at: Date.now() });
    if (done.reason === "error") this.#failed("upstream_error", "");
    if (done.reason === "length") this.around.toast(t("script.outcome.truncated"));
    if (state === "done") this.#pending = null;
    else this.#pending = ask;
  }

  async #edit(ask: Ask, mine: number): Promise<void> {
    const correlation = crypto.randomUUID();
    const turn: Turn = {
      id: `assistant-${mine}`,
      who: "assistant",
      text: "",
      at: null,
      state: "writing",
      since: this.#since,
      key: correlation,
    };
    this.#put(turn);
    const answer = await this.around.api.generate(
      {
        tool_id: this.tool,
        message: ask.text,
        active_file: ask.active,
        virtual_files: ask.texts,
        ...ask.location,
        ...(ask.remote ? { allow_remote_fallback: true } : {}),
        ...(ask.feedback ? { feedback: ask.feedback } : {}),
      },
      correlation,
      this.#signal(),
    );
    if (mine !== this.#stream) return;
    if (answer.outcome === "ok" && answer.ops.length) {
      this.#put(turn, { text: answer.assistant_message, at: Date.now(), state: "done" });
      this.running = null;
      // The words are kept until there is a proposal and its preview.
      if (await this.arrived(ask, answer, correlation)) this.#cleared(ask);
      this.#pending = null;
      return;
    }
    if (answer.enabled && (answer.outcome === "ok" || answer.outcome === "empty")) {
      this.#put(turn, {
        text: answer.assistant_message || t("script.outcome.empty"),
        at: Date.now(),
        state: "done",
      });
      return;
    }
    this.#drop(turn);
    this.#unanswered(answer);
  }

  /** Nothing usable came: the model failed, or none was asked. */
  #unanswered({ enabled, outcome, code, assistant_message }: EditOpsAnswer): void {
    const elsewhere = "remote_fallback_required";
    if (outcome === elsewhere || code === elsewhere) this.#failed(elsewhere, assistant_message);
    else if (enabled && outcome !== "ok") this.#failed(outcome, assistant_message);
    else this.#failed("upstream_error", assistant_message, code ?? "SERVICE_UNAVAILABLE");
  }

  #cleared(ask: Ask): void {
    if (this.draft.trim() === ask.typed) this.draft = "";
  }

  #signal(): AbortSignal {
    this.#cut ??= new AbortController();
    return this.#cut.signal;
  }

  #put(turn: Turn, change: Partial<Turn> = {}): void {
    Object.assign(turn, change);
    this.#turns = [...this.#turns.filter((one) => one.id !== turn.id), { ...turn }];
    this.around.changed();
  }

  #drop(turn: Turn): void {
    this.#turns = this.#turns.filter((one) => one.id !== turn.id);
  }

  #failed(outcome: Exclude<Outcome, "ok">, message: string, code?: string): void {
    this.outcome = {
      outcome,
      message: spoken(message),
      seconds: Math.round((Date.now() - this.#since) / 1000),
      error: code ? { code, message: spoken(message) } : null,
      waits: 0,
    };
    this.around.changed();
  }

  /** Refused before the model was asked: nothing was written, the words are kept. */
  #refused(ask: Ask, error: unknown, again: boolean): void {
    if (!isError(error)) throw error;
    this.#turns = this.#turns.filter(
      (one) => one.state !== "writing" && (again || one.id !== `you-${this.#stream}`),
    );
    this.draft = this.draft || ask.typed;
    if (error.code === "MESSAGE_OVER_BUDGET") this.over = this.#sizes(ask, error);
    else {
      const { code, details, retryMs } = error;
      const message = said(error);
      this.outcome = {
        outcome: "upstream_error",
        message,
        seconds: 0,
        error: { code, message, ...(details ? { details } : {}) },
        waits: retryMs === undefined ? 0 : Date.now() + retryMs,
      };
    }
    this.around.failed(error);
  }

  #sizes(ask: Ask, error: ErrorShape): OverBudget {
    const size = (text: string): number =>
      local.tokens(this.around.core, MODEL, text) ?? Math.ceil(text.length / 4);
    const of = FILES.map((path) => ({ path, n: size(ask.texts[path]) })).sort((a, b) => b.n - a.n);
    const number = (name: string): number => Number(error.details?.[name] ?? 0);
    const message = size(ask.text);
    return {
      budget: number("budget"),
      system: number("system"),
      files: Math.max(0, number("user") - message),
      message,
      largest: of[0]?.path ?? "",
      largestTokens: of[0]?.n ?? 0,
    };
  }

  /** Stops at once: the call is closed, what had come stays, nothing is proposed. */
  stop(): void {
    if (!this.running) return;
    this.#cut?.abort();
    this.#stream += 1;
    this.running = null;
    const came = this.#turns.some((one) => one.state === "writing" && one.text !== "");
    this.#turns = this.#turns.flatMap((one) => {
      if (one.state !== "writing") return [one];
      return one.text ? [{ ...one, state: "cancelled" as const, at: Date.now() }] : [];
    });
    this.outcome = came
      ? null
      : { outcome: "cancelled", message: "", seconds: 0, error: null, waits: 0 };
    this.around.changed();
  }

  async clear(): Promise<void> {
    try {
      this.stop();
      await this.around.api.clear(this.tool);
      this.#turns = [];
      this.outcome = null;
      this.around.toast(t("script.chat.cleared"));
    } catch (error) {
      refused(this.around, "clear", error);
    }
    this.around.changed();
  }

  /** The edge said when it may be asked again; it counts down, and once more when it is over. */
  get waits(): boolean {
    return this.outcome !== null && this.outcome.waits > Date.now() - WAITED_MS;
  }

  /** The request that did not deliver, to be asked once more. */
  get pending(): Ask | null {
    return this.#pending;
  }

  dismiss(): void {
    this.outcome = null;
    this.over = null;
    this.around.changed();
  }

  view(more: {
    off: string;
    offline: boolean;
    texts: VirtualFiles;
    place: string;
    empty: boolean;
    beside: boolean;
    examples: ChatView["examples"];
  }): ChatView {
    const last = [...this.#turns].reverse().find((one) => one.who === "you")?.text ?? "";
    return {
      state: this.state,
      problem: this.problem,
      turns: this.#turns.map((one) => this.#carded(one)),
      outcome: this.outcome,
      mode: this.mode,
      draft: this.draft,
      last,
      running: this.running,
      since: this.#since,
      off: more.off,
      offline: more.offline,
      over: this.over,
      tokens: this.#estimate(more.texts),
      place: more.place,
      empty: more.empty,
      beside: more.beside,
      examples: more.examples,
      now: Date.now(),
    };
  }

  #carded(turn: Turn): Turn {
    const card = turn.key ? this.fate(turn.key) : null;
    return card ? { ...turn, card } : turn;
  }

  #sized: { key: string; n: number | null } = { key: "", n: null };

  #estimate(texts: VirtualFiles): number | null {
    const key = FILES.map((path) => `${path}:${texts[path].length}`).join() + this.draft.length;
    if (key !== this.#sized.key)
      this.#sized = {
        key,
        n: local.tokens(
          this.around.core,
          MODEL,
          JSON.stringify({ message: this.draft, virtual_files: texts }),
        ),
      };
    return this.#sized.n;
  }
}

function stateOf({ role, status }: ChatMessage): Turn["state"] {
  if (status === "cancelled") return "cancelled";
  if (role !== "assistant") return "done";
  if (status === "failed") return "failed";
  return status === "pending" ? "writing" : "done";
}
