/** The conversation about one script: a log, streamed; what became of each proposal; a turn that failed. Esc stops. */
import { css, html, nothing } from "lit";
import { customElement, property, query } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { HpElement } from "../base/element.js";
import { minutes, time, when } from "../base/format.js";
import { icon } from "../base/icons.js";
import { prose } from "../base/prose.js";
import { calls, sheets } from "../base/sheets.js";
import { badges, buttons, ground } from "../base/styles.js";
import { t } from "../text/index.js";
import "./outcome.js";
import { unread } from "./unread.js";
import { count, verdictBadge } from "./verdict.js";
import type { ChatView, ProposalCard, ScriptTurn } from "./view.js";

const own = css`
  :host {
    flex: 1;
    min-height: 0;
    display: block;
    overflow: auto;
    overscroll-behavior: contain;
    scrollbar-width: thin;
  }
  .log {
    padding: var(--pad);
    display: grid;
    gap: var(--s-7);
    align-content: start;
    grid-template-columns: minmax(0, 1fr);
  }
  .said p.words { overflow-wrap: anywhere; white-space: pre-wrap; }
  .ex-b {
    gap: var(--s-4);
    align-items: center;
    padding: var(--s-4) var(--s-5);
    font-size: var(--t-small);
    min-height: var(--row);
  }
  .pcard {
    border: 1px solid var(--line-2);
    border-radius: var(--r-2);
    padding: var(--s-4) var(--s-5);
    display: grid;
    gap: var(--s-3);
    margin-top: var(--s-4);
    background: var(--sunken);
  }
  .pcard .flex { flex-wrap: wrap; }
  .caret {
    display: inline-block;
    width: 2px;
    height: 1em;
    background: var(--action-fill);
    vertical-align: -2px;
    margin-inline-start: 2px;
  }
  .writing { display: flex; gap: var(--s-2); align-items: center; color: var(--action); }
`;

/** So close to the end the view follows what comes. */
const NEAR_END = 80;

@customElement("hp-thread")
export class Thread extends HpElement {
  static override styles = [ground, buttons, badges, sheets, calls, own];
  @property({ attribute: false }) view!: ChatView;
  @query(".log") private log!: HTMLElement;
  #follow = true;

  protected override get state(): string {
    const { running, outcome, turns, state } = this.view;
    if (running) return running;
    if (outcome) return "failed";
    if (turns.length) return "idle";
    return state === "ready" ? "empty" : state;
  }

  override render() {
    const { view } = this;
    const none = view.turns.length === 0 && !view.outcome;
    return html`<div class="log" role="log" aria-label=${t("script.chat.log")} aria-live="off">
      ${
        view.state === "loading"
          ? html`<p class="meta late">${icon("spin", "s spin")} ${t("script.chat.loading")}</p>`
          : nothing
      }
      ${view.state === "failed" ? this.#failed() : nothing}
      ${none && view.state === "ready" ? this.#start() : nothing}
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
      ${
        !none && !view.running && !view.outcome && view.turns.length <= 2
          ? this.#examples()
          : nothing
      }
    </div>`;
  }

  #failed() {
    const { offline, problem } = this.view;
    if (offline) return html`<p class="meta">${t("script.chat.offline")}</p>`;
    return unread("script.chat.failed", problem, () => this.emit("hp-thread-again"));
  }

  #start() {
    return html`${
      this.view.empty ? html`<p>${t("script.chat.intro")}</p>` : nothing
    }${this.#examples()}
      <p class="meta">${t("script.chat.note")}</p>`;
  }

  #examples() {
    return html`<div class="stack tight">
      <p class="meta strong">${t("script.chat.ask")}</p>
      <ul class="sheet rows ex">
        ${this.view.examples.map(
          ({ key, mode }) =>
            html`<li>
              <button class="ex-b" @click=${() => this.#fill(t(key), mode)}>
                <span>${t(key)}</span>${icon("cr", "go")}
              </button>
            </li>`,
        )}
      </ul>
    </div>`;
  }

  #fill(text: string, mode: "chat" | "edit"): void {
    if (mode !== this.view.mode) this.emit("hp-mode", { mode });
    this.emit("hp-fill", { text });
  }

  #turn(turn: ScriptTurn) {
    const writing = turn.state === "writing";
    return html`<div
      class="said ${turn.who === "you" ? "you" : ""}"
      data-turn=${turn.id}
      data-state=${turn.state}
    >
      <p class="who">
        <span class="strong">${t(turn.who === "you" ? "script.you" : "script.assistant")}</span>${
          writing ? this.#writing(turn) : this.#at(turn)
        }${
          turn.state === "cancelled" || turn.state === "failed"
            ? html`<span>${t(`script.turn.${turn.state}`)}</span>`
            : nothing
        }
      </p>
      ${turn.text || writing ? words(turn.text, writing) : nothing}${
        turn.card ? this.#card(turn.card) : nothing
      }
    </div>`;
  }

  #writing({ since }: ScriptTurn) {
    const { now } = this.view;
    return html`<span class="writing"
      >${icon("spin", "s spin")}<span
        >${t("script.writing", { time: minutes(now - (since ?? now)) })}</span
      ></span
    >`;
  }

  #at({ at }: ScriptTurn) {
    return at === null ? nothing : html`<time>${when(at, this.view.now)}</time>`;
  }

  #card(card: ProposalCard) {
    const size = count(card.files, card.places);
    const open =
      !this.view.beside &&
      (card.state === "clean" ||
        card.state === "confirm" ||
        card.state === "stale" ||
        card.state === "reject");
    return html`<div class="pcard">
      <span class="flex"
        >${badge(card)}${card.places ? html`<span class="meta">${size}</span>` : nothing}</span
      ><span class="meta">${cardWords(card, this.view.beside)}</span>${
        open
          ? html`<span
              ><button class="btn s quiet" @click=${() => this.emit("hp-file", { front: "panel" })}>
                ${icon("diff", "s")}<span>${t("script.card.show")}</span>
              </button></span
            >`
          : nothing
      }
    </div>`;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.addEventListener("scroll", this.#scrolled, { passive: true });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.removeEventListener("scroll", this.#scrolled);
  }

  #scrolled = (): void => {
    this.#follow = this.scrollHeight - this.scrollTop - this.clientHeight < NEAR_END;
  };

  protected override updated(changed: Map<PropertyKey, unknown>): void {
    super.updated(changed);
    if (changed.has("view") && this.#follow && this.log) this.scrollTop = this.scrollHeight;
  }
}

/** Its spaces and line breaks are kept: nothing stands around the words. */
function words(text: string, writing: boolean) {
  const caret = writing ? html`<span class="caret" aria-hidden="true"></span>` : nothing;
  return html`<p class="words">${prose(text)}${caret}</p>`;
}

function badge({ state, at }: ProposalCard) {
  if (state === "applied") {
    const words = t("script.card.applied", { time: time(at) });
    return html`<span class="badge pass">${icon("check", "s")}<span>${words}</span></span>`;
  }
  if (state !== "discarded" && state !== "undone") return verdictBadge(state);
  return html`<span class="badge"
    >${icon(state === "undone" ? "undo" : "skip", "s")}<span
      >${t(`script.card.${state}`)}</span
    ></span
  >`;
}

/** What became of a proposal, or where it waits. */
function cardWords(card: ProposalCard, beside: boolean): string {
  const { state, places, taken, stalePath: path, at } = card;
  switch (state) {
    case "applied":
      return places ? t("script.card.took", { taken, of: places }) : t("script.card.applied.text");
    case "discarded":
      return t("script.card.discarded.text");
    case "undone":
      return t("script.card.undone.text");
    case "stale":
      return t("script.card.stale", { path, time: time(at) });
    case "reject":
      return t("script.error.what");
    default:
      return t(beside ? "script.card.beside" : "script.card.waits");
  }
}
