/**
 * A conversation: a log of turns, streamed; what became of each proposal; a turn that failed; what can be asked. Not
 * bubbles. Esc stops. UI.md §3.
 */
import { html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { HpElement } from "../base/element.js";
import { Following } from "../base/following.js";
import { minutes, when } from "../base/format.js";
import { icon } from "../base/icons.js";
import { prose } from "../base/prose.js";
import { calls, sheets } from "../base/sheets.js";
import { badges, buttons, ground } from "../base/styles.js";
import { markdown } from "../dock/markdown.js";
import { unread } from "../shell/unread.js";
import { type TextKey, t } from "../text/index.js";
import { proposalCard } from "./card.js";
import { styles } from "./conversation.styles.js";
import "./outcome.js";
import type { ConversationView, Example, Reading, Turn, Wanted } from "./view.js";

/** While no more was said than this, what can be asked stands below. */
const LITTLE = 2;

@customElement("hp-conversation")
export class Conversation extends HpElement {
  static override styles = [ground, buttons, badges, sheets, calls, styles];
  @property({ attribute: false }) view!: ConversationView;
  /** What a page has to show under the words of a turn, and behind the last one. */
  @property({ attribute: false }) below: (turn: Turn) => unknown = () => nothing;
  @property({ attribute: false }) last: () => unknown = () => nothing;
  readonly #following = new Following(this);

  protected override get state(): string {
    const { running, outcome, turns, state } = this.view;
    if (running) return running;
    if (outcome) return "failed";
    if (turns.length) return "idle";
    return state === "ready" ? "empty" : state;
  }

  override render() {
    const { view } = this;
    return html`<div class="log" role="log" aria-label=${t("talk.label")} aria-live=${view.live ? "polite" : "off"}>
        ${this.#instead(view)}
        ${repeat(
          view.turns,
          (turn) => turn.id,
          (turn) => this.#turn(turn),
        )}
        ${
          view.outcome
            ? html`<hp-outcome .view=${view.outcome} .now=${view.now}></hp-outcome>`
            : nothing
        }
        ${this.last()}${this.#more(view)}
      </div>
      ${view.clearable && view.turns.length && !view.running ? this.#clear() : nothing}`;
  }

  /** Before the first turn: it comes, it could not be read, or nothing was said. */
  #instead({ state, turns, outcome, intro, note, examples }: ConversationView) {
    if (state === "loading")
      return html`<p class="meta late">${icon("spin", "s spin")} ${t("talk.loading")}</p>`;
    if (state === "failed") return this.#failed();
    if (turns.length || outcome) return nothing;
    return html`${intro ? html`<p>${t(intro)}</p>` : nothing}${this.#examples(examples)}${
      note ? html`<p class="meta">${t(note)}</p>` : nothing
    }`;
  }

  #failed() {
    const { offline, problem } = this.view;
    if (offline) return html`<p class="meta">${t("talk.offline")}</p>`;
    return unread("talk.unread", problem, () => this.emit("hp-conversation-again"));
  }

  /** After the first turns: what else can be asked. */
  #more({ turns, outcome, running, examples }: ConversationView) {
    const little = turns.length > 0 && turns.length <= LITTLE;
    return little && !running && !outcome ? this.#examples(examples) : nothing;
  }

  #examples(examples: readonly Example[]) {
    if (!examples.length) return nothing;
    return html`<div class="stack tight">
      <p class="meta strong">${t("talk.can_ask")}</p>
      <ul class="sheet rows ex">
        ${examples.map(
          (example) =>
            html`<li>
              <button class="ex-b plain" @click=${() => this.#fill(example)}>
                <span>${t(example.key)}</span>${icon("cr", "go")}
              </button>
            </li>`,
        )}
      </ul>
    </div>`;
  }

  #fill({ key, mode }: Example): void {
    if (mode) this.emit("hp-mode", { mode });
    this.emit("hp-fill", { text: t(key) });
  }

  #turn(turn: Turn) {
    const { card } = turn;
    return html`<div
        class="said ${turn.who === "you" ? "you" : ""}"
        data-turn=${turn.id}
        data-state=${turn.state}
        data-testid=${this.view.turnId ?? nothing}
        data-role=${turn.who === "you" ? "user" : turn.who}
        data-status=${turn.state === "failed" ? "failed" : "ok"}
      >
        <p class="who"><span class="strong">${speaker(turn)}</span>${this.#how(turn)}</p>
        ${turn.text || turn.said || turn.state === "writing" ? this.#words(turn) : nothing}${
          card ? proposalCard(card, this.view.beside, () => this.#show()) : nothing
        }${turn.tool ? this.#make("talk.make_tool", { text: turn.tool }) : nothing}${
          turn.again ? this.#make("talk.make_again", { text: turn.again, again: true }) : nothing
        }${turn.readings ? this.#readings(turn.readings) : nothing}${this.below(turn)}
      </div>
      ${turn.suggestions ? this.#examples(turn.suggestions) : nothing}`;
  }

  #words(turn: Turn) {
    const rich = !turn.said && turn.who !== "you" && turn.state !== "writing";
    return rich ? html`<div class="md">${markdown(turn.text)}</div>` : words(turn);
  }

  /** When it was said, or that it is being written, or how it ended. */
  #how({ state, at, since, why }: Turn) {
    const { now } = this.view;
    if (state === "writing")
      return html`<span class="writing"
        >${icon("spin", "s spin")}<span
          >${t("talk.writing", { time: minutes(now - (since ?? now)) })}</span
        ></span
      >`;
    const ended = state === "cancelled" || state === "failed";
    return html`${at === null ? nothing : html`<time>${when(at, now)}</time>`}${
      ended ? html`<span>${t(why ?? `talk.${state}`)}</span>` : nothing
    }`;
  }

  #show(): void {
    this.emit("hp-file", { front: "panel" });
  }

  #readings(readings: readonly Reading[]) {
    return html`<p class="acts">
      ${readings.map(
        ({ says, ask }) =>
          html`<button class="btn s" @click=${() => this.emit("hp-wanted", ask)}>
            <span>${says}</span>
          </button>`,
      )}
    </p>`;
  }

  #make(label: TextKey, asked: Wanted) {
    return html`<p class="acts">
      <button class="btn s" @click=${() => this.emit("hp-wanted", asked)}>
        ${icon("plus", "s")}<span>${t(label)}</span>
      </button>
    </p>`;
  }

  #clear() {
    return html`<p class="clear">
      <button class="btn s quiet" data-testid="hp-clear" @click=${() => this.emit("hp-clear")}>
        ${icon("trash", "s")}<span>${t("talk.clear")}</span>
      </button>
    </p>`;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    // Drawn before, and put somewhere else: it is followed there.
    if (this.hasUpdated) this.requestUpdate("view");
    this.addEventListener("keydown", this.#keys);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#following.stop();
    this.removeEventListener("keydown", this.#keys);
  }

  #keys = (event: KeyboardEvent): void => {
    if (event.key === "Escape" && this.view.running) this.emit("hp-stop");
  };

  protected override updated(changed: Map<PropertyKey, unknown>): void {
    super.updated(changed);
    if (changed.has("view")) this.#following.watch([...this.renderRoot.children]);
  }
}

function speaker({ who, name }: Turn): string {
  return who === "assistant" && name ? name : t(`talk.${who}`);
}

/** Its spaces and line breaks are kept: nothing stands around the words. */
function words({ text, said, params, state }: Turn) {
  const caret =
    state === "writing" ? html`<span class="caret" aria-hidden="true"></span>` : nothing;
  return html`<p class="words">${prose(said ? t(said, params) : text)}${caret}</p>`;
}
