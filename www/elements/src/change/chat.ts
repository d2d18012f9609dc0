/** The conversation: what was asked and what was answered in words. A log, not bubbles. */
import { css, html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { HpElement } from "../base/element.js";
import { time } from "../base/format.js";
import { icon } from "../base/icons.js";
import { calls, sheets } from "../base/sheets.js";
import { buttons, ground } from "../base/styles.js";
import { type TextKey, t } from "../text/index.js";

export interface Turn {
  id: string;
  who: "you" | "model" | "holdpoint";
  /** The answering model's name. */
  name?: string;
  text: string;
  /** Words of the page itself, by their key; they follow the language and stand in for `text`. */
  said?: TextKey;
  at: number | null;
  state?: "streaming" | "cancelled" | "failed";
  /** Requests that it can be asked; a click fills the composer. */
  suggestions?: string[];
  /** Offer to ask again as an extension: the original request. */
  tool?: string;
}

const own = css`
  .log { display: grid; gap: var(--s-6); }
  .said { overflow-wrap: anywhere; }
  .words { white-space: pre-wrap; }
  .acts { margin-top: var(--s-3); }
  .said p + p { margin-top: var(--s-2); }
  .clear { margin-top: var(--s-5); }
`;

@customElement("hp-chat")
export class Chat extends HpElement {
  static override styles = [ground, buttons, sheets, calls, own];
  @property({ attribute: false }) turns: Turn[] = [];
  /** Whether these words belong to nothing else: then they can be cleared. */
  @property({ type: Boolean }) clearable = false;

  protected override get state(): string {
    return this.turns.at(-1)?.state ?? (this.turns.length ? "idle" : "empty");
  }

  override render() {
    return html`<div class="log" role="log" aria-label=${t("chat.label")} @keydown=${this.#keys}>
        ${repeat(
          this.turns,
          (turn) => turn.id,
          (turn) => this.#turn(turn),
        )}
      </div>
      ${
        this.clearable && this.turns.length && this.state !== "streaming"
          ? html`<p class="clear">
              <button
                class="btn s quiet"
                data-testid="hp-clear"
                @click=${() => this.emit("hp-clear")}
              >
                ${icon("trash", "s")}<span>${t("chat.clear")}</span>
              </button>
            </p>`
          : nothing
      }`;
  }

  #turn(turn: Turn) {
    return html`<div class="said ${turn.who === "you" ? "you" : ""}">
        <p class="who">
          <span class="strong">${speaker(turn)}</span>${
            turn.at === null ? nothing : html`<time>${time(turn.at)}</time>`
          }${turn.state ? stateLine(turn.state) : nothing}
        </p>
        <p class="words">${turn.said ? t(turn.said) : turn.text}</p>
        ${turn.tool ? this.#makeTool(turn.tool) : nothing}
      </div>
      ${turn.suggestions?.length ? this.#suggestions(turn.id, turn.suggestions) : nothing}`;
  }

  #makeTool(text: string) {
    return html`<p class="acts">
      <button class="btn s" @click=${() => this.emit("hp-make-tool", { text })}>
        ${icon("plus", "s")}<span>${t("chat.make_tool")}</span>
      </button>
    </p>`;
  }

  #suggestions(id: string, texts: string[]) {
    return html`<section class="stack tight" aria-labelledby="h-${id}">
      <h3 id="h-${id}" class="meta strong">${t("chat.can_ask")}</h3>
      <ul class="sheet rows ex">
        ${texts.map(
          (text) =>
            html`<li>
              <button class="ex-b" @click=${() => this.emit("hp-fill", { text })}>
                <span>${text}</span>${icon("cr", "go")}
              </button>
            </li>`,
        )}
      </ul>
    </section>`;
  }

  #keys(event: KeyboardEvent): void {
    if (event.key === "Escape" && this.state === "streaming") this.emit("hp-stop");
  }
}

function speaker({ who, name }: Turn): string {
  if (who === "model") return name ?? "";
  return t(who === "you" ? "said.you" : "said.holdpoint");
}

function stateLine(state: NonNullable<Turn["state"]>) {
  const mark = state === "streaming" ? html`${icon("spin", "s spin")} ` : nothing;
  return html`<span>${mark}${t(`chat.${state}`)}</span>`;
}
