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
    return (
      this.view.running ??
      (this.view.outcome
        ? "failed"
        : this.view.turns.length
          ? "idle"
          : this.view.state === "ready"
            ? "empty"
            : this.view.state)
    );
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
      ${
        view.state !== "failed"
          ? nothing
          : view.offline
            ? html`<p class="meta">${t("script.chat.offline")}</p>`
            : unread("script.chat.failed", view.problem, () => this.emit("hp-thread-again"))
      }
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
          writing
            ? html`<span class="writing"
                >${icon("spin", "s spin")}<span
                  >${t("script.writing", {
                    time: minutes(this.view.now - (turn.since ?? this.view.now)),
                  })}</span
                ></span
              >`
            : turn.at === null
              ? nothing
              : html`<time>${when(turn.at, this.view.now)}</time>`
        }${
          turn.state === "cancelled" || turn.state === "failed"
            ? html`<span>${t(`script.turn.${turn.state}`)}</span>`
            : nothing
        }
      </p>
      ${
        turn.text || writing
          ? html`<p class="words">
              ${prose(turn.text)}${
                writing ? html`<span class="caret" aria-hidden="true"></span>` : nothing
              }
            </p>`
          : nothing
      }${turn.card ? this.#card(turn.card) : nothing}
    </div>`;
  }

  #card(card: ProposalCard) {
    const size = count(card.files, card.places);
    const badge =
      card.state === "applied"
        ? html`<span class="badge pass"
            >${icon("check", "s")}<span
              >${t("script.card.applied", { time: time(card.at) })}</span
            ></span
          >`
        : card.state === "discarded" || card.state === "undone"
          ? html`<span class="badge"
              >${icon(card.state === "undone" ? "undo" : "skip", "s")}<span
                >${t(`script.card.${card.state}`)}</span
              ></span
            >`
          : verdictBadge(card.state);
    const line =
      card.state === "applied"
        ? card.places === 0
          ? t("script.card.applied.text")
          : t("script.card.took", { taken: card.taken, of: card.places })
        : card.state === "discarded"
          ? t("script.card.discarded.text")
          : card.state === "undone"
            ? t("script.card.undone.text")
            : card.state === "stale"
              ? t("script.card.stale", { path: card.stalePath, time: time(card.at) })
              : card.state === "reject"
                ? t("script.error.what")
                : t(this.view.beside ? "script.card.beside" : "script.card.waits");
    const open =
      !this.view.beside &&
      (card.state === "clean" ||
        card.state === "confirm" ||
        card.state === "stale" ||
        card.state === "reject");
    return html`<div class="pcard">
      <span class="flex"
        >${badge}${card.places ? html`<span class="meta">${size}</span>` : nothing}</span
      ><span class="meta">${line}</span>${
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
