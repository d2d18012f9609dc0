/** A log along one line: time, mark, entry. */
import { css } from "lit";

export const styles = css`
  :host { display: block; min-width: 0; }
  .log { position: relative; }
  .log > li {
    display: grid;
    grid-template-columns: 40px 16px minmax(0, 1fr);
    gap: 0 var(--s-4);
    position: relative;
    padding-bottom: var(--s-6);
  }
  .log > li:not(:last-child)::before {
    content: "";
    position: absolute;
    left: 55px;
    top: 18px;
    bottom: -4px;
    width: 2px;
    background: var(--line-2);
  }
  .log time {
    font-size: var(--t-meta);
    line-height: var(--l-small);
    color: var(--text-3);
    text-align: end;
  }
  .dot {
    width: 10px;
    height: 10px;
    border: 2px solid var(--line-control);
    background: var(--surface);
    border-radius: 50%;
    margin: 4px 3px 0;
    z-index: 1;
  }
  .signed > .dot { border-color: var(--pass-fill); background: var(--pass-fill); border-radius: 1px; }
  .mine > .dot { border-color: var(--text-2); background: var(--text-2); }
  .now > .dot { border-color: var(--action-fill); background: var(--action-fill); }
  .k-h {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0 var(--s-4);
    font-size: var(--t-small);
    line-height: var(--l-small);
  }
  .k-h .end { margin-inline-start: auto; }
  .k-h h3 { font-size: inherit; line-height: inherit; font-weight: var(--w-strong); }
  .words { font-size: var(--t-body); line-height: var(--l-body); overflow-wrap: anywhere; white-space: pre-line; }
  .lb { margin-top: var(--s-3); }
  .stampline {
    display: inline-flex;
    align-items: center;
    gap: var(--s-3);
    color: var(--pass);
    font-weight: var(--w-medium);
    font-size: var(--t-small);
  }
  .fold > summary {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0 var(--s-3);
    min-height: 24px;
    padding: 0;
    cursor: pointer;
    list-style: none;
    font-size: var(--t-small);
    line-height: var(--l-small);
  }
  .fold > summary::-webkit-details-marker { display: none; }
  .fold[open] > summary .tw { transform: rotate(90deg); }
  .fp-chip {
    font-family: var(--mono);
    font-size: var(--t-meta);
    padding: 1px var(--s-3);
    border: 1px solid var(--line-2);
    border-radius: var(--r-1);
    background: var(--sunken);
    white-space: nowrap;
  }
  .fold > summary > .end { margin-inline-start: auto; }
  .fold > .log { margin-top: var(--s-4); }
  .pd {
    border: 1px solid var(--line-2);
    border-radius: var(--r-2);
    overflow: clip;
    font-size: var(--t-small);
    line-height: var(--l-small);
  }
  .pd li {
    display: grid;
    grid-template-columns: 22px 86px minmax(0, 1fr);
    gap: 0 var(--s-3);
    padding: var(--s-2) var(--s-4) var(--s-2) 0;
    align-items: baseline;
    overflow-wrap: anywhere;
  }
  .pd li + li { border-top: 1px solid var(--line); }
  .sn { text-align: center; font-family: var(--mono); font-weight: var(--w-strong); }
  .w { color: var(--text-2); font-size: var(--t-meta); }
  .add { background: var(--diff-add); }
  .add .sn { color: var(--pass); }
  .del { background: var(--diff-del); }
  .del .sn { color: var(--fail); }
  .eq .sn { color: var(--text-3); }
  mark { color: inherit; background: none; }
  .add mark { background: var(--diff-add-word); }
  .del mark { background: var(--diff-del-word); text-decoration: line-through; }
  .rows > li { flex-wrap: wrap; }
  .rows .grow { overflow-wrap: anywhere; }
  @media (max-width: 767px) {
    .log > li { grid-template-columns: 34px 16px minmax(0, 1fr); gap: 0 var(--s-3); }
    .log > li:not(:last-child)::before { left: calc(34px + var(--s-3) + 7px); }
    .pd li { grid-template-columns: 22px minmax(0, 1fr); }
    .w { grid-column: 2; }
    .pd li > :nth-child(3) { grid-column: 2; }
  }
`;
