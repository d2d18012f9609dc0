/** The list of packages, and the form of a new one. */
import { css } from "lit";

export const styles = css`
  :host { background: var(--canvas); overflow: auto; min-height: 0; }
  .newf { padding: var(--s-5); display: grid; gap: var(--s-5); }
  .nf { border: 0; padding: 0; margin: 0; min-width: 0; display: grid; gap: var(--s-3); }
  .nf .input, .call .input { min-height: var(--control); max-width: 420px; }
  .nf legend { padding: 0; margin-bottom: var(--s-3); }
  .samples {
    display: grid;
    grid-template-columns: repeat(4, minmax(0, 1fr));
    border: 1px solid var(--line-2);
    border-radius: var(--r-2);
    overflow: clip;
  }
  .smp {
    display: flex;
    gap: var(--s-4);
    padding: var(--s-4) var(--s-5);
    font-size: var(--t-small);
    line-height: var(--l-small);
    cursor: pointer;
  }
  .smp + .smp { border-inline-start: 1px solid var(--line); }
  .smp:has(:checked) { background: var(--action-tint); }
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
    .samples, .how { grid-template-columns: minmax(0, 1fr); }
    .smp + .smp, .how > li + li { border: 0; border-top: 1px solid var(--line); }
    .ct .pr { grid-column: 1; }
  }
`;
