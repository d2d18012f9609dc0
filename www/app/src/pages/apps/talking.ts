/** The conversation about one app: its session at the edge, what it may cost, and how the page shows it. */
import {
  type AppAsk,
  type AppMessage,
  AppRoutes,
  type AppTalk,
  type ChatMode,
  type Outcome,
} from "@holdpoint/core/apps";
import { EdgeDriver, isRefusal, Session, type Told } from "@holdpoint/core/session";
import type { ErrorShape, Quote } from "@holdpoint/core/types";
import { english, format, refusal, t } from "@holdpoint/elements";
import { type AppTalkView, type AppTurnExtras, starts } from "@holdpoint/elements/apps/view";
import { moreFor } from "@holdpoint/elements/shell/ask-more";
import type { AskMode, Example } from "@holdpoint/elements/talk/view";
import type { Around } from "./around.js";
import { Naming } from "./naming.js";
import { type Token, viewOf, wordsOf } from "./tokens.js";

/** The longest request, in characters. */
const MAX_CHARS = 20_000;
/** What a run can use at most, in tokens and calls of the model (app-builder.md §10 "Bounds"). */
const BOUNDS = {
  output_low: 400,
  output_high: 16_000,
  repair_output_max: 48_000,
  input_per_call_max: 64_000,
  calls_max: 24,
  hold_tokens: 448_000,
};
/** Tokens of the first call, at least. */
const PROMPT_TOKENS = 4_000;

const MODES: readonly ChatMode[] = ["edit", "plan", "answer"];

/** A run that ended so has an answer that the next request can go on from. */
const DELIVERED: ReadonlySet<Outcome | undefined> = new Set([
  "succeeded",
  "answered",
  "unverified",
]);

/** A request as it is sent, but for the draft that it is asked on. */
type Ready = Omit<AppAsk, "base">;

export interface TalkEnds {
  /** Files that a request can name. */
  paths(): readonly string[];
  /** The draft that is asked on, and what else goes along; null: nothing can be asked now. */
  along(): Promise<{ base: string; from: string } | null>;
  /** The run of the edge, if one goes on. */
  active(): Promise<string | null>;
  /** A proposal came. */
  proposed(id: string): void;
  /** The draft moved before it was asked. */
  moved(): void;
  ended(): void;
  keep(): void;
  /** What became of a proposal. */
  decided(id: string, applied: boolean): AppTurnExtras["card"];
  /** Why nothing can be asked; empty while it can. */
  off(): string;
  /** What the app began as. */
  template(): string;
}

export class Talking {
  mode: ChatMode = "edit";
  readonly session: Session<AppTalk>;
  #quote: Quote | null = null;
  #quoting = false;
  #from = "";
  /** The request that was sent last. */
  #sent = "";
  #tokens: readonly Token[] = [];
  /** What is asked when the run has ended; it ends with the page. */
  #queued: Ready | null = null;
  readonly #naming: Naming;

  constructor(
    private readonly around: Around,
    app: string,
    private readonly ends: TalkEnds,
  ) {
    const routes = new AppRoutes(around.api, app, () => ends.active());
    this.session = new Session(new EdgeDriver(routes), (event, ask) => this.#heard(event, ask));
    this.session.subscribe(() => around.changed());
    this.#naming = new Naming(around, () => ends.paths());
  }

  #heard(event: Told<AppTalk>, ask: AppAsk | null): void {
    if (event.is === "proposal") this.ends.proposed(event.proposal.proposal_id);
    if (event.is === "notice") queueMicrotask(() => void this.session.resume());
    if (event.is === "taken") this.#taken(ask);
    if (event.is === "unread") this.around.failed(event.error);
    if (event.is === "refused") this.#refused(event.error);
    if (event.is !== "ended" && event.is !== "refused") return;
    // The list tells what a reload did not know of its request, and a question that a run ended with.
    const silent = ask?.text === "" || this.session.view.messages.at(-1)?.text === "";
    if (event.is === "ended" && event.how === "done" && silent)
      queueMicrotask(() => void this.session.resume());
    this.#quote = null;
    void this.price();
    this.around.spent();
    this.ends.ended();
    this.#next(event.is === "ended" && event.how === "done");
  }

  /** What went along stays until it was taken. */
  #taken(ask: AppAsk | null): void {
    if (ask && ask.text === this.#sent) {
      this.#tokens = [];
      this.#from = "";
      this.#naming.done();
    }
    this.ends.keep();
  }

  /** The run has ended: what waited is asked where it delivered, else it is back in the field. */
  #next(done: boolean): void {
    const next = this.#queued;
    if (!next) return;
    const last = this.session.view.messages.at(-1);
    if (!done || !DELIVERED.has(last?.outcome)) {
      this.unqueue();
      return;
    }
    this.#queued = null;
    queueMicrotask(
      () =>
        void this.#send({ ...next, typed: next.text, from: next.from || (last?.proposal ?? "") }),
    );
  }

  #refused(error: ErrorShape): void {
    this.around.failed(error);
    // Another page asked: its run is followed here too.
    if (error.code === "RUN_ACTIVE") void this.session.resume();
    if (error.code === "REVISION_CONFLICT") this.ends.moved();
  }

  /** What the next request may cost at most is known before it is asked. */
  async price(): Promise<void> {
    if (this.#quote || this.#quoting || !this.around.online()) return;
    this.#quoting = true;
    try {
      this.#quote = await this.around.gateway.quote(BOUNDS, PROMPT_TOKENS);
    } catch (error) {
      if (!isRefusal(error)) throw error;
    } finally {
      this.#quoting = false;
      this.around.changed();
    }
  }

  /** The next request goes on from this proposal. */
  from(proposal: string): void {
    this.#from = proposal;
    this.around.focus("chat");
  }

  /** Asks, once every name in it is one file. */
  async ask(text: string): Promise<void> {
    if (!(await this.#asks(text))) await this.#send(this.#ready(text));
  }

  async #asks(text: string): Promise<boolean> {
    const asks = await this.#naming.asks(text);
    if (asks) this.session.write(text);
    this.around.changed();
    return asks;
  }

  /** The words with all that goes along. */
  #ready(typed: string): Ready {
    const explain = this.#tokens.find((one) => one.explain)?.explain;
    const from = this.#tokens.find((one) => one.from)?.from ?? this.#from;
    const text = [this.#english(typed), ...wordsOf(this.#tokens)].filter(Boolean).join("\n\n");
    const mode = explain ? "answer" : this.mode;
    return { text, typed, mode, from, ...(explain ? { explain } : {}) };
  }

  async #send(ready: Ready): Promise<void> {
    const along = await this.ends.along();
    if (!along) return this.#back(ready.text);
    this.#sent = ready.text;
    await this.session.send({ ...ready, base: along.base, from: ready.from || along.from });
    this.ends.keep();
  }

  /** The next request waits for the end of the run that goes on. */
  async queue(text: string): Promise<void> {
    if (this.#queued || (await this.#asks(text)) || !this.session.view.turn) return;
    this.#queued = this.#ready(text);
    this.#tokens = [];
    this.#from = "";
    this.write("");
  }

  /** What waited is back in the field, and is not asked. */
  unqueue(): void {
    const queued = this.#queued;
    this.#queued = null;
    if (queued) this.#back(queued.text);
  }

  /** Words that were not sent stand before what was written meanwhile. */
  #back(text: string): void {
    const { draft } = this.session.view;
    if (draft.trim() !== text) this.write([text, draft].filter(Boolean).join("\n\n"));
  }

  /** What a reload brings back into the field. */
  get words(): string {
    return [this.#queued?.text, this.session.view.draft].filter(Boolean).join("\n\n");
  }

  /** A file stands for a name from now on, or the name stays; then it can be asked. */
  async decide(raw: string, path: string | null): Promise<void> {
    const text = this.#naming.decided(this.session.view.draft, raw, path);
    if (!(await this.#asks(text))) this.session.write(text);
    this.around.focus("chat");
  }

  // ── what goes along ────────────────────────────────────────────────────────────────────────────────────────────

  /** Something goes along with the next request; of explanations and parts only the last. */
  add(token: Token): void {
    const alone = token.explain !== undefined || token.from !== undefined;
    const rest = alone ? this.#tokens.filter((one) => !one.explain && !one.from) : this.#tokens;
    this.#tokens = [...rest, token];
    this.around.focus("chat");
  }

  place(id: string, at: number | null): void {
    this.#tokens = this.#tokens.map((one) => (one.id === id ? { ...one, at } : one));
    this.around.changed();
  }

  leave(id: string): void {
    this.#tokens = this.#tokens.filter((one) => one.id !== id);
    this.around.changed();
  }

  /** A way on from a run that did not deliver. */
  async again(): Promise<void> {
    const { pending, messages } = this.session.view;
    const last = pending?.text || messages.findLast(({ who }) => who === "you")?.text;
    if (last) await this.ask(last);
  }

  write(text: string): void {
    this.#naming.forget();
    this.session.write(text);
    this.ends.keep();
  }

  get ticks(): boolean {
    const { turn, failure } = this.session.view;
    return turn !== null || (failure !== null && failure.waits > Date.now() - 2_000);
  }

  #price(): string {
    const quote = this.#quote;
    if (!quote) return t("apps.ask.free_before");
    const value = { tokens: quote.tokens.max, cost: quote.cost.max };
    return t("apps.ask.up_to", { amount: format.short(value, this.around.currency()) });
  }

  #off(): string {
    if (!this.around.online()) return t("composer.off.offline");
    if (this.#quote && !this.#quote.fits) return t("error.BUDGET_EXHAUSTED");
    return this.ends.off();
  }

  view(): AppTalkView {
    const { state, problem, messages, turn, failure, draft } = this.session.view;
    const now = Date.now();
    const explains = this.#tokens.some((one) => one.explain);
    const error = failure?.error ?? null;
    return {
      conversation: {
        state,
        problem,
        offline: !this.around.online(),
        turns: messages,
        outcome: error
          ? {
              outcome: "upstream_error",
              message: refusal(error),
              seconds: failure?.seconds ?? 0,
              error,
              waits: failure?.waits ?? 0,
            }
          : null,
        running: turn ? "edit" : null,
        examples: this.#starts(),
        intro: "apps.talk.intro",
        note: "apps.talk.note",
        beside: false,
        live: false,
        clearable: false,
        now,
      },
      composer: {
        mode: explains ? "answer" : this.mode,
        modes: explains ? ["answer"] : MODES,
        label: t("apps.ask"),
        placeholder: t(this.#goesOn ? "apps.ask.from" : "apps.ask.placeholder"),
        draft,
        last: messages.findLast(({ who }) => who === "you")?.text ?? "",
        hint: this.#price(),
        stopping: t("apps.ask.stopping"),
        off: this.#off(),
        ...(this.#quote && !this.#quote.fits ? { more: moreFor(this.#quote) } : {}),
        sending: false,
        since: turn?.since ?? null,
        waits: failure?.waits ?? 0,
        over: null,
        limit: MAX_CHARS,
        now,
        files: this.ends.paths(),
        several: this.#naming.view,
        tokens: this.#tokens.map(viewOf),
        queued: this.#queued?.text ?? null,
      },
      extras: Object.fromEntries(
        messages.filter(({ who }) => who !== "you").map((one) => [one.id, this.#extras(one)]),
      ),
    };
  }

  get #keys() {
    return starts[this.ends.template()] ?? [];
  }

  /** What was not asked yet. */
  #starts(): Example[] {
    const asked = new Set(this.session.view.messages.map(({ text }) => text));
    return this.#keys.filter((key) => !asked.has(english(key))).map((key) => ({ key }));
  }

  /** A request that the page offers is asked in English whatever it speaks: so the scripted model knows it. */
  #english(text: string): string {
    const key = this.#keys.find((one) => t(one) === text);
    return key ? english(key) : text;
  }

  get #goesOn(): boolean {
    return this.#from !== "" || this.#tokens.some((one) => one.from);
  }

  #extras({ run, outcome, error, proposal, result }: AppMessage): AppTurnExtras {
    const card = proposal ? this.ends.decided(proposal, result !== undefined) : null;
    return { run: run ?? null, outcome: outcome ?? null, error: error ?? null, card };
  }
}

export const isChatMode = (mode: AskMode): mode is ChatMode => MODES.some((one) => one === mode);
