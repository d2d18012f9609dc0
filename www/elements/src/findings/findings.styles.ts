/** Findings as sentences, as rows, and as boxes: what to do, then the place, then the source. */
import { css } from "lit";

export const styles = css`
  :host { display: block; }
  .boxes { display: grid; gap: var(--s-4); }
  .more { margin: var(--s-2) var(--pad); }
  .err > li {
    display: grid;
    grid-template-columns: 20px minmax(0, 1fr);
    gap: var(--s-1) var(--s-3);
    padding: var(--s-4) var(--s-5);
    font-size: var(--t-small);
    line-height: var(--l-small);
    overflow-wrap: anywhere;
  }
  .err > li + li { border-top: 1px solid var(--line); }
  .err > li > :not(.i) { grid-column: 2; }
  .err .i { margin-top: 1px; }
  .err .codes {
    display: flex;
    flex-wrap: wrap;
    gap: var(--s-1) var(--s-4);
    align-items: center;
    font-family: var(--mono);
    font-size: var(--t-meta);
    line-height: var(--l-meta);
    color: var(--text-2);
  }
  .row-finding {
    display: flex;
    gap: var(--s-3);
    font-size: var(--t-meta);
    line-height: var(--l-meta);
    margin-top: var(--s-2);
  }
  .row-finding:focus-visible { outline-offset: 1px; }
  .finding { border: 1px solid var(--fail-line); border-radius: var(--r-2); overflow: clip; }
  .finding > .what {
    display: flex;
    gap: var(--s-3);
    padding: var(--s-3) var(--s-4);
    background: var(--fail-tint);
    font-size: var(--t-small);
    line-height: var(--l-small);
  }
  .finding > .at {
    display: flex;
    flex-wrap: wrap;
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
  .link { overflow-wrap: anywhere; }
  .at .link { white-space: nowrap; }
  .at.words { font-family: var(--font); }
  .at .trunc { min-width: 0; }
  .two {
    display: grid;
    grid-template-columns: repeat(2, minmax(0, 1fr));
    border-top: 1px solid var(--line);
  }
  .two > div { min-width: 0; }
  .two > div + div { border-inline-start: 1px solid var(--line-2); }
  .two p { padding: var(--s-2) var(--s-4); font-size: var(--t-meta); color: var(--text-2); }
  .two pre { background: none; padding-top: 0; }
  pre:focus-visible { outline-offset: -2px; }
  .help {
    padding: var(--s-3) var(--s-4);
    border-top: 1px solid var(--fail-line);
    color: var(--text-2);
    font-size: var(--t-meta);
    line-height: var(--l-meta);
    overflow-wrap: anywhere;
  }
  .finding.warn { border-color: var(--hold-line); }
  .what .i { margin-top: 2px; color: var(--fail); }
  .warn > .what .i { color: var(--hold); }
  .finding.warn > .what { background: var(--hold-tint); }
  .finding.warn > .at { border-color: var(--hold-line); }
  .vs mark.a { background: var(--diff-add-word); }
  .vs mark.d { background: var(--diff-del-word); }
  .vs > * { overflow-wrap: anywhere; white-space: pre-wrap; }
  @media (max-width: 767px) {
    .two { grid-template-columns: minmax(0, 1fr); }
    .two > div + div { border-inline-start: 0; border-top: 1px solid var(--line); }
  }
`;
