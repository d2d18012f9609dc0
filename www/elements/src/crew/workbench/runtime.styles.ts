/** The rows of a turn on a rail. */
import { css } from "lit";

export const runtimeStyles = css`
  .rtm {
    border: 1px solid var(--line-2);
    border-radius: var(--r-2);
    padding: var(--s-3) 0 0;
    margin-top: var(--s-4);
  }
  .steps { position: relative; padding: 0 var(--s-5) var(--s-3); }
  .steps > li {
    position: relative;
    display: grid;
    grid-template-columns: 16px minmax(0, 1fr) auto;
    gap: 0 var(--s-4);
    padding: var(--s-2) 0;
    font-size: var(--t-small);
    line-height: var(--l-small);
    align-items: start;
  }
  .steps > li > .i { margin-top: 1px; background: var(--surface); z-index: 1; }
  .steps > li:not(:last-child)::before {
    content: "";
    position: absolute;
    left: 7px;
    top: 20px;
    bottom: -4px;
    width: 2px;
    background: var(--line-2);
  }
  .steps > li.ok:not(:last-child)::before { background: var(--pass-line); }
  .what { font-weight: var(--w-medium); overflow-wrap: anywhere; }
  .t { color: var(--text-3); font-size: var(--t-meta); white-space: nowrap; }
  .sub {
    grid-column: 2;
    color: var(--text-2);
    font-size: var(--t-meta);
    line-height: var(--l-meta);
    overflow-wrap: anywhere;
  }
  .rt-f {
    border-top: 1px solid var(--line);
    padding: var(--s-3) var(--s-5);
    display: flex;
    justify-content: space-between;
    gap: var(--s-4);
    font-size: var(--t-meta);
    line-height: var(--l-meta);
    color: var(--text-2);
  }
`;
