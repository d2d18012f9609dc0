/** Lists of what somebody has: one column, a table that becomes cards where it is narrow, the form of a new one. */
import { css } from "lit";

/** The form of a new one, with what it can begin from; `--samples` says how many stand side by side. */
export const newForm = css`
  .newf { padding: var(--s-5); display: grid; gap: var(--s-5); }
  .nf { border: 0; padding: 0; margin: 0; min-width: 0; display: grid; gap: var(--s-3); align-content: start; }
  .nf .input { min-height: var(--control); max-width: 420px; }
  .nf legend { padding: 0; margin-bottom: var(--s-3); }
  .samples {
    display: grid;
    grid-template-columns: repeat(var(--samples, 3), minmax(0, 1fr));
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
  @media (max-width: 767px) {
    .samples { grid-template-columns: minmax(0, 1fr); }
    .smp + .smp { border: 0; border-top: 1px solid var(--line); }
  }
`;

/** The column and its table: `--list-width` wide, rows `--list-row` high, cards with the columns `--list-card`. */
export const list = css`
  :host { background: var(--canvas); overflow: auto; }
  .in {
    max-width: var(--list-width, 1080px);
    width: 100%;
    margin: 0 auto;
    padding: var(--s-8) var(--s-8) var(--s-10);
    display: grid;
    gap: var(--s-6);
    grid-template-columns: minmax(0, 1fr);
    align-content: start;
  }
  .head { display: flex; align-items: end; gap: var(--s-6); flex-wrap: wrap; }
  .title {
    font-size: var(--t-title);
    line-height: var(--l-title);
    letter-spacing: -.01em;
    font-weight: var(--w-strong);
  }
  .box { position: relative; min-width: 240px; margin-inline-start: auto; }
  .box .i { position: absolute; left: 8px; top: 50%; translate: 0 -50%; color: var(--text-3); }
  .box .input { padding-inline-start: 28px; min-height: var(--control); }
  .none { padding: var(--s-6) var(--s-5); color: var(--text-2); }
  .wait { padding: var(--s-4); }
  .lt td, .lt tbody th { height: var(--list-row, 52px); }
  .sub {
    display: block;
    font-weight: var(--w-normal);
    color: var(--text-2);
    font-size: var(--t-meta);
    line-height: var(--l-meta);
  }
  .lt tbody th { text-align: start; white-space: normal; }
  .lt a { color: var(--text); font-weight: var(--w-strong); text-decoration: none; }
  .lt a:hover { text-decoration: underline; }
  .fd .i { margin-inline-end: var(--s-3); }
  .bad span, p.bad { color: var(--fail); }
  .ch { color: var(--text-2); white-space: nowrap; }
  @media (max-width: 767px) {
    .in { padding: var(--s-6) var(--s-5) var(--s-9); }
    .box { width: 100%; min-width: 0; }
    .lt thead { position: absolute; clip-path: inset(50%); height: 1px; overflow: hidden; }
    .lt, .lt tbody { display: block; }
    .lt tr {
      display: grid;
      grid-template-columns: var(--list-card, minmax(0, 1fr));
      gap: var(--s-2) var(--s-4);
      padding: var(--s-4) var(--s-5);
      border-bottom: 1px solid var(--line);
    }
    .lt tr:last-child { border-bottom: 0; }
    .lt tbody tr > * { height: auto; padding: 0; border: 0; }
  }
`;
