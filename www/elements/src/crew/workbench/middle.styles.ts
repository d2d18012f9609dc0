/** The middle of the workbench: sheets one below the other, or a list to the edges. */
import { css } from "lit";

export const styles = css`
  :host { display: flex; flex-direction: column; min-height: 0; min-width: 0; }
  .p-body { flex: 1; min-height: 0; }
  .diff-b {
    padding: var(--pad);
    display: grid;
    gap: var(--gap);
    grid-template-columns: minmax(0, 1fr);
    align-content: start;
  }
  .none { padding: var(--s-4) var(--pad); }
  .now {
    margin: 0;
    padding: 0 var(--pad) var(--pad);
    font: var(--t-code) / var(--l-code) var(--mono);
    color: var(--code);
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
  .rev3 :is(th, td) { white-space: nowrap; }
  .rev3 :is(th, td.w) { white-space: normal; overflow-wrap: anywhere; }
  .rev3 td.w { padding-block: var(--s-2); }
  .rev3 th.part { overflow-wrap: normal; }
  .l { font-family: var(--mono); font-weight: var(--w-strong); margin-inline-end: var(--s-3); }
  .l.A { color: var(--pass); }
  .l.D { color: var(--fail); }
  .l.M { color: var(--action); }
  .s-h h3 { display: flex; gap: var(--s-3); align-items: center; }
  .call dd { overflow-wrap: anywhere; }
  @media (max-width: 1199px) { .wide { display: none !important; } }
  @media (max-width: 979px) {
    .p-body { overflow: visible; }
    .hide-n { display: none; }
  }
`;
