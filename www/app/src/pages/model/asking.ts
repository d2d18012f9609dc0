/**
 * Words of this device that belong to no change: a tool, another version of one and a question begin a run; what may
 * mean several things is asked back without one.
 */
import type {
  Driver,
  Loaded,
  SessionEvent,
  SessionTypes,
  SessionView,
  TurnEvent,
} from "@holdpoint/core/session";
import type { Checks, Classification, IntentReading, Store } from "@holdpoint/core/types";
import { english, type Reading, type Turn, t, type Wanted } from "@holdpoint/elements";
import type { Installed, Live } from "./installed.js";
import type { Promoting } from "./promoting.js";

export interface Asking extends Wanted {
  /** It is asked for as a tool, whatever it sounds like. */
  tool?: boolean;
}

export interface Words extends SessionTypes {
  request: Asking;
  message: Turn;
  progress: never;
  proposal: never;
  decision: never;
  answer: never;
}

interface Around {
  checks: Checks;
  store: Store;
  installed: Installed;
  /** The change that was in front is there again. */
  restored(): Promise<unknown>;
  /** A new change takes the front, and its run has heard `request`; `base` is what it changes. */
  begin(text: string, request: string, base: Live | null): Promise<void>;
  /** What words about a change of something installed mean; null where that cannot be said. */
  base(target: string | null): Live | null;
  /** The name of what is installed from the same words; null where nothing is. */
  made(text: string): string | null;
  /** What makes a tool of the script in front that ran; null where there is none. */
  script(): Pick<Promoting, "open"> | null;
  /** A model is open, which a question is about. */
  opened(): boolean;
  /** A change that ended leaves the front; false where one is open and stays. */
  leave(): Promise<boolean>;
}

type Kept = Pick<SessionView<Words>, "draft" | "messages">;

const DRAFT = "ask";
const SAID = "turns";
/** In the words that `intent.classify` knows. */
const AS_TOOL = "Make a tool: ";
export const EXAMPLES = ["empty.ex1", "empty.ex2", "empty.ex3"] as const;

export class WordsDriver implements Driver<Words> {
  #tell: (event: SessionEvent<Words>) => void = () => undefined;
  /** As the device has it. */
  #kept: Kept = { draft: "", messages: [] };

  constructor(private readonly around: Around) {}

  attach(tell: (event: SessionEvent<Words>) => void): void {
    this.#tell = tell;
  }

  async load(): Promise<Loaded<Words>> {
    const { store } = this.around;
    this.#kept = {
      messages: (await store.get<Turn[]>("drafts", SAID)) ?? [],
      draft: (await store.get<string>("drafts", DRAFT)) ?? "",
    };
    return this.#kept;
  }

  /** What was said and what stands in the composer outlive the page. */
  async keep(now: Kept): Promise<void> {
    const { draft, messages } = this.#kept;
    this.#kept = now;
    const { store } = this.around;
    if (now.draft !== draft) await store.put("drafts", DRAFT, now.draft);
    if (now.messages !== messages) await store.put("drafts", SAID, now.messages);
  }

  /** What was forgotten stands again, unless something was said since. */
  bringBack(messages: readonly Turn[]): void {
    if (this.#kept.messages.length === 0) this.#tell({ is: "messages", messages: [...messages] });
  }

  async turn(
    { text, tool = false, again = false, once = false, target }: Asking,
    tell: (event: TurnEvent<Words>) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const { around } = this;
    await around.restored().catch(() => undefined);
    const request = tool ? `${AS_TOOL}${text}` : ofExamples(text);
    const found = await this.#classified(request, tool);
    if (signal.aborted) return;
    tell({ is: "taken" });
    const base = found.intent === "fork" ? around.base(target ?? found.target) : null;
    const said = base ? null : this.#said(found, { text, again, once });
    if (said) {
      if (await around.leave()) this.#tell({ is: "messages", messages: [] });
      tell({ is: "asked" });
      tell({ is: "answer", message: { who: "holdpoint", ...said } });
    } else if (found.mode === "A") {
      around.script()?.open();
    } else {
      this.#tell({ is: "messages", messages: [] });
      await around.begin(text, request, base);
    }
    tell({ is: "ended", how: "done" });
  }

  /** What the page says itself, without a run: a question of its own, or why there is none. */
  #said({ intent, near }: Classification, { text, again, once }: Asking): Partial<Turn> | null {
    const { around } = this;
    if (intent === "extension") {
      const name = again ? null : around.made(text);
      return name === null ? null : { said: "chat.same", params: { name }, again: text };
    }
    if (near && !once)
      return { text: near.question, readings: near.readings.map((one) => read(one, text)) };
    if (intent === "out-of-scope") return { said: "chat.refused" };
    if (intent === "fork") return { said: "chat.fork", tool: text };
    return around.opened() ? null : { said: "chat.nomodel" };
  }

  /** Who said that a tool is wanted is not asked what is meant. */
  async #classified(text: string, tool: boolean): Promise<Classification> {
    const extensions = [...this.around.installed.all.values()].map((live) => ({
      id: live.record.id,
      name: live.manifest.name,
    }));
    const context = { has_script: this.around.script() !== null, extensions };
    const input = { text, context };
    const found = await this.around.checks.call<Classification>("intent.classify", input);
    if (!tool || found.intent === "out-of-scope") return found;
    const { near: _, ...known } = found;
    return { ...known, intent: "extension", mode: "B" };
  }
}

/** A meaning as a person picks it. */
function read({ says, intent, target }: IntentReading, text: string): Reading {
  if (intent === "one-shot") return { says, ask: { text, once: true } };
  return { says, ask: { text, ...(target === null ? {} : { target }) } };
}

/** An example is asked in English whatever the page speaks: so the classifier and the recorded model know it. */
function ofExamples(text: string): string {
  const example = EXAMPLES.find((key) => t(key) === text.trim());
  return example ? english(example) : text;
}
