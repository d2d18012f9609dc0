/**
 * Conversation or context, and the composer of the workbench: under the words of a turn what it did, in what they
 * differ from the change, and what became of it. UI.md §12 "wb-claims", "wb-running".
 */

import { html, nothing } from "lit";
import { customElement, property, query } from "lit/decorators.js";
import { HpElement } from "../../base/element.js";
import { soon, time } from "../../base/format.js";
import { type IconName, icon } from "../../base/icons.js";
import { prose, sentence } from "../../base/prose.js";
import { calls } from "../../base/sheets.js";
import { badges, buttons, ground } from "../../base/styles.js";
import "../../review/claims.js";
import { moreAfter, moreHelps, moreRow } from "../../shell/ask-more.js";
import "../../shell/copy.js";
import type { Composer } from "../../talk/composer.js";
import "../../talk/composer.js";
import "../../talk/conversation.js";
import type { Turn } from "../../talk/view.js";
import { t } from "../../text/index.js";
import { detailed, refusal } from "../../text/refusal.js";
import "./context.js";
import "./runtime.js";
import { styles } from "./talk.styles.js";
import type { ContextView, TalkView, TurnCard } from "./view.js";

const cards: Record<TurnCard["state"], { look: string; mark: IconName }> = {
  passed: { look: "pass", mark: "ok" },
  failed: { look: "fail", mark: "bad" },
  stale: { look: "hold", mark: "clock" },
  applied: { look: "pass", mark: "check" },
  older: { look: "", mark: "skip" },
  staged: { look: "run", mark: "spin" },
};

@customElement("hp-wb-talk")
export class WorkbenchTalk extends HpElement {
  static override styles = [ground, buttons, badges, calls, styles];
  @property({ attribute: false }) view!: TalkView;
  @property({ attribute: false }) context!: ContextView;
  /** What stands above the field. */
  @property() front: "chat" | "ctx" = "chat";
  @query("hp-composer") private composer!: Composer;

  protected override get state(): string {
    const { conversation, failure } = this.view;
    if (conversation.running) return "running";
    return failure ? "failed" : conversation.state;
  }

  override render() {
    const { view, front } = this;
    return html`<hp-conversation
        class="body scroll"
        tabindex="0"
        data-testid="wb-conversation"
        .view=${view.conversation}
        .below=${this.#below}
        .last=${this.#last}
        ?hidden=${front !== "chat"}
      ></hp-conversation>
      <div
        class="body ctx scroll"
        tabindex="0"
        role="group"
        aria-label=${t("app.scrolls", { name: t("wb.tab.ctx") })}
        ?hidden=${front !== "ctx"}
      >
        <hp-wb-context .view=${this.context}></hp-wb-context>
      </div>
      <div class="foot"><hp-composer .view=${view.composer}></hp-composer></div>`;
  }

  #below = (turn: Turn) => {
    const extras = this.view.extras[turn.id];
    if (!extras) return nothing;
    const { runtime, since, claims, card, reads, warnings } = extras;
    const running = turn.state === "writing" && runtime;
    return html`${
      running
        ? html`<hp-wb-runtime
            .runtime=${runtime}
            .since=${since}
            .now=${this.view.now}
          ></hp-wb-runtime>`
        : nothing
    }${claims.length ? html`<hp-claims .claims=${claims}></hp-claims>` : nothing}${
      warnings.length
        ? html`<ul class="warn">
            ${warnings.map((words) => html`<li>${icon("med", "s c-hold")}<span>${words}</span></li>`)}
          </ul>`
        : nothing
    }${card ? proposal(card) : nothing}${
      !card && reads ? html`<p class="meta reads">${t("wb.reads", { what: reads })}</p>` : nothing
    }`;
  };

  #last = () => {
    const { failure, off, over } = this.view;
    return html`${failure ? this.#failure(failure) : nothing}${over ? this.#over() : nothing}${
      off ? none(off) : nothing
    }`;
  };

  #over() {
    return html`<section class="call hold" data-testid="wb-over" aria-labelledby="h-ov">
      <h3 id="h-ov">${t("wb.over")}</h3>
      <p>${t("wb.over.text")}</p>
      <div class="flex wrap acts-c">
        <button class="btn s primary" @click=${() => this.emit("hp-act", { id: "conversation-new" })}>
          ${t("wb.earlier.new")}
        </button>
      </div>
    </section>`;
  }

  #failure({ error, again, waits }: NonNullable<TalkView["failure"]>) {
    const { hints = [] } = error;
    const more = moreAfter(error);
    const wait = Math.max(0, Math.ceil((waits - this.view.now) / 1_000));
    return html`<section
      class="call fail"
      role="alert"
      data-testid="wb-failure"
      aria-labelledby="h-fl"
    >
      <h3 id="h-fl">${t("wb.failed")}</h3>
      <dl class="w3">
        <dt>${t("word.what")}</dt>
        <dd>${prose(refusal(error))}</dd>
        ${
          hints.length
            ? html`<dt>${t("word.helps")}</dt>
                <dd>
                  <ul class="hints">
                    ${hints.map((hint) => html`<li>${hint}</li>`)}${
                      more ? html`<li>${moreHelps(more)}</li>` : nothing
                    }
                  </ul>
                </dd>`
            : moreRow(more)
        }
        <dt>${t("word.kept")}</dt>
        <dd>${t("wb.failed.kept")}</dd>
      </dl>
      <div class="flex wrap acts-c">
        ${
          again
            ? html`<button
                class="btn s primary"
                data-testid="wb-retry"
                ?disabled=${wait > 0}
                aria-describedby=${wait > 0 ? "wait" : nothing}
                @click=${() => this.emit("hp-retry")}
              >
                ${icon("again", "s")}<span>${t("wb.retry")}</span>
              </button>`
            : nothing
        }${
          wait > 0
            ? html`<span class="meta" id="wait">${t("talk.outcome.wait", { when: soon(waits, this.view.now) })}</span>`
            : nothing
        }<hp-copy .text=${detailed(error)}></hp-copy>
      </div>
    </section>`;
  }

  override focus(): void {
    this.composer?.focus();
  }

  fill(text: string): void {
    this.composer?.fill(text);
  }
}

const none = ({ title, href }: NonNullable<TalkView["off"]>) =>
  html`<section class="call fail" role="alert" data-testid="wb-off" aria-labelledby="h-pv">
    <h3 id="h-pv">${title}</h3>
    <p>${t("wb.model.without")}</p>
    <div class="flex wrap acts-c">
      <a class="btn s primary" href=${href}>${t("wb.model.set")}</a>
    </div>
  </section>`;

function proposal({ state, files, at, version }: TurnCard) {
  const { look, mark } = cards[state];
  return html`<div class="pcard" data-card=${state}>
    <span class="flex wrap"
      ><span class="badge ${look}"
        >${icon(mark, state === "staged" ? "s spin" : "s")}<span
          >${t(`wb.card.${state}`, { time: time(at) })}</span
        ></span
      >${files ? html`<span class="meta">${t("wb.files.n", { n: files })}</span>` : nothing}</span
    ><span class="meta"
      >${
        version ? sentence(t("wb.card.applied.version", { version })) : t(`wb.card.${state}.text`)
      }</span
    >
  </div>`;
}

declare global {
  interface HTMLElementTagNameMap {
    "hp-wb-talk": WorkbenchTalk;
  }
}
