import { css } from "lit";

export const styles = css`
  .kv { font-size: var(--t-small); line-height: var(--l-small); }
  .kv > div {
    display: grid;
    grid-template-columns: 44% 1fr;
    gap: var(--s-4);
    padding: 5px var(--pad);
    align-items: baseline;
    border-bottom: 1px solid var(--line);
  }
  dt { color: var(--text-2); overflow-wrap: anywhere; min-width: 0; }
  dd { overflow-wrap: anywhere; min-width: 0; }
  .group-h {
    display: flex;
    align-items: center;
    gap: var(--s-3);
    padding: var(--s-3) var(--pad);
    background: var(--sunken);
    border-bottom: 1px solid var(--line);
    font-size: var(--t-meta);
    line-height: var(--l-meta);
    font-weight: var(--w-strong);
    color: var(--text-2);
    overflow-wrap: anywhere;
  }
  .group-h .quiet { font-weight: var(--w-normal); }
  summary.group-h { display: list-item; list-style-position: inside; cursor: pointer; }
  .none { padding: var(--pad); }
  .vals { display: flex; flex-wrap: wrap; gap: 0 var(--s-2); }
  /* The dot stays beside the end of its value. */
  .v { display: inline-flex; align-items: last baseline; gap: var(--s-1); min-width: 0; }
  .vlink {
    border: 0;
    background: none;
    padding: 0;
    min-height: 24px;
    color: var(--action);
    text-align: start;
    text-decoration: underline dotted;
    text-underline-offset: 3px;
    cursor: pointer;
  }
  .vlink.no { color: var(--text-2); }
  .vlink:hover { text-decoration-style: solid; }
  @media (pointer: coarse) { .vlink { min-height: 44px; } }
`;
