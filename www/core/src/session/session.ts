/**
 * A conversation with a model: what was said, the turn in flight, what waits in the composer.
 *
 * Owns the order of things: one turn at a time, closed exactly once; what a stopped turn still tells is dropped; words
 * leave the composer only when they were taken. Knows no kind, no route and no element: a `Driver` performs the turns.
 */

import type {
  Decided,
  Driver,
  Message,
  Refusal,
  Running,
  SessionEvent,
  SessionTypes,
  SessionView,
  Told,
  TurnEvent,
  TurnRequest,
} from "./types.ts";

type Ended<S extends SessionTypes> = Extract<TurnEvent<S>, { is: "ended" }>;
type Tell<S extends SessionTypes> = (event: TurnEvent<S>) => void;

export class Session<S extends SessionTypes> {
  readonly #listeners = new Set<() => void>();
  #cut = new AbortController();
  /** Counts turns and their ends: what tells of another one comes late. */
  #count = 0;
  /** What was decided here: it stands over what is read later. */
  readonly #decisions = new Map<string, Decided>();
  /** The messages of the turn in flight: what was asked, and the answer. */
  #own = { asked: "", answer: "" };
  #view: SessionView<S> = {
    state: "loading",
    problem: null,
    messages: [],
    draft: "",
    turn: null,
    failure: null,
    pending: null,
    progress: null,
  };

  /** `heard` is told what turns bring beside the view, and what was refused. */
  constructor(
    private readonly driver: Driver<S>,
    private readonly heard: (event: Told<S>, request: S["request"] | null) => void = () =>
      undefined,
  ) {
    driver.attach?.((event) => this.#happened(event));
  }

  get view(): SessionView<S> {
    return this.#view;
  }

  /** Tells `listener` of every change until what is answered is called. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Reads what was said before, and goes on with the turn that still runs. */
  async resume(): Promise<void> {
    const count = this.#count;
    this.#set({ state: "loading", problem: null });
    try {
      const { messages, draft, running } = await this.driver.load();
      // A turn that began meanwhile has the newer words.
      if (count !== this.#count) return this.#set({ state: "ready" });
      const words = draft === undefined ? {} : { draft };
      this.#set({ state: "ready", messages: this.#known(messages), ...words });
      if (running) void this.#follow(running);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      this.#set({ state: "failed", problem: error });
      this.heard({ is: "unread", error }, null);
    }
  }

  async #follow(running: Running<S>): Promise<void> {
    const { request, message } = running;
    const perform = (tell: Tell<S>, signal: AbortSignal) => {
      tell({ is: "answer", message: { text: "", key: running.key } as Partial<S["message"]> });
      return this.driver.follow?.(running, tell, signal) ?? Promise.resolve();
    };
    await this.#perform(request, message, perform);
  }

  /** Asks, and resolves when the turn is over. False where one is in flight: then nothing is asked. */
  async send(request: S["request"]): Promise<boolean> {
    if (this.#view.turn) return false;
    await this.#perform(request, crypto.randomUUID(), (tell, signal) =>
      this.driver.turn(request, tell, signal),
    );
    return true;
  }

  async #perform(
    request: S["request"],
    answer: string,
    work: (tell: Tell<S>, signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    this.#count += 1;
    const mine = this.#count;
    const current = (): boolean => mine === this.#count;
    this.#cut = new AbortController();
    this.#own = { asked: `${answer}-asked`, answer };
    this.#set({ turn: { request, since: Date.now() }, failure: null, pending: request });
    try {
      await work((event) => current() && this.#hear(event), this.#cut.signal);
      if (current()) this.#hear({ is: "ended", how: "cancelled" });
    } catch (error) {
      if (!current()) return;
      if (isRefusal(error)) return this.#refused(request, error);
      this.#hear({ is: "ended", how: "nothing" });
      throw error;
    }
  }

  #hear(event: TurnEvent<S>): void {
    const { turn } = this.#view;
    if (!turn) return;
    if (event.is === "asked") this.#asked(turn.request);
    if (event.is === "taken") this.taken(turn.request);
    if (event.is === "answer") this.#answer(event.message);
    if (event.is === "delta")
      this.#answer({ text: this.#written() + event.text } as Partial<S["message"]>);
    if (event.is === "ended") this.#end(event);
    this.heard(event, turn.request);
  }

  /** Asked once more, the words that stand there already are not said again. */
  #asked({ text, replaces }: TurnRequest): void {
    let { messages } = this.#view;
    if (replaces)
      messages = messages.slice(0, messages.findLastIndex((one) => one.who === "you") + 1);
    const last = messages.at(-1);
    const again = replaces || (last?.who === "you" && last.text === text);
    const mine: Message = { id: this.#own.asked, who: "you", text, at: Date.now(), state: "done" };
    this.#set({ messages: again ? messages : [...messages, mine] });
  }

  #written(): string {
    return this.#view.messages.find((one) => one.id === this.#own.answer)?.text ?? "";
  }

  #answer(change: Partial<S["message"]>): void {
    const { messages, turn } = this.#view;
    if (!turn) return;
    const { since } = turn;
    const id = this.#own.answer;
    const fresh: Message = { id, who: "assistant", text: "", at: null, state: "writing", since };
    const answer = { ...fresh, ...messages.find((one) => one.id === id), ...change };
    this.#set({ messages: [...messages.filter((one) => one.id !== id), answer] });
  }

  #end({ how, failure }: Ended<S>): void {
    const { messages, turn } = this.#view;
    this.#count += 1;
    const ended = messages.flatMap((one) => {
      if (one.id !== this.#own.answer) return [one];
      return how === "nothing" ? [] : [{ ...one, state: how, at: Date.now() }];
    });
    const seconds = Math.round((Date.now() - (turn?.since ?? Date.now())) / 1_000);
    this.#set({
      messages: ended,
      turn: null,
      failure: failure ? { ...failure, seconds, waits: 0 } : null,
      ...(how === "done" ? { pending: null } : {}),
    });
  }

  /** Refused before anything was done: the conversation is as it was, and the words are in the composer. */
  #refused(request: S["request"], error: Refusal): void {
    const { messages, draft } = this.#view;
    const { asked, answer } = this.#own;
    this.#count += 1;
    this.#set({
      messages: messages.filter((one) => one.id !== asked && one.id !== answer),
      draft: draft || (request.typed ?? request.text),
      turn: null,
    });
    this.#fail(error);
    this.heard({ is: "refused", error }, request);
  }

  #fail(error: Refusal | null): void {
    const waits = error?.retryMs === undefined ? 0 : Date.now() + error.retryMs;
    const { message = "" } = error ?? {};
    this.#set({ failure: error && { outcome: "refused", message, seconds: 0, error, waits } });
  }

  #happened(event: SessionEvent<S>): void {
    if (event.is === "progress") this.#set({ progress: event.progress });
    if (event.is === "failure") this.#fail(event.error);
    if (event.is === "messages") this.#set({ messages: this.#known(event.messages) });
    if (event.is === "decided") this.decided(event.key, event.as);
  }

  /** Notes what became of the proposal that a turn brought. */
  decided(key: string, as: Decided["as"]): void {
    this.#decisions.set(key, { as, at: Date.now() });
    this.#set({ messages: this.#known(this.#view.messages) });
  }

  #known(messages: readonly S["message"][]): S["message"][] {
    return messages.map((one) => {
      const decided = this.#decisions.get(one.key ?? "");
      return decided ? { ...one, decided } : one;
    });
  }

  /** The words of a request leave the composer, unless a person wrote others meanwhile. */
  taken({ text, typed = text }: TurnRequest): void {
    if (this.#view.draft.trim() === typed.trim()) this.write("");
  }

  /** What stands in the composer. */
  write(draft: string): void {
    this.#set({ draft });
  }

  /** Ends the turn in flight at once: what had come of its answer stays, and nothing is proposed. */
  stop(): void {
    if (this.#view.turn) {
      this.#cut.abort();
      const some = this.#written() !== "";
      const failure = { outcome: "cancelled", message: "", error: null };
      this.#hear({
        is: "ended",
        how: some ? "cancelled" : "nothing",
        ...(some ? {} : { failure }),
      });
    }
    this.driver.stop?.();
  }

  /** What a person decides; rejects as the driver does. */
  async decide(decision: S["decision"]): Promise<S["answer"]> {
    if (!this.driver.decide) throw new Error("Nothing is decided in this conversation.");
    return this.driver.decide(decision);
  }

  /** Forgets what was said; rejects as the driver does, and then it stands. */
  async clear(): Promise<void> {
    if (this.#view.turn) this.stop();
    await this.driver.clear?.();
    this.#set({ messages: [], failure: null, pending: null });
  }

  /** Takes what was said out of sight; what is answered puts it back, before what was said since. */
  putAway(): () => void {
    if (this.#view.turn) this.stop();
    const { messages, failure, pending } = this.#view;
    this.#set({ messages: [], failure: null, pending: null });
    return () => this.#set({ messages: [...messages, ...this.#view.messages], failure, pending });
  }

  /** A person has read why the last turn did not deliver. */
  dismiss(): void {
    this.#set({ failure: null });
  }

  /** The page leaves: nothing is heard of the turn in flight any more, and its connection ends. */
  close(): void {
    this.#count += 1;
    this.#listeners.clear();
    this.#cut.abort();
    this.driver.close?.();
  }

  #set(change: Partial<SessionView<S>>): void {
    this.#view = { ...this.#view, ...change };
    for (const listener of this.#listeners) listener();
  }
}

/** An error of the edge or of a worker; anything else is a fault of ours. */
export const isRefusal = (error: unknown): error is Refusal =>
  typeof (error as Refusal | null)?.code === "string";
