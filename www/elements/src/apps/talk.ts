/** The conversation about an app: log, what each run did, and the field. The foot of the column asks or stops. */

import { css, html, nothing } from "lit";
import { customElement, property, query } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { icon } from "../base/icons.js";
import { prose } from "../base/prose.js";
import { heads } from "../base/sheets.js";
import { badges, buttons, ground } from "../base/styles.js";
import { moreAfter, moreRow } from "../shell/ask-more.js";
import type { Composer } from "../talk/composer.js";
import "../talk/composer.js";
import "../talk/conversation.js";
import type { Turn } from "../talk/view.js";
import { t } from "../text/index.js";
import { refusal } from "../text/refusal.js";
import { spentOf } from "./run.js";
import type { AppTalkView, AppTurnExtras } from "./view.js";

const own = css`
  :host { display: flex; flex-direction: column; flex: 1; min-height: 0; min-width: 0; }
  .body { flex: 1; min-height: 0; padding: var(--s-6) var(--pad); }
  .foot { flex: none; border-top: 1px solid var(--line-2); background: var(--surface); }
`;

@customElement("hp-app-talk")
export class AppTalkElement extends HpElement {
  static override styles = [ground, buttons, badges, heads, own];
  @property({ attribute: false }) view!: AppTalkView;
  @property({ type: Number }) now = 0;
  @property() currency = "";
  @query("hp-composer") private composer!: Composer;

  protected override get state(): string {
    return this.view.conversation.running ? "running" : "idle";
  }

  override render() {
    const { view } = this;
    return html`<div class="p-head"><h2>${t("apps.chat")}</h2></div>
      <div
        class="body scroll"
        tabindex="0"
        role="group"
        aria-label=${t("app.scrolls", { name: t("apps.chat") })}
      >
        <hp-conversation
          .view=${view.conversation}
          .below=${this.#below}
          @hp-fill=${(event: CustomEvent<{ text: string }>) =>
            this.composer.fill(event.detail.text)}
        ></hp-conversation>
      </div>
      <div class="foot"><hp-composer .view=${view.composer}></hp-composer></div>`;
  }

  readonly #below = (turn: Turn) => {
    const extras = this.view.extras[turn.id];
    if (!extras) return nothing;
    const { run, outcome, error } = extras;
    const since = turn.state === "writing" ? (turn.since ?? this.now) : null;
    return html`<div class="below">
      ${
        run
          ? html`<hp-app-run
              .run=${run}
              .outcome=${outcome}
              .since=${since}
              .now=${this.now}
              .currency=${this.currency}
            ></hp-app-run>`
          : nothing
      }
      ${error ? this.#failed(turn, error, extras) : nothing}
      ${this.#card(turn, extras)}
    </div>`;
  };

  /** Why it did not deliver, what is kept, what it cost; for the last one, what can be done now. */
  #failed({ id }: Turn, error: NonNullable<AppTurnExtras["error"]>, { run, card }: AppTurnExtras) {
    const { conversation, composer } = this.view;
    const isLast = conversation.turns.at(-1)?.id === id && !conversation.running;
    const cost = run ? spentOf(run, this.currency) : "";
    return html`<div class="call fail" role="alert" data-testid="hp-run-failed">
      <h3>${prose(why(error))}</h3>
      <dl class="w3">
        <dt>${t("word.kept")}</dt>
        <dd>${t(card === "parked" ? "apps.run.kept.parked" : "apps.run.kept")}</dd>
        ${
          cost
            ? html`<dt>${t("word.cost")}</dt>
                <dd>${cost}</dd>`
            : nothing
        }${moreRow(moreAfter(error))}
      </dl>
      ${
        isLast
          ? html`<p class="acts">
              <button
                class="btn s"
                data-testid="hp-run-again"
                ?disabled=${composer.off !== ""}
                @click=${() => this.emit("hp-way", { way: "again" })}
              >
                ${icon("again", "s")}<span>${t("talk.outcome.again")}</span></button
              ><button
                class="btn s"
                data-testid="hp-run-change"
                @click=${() => this.composer.fill(composer.last)}
              >
                ${icon("pen", "s")}<span>${t("apps.run.change")}</span>
              </button>
            </p>`
          : nothing
      }
    </div>`;
  }

  #card(turn: Turn, { card, outcome }: AppTurnExtras) {
    if (!card) return nothing;
    const open = card === "open" || card === "parked";
    const { look, mark } = looks[card];
    const unrun = outcome === "unverified" ? t("apps.outcome.unverified") : "";
    return html`<p class="pcard row" data-testid="hp-proposal-card" data-state=${card}>
      <span class="badge ${look}">${icon(mark, "s")}<span>${t(`apps.card.${card}`)}</span></span
      >${unrun ? html`<span class="meta">${unrun}</span>` : nothing}${
        open
          ? html`<button
              class="btn s"
              data-testid="hp-look"
              @click=${() => this.emit("hp-open-proposal", { id: this.#proposal(turn) })}
            >
              ${icon("diff", "s")}<span>${t("apps.card.look")}</span>
            </button>`
          : nothing
      }
    </p>`;
  }

  #proposal(turn: Turn): string {
    return (turn as Turn & { proposal?: string }).proposal ?? "";
  }

  override focus(): void {
    this.composer.focus();
  }
}

const looks = {
  open: { look: "hold", mark: "med" },
  parked: { look: "hold", mark: "clock" },
  applied: { look: "pass", mark: "check" },
  discarded: { look: "plain", mark: "skip" },
} as const;

/** What can end a run that did not deliver (app-builder.md §16). */
const ends = [
  "MODEL_UNAVAILABLE",
  "MODEL_OUTPUT_INVALID",
  "RUN_LIMIT_REACHED",
  "RUN_STALLED",
  "RUN_INTERRUPTED",
  "LOOP_REPEATED_DIAGNOSTIC",
  "BUILDER_COMPILE_FAILED",
] as const;

/** In the words of the page for what ended the run; else of the edge. */
function why(error: NonNullable<AppTurnExtras["error"]>): string {
  const ended = ends.find((code) => code === error.code);
  return ended ? t(`apps.run.${ended}`) : refusal(error);
}

declare global {
  interface HTMLElementTagNameMap {
    "hp-app-talk": AppTalkElement;
  }
}
