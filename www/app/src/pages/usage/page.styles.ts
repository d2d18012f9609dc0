/** The column of the usage page, and its panes where it is narrow. UI.md §2 "Usage". */
import { css } from "lit";

export const layout = css`
  .u { overflow: auto; background: var(--canvas); overscroll-behavior: contain; }
  .u-in {
    max-width: 1240px;
    width: 100%;
    margin: 0 auto;
    padding: var(--s-8) var(--s-8) var(--s-10);
    display: grid;
    gap: var(--s-6);
    grid-template-columns: minmax(0, 1fr);
    align-content: start;
  }
  h1 {
    font-size: var(--t-title);
    line-height: var(--l-title);
    letter-spacing: -.01em;
    font-weight: var(--w-strong);
  }
  .u-head { display: flex; align-items: end; gap: var(--s-4) var(--s-6); flex-wrap: wrap; }
  .u-head .tools {
    margin-inline-start: auto;
    display: flex;
    align-items: center;
    gap: var(--s-4);
    flex-wrap: wrap;
  }
  .u-head .select { min-height: var(--control); width: auto; }
  .month { display: flex; align-items: center; gap: var(--s-4); }
  .u-two {
    display: grid;
    grid-template-columns: repeat(2, minmax(0, 1fr));
    gap: var(--s-6);
    align-items: start;
  }
  .speed { margin-top: calc(-1 * var(--s-3)); }
  hp-question { grid-row: 3; }
  .doc .badge { flex: none; }
  @media (max-width: 1100px) { .u-two { grid-template-columns: minmax(0, 1fr); } }
  @media (max-width: 1023px) { .brand span { display: none; } }
  @media (max-width: 767px) {
    .hide-n { display: none !important; }
    .doc .badge { display: none; }
    .u-in { padding: var(--s-6) var(--s-5) var(--s-9); }
    .u-head .tools { margin: 0; width: 100%; justify-content: flex-end; }
    .u-in > [data-in] { display: none; }
    [data-pane="usage"] > [data-in="usage"],
    [data-pane="calls"] > [data-in="calls"],
    [data-pane="keys"] > [data-in="keys"] { display: block; }
    [data-pane="people"] > [data-in="people"] { display: grid; }
    [data-pane="people"] > p[data-in="people"] { display: block; }
  }
  /* The account stands under the title too. */
  @media (max-width: 359px) { .doc { display: none; } }
`;
