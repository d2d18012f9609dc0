/** A proposal that does not fit: for each failure file, place, what was expected, what is there, and what helps. */

import type { PreviewError } from "@holdpoint/core/editor";
import { css, html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { icon } from "../base/icons.js";
import { calls, sheets } from "../base/sheets.js";
import { badges, buttons, ground } from "../base/styles.js";
import { styles as approval } from "../change/approval.styles.js";
import "../shell/copy.js";
import { has, t } from "../text/index.js";
import { detailed } from "../text/refusal.js";
import { panel } from "./proposal.styles.js";
import { verdictBadge } from "./verdict.js";
import type { ScriptView } from "./view.js";

const own = css`
  .finding { border: 1px solid var(--fail-line); border-radius: var(--r-2); overflow: clip; }
  .finding > h4 {
    padding: var(--s-3) var(--s-4);
    background: var(--fail-tint);
    font-size: var(--t-small);
    line-height: var(--l-small);
    font-weight: var(--w-medium);
    display: flex;
    gap: var(--s-3);
  }
  .finding h4 .i { margin-top: 2px; color: var(--fail); }
  .at {
    display: flex;
    gap: var(--s-4);
    justify-content: space-between;
    flex-wrap: wrap;
    padding: var(--s-2) var(--s-4);
    font-size: var(--t-meta);
    line-height: var(--l-meta);
    color: var(--text-2);
    border-top: 1px solid var(--fail-line);
    background: var(--sunken);
  }
  .two {
    display: grid;
    grid-template-columns: repeat(2, minmax(0, 1fr));
    border-top: 1px solid var(--line);
  }
  .two > div + div { border-inline-start: 1px solid var(--line-2); }
  .two > div { min-width: 0; }
  .two p { padding: var(--s-2) var(--s-4); font-size: var(--t-meta); color: var(--text-2); }
  pre {
    font: var(--t-code)/var(--l-code) var(--mono);
    color: var(--code);
    padding: 0 var(--s-4) var(--s-3);
    overflow-x: auto;
  }
  pre:focus-visible { outline-offset: -2px; }
  .hint {
    padding: var(--s-3) var(--s-4);
    border-top: 1px solid var(--line);
    font-size: var(--t-meta);
    line-height: var(--l-meta);
    color: var(--text-2);
  }
  @media (max-width: 767px) {
    .two { grid-template-columns: minmax(0, 1fr); }
    .two > div + div { border-inline-start: 0; border-top: 1px solid var(--line); }
  }
`;

@customElement("hp-preview-errors")
export class PreviewErrors extends HpElement {
  static override styles = [ground, buttons, badges, sheets, calls, approval, panel, own];
  @property({ attribute: false }) view!: NonNullable<ScriptView["failed"]>;

  override render() {
    const { errors } = this.view;
    return html`<div class="scr">
        <div class="p-head">
          <h2>${t("script.proposal")}</h2>
          ${verdictBadge("reject")}
          <div class="end">
            <button
              class="btn quiet s icon"
              aria-label=${t("script.proposal.close")}
              @click=${() => this.emit("hp-close-panel")}
            >
              ${icon("cross")}
            </button>
          </div>
        </div>
        <div class="body" tabindex="0" role="group" aria-label=${t("script.proposal.scrolls")}>
          ${this.#said(errors)}
          <div class="stack" data-testid="hp-error">
            ${errors.map((error) => this.#error(error))}
          </div>
        </div>
      </div>
      ${this.#foot()}`;
  }

  #said(errors: PreviewError[]) {
    const details = errors.map((error) =>
      detailed({ code: error.code, message: error.hint ?? "", details: error }),
    );
    return html`<section class="call fail" role="alert" aria-labelledby="h-er">
      <h3 id="h-er">${t("script.error.title")}</h3>
      <dl class="w3">
        <dt>${t("word.what")}</dt>
        <dd>${t("script.error.what")}</dd>
        <dt>${t("word.kept")}</dt>
        <dd>${t("script.outcome.kept")}</dd>
      </dl>
      <div class="flex"><hp-copy .text=${details.join("\n\n")}></hp-copy></div>
    </section>`;
  }

  #foot() {
    const { message, online } = this.view;
    return html`<div class="foot">
        <div class="approve off">
          <div class="bar-row">
            <p class="why grow" id="why">
              ${icon("lock")}<span
                >${online ? t("script.off.rejected") : t("composer.off.offline")}</span
              >
            </p>
            <div class="acts">
              <button
                class="btn quiet"
                data-testid="hp-discard"
                @click=${() => this.emit("hp-discard")}
              >
                ${t("script.discard")}</button
              ><button class="btn sign" data-testid="hp-apply" disabled aria-describedby="why">
                ${t("script.apply.none")}</button
              ><button
                class="btn primary"
                data-testid="hp-regenerate"
                ?disabled=${!online}
                aria-describedby=${online ? nothing : "why"}
                title=${message}
                @click=${() => this.emit("hp-regenerate")}
              >
                ${icon("again")}<span>${t("script.ask.again")}</span>
              </button>
            </div>
          </div>
        </div>
      </div>`;
  }

  #error(error: PreviewError) {
    const key = `script.error.${error.code}`;
    return html`<section class="finding" data-code=${error.code}>
      <h4>${icon("bad", "s")}<span>${has(key) ? t(key) : t("script.error.other")}</span></h4>
      <div class="at">
        <span
          >${place(error)}${
            error.hunk_header ? html` <code>${error.hunk_header}</code>` : nothing
          }</span
        ><span>${near(error)}</span>
      </div>
      ${error.expected_snippet || error.base_snippet ? snippets(error) : nothing}
      ${error.hint ? hint(error.hint) : nothing}
    </section>`;
  }
}

/** The file, and which of its places. */
function place({ target_file: path, hunk_index: n }: PreviewError): string {
  return path && n ? t("script.error.place", { path, n }) : (path ?? "");
}

/** Where it could have been meant, or what is most like it. */
function near({ candidates, nearest }: PreviewError): string {
  const line = (n: number): string => t("script.reason.line", { n: String(n) });
  if (candidates.length)
    return t("script.error.candidates", { lines: candidates.map(line).join(", ") });
  if (!nearest) return "";
  const { line: at, similarity } = nearest;
  return t("script.error.nearest", { line: String(at), similarity: String(similarity) });
}

const hint = (text: string) =>
  html`<p class="hint"><span class="strong">${t("script.error.hint")}:</span> ${text}</p>`;

const snippets = (error: PreviewError) =>
  html`<div class="two">
    ${snippet(t("script.error.expected"), error.expected_snippet)}
    ${snippet(t("script.error.there"), error.base_snippet)}
  </div>`;

function snippet(label: string, text: string | null) {
  if (!text) return nothing;
  return html`<div>
    <p>${label}</p>
    <pre tabindex="0" role="group" aria-label=${label}>${text}</pre>
  </div>`;
}
