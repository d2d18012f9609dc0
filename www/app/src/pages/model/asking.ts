/**
 * Words of this device that belong to no change: a tool, or another version of one, goes the road; a question is
 * answered without a model.
 */
import type {
  Driver,
  Loaded,
  SessionEvent,
  SessionTypes,
  SessionView,
  TurnEvent,
} from "@holdpoint/core/session";
import type { Checks, Classification, Store } from "@holdpoint/core/types";
import { english, type TextKey, type Turn, t } from "@holdpoint/elements";
import type { Installed, Live } from "./installed.js";

export interface Asking {
  text: string;
  /** It is asked for as a tool, whatever it sounds like. */
  tool?: boolean;
  /** It is made once more, though it stands already. */
  again?: boolean;
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
  /** A change that ended leaves the front; false where one is open and stays. */
  leave(): Promise<boolean>;
}

type Kept = Pick<SessionView<Words>, "draft" | "messages">;

const DRAFT = "ask";
const SAID = "turns";
/** In the words that `intent.classify` knows. */
const AS_TOOL = "Make a tool: ";
/** What is said where no run begins; a question is answered once. */
const ANSWERS: Record<string, TextKey> = { fork: "chat.fork", "out-of-scope": "chat.refused" };
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
    { text, tool = false, again = false }: Asking,
    tell: (event: TurnEvent<Words>) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const { around } = this;
    await around.restored().catch(() => undefined);
    const request = tool ? `${AS_TOOL}${text}` : ofExamples(text);
    const found = await this.#classified(request);
    if (signal.aborted) return;
    tell({ is: "taken" });
    const made = found.intent === "extension" && !again ? around.made(text) : null;
    if (made !== null) {
      if (await around.leave()) this.#tell({ is: "messages", messages: [] });
      tell({ is: "asked" });
      const said = { said: "chat.same", params: { name: made } } as const;
      tell({ is: "answer", message: { who: "holdpoint", ...said, again: text } });
      tell({ is: "ended", how: "done" });
      return;
    }
    const base = found.intent === "fork" ? around.base(found.target) : null;
    if (found.intent === "extension" || base) {
      this.#tell({ is: "messages", messages: [] });
      await around.begin(text, request, base);
    } else {
      if (await around.leave()) this.#tell({ is: "messages", messages: [] });
      const said = ANSWERS[found.intent] ?? "chat.once";
      const offer = found.intent === "out-of-scope" ? {} : { tool: text };
      tell({ is: "asked" });
      tell({ is: "answer", message: { who: "holdpoint", said, ...offer } });
    }
    tell({ is: "ended", how: "done" });
  }

  #classified(text: string): Promise<Classification> {
    const extensions = [...this.around.installed.all.values()].map((live) => ({
      id: live.record.id,
      name: live.manifest.name,
    }));
    const context = { has_script: false, extensions };
    return this.around.checks.call<Classification>("intent.classify", { text, context });
  }
}

/** An example is asked in English whatever the page speaks: so the classifier and the recorded model know it. */
function ofExamples(text: string): string {
  const example = EXAMPLES.find((key) => t(key) === text.trim());
  return example ? english(example) : text;
}
