/** What a run does: one readable line a tool, its findings on demand, what was spent. UI.md §13, app-builder.md §14. */
import type { AppRun, Outcome, RunLine } from "@holdpoint/core/apps";
import { css, html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { elapsed, integer, minutes, money } from "../base/format.js";
import { icon } from "../base/icons.js";
import { sheets } from "../base/sheets.js";
import { badges, ground } from "../base/styles.js";
import { runtimeStyles } from "../crew/workbench/runtime.styles.js";
import "../findings/findings.js";
import { found } from "../findings/view.js";
import { t } from "../text/index.js";

const own = css`
  .more { grid-column: 2 / -1; margin-top: var(--s-2); border: 1px solid var(--line); }
  .head {
    padding: var(--s-3) var(--s-5);
    border-bottom: 1px solid var(--line);
    display: flex;
    gap: var(--s-4);
    align-items: center;
    font-size: var(--t-small);
  }
  .head .end { margin-inline-start: auto; color: var(--text-3); font-size: var(--t-meta); }
  .rtm { padding-top: 0; margin-top: 0; background: var(--surface); }
  .steps { padding-top: var(--s-2); }
  details > summary { cursor: pointer; }
`;

@customElement("hp-app-run")
export class AppRunElement extends HpElement {
  static override styles = [ground, badges, sheets, runtimeStyles, own];
  @property({ attribute: false }) run!: AppRun;
  @property({ attribute: false }) outcome: Outcome | null = null;
  /** Since when it runs; null once it is over. */
  @property({ attribute: false }) since: number | null = null;
  @property({ type: Number }) now = 0;
  @property() currency = "USD";

  protected override get state(): string {
    return this.outcome ?? "running";
  }

  override render() {
    const { run, since, now } = this;
    const time = since === null ? nothing : minutes(Math.max(0, now - since));
    const list = html`<ol class="steps">
      ${run.lines.map((line) => this.#line(line))}${this.#doing(run)}
    </ol>`;
    const foot = this.#foot(run);
    if (this.since !== null)
      return html`<div class="rtm" data-testid="hp-run">
        <p class="head"><span class="strong">${t("apps.run")}</span><span class="end">${time}</span></p>
        ${list}${foot}
      </div>`;
    return html`<details class="rtm" data-testid="hp-run">
      <summary class="head">
        ${icon("cr", "s tw")}<span class="strong">${t("apps.run")}</span
        ><span class="meta">${t("apps.run.steps", { n: run.lines.length })}</span>
      </summary>
      ${list}${foot}
    </details>`;
  }

  #line(line: RunLine) {
    const { state, tool, title, path, elapsed: took, findings } = line;
    return html`<li class=${state} data-tool=${tool}>
      ${mark(state)}<span class="what">${title || tool}</span
      ><span class="t">${took === null ? nothing : elapsed(took)}</span>${
        path && !title.includes(path)
          ? html`<span class="sub mono" translate="no">${path}</span>`
          : nothing
      }${findings.length ? details(line) : nothing}
    </li>`;
  }

  /** Between two tools. */
  #doing({ status, lines }: AppRun) {
    if (this.since === null) return nothing;
    const busy = lines.some((line) => line.state === "running");
    if (busy && !status) return nothing;
    return html`<li class="running">
      ${icon("spin", "c-run spin")}<span class="what">${status || t("apps.run.thinking")}</span>
    </li>`;
  }

  #foot(run: AppRun) {
    const spent = spentOf(run, this.currency);
    if (!spent && !run.model) return nothing;
    return html`<p class="rt-f"><span translate="no">${run.model}</span><span>${spent}</span></p>`;
  }
}

/** Tokens and money of a run, in words; empty where it spent nothing. */
export function spentOf({ spent }: AppRun, currency: string): string {
  const { input_tokens: read = 0, output_tokens: written = 0, cost_micros: cost = 0 } = spent ?? {};
  const tokens = read + written;
  return [
    tokens ? t("apps.run.tokens", { text: integer(tokens) }) : "",
    cost > 0 ? money(cost, currency) : "",
  ]
    .filter(Boolean)
    .join(" · ");
}

const details = ({ findings }: RunLine) =>
  html`<details class="more">
    <summary class="meta" style="padding:var(--s-2) var(--s-4)">
      ${t("apps.run.found", { n: findings.length })}
    </summary>
    <hp-findings .findings=${findings.map(found)} .links=${false}></hp-findings>
  </details>`;

function mark(state: RunLine["state"]) {
  if (state === "running") return icon("spin", "c-run spin");
  return state === "ok" ? icon("ok", "c-pass") : icon("bad", "c-fail");
}

declare global {
  interface HTMLElementTagNameMap {
    "hp-app-run": AppRunElement;
  }
}
