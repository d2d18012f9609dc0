/** A build: what failed, with places that open the file; the log; build again. UI.md §13 `hp-build`. */
import { css, html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { icon } from "../base/icons.js";
import { calls } from "../base/sheets.js";
import { badges, buttons, ground } from "../base/styles.js";
import "../findings/findings.js";
import { found } from "../findings/view.js";
import { has, t } from "../text/index.js";
import { buildBadge } from "./badge.js";
import type { BuildView, StepView } from "./view.js";

const own = css`
  pre {
    font-family: var(--mono);
    font-size: var(--t-meta);
    line-height: var(--l-meta);
    white-space: pre-wrap;
    overflow-wrap: anywhere;
    max-height: 240px;
    background: var(--surface);
    border: 1px solid var(--line);
    padding: var(--s-4);
  }
  .found { background: var(--surface); border: 1px solid var(--line); max-height: 220px; }
`;

@customElement("hp-build")
export class Build extends HpElement {
  static override styles = [ground, buttons, badges, calls, own];
  @property({ attribute: false }) view!: BuildView;
  /** A version that stands behind it, in words. */
  @property() kept = "";
  /** The way back to the version before; with it a model can be asked to mend it. */
  @property({ attribute: false }) undo: StepView | null = null;
  @state() private log = false;

  protected override get state(): string {
    return this.view.phase ?? "none";
  }

  override render() {
    const { view } = this;
    if (view.phase !== "failed")
      return html`<section class="call info" aria-labelledby="h-b">
        <h3 id="h-b">${t("apps.build.of", { n: String(view.number) })}</h3>
        <p>${buildBadge(view)}</p>
        ${this.#ways(view)}${this.#log(view)}
      </section>`;
    return html`<section class="call fail" data-testid="hp-build-failed" aria-labelledby="h-b">
      <h3 id="h-b">${t("apps.build.failed.title", { n: String(view.number) })}</h3>
      <dl class="w3">
        <dt>${t("word.what")}</dt>
        <dd>${why(view)}</dd>
        ${
          this.kept
            ? html`<dt>${t("word.kept")}</dt>
                <dd>${this.kept}</dd>`
            : nothing
        }
      </dl>
      ${
        view.findings.length
          ? html`<div class="found scroll" tabindex="0" role="group" aria-label=${t("findings.list")}>
              <hp-findings .findings=${view.findings.map(found)}></hp-findings>
            </div>`
          : nothing
      }
      ${this.#ways(view)}${this.#log(view)}
    </section>`;
  }

  #ways(view: BuildView) {
    const pending = view.phase === "queued" || view.phase === "running";
    const again = pending
      ? nothing
      : html`<button
          class="btn s"
          data-testid="hp-build-retry"
          ?disabled=${view.off !== ""}
          title=${view.off || nothing}
          @click=${() => this.emit("hp-build-retry")}
        >
          ${icon("again", "s")}<span>${t("apps.build.retry")}</span>
        </button>`;
    const log = html`<button
      class="btn s quiet"
      aria-expanded=${this.log}
      @click=${() => (this.log = !this.log)}
    >
      ${t("apps.build.log")}
    </button>`;
    return html`<div class="flex wrap acts-c">
      ${this.#repair(view)}${again}${view.log ? log : nothing}<span class="meta">${t("apps.build.free")}</span>
    </div>`;
  }

  #repair({ findings, phase }: BuildView) {
    const { undo } = this;
    if (!undo || phase !== "failed") return nothing;
    return html`${
      findings.length
        ? html`<button
            class="btn s"
            data-testid="hp-repair"
            @click=${() => this.emit("hp-repair", { findings })}
          >
            ${icon("chat", "s")}<span>${t("apps.repair")}</span>
          </button>`
        : nothing
    }${
      undo.on
        ? html`<button class="btn s" @click=${() => this.emit("hp-step", { step: "undo" })}>
            ${icon("undo", "s")}<span>${t("apps.undo.free")}</span>
          </button>`
        : nothing
    }`;
  }

  #log({ log }: BuildView) {
    if (!this.log || !log) return nothing;
    return html`<pre class="scroll" tabindex="0" role="group" aria-label=${t("apps.build.log")}>
${log}</pre
    >`;
  }
}

/** In the words of the page; else the end of what failed. */
function why({ code, error, findings }: BuildView): string {
  const key = `apps.why.${code}`;
  if (has(key)) return t(key);
  return findings.length || !error ? t("apps.why") : (error.trim().split("\n").at(-1) ?? "");
}

declare global {
  interface HTMLElementTagNameMap {
    "hp-build": Build;
  }
}
