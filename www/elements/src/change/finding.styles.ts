/** A finding: what to do, then the place, then the source. */
import { css } from "lit";

export const styles = css`
  .finding { border: 1px solid var(--fail-line); border-radius: var(--r-2); overflow: clip; }
  .finding > p {
    padding: var(--s-3) var(--s-4);
    background: var(--fail-tint);
    font-size: var(--t-small);
    line-height: var(--l-small);
  }
  .finding > .at {
    display: flex;
    justify-content: space-between;
    gap: var(--s-4);
    padding: var(--s-2) var(--s-4);
    font-family: var(--mono);
    font-size: var(--t-meta);
    line-height: var(--l-meta);
    color: var(--text-2);
    border-top: 1px solid var(--fail-line);
    background: var(--sunken);
  }
  .finding pre {
    font: var(--t-code)/var(--l-code) var(--mono);
    color: var(--code);
    padding: var(--s-3) var(--s-4);
    overflow-x: auto;
    background: var(--sunken);
  }
  .finding pre .ln { color: var(--text-3); user-select: none; }
  .finding pre .car { color: var(--fail); font-weight: var(--w-strong); }
  .vs {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr);
    font: var(--t-code)/var(--l-code) var(--mono);
    background: var(--sunken);
  }
  .vs > * { padding: 1px var(--s-4); }
  .vs > :nth-child(odd) { font-family: var(--font); color: var(--text-2); }
  .at .link {
    font: inherit;
    color: var(--action);
    background: none;
    border: 0;
    padding: 0;
    cursor: pointer;
    text-decoration: underline;
    text-underline-offset: 2px;
    white-space: nowrap;
  }
  .help {
    padding: var(--s-3) var(--s-4);
    border-top: 1px solid var(--fail-line);
    color: var(--text-2);
    font-size: var(--t-meta);
    line-height: var(--l-meta);
    overflow-wrap: anywhere;
  }
  .finding.warn { border-color: var(--hold-line); }
  .finding.warn > p { background: var(--hold-tint); }
  .finding.warn > .at { border-color: var(--hold-line); }
  .vs mark.a { background: var(--diff-add-word); }
  .vs mark.d { background: var(--diff-del-word); }
  .vs > * { overflow-wrap: anywhere; white-space: pre-wrap; }
`;
