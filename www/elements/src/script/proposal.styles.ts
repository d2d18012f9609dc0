/** A panel beside the files: head, what scrolls, foot with the signature. */
import { css } from "lit";

export const panel = css`
  :host {
    display: flex;
    flex-direction: column;
    min-height: 0;
    min-width: 0;
    flex: 1;
    background: var(--surface);
  }
  .scr { display: contents; }
  .p-head {
    display: flex;
    align-items: center;
    gap: var(--s-4);
    min-height: 40px;
    padding: 0 var(--s-4) 0 var(--pad);
    border-bottom: 1px solid var(--line);
    flex: none;
    min-width: 0;
  }
  .p-head h2 {
    font-size: var(--t-small);
    line-height: var(--l-small);
    font-weight: var(--w-strong);
    white-space: nowrap;
  }
  .p-head .end { margin-inline-start: auto; display: flex; align-items: center; gap: var(--s-3); }
  .body {
    flex: 1;
    min-height: 0;
    overflow: auto;
    overscroll-behavior: contain;
    scrollbar-width: thin;
    padding: var(--pad);
    display: grid;
    gap: var(--gap);
    align-content: start;
    grid-template-columns: minmax(0, 1fr);
  }
  .foot {
    flex: none;
    border-top: 1px solid var(--line-2);
    background: var(--surface);
    position: relative;
  }
  .bar-row { display: flex; gap: var(--s-6); align-items: center; }
  .bar-row .acts { flex-wrap: nowrap; }
  .approve .acts .btn.primary, .approve .acts .btn.sign { flex: 0 1 auto; }
  .btn.sign[disabled], .btn.primary[disabled] {
    background: var(--sunken);
    border-color: var(--line-2);
    color: var(--text-off);
  }
  .list { display: grid; gap: var(--s-3); }
  .list > li { display: flex; gap: var(--s-4); align-items: flex-start; }
  .list .i { margin-top: 2px; }
  .tick {
    display: flex;
    align-items: center;
    gap: var(--s-4);
    padding-top: var(--s-4);
    margin-top: var(--s-2);
    border-top: 1px solid var(--hold-line);
    min-height: var(--row);
    cursor: pointer;
  }
  .words { overflow-wrap: anywhere; white-space: pre-wrap; }
  .show {
    font: inherit;
    color: var(--action);
    background: none;
    border: 0;
    padding: 0;
    cursor: pointer;
    text-decoration: underline;
    text-underline-offset: 2px;
  }
  .notes > summary {
    list-style: none;
    cursor: pointer;
    display: flex;
    gap: var(--s-3);
    align-items: center;
    color: var(--text-2);
    font-size: var(--t-meta);
    min-height: var(--target);
  }
  .notes ul { padding: var(--s-2) 0 0 var(--s-7); display: grid; gap: var(--s-2); }
  @media (max-width: 1100px) { .p-head .seg { display: none; } }
  @media (max-width: 1023px) {
    .bar-row { display: grid; gap: var(--s-4); }
    .bar-row .acts .btn.sign, .bar-row .acts .btn.primary { flex: 1; }
  }
  .only-n { display: none; }
  @media (max-width: 767px) {
    .scr {
      display: flex;
      flex-direction: column;
      flex: 1;
      min-height: 0;
      overflow: auto;
      overscroll-behavior: contain;
    }
    .scr > .body { flex: 1 0 auto; overflow: visible; }
    .hide-n { display: none !important; }
    .btn.only-n { display: inline-flex; }
    .body { padding-bottom: var(--s-8); }
    .approve .acts .alt { display: none; }
  }
  @media (max-height: 480px) { .body { overflow: visible; } }
`;
