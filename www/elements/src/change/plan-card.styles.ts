/** The card's own: texts in place, small selects, findings at their row. */
import { css } from "lit";

export const styles = css`
  .sheet .first { padding-bottom: var(--s-2); }
  .sheet .small {
    padding-top: 0;
    font-size: var(--t-small);
    line-height: var(--l-small);
    color: var(--text-2);
  }
  .sheet .lab + .small { padding-top: var(--s-4); color: var(--text); }
  .inplace {
    border: 0;
    border-bottom: 1px dashed var(--line-control);
    background: none;
    padding: 0;
    text-align: start;
    cursor: text;
    font-size: inherit;
    line-height: inherit;
  }
  .inplace:hover { background: var(--hover); }
  .plainsel {
    border-color: transparent;
    background: none;
    min-height: 0;
    padding: 0;
    font-size: inherit;
    line-height: inherit;
    max-width: 100%;
    color: inherit;
    min-height: var(--target);
  }
  .plainsel:hover:not(:disabled) { border-color: var(--line-control); }
  .plainsel:disabled { appearance: none; opacity: 1; }
  .sheet > hp-findings { padding: 0 var(--s-5) var(--s-3); }
  .also { display: flex; flex-wrap: wrap; gap: var(--s-3); align-items: center; padding: var(--s-2) 0; }
  .off .also .btn { text-decoration: none; }
  .check[disabled]:checked {
    opacity: 1;
    background: var(--text-off);
    border-color: var(--text-off);
  }
`;
