/** The words of a person: asked, asked once more, stopped; what waits in the field is kept on this device. */
import {
  type CrewAsk,
  type CrewMessage,
  CrewRoutes,
  type CrewTalk,
  type SessionAnswer,
  type TurnResult,
} from "@holdpoint/core/crew";
import { EdgeDriver, Session, type Told } from "@holdpoint/core/session";
import type { Around } from "./around.js";
import { Drafts } from "./drafts.js";

/** What becomes of a turn, for the rest of the bench. */
export interface Turns {
  /** The session was read whole. */
  whole(answer: SessionAnswer): void;
  /** A turn brought its result. */
  came(result: TurnResult): void;
  /** A turn ended without one; what is staged is read again. */
  ended(): void;
}

export class Asking {
  readonly session: Session<CrewTalk>;
  /** Objects that do not go along with the next message. */
  readonly out = new Set<string>();
  readonly #drafts: Drafts;

  constructor(
    private readonly around: Around,
    session: string,
    /** What is talked about: its draft is one, whatever the conversation. */
    about: string,
    private readonly turns: Turns,
  ) {
    const routes = new CrewRoutes(around.sessions, session, (answer) => turns.whole(answer));
    this.session = new Session(new EdgeDriver(routes), (event) => this.#heard(event));
    this.session.subscribe(() => around.changed());
    this.#drafts = new Drafts(around.device, about);
  }

  /** Reads what was said, goes on with the turn that runs, and brings back what was being written. */
  async open(): Promise<void> {
    const [draft] = await Promise.all([this.#drafts.open(), this.session.resume()]);
    if (draft && this.session.view.draft === "") this.session.write(draft);
  }

  #heard(event: Told<CrewTalk>): void {
    if (event.is === "proposal") this.turns.came(event.proposal);
    if (event.is === "unread") this.around.failed(event.error);
    // Behind the end that follows: what is read before it would be dropped.
    if (event.is === "notice" && event.code === "AI_TURN_EXPIRED")
      queueMicrotask(() => void this.session.resume());
    if (event.is === "taken") this.#drafts.keep(this.session.view.draft);
    if (event.is === "refused") {
      this.around.failed(event.error);
      // Another page asked: its turn is followed here too.
      if (event.error.code === "AI_TURN_IN_PROGRESS") void this.session.resume();
    }
    if (event.is !== "ended" && event.is !== "refused") return;
    this.around.spent();
    this.turns.ended();
  }

  write(text: string): void {
    this.session.write(text);
    this.#drafts.keep(text);
  }

  async ask(text: string): Promise<void> {
    const exclude = [...this.out];
    await this.session.send({ text, clientMessageId: crypto.randomUUID(), exclude });
  }

  /** The last message once more, under its own id: it is said once. */
  async again(): Promise<void> {
    const ask = this.failed();
    if (ask) await this.session.send(ask);
  }

  /** The message that did not deliver: of this page, or as it was read. */
  failed(): CrewAsk | null {
    const { turn, pending, failure, messages } = this.session.view;
    if (turn) return null;
    if (pending && failure) return pending;
    const last = messages.at(-1);
    return last?.who === "you" && last.state === "failed" ? askOf(last) : null;
  }

  stop(): void {
    this.session.stop();
  }

  close(): void {
    this.session.close();
    this.#drafts.close();
  }

  exclude(object: string, out: boolean): void {
    if (out) this.out.add(object);
    else this.out.delete(object);
  }
}

const askOf = ({ text, clientMessageId = crypto.randomUUID() }: CrewMessage): CrewAsk => ({
  text,
  clientMessageId,
  exclude: [],
});
