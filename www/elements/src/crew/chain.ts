/** The nodes of a way as a row, in their order; one of them may be where somebody is. UI.md §12 "Paths". */
import { css, html, nothing } from "lit";
import type { Hop } from "./view.js";

export const chains = css`
  .chain {
    display: flex;
    flex-wrap: wrap;
    gap: 2px var(--s-3);
    align-items: center;
    font-size: var(--t-small);
    line-height: var(--l-small);
  }
  .chain > li { display: flex; align-items: center; gap: var(--s-3); }
  .chain > li + li::before {
    content: "";
    width: 5px;
    height: 5px;
    border: solid var(--text-3);
    border-width: 1px 1px 0 0;
    rotate: 45deg;
    margin-inline-end: 1px;
  }
  .chain .warning {
    font-weight: var(--w-strong);
    color: var(--hold);
    border-bottom: 2px solid var(--hold-fill);
  }
  .chain .error {
    font-weight: var(--w-strong);
    color: var(--fail);
    border-bottom: 2px solid var(--fail-fill);
  }
  .chain .again { color: var(--text-2); }
  .chain [aria-current] {
    padding: 0 var(--s-3);
    border-radius: var(--r-1);
    background: var(--selected);
    box-shadow: inset 0 0 0 1px var(--action);
  }
`;

export const hops = (way: readonly Hop[], at = -1) =>
  html`<ol class="chain" translate="no">
    ${way.map(
      ({ title, mark }, n) =>
        html`<li><span class=${mark} aria-current=${n === at ? "step" : nothing}>${title}</span></li>`,
    )}
  </ol>`;
