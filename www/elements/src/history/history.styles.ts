/** Rows of what happened: tick, number or time, words, what can be done. */
import { css } from "lit";

export const styles = css`
  :host { display: flex; flex-direction: column; min-height: 0; min-width: 0; }
  .keep {
    display: flex;
    gap: var(--s-4);
    padding: var(--s-4) var(--pad);
    border-bottom: 1px solid var(--line);
    flex: none;
  }
  .keep .btn { white-space: nowrap; }
  .keep-why { padding: var(--s-2) var(--pad); }
  .body { overscroll-behavior: contain; scrollbar-width: thin; }
  .keep ~ .body { flex: 1; min-height: 0; overflow: auto; }
  .instead { padding: var(--pad); }
  .more { margin: var(--s-4) var(--pad); }
  .group-h {
    display: flex;
    padding: var(--s-3) var(--pad);
    background: var(--sunken);
    border-bottom: 1px solid var(--line);
    font-size: var(--t-meta);
    line-height: var(--l-meta);
    font-weight: var(--w-strong);
    color: var(--text-2);
  }
  .entries > li {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr) auto;
    align-items: start;
  }
  .entries > li + li { border-top: 1px solid var(--line); }
  .sel { background: var(--selected); box-shadow: inset 2px 0 0 var(--action-fill); }
  .check, .check-no { width: 16px; margin: calc(var(--s-4) + 1px) 0 0 var(--pad); }
  .rv {
    display: flex;
    gap: var(--s-4);
    text-align: start;
    border: 0;
    background: none;
    padding: var(--s-4) var(--pad) var(--s-4) var(--s-4);
    font-size: var(--t-small);
    line-height: var(--l-small);
    min-width: 0;
  }
  button.rv { cursor: pointer; grid-column: 2 / -1; }
  button.rv:hover { background: var(--hover); }
  .rv:focus-visible { outline-offset: -2px; }
  .rv .i { margin-top: 1px; flex: none; }
  .lead { color: var(--text-3); white-space: nowrap; flex: none; min-width: 20px; text-align: end; }
  button.rv .lead { font-size: var(--t-meta); min-width: 46px; text-align: start; }
  .sel .lead { color: var(--text-2); }
  .words {
    display: grid;
    gap: var(--s-1);
    justify-items: start;
    align-content: start;
    min-width: 0;
    overflow-wrap: anywhere;
  }
  .sub { color: var(--text-2); font-size: var(--t-meta); line-height: var(--l-meta); }
  .sg { display: flex; gap: var(--s-2) var(--s-5); flex-wrap: wrap; align-items: center; }
  .sg .i { margin: 0; }
  .acts { display: flex; gap: var(--s-2); padding: var(--s-4) var(--s-5) var(--s-4) 0; }
  .why { grid-column: 2 / -1; text-align: end; padding: 0 var(--s-5) var(--s-4); }
  .foot {
    flex: none;
    border-top: 1px solid var(--line-2);
    padding: var(--s-4) var(--pad);
    display: grid;
    gap: var(--s-2);
  }
  :host([boxed]) .entries {
    border: 1px solid var(--line-2);
    border-radius: var(--r-2);
    background: var(--surface);
    overflow: clip;
  }
  :host([boxed]) .note { margin-top: var(--s-2); }
  :host([boxed]) .instead { padding: 0; }
  @media (max-width: 767px) {
    .acts { grid-column: 2; padding: 0 0 var(--s-4) calc(var(--s-4) * 2 + 20px); }
    .why { text-align: start; padding-inline-start: calc(var(--s-4) * 2 + 20px); }
  }
  @media (max-height: 480px) { .keep ~ .body { overflow: visible; } }
`;
