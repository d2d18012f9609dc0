/** The composer of a script: Chat or Edit, what goes along, stop while a call runs. Enter asks, Shift Enter breaks. */

import { MAX_MESSAGE_CHARS, SLOW_HINT_MS } from "@holdpoint/core/editor";
import { css, html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { integer } from "../base/format.js";
import { icon } from "../base/icons.js";
import { Prompt } from "../base/prompt.js";
import { calls, meters } from "../base/sheets.js";
import { buttons, forms, ground } from "../base/styles.js";
import { styles } from "../change/composer.styles.js";
import type { OverBudget } from "../talk/view.js";
import { t } from "../text/index.js";
import type { ChatView } from "./view.js";

const own = css`
  .tok { display: grid; font-size: var(--t-small); margin-block: var(--s-2); }
  .tok > div { display: flex; justify-content: space-between; padding: 1px 0; }
  .tok .sum { border-top: 1px solid var(--fail-line); font-weight: var(--w-strong); }
  .tok dt { color: var(--text-2); overflow-wrap: anywhere; }
  .tok .sum dt { color: inherit; }
  .tok dd { white-space: nowrap; padding-inline-start: var(--s-4); }
  .meter > i.alt { background: color-mix(in srgb, var(--action-fill) 62%, var(--surface)); }
  .warn { color: var(--text); }
`;

@customElement("hp-script-composer")
export class ScriptComposer extends Prompt {
  static override styles = [ground, buttons, forms, calls, meters, styles, own];
  @property({ attribute: false }) view!: ChatView;

  protected override get state(): string {
    const { running, over, off } = this.view;
    if (running) return "running";
    if (over) return "overbudget";
    return off ? "off" : "ready";
  }

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    if (
      changed.has("view") &&
      this.view.draft !== (changed.get("view") as ChatView | undefined)?.draft
    )
      this.text = this.view.draft;
  }

  override render() {
    const { view } = this;
    const off = this.#off;
    const mode = (which: "chat" | "edit") =>
      html`<button
        type="button"
        aria-pressed=${view.mode === which}
        data-testid="hp-mode-${which}"
        @click=${() => this.emit("hp-mode", { mode: which })}
      >
        ${t(`script.mode.${which}`)}
      </button>`;
    return html`<form
      class="composer"
      data-testid="hp-composer"
      ?data-off=${view.off !== "" || this.#wait > 0}
      @submit=${this.submit}
    >
      ${view.over ? this.#over(view.over) : nothing}
      <div class="field">
        <label class="vh" for="message">${t("script.message")}</label
        ><textarea
          id="message"
          rows="2"
          data-testid="hp-ask"
          placeholder=${t(
            view.mode === "edit" ? "script.message.placeholder" : "script.message.placeholder.chat",
          )}
          .value=${this.text}
          aria-describedby="along"
          @input=${this.input}
          @keydown=${this.keys}
        ></textarea>
        <div class="row">
          <span class="seg" role="group" aria-label=${t("script.mode")}
            >${mode("chat")}${mode("edit")}</span
          ><span class="end">${view.running ? this.#stop() : this.#ask(off)}</span>
        </div>
      </div>
      <p class="meta ${off || view.running ? "" : "quiet"}" id="along">${this.#along(off)}</p>
    </form>`;
  }

  #stop() {
    return html`<button
      type="button"
      class="btn s"
      data-testid="hp-cancel"
      @click=${() => this.emit("hp-stop")}
    >
      ${icon("stop", "s")}<span>${t("script.stop")}</span>
    </button>`;
  }

  #ask(off: string) {
    return html`<button
      class="btn s ${off ? "" : "primary"}"
      data-testid="hp-send"
      ?disabled=${off !== ""}
      aria-describedby=${off ? "along" : nothing}
    >
      ${t("script.ask")}
    </button>`;
  }

  /** Why asking is off; empty while it is on. */
  get #off(): string {
    if (this.view.over) return t("script.off.ask.over");
    if (this.#long > 0) return t("script.off.ask.long", { n: this.#long });
    return this.view.off || (this.#wait > 0 ? t("script.off.ask.wait", { n: this.#wait }) : "");
  }

  /** Seconds before which the edge would refuse again. */
  get #wait(): number {
    const { outcome, now } = this.view;
    return outcome ? Math.max(0, Math.ceil((outcome.waits - now) / 1_000)) : 0;
  }

  #along(off: string) {
    const { view } = this;
    if (view.running)
      return view.now - view.since > SLOW_HINT_MS
        ? html`<span class="warn" role="status">${t("script.slow")}</span>`
        : t("script.running");
    if (off) return off;
    if (view.mode === "chat") return t("script.along.chat");
    const files =
      view.tokens === null ? t("script.along.unknown") : t("script.along", { n: view.tokens });
    return view.place ? `${files} · ${view.place}` : files;
  }

  #over(over: OverBudget) {
    const all = over.system + over.files + over.message;
    return html`<section
      class="call fail"
      role="alert"
      data-testid="hp-over"
      aria-labelledby="h-ov"
    >
      <h3 id="h-ov">${t("script.over.title")}</h3>
      ${bar(over, all)}${parts(over, all)}
      <dl class="w3">
        <dt>${t("script.kept")}</dt>
        <dd>${t("script.over.kept")}</dd>
      </dl>
      <div class="flex wrap acts-c">
        ${
          this.view.mode === "edit"
            ? html`<button
                type="button"
                class="btn s primary"
                @click=${() => this.emit("hp-way", { way: "chat" })}
              >
                ${t("script.over.chat", { path: "tool.py" })}
              </button>`
            : nothing
        }<button type="button" class="btn s" @click=${() => this.focus()}>
          ${t("script.over.shorten")}
        </button>
      </div>
    </section>`;
  }

  /** By how many characters the message is too long; counted as the edge counts them. */
  get #long(): number {
    return [...this.text.trim()].length - MAX_MESSAGE_CHARS;
  }

  protected override get previous(): string {
    return this.view.last;
  }

  protected override keys(event: KeyboardEvent): void {
    if (event.key === "Escape" && this.view.running) this.emit("hp-stop");
    super.keys(event);
  }

  protected override send(text: string): void {
    if (this.view.running || this.#off) return;
    this.emit("hp-ask", { text, mode: this.view.mode });
  }
}

/** What does not fit, as a bar: the rules, the files and the message, and what is too much. */
function bar({ system, files, message, budget }: OverBudget, all: number) {
  const share = (n: number): string => `width:${(100 * n) / Math.max(all, budget)}%`;
  const much = Math.max(0, all - budget);
  return html`<div
    class="meter big"
    role="img"
    aria-label=${t("script.over.bar", { system, files, message, budget })}
  >
    <i style=${share(Math.min(system, all - much))}></i
    ><i class="alt" style=${share(Math.max(0, all - much - system))}></i
    ><i class="over" style=${share(much)}></i>
  </div>`;
}

function parts(over: OverBudget, all: number) {
  const row = (label: string, n: number, look = "") =>
    html`<div class=${look}>
      <dt>${label}</dt>
      <dd>${integer(n)}</dd>
    </div>`;
  const { largest: path, largestTokens: tokens } = over;
  const most = path ? `, ${t("script.over.files.of", { path, tokens })}` : "";
  return html`<dl class="tok">
    ${row(`${t("script.over.files")}${most}`, over.files)}
    ${row(t("script.over.system"), over.system)} ${row(t("script.over.message"), over.message)}
    ${row(t("script.over.together"), all, "sum")}
    <div>
      <dt>${t("script.over.fits")}</dt>
      <dd>${t("script.over.tokens", { n: over.budget })}</dd>
    </div>
  </dl>`;
}
