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
  .p-head { min-width: 0; }
  .p-head .end { gap: var(--s-3); }
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
  .words { overflow-wrap: anywhere; white-space: pre-wrap; }
  @media (max-width: 1100px) { .p-head .seg { display: none; } }
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
    .body { padding-bottom: var(--s-8); }
  }
  @media (max-height: 480px) { .body { overflow: visible; } }
`;
