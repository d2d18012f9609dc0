/** Attempts as disclosures, their steps on a rail. */
import { css } from "lit";

export const styles = css`
  .try > summary {
    list-style: none;
    cursor: pointer;
    display: flex;
    align-items: center;
    gap: var(--s-4);
    padding: var(--s-3) var(--s-5);
    min-height: calc(var(--row) + 2px);
    font-size: var(--t-small);
    line-height: var(--l-small);
  }
  .try > summary { flex-wrap: wrap; row-gap: 0; }
  .try > summary .cause {
    flex-basis: 100%;
    padding-inline-start: 22px;
    color: var(--text-2);
    font-size: var(--t-meta);
    line-height: var(--l-meta);
    padding-bottom: var(--s-2);
  }
  .try[open] > summary .cause { display: none; }
  .try > summary:hover { background: var(--hover); }
  .try + .try, .try.top-line { border-top: 1px solid var(--line-2); }
  .try > summary .name { font-weight: var(--w-strong); white-space: nowrap; }
  .try > summary .end {
    margin-inline-start: auto;
    display: flex;
    gap: var(--s-4);
    align-items: center;
    color: var(--text-3);
    font-size: var(--t-meta);
  }
  .steps { position: relative; padding: 0 var(--s-5) var(--s-5) calc(var(--s-5) + 6px); }
  .steps > li {
    position: relative;
    display: grid;
    grid-template-columns: 16px 62px minmax(0, 1fr) auto;
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
  .steps .t { color: var(--text-3); font-size: var(--t-meta); white-space: nowrap; }
  .steps .files { display: grid; gap: var(--s-1); font-size: var(--t-meta); line-height: var(--l-meta); }
  .steps .files > li { display: flex; gap: var(--s-4); justify-content: space-between; min-width: 0; }
  .steps .what { font-weight: var(--w-medium); }
  .steps .more { grid-column: 2 / -1; margin-top: var(--s-3); }

  @media (max-width: 767px) {
    .steps > li { grid-template-columns: 16px 52px minmax(0, 1fr) auto; }
  }
`;
