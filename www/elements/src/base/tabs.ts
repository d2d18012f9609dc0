/** Tabs in a row above what they turn: how they look, and which one a key leads to. */
import { css } from "lit";

/** The place of the tab that a key leads to from the one at `at` of `count`; null where the key turns nothing. */
export function turned(key: string, at: number, count: number): number | null {
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: count - 1 }[key];
  return to === undefined || count === 0 ? null : (to + count) % count;
}

export const tabs = css`
  [role="tablist"] { display: flex; overflow-x: auto; scrollbar-width: none; min-width: 0; }
  [role="tab"] {
    border: 0;
    border-inline-end: 1px solid var(--line);
    background: none;
    padding: 0 var(--s-5);
    font-size: var(--t-small);
    color: var(--text-2);
    cursor: pointer;
    white-space: nowrap;
    position: relative;
    display: flex;
    align-items: center;
    gap: var(--s-3);
  }
  [role="tab"][aria-selected="true"] {
    background: var(--surface);
    color: var(--text);
    box-shadow: inset 0 2px 0 var(--action-fill), 0 1px 0 var(--surface);
  }
  [role="tab"]:focus-visible { outline-offset: -3px; }
`;
