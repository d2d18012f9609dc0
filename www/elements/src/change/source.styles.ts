/** Tabs above, the editor, findings below. */
import { css } from "lit";

export const styles = css`
  :host { height: 100%; }
  .src { display: flex; flex-direction: column; height: 100%; min-height: 360px; }
  .ftabs {
    display: flex;
    border-bottom: 1px solid var(--line-2);
    background: var(--sunken);
    min-height: 40px;
    flex: none;
    min-width: 0;
  }
  .ftabs [role="tablist"] { display: flex; overflow-x: auto; scrollbar-width: none; }
  .ftabs [role="tab"] {
    border: 0;
    background: none;
    padding: 0 var(--s-6);
    font-size: var(--t-small);
    color: var(--text-2);
    border-inline-end: 1px solid var(--line);
    cursor: pointer;
    white-space: nowrap;
    display: flex;
    align-items: center;
    gap: var(--s-3);
  }
  .ftabs [aria-selected="true"] {
    background: var(--surface);
    color: var(--text);
    box-shadow: inset 0 2px 0 var(--action-fill), 0 1px 0 var(--surface);
  }
  .ftabs [role="tab"]:focus-visible { outline-offset: -3px; }
  .d2 {
    width: 8px;
    height: 8px;
    border: 1px solid var(--action);
    background: var(--action-fill);
    border-radius: 50%;
  }
  .code-ed { flex: 1 1 0; min-height: 200px; overflow: hidden; }
  .findings { border-top: 1px solid var(--line-2); flex: none; }
  .list { max-height: 180px; }
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
  }
  .group-h .end { margin-inline-start: auto; font-weight: var(--w-normal); }
`;
