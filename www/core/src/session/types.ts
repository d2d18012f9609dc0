/** What passes between a conversation, whoever shows it, and what performs its turns. */

import type { ErrorShape } from "../types.ts";

/** What a person asks. */
export interface TurnRequest {
  text: string;
  /** The words in the composer, where they are others than those that are asked. */
  typed?: string;
  /** The answer to the last request gives way to the one that comes. */
  replaces?: boolean;
}

/** What became of a proposal, and when. */
export interface Decided {
  as: "applied" | "discarded" | "undone";
  at: number;
}

export interface Message {
  id: string;
  who: "you" | "assistant" | "holdpoint";
  text: string;
  at: number | null;
  state: "done" | "writing" | "cancelled" | "failed";
  /** Since when it is being written. */
  since?: number;
  /** The turn that brought it; what it proposes is decided under this name. */
  key?: string;
  decided?: Decided;
}

/** Why a turn did not deliver. */
export interface Failure {
  /** Of the protocol; `refused` where no model was asked, `cancelled` where a person stopped it with nothing there. */
  outcome: string;
  message: string;
  /** How long the turn ran. */
  seconds: number;
  error: ErrorShape | null;
  /** Before this time asking again would be refused; 0 where nobody said so. */
  waits: number;
}

/** A refusal that may say after how many milliseconds one may ask again. */
export type Refusal = ErrorShape & { retryMs?: number };

/** The types of one sort of conversation. */
export interface SessionTypes {
  request: TurnRequest;
  message: Message;
  /** What its driver shows of its work. */
  progress: unknown;
  /** What a turn may bring for a person to decide. */
  proposal: unknown;
  /** What a person says to it, and what that answers. */
  decision: unknown;
  answer: unknown;
}

/** What a turn tells, in order; the first `ended` is its last word. */
export type TurnEvent<S extends SessionTypes> =
  /** The request stands in the conversation. */
  | { is: "asked" }
  /** It was taken: its words leave the composer. */
  | { is: "taken" }
  /** The answer as far as it is known; what was told before stays. */
  | { is: "answer"; message: Partial<S["message"]> }
  | { is: "delta"; text: string }
  /** Beside the answer; `code` where it has one. */
  | { is: "notice"; code: string; message: string; args?: ErrorShape["args"] }
  | { is: "proposal"; key: string; proposal: S["proposal"] }
  | { is: "ended"; how: End; failure?: Pick<Failure, "outcome" | "message" | "error"> };

/** `nothing`: there is no answer, and what stood for it goes. */
export type End = "done" | "cancelled" | "failed" | "nothing";

/** What happens at any time, also between turns. */
export type SessionEvent<S extends SessionTypes> =
  | { is: "progress"; progress: S["progress"] }
  /** Why the work does not go on; null once it does. */
  | { is: "failure"; error: Refusal | null }
  | { is: "decided"; key: string; as: Decided["as"] }
  /** The conversation is another one. */
  | { is: "messages"; messages: readonly S["message"][] };

/** What a page is told beside the view; `refused` and `unread` end a `send` and a `resume`, which do not reject. */
export type Told<S extends SessionTypes> =
  | TurnEvent<S>
  | { is: "refused" | "unread"; error: Refusal };

/** What was said before, and the turn that still runs. */
export interface Loaded<S extends SessionTypes> {
  messages: readonly S["message"][];
  draft?: string;
  running?: Running<S>;
}

export interface Running<S extends SessionTypes> {
  key: string;
  request: S["request"];
  /** The message that the turn writes. */
  message: string;
}

/** Performs turns: at the edge, in a worker, on the device. Rejects with a `Refusal` where nothing was done. */
export interface Driver<S extends SessionTypes> {
  /** Comes first: what happens outside of turns is told there. */
  attach?(tell: (event: SessionEvent<S>) => void): void;
  load(): Promise<Loaded<S>>;
  turn(
    request: S["request"],
    tell: (event: TurnEvent<S>) => void,
    signal: AbortSignal,
  ): Promise<void>;
  /** Goes on with a turn that began before this page; it is told from its start. */
  follow?(
    running: Running<S>,
    tell: (event: TurnEvent<S>) => void,
    signal: AbortSignal,
  ): Promise<void>;
  /** A person stopped: what is to be told elsewhere. The signal of a turn in flight is given already. */
  stop?(): void;
  decide?(decision: S["decision"]): Promise<S["answer"]>;
  clear?(): Promise<void>;
  close?(): void;
}

/** A conversation at one moment; never changed once it was given out. */
export interface SessionView<S extends SessionTypes> {
  state: "loading" | "ready" | "failed";
  /** Why it could not be read. */
  problem: ErrorShape | null;
  messages: readonly S["message"][];
  /** The words in the composer. */
  draft: string;
  /** The turn in flight. */
  turn: { request: S["request"]; since: number } | null;
  failure: Failure | null;
  /** The request that did not deliver, to be asked once more. */
  pending: S["request"] | null;
  progress: S["progress"] | null;
}
