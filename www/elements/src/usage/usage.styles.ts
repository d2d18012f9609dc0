/** What the parts of the usage page wear together: sheets with an `h2`, forms in rows, narrow rows as cards. */
import { css } from "lit";

export const parts = css`
  :host { min-width: 0; }
  .sheet > .s-h { min-height: 42px; padding-block: var(--s-3); }
  .sheet > .s-h h2 {
    font-size: var(--t-small);
    line-height: var(--l-small);
    font-weight: var(--w-strong);
  }
  .sheet > .s-h h2:focus { outline: none; }
  .none { padding: var(--s-5); color: var(--text-2); font-size: var(--t-small); }
  .wait { padding: var(--s-5); }
  .call { margin: var(--s-5); }
  .foot {
    display: flex;
    align-items: center;
    justify-content: space-between;
    gap: var(--s-3) var(--s-5);
    padding: var(--s-3) var(--s-5);
    border-top: 1px solid var(--line);
    flex-wrap: wrap;
  }
  .t td, .t tbody th { overflow-wrap: anywhere; }
  .t tbody th { text-align: start; }
  .form { padding: var(--s-5); display: grid; gap: var(--s-5); border-bottom: 1px solid var(--line-2); }
  .form h3:focus { outline: none; }
  .form h3 { font-size: var(--t-body); line-height: var(--l-body); font-weight: var(--w-strong); }
  .fields {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(220px, 100%), 1fr));
    gap: var(--s-5);
    align-items: start;
  }
  .f { border: 0; margin: 0; padding: 0; min-width: 0; display: grid; gap: var(--s-2); align-content: start; }
  .f.whole { grid-column: 1 / -1; }
  .f legend { padding: 0; margin-bottom: var(--s-2); }
  .f .input, .f .select { min-height: var(--control); width: 100%; }
  .ticks { display: flex; flex-wrap: wrap; gap: var(--s-3) var(--s-6); font-size: var(--t-small); }
  .ticks label { display: flex; align-items: center; gap: var(--s-3); min-height: var(--control-s); }
  .bad { color: var(--fail); }
  @media (max-width: 767px) {
    .hide-n { display: none !important; }
    .t :is(thead, tbody, tfoot) :is(th, td) { padding-inline: var(--s-4); }
    .foot .btn { min-height: var(--control); }
  }
  @media (min-width: 768px) { .only-n { display: none !important; } }
`;
