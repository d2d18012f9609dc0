/** The list of packages, and the form of a new one. */
import { css } from "lit";

export const styles = css`
  :host { background: var(--canvas); overflow: auto; min-height: 0; --samples: 4; }
  .call .input { min-height: var(--control); max-width: 420px; }
  .smp .sub {
    display: block;
    color: var(--text-2);
    font-size: var(--t-meta);
    line-height: var(--l-meta);
  }
  .how { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); }
  .how > li { padding: var(--s-5); font-size: var(--t-small); line-height: var(--l-small); }
  .how > li + li { border-inline-start: 1px solid var(--line); }
  .how b { display: block; font-weight: var(--w-strong); margin-bottom: var(--s-1); }
  @media (max-width: 767px) {
    .hide-n { display: none; }
    .how { grid-template-columns: minmax(0, 1fr); }
    .how > li + li { border: 0; border-top: 1px solid var(--line); }
    .ct .pr { grid-column: 1; }
  }
`;
