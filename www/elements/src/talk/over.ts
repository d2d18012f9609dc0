/** What does not fit into one request: its parts against what fits, as a bar and as rows. */
import { css, html, nothing, type TemplateResult } from "lit";
import { integer } from "../base/format.js";
import { t } from "../text/index.js";
import type { OverBudget } from "./view.js";

export const overStyles = css`
  .tok { display: grid; font-size: var(--t-small); margin-block: var(--s-2); }
  .tok > div { display: flex; justify-content: space-between; padding: 1px 0; }
  .tok .sum { border-top: 1px solid var(--fail-line); font-weight: var(--w-strong); }
  .tok dt { color: var(--text-2); overflow-wrap: anywhere; }
  .tok .sum dt { color: inherit; }
  .tok dd { white-space: nowrap; padding-inline-start: var(--s-4); }
  .meter > i.alt { background: color-mix(in srgb, var(--action-fill) 62%, var(--surface)); }
`;

/** `smaller` asks with less beside the message, where that is possible; `shorten` leads to the message. */
export function overBudget(
  over: OverBudget,
  smaller: (() => void) | null,
  shorten: () => void,
): TemplateResult {
  const all = over.system + over.files + over.message;
  return html`<section class="call fail" role="alert" data-testid="hp-over" aria-labelledby="h-ov">
    <h3 id="h-ov">${t("composer.over.title")}</h3>
    ${bar(over, all)}${parts(over, all)}
    <dl class="w3">
      <dt>${t("word.kept")}</dt>
      <dd>${t("composer.over.kept")}</dd>
    </dl>
    <div class="flex wrap acts-c">
      ${
        smaller
          ? html`<button type="button" class="btn s primary" @click=${smaller}>
              ${t("composer.over.chat", { path: "tool.py" })}
            </button>`
          : nothing
      }<button type="button" class="btn s" @click=${shorten}>
        ${t("composer.over.shorten")}
      </button>
    </div>
  </section>`;
}

/** The rules, the files and the message, and what is too much. */
function bar({ system, files, message, budget }: OverBudget, all: number): TemplateResult {
  const share = (n: number): string => `width:${(100 * n) / Math.max(all, budget)}%`;
  const much = Math.max(0, all - budget);
  return html`<div
    class="meter big"
    role="img"
    aria-label=${t("composer.over.bar", { system, files, message, budget })}
  >
    <i style=${share(Math.min(system, all - much))}></i
    ><i class="alt" style=${share(Math.max(0, all - much - system))}></i
    ><i class="over" style=${share(much)}></i>
  </div>`;
}

function parts(over: OverBudget, all: number): TemplateResult {
  const row = (label: string, n: number, look = "") =>
    html`<div class=${look}>
      <dt>${label}</dt>
      <dd>${integer(n)}</dd>
    </div>`;
  const { largest: path, largestTokens: tokens } = over;
  const most = path ? `, ${t("composer.over.files.of", { path, tokens })}` : "";
  return html`<dl class="tok">
    ${row(`${t("composer.over.files")}${most}`, over.files)}
    ${row(t("composer.over.system"), over.system)} ${row(t("composer.over.message"), over.message)}
    ${row(t("composer.over.together"), all, "sum")}
    <div>
      <dt>${t("composer.over.fits")}</dt>
      <dd>${t("composer.over.tokens", { n: over.budget })}</dd>
    </div>
  </dl>`;
}
