/** The conversation about one script as its drawer shows it: a session at the edge, its words and its sizes. */
import { type EditOpsAnswer, FILES, local, type VirtualFiles } from "@holdpoint/core/editor";
import { EdgeDriver, type Failure, Session, type Told } from "@holdpoint/core/session";
import type { ErrorShape } from "@holdpoint/core/types";
import { said, t } from "@holdpoint/elements";
import type { ChatView } from "@holdpoint/elements/script/view";
import type { OutcomeView, OverBudget, ProposalCard, Turn } from "@holdpoint/elements/talk/view";
import { type Around, refused } from "./around.js";
import { known } from "./tool-view.js";
import { type Ask, ScriptRoutes, type ScriptTalk } from "./turns.js";

/** The script that is talked about. */
export interface Subject {
  tool_id: string;
  /** What goes along with a request. */
  along(mode: Ask["mode"]): Pick<Ask, "active" | "texts" | "location">;
  /** A proposal came; answers whether there is a preview of it. */
  arrived(ask: Ask, answer: EditOpsAnswer, key: string): Promise<boolean>;
  /** What stands now of the proposal of a message. */
  card(message: Turn): ProposalCard | null;
  /** The text in front, to select in. */
  select(): void;
  keep(): void;
}

/** Sizes are estimated as for a model that has no rule of its own. */
const MODEL = "default";
/** So long after a wait the page is still drawn, so that its end is seen. */
const WAITED_MS = 2_000;

export class Talking {
  mode: "chat" | "edit" = "edit";
  readonly session: Session<ScriptTalk>;

  constructor(
    private readonly around: Around,
    private readonly script: Subject,
  ) {
    const driver = new EdgeDriver(new ScriptRoutes(around.api, script.tool_id));
    this.session = new Session(driver, (event, ask) => this.#heard(event, ask));
    this.session.subscribe(() => around.changed());
  }

  #heard(event: Told<ScriptTalk>, ask: Ask | null): void {
    if (event.is === "notice")
      this.around.toast(event.code === "truncated" ? t("talk.outcome.truncated") : said(event));
    // The words are kept until there is a proposal and its preview.
    if (event.is === "proposal" && ask)
      void this.script
        .arrived(ask, event.proposal, event.key)
        .then((shown) => shown && this.session.taken(ask));
    if (event.is === "refused" || event.is === "unread") this.around.failed(event.error);
    if (event.is === "refused" || event.is === "ended") this.around.spent();
  }

  async ask(text: string, mode: Ask["mode"], more: Partial<Ask> = {}): Promise<void> {
    await this.#forget();
    const along = this.script.along(mode);
    await this.session.send({ text: known(text), typed: text, mode, ...along, ...more });
    this.script.keep();
  }

  /** A way on from a turn that did not deliver. */
  async way(way: string): Promise<void> {
    const { pending } = this.session.view;
    if (way === "again" && pending) {
      const { text, mode, feedback } = pending;
      return this.ask(text, mode, feedback ? { feedback, replaces: true } : {});
    }
    if (way === "allow" && pending) return this.ask(pending.text, pending.mode, { remote: true });
    if (way === "new") return this.clear();
    this.session.dismiss();
    if (way === "select") this.script.select();
    if (way === "less" && pending) {
      this.session.write(t("talk.outcome.less.prefix", { text: pending.text }));
      this.around.focus("chat");
    }
    if (way !== "chat") return;
    this.mode = "chat";
    const text = this.session.view.draft.trim();
    if (text) await this.ask(text, "chat");
  }

  /** The conversation is out of sight at once; it is gone when nobody can take that back any more. */
  clear(): void {
    if (!this.around.online()) {
      this.around.refused("clear", { code: "OFFLINE", message: "" });
      return;
    }
    const back = this.session.putAway();
    this.#putBack = back;
    this.script.keep();
    const undo = (): void => {
      this.#putBack = null;
      back();
      this.script.keep();
    };
    this.around.toast(t("script.chat.cleared"), "", undo, () => this.#forget());
  }

  /** Puts what was cleared back; null while nothing is. */
  #putBack: (() => void) | null = null;
  /** What was cleared is not gone yet. */
  get clearing(): boolean {
    return this.#putBack !== null;
  }

  /** What was cleared goes for good; where that is refused it stands again. */
  async #forget(): Promise<void> {
    const back = this.#putBack;
    if (!back) return;
    this.#putBack = null;
    try {
      await this.session.clear();
    } catch (error) {
      back();
      refused(this.around, "clear", error);
    }
    this.script.keep();
  }

  /** Reads what was said; `clearing`: but for what a page that is gone had cleared. */
  async begin(clearing: boolean): Promise<void> {
    this.#putBack = clearing ? () => undefined : null;
    await this.#forget();
    await this.session.resume();
  }

  /** The page leaves. */
  close(): void {
    void this.#forget();
    this.session.close();
  }

  /** Something is drawn anew each second: a call runs, or the edge said when it may be asked again. */
  get ticks(): boolean {
    const { turn, failure } = this.session.view;
    return turn !== null || (failure !== null && failure.waits > Date.now() - WAITED_MS);
  }

  draft(text: string): void {
    this.session.write(text);
    if (this.#over()) this.session.dismiss();
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
    const { state, problem, messages, turn, failure, draft } = this.session.view;
    const { texts, ...rest } = more;
    const over = this.#over();
    return {
      ...rest,
      ...{ state, problem, draft, over },
      turns: messages.map((one) => ({ ...one, card: this.script.card(one) })),
      outcome: failure && !over ? outcomeOf(failure) : null,
      mode: this.mode,
      last: messages.findLast((one) => one.who === "you")?.text ?? "",
      running: turn?.request.mode ?? null,
      since: turn?.since ?? 0,
      tokens: this.#estimate(texts),
      now: Date.now(),
    };
  }

  #sizes: { of: Failure; over: OverBudget } | null = null;

  /** What did not fit, while that is why nothing was asked; counted once. */
  #over(): OverBudget | null {
    const { failure, pending } = this.session.view;
    if (failure?.error?.code !== "MESSAGE_OVER_BUDGET" || !pending) return null;
    if (this.#sizes?.of !== failure)
      this.#sizes = { of: failure, over: this.#measured(pending, failure.error) };
    return this.#sizes.over;
  }

  #measured(ask: Ask, error: ErrorShape): OverBudget {
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

  #sized: { key: string; n: number | null } = { key: "", n: null };

  #estimate(texts: VirtualFiles): number | null {
    const { draft } = this.session.view;
    const key = FILES.map((path) => `${path}:${texts[path].length}`).join() + draft.length;
    if (key !== this.#sized.key) {
      const sent = JSON.stringify({ message: draft, virtual_files: texts });
      this.#sized = { key, n: local.tokens(this.around.core, MODEL, sent) };
    }
    return this.#sized.n;
  }
}

/** In the words of the page; what was refused is said from its code. */
function outcomeOf({ outcome, error, ...failure }: Failure): OutcomeView {
  const refused = outcome === "refused";
  const message = error ? said(error) : failure.message;
  return {
    ...failure,
    outcome: refused ? "upstream_error" : (outcome as OutcomeView["outcome"]),
    message,
    error: error && { ...error, message },
  };
}
