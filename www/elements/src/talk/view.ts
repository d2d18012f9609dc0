/** What a conversation and its field show, as values. Who fills them knows the page; these know no page and no kind. */
import type { Outcome } from "@holdpoint/core/editor";
import type { Message } from "@holdpoint/core/session";
import type { ErrorShape } from "@holdpoint/core/types";
import type { IconName } from "../base/icons.js";
import type { Params, TextKey } from "../text/index.js";

/** What Enter asks for: a change, other words for the plan at the gate, an answer, a proposal, or the steps to one. */
export type AskMode = "ask" | "adjust" | "chat" | "edit" | "plan" | "answer";

/** A request that can be asked: the key of its words, and the mode that it is asked in where there are several. */
export interface Example {
  key: TextKey;
  mode?: "chat" | "edit";
}

/** What became of a proposal, under the words that came with it. */
export interface ProposalCard {
  state: "clean" | "confirm" | "reject" | "stale" | "applied" | "discarded" | "undone";
  files: number;
  places: number;
  taken: number;
  at: number;
  stalePath: string;
}

export interface Turn extends Message {
  /** The answering model's name. */
  name?: string;
  /** Words of the page itself, by their key; they follow the language and stand in for `text`. */
  said?: TextKey;
  /** What stands in `said`. */
  params?: Params;
  /** Why it failed. */
  why?: TextKey;
  card?: ProposalCard | null;
  /** What can be asked instead. */
  suggestions?: readonly Example[];
  /** Offer to ask again as an extension: the original request. */
  tool?: string;
  /** Offer to have made once more what stands already: the original request. */
  again?: string;
  /** What the words may mean: a person says which. */
  readings?: readonly Reading[];
}

/** One meaning of a request, as the answer to a question. */
export interface Reading {
  says: string;
  ask: Wanted;
}

/** A request with what a person said of it. */
export interface Wanted {
  text: string;
  /** It is made once more. */
  again?: boolean;
  /** It is answered once, and becomes no tool. */
  once?: boolean;
  /** The extension that it changes. */
  target?: string;
}

/** A turn that did not deliver, worded, with what helps. */
export interface OutcomeView {
  outcome: Exclude<Outcome, "ok">;
  message: string;
  seconds: number;
  error: ErrorShape | null;
  /** Before this time the edge would refuse again; 0 where it did not say. */
  waits: number;
}

export interface ConversationView {
  state: "loading" | "ready" | "failed";
  /** Why the conversation could not be read. */
  problem: ErrorShape | null;
  offline: boolean;
  turns: readonly Turn[];
  outcome: OutcomeView | null;
  /** A call runs that brings the next turn. */
  running: "chat" | "edit" | null;
  /** What can be asked while little was said. */
  examples: readonly Example[];
  /** Before the first turn: what it is for, and what comes of asking. */
  intro: TextKey | null;
  note: TextKey | null;
  /** The proposal is in front beside the conversation. */
  beside: boolean;
  /** Whether what comes is read out; else the page says itself what happens. */
  live: boolean;
  /** Whether it can be cleared from inside. */
  clearable: boolean;
  /** The test id of a turn, where its page names one. */
  turnId?: string;
  now: number;
}

/** How much of a request does not fit. */
export interface OverBudget {
  budget: number;
  system: number;
  files: number;
  message: number;
  largest: string;
  largestTokens: number;
}

/** A name in a request that fits several files. */
export interface SeveralView {
  /** As it is written, with its `@`. */
  raw: string;
  candidates: readonly string[];
}

/** What goes along with the words of a request, and can be left out of it. */
export interface AlongView {
  id: string;
  mark: IconName;
  label: string;
  /** Where it stands; of several a person chooses one. */
  places: readonly string[];
  at: number | null;
}

export interface ComposerView {
  mode: AskMode;
  /** The modes that a person chooses between; empty where there is no choice. */
  modes: readonly ("chat" | "edit" | "plan" | "answer")[];
  label: string;
  placeholder: string;
  /** The draft. The host keeps it; the element says each change with `hp-draft`. */
  draft: string;
  /** The last text that was asked, for ↑. */
  last: string;
  /** What goes along, or how to ask. */
  hint: string;
  /** How much goes along, inside of the field; the hint then stands below it. */
  along?: string;
  /** What stopping does, where it is not what it does elsewhere. */
  stopping?: string;
  /** Test ids, where the page names its own. */
  ids?: { form: string; send: string; stop: string; along: string };
  /** Why asking is off; empty while it is on. */
  off: string;
  /** Where more of the budget is asked for, where that is why. */
  more?: string;
  sending: boolean;
  /** Since when a call runs that can be stopped; null where none does. */
  since: number | null;
  /** Before this time the edge would refuse again; 0 where it did not say. */
  waits: number;
  over: OverBudget | null;
  /** The longest request, in characters. */
  limit: number;
  now: number;
  /** Files that `@` can name; absent where it names none. */
  files?: readonly string[];
  /** Names that have to be decided before it is asked. */
  several?: readonly SeveralView[];
  tokens?: readonly AlongView[];
  /** The request that waits for the end of the run, or null; absent where none can wait. */
  queued?: string | null;
}
