/** The review of an app: files, change and result side by side, the foot under them; narrow, one after the other. */
import { css } from "lit";

export const styles = css`
  :host { display: flex; flex-direction: column; min-height: 0; min-width: 0; flex: 1; background: var(--surface); }
  .cols {
    flex: 1;
    min-height: 0;
    display: grid;
    grid-template: minmax(0, 1fr) / 252px minmax(0, 1fr) minmax(320px, 36%);
    gap: 1px;
    background: var(--line-2);
  }
  .cols > section { background: var(--surface); min-width: 0; min-height: 0; display: flex; flex-direction: column; }
  .cols > .list { display: block; }
  .cols > .result { border: 2px solid var(--hold-line); }
  .p-head.hold { background: var(--hold-tint); border-color: var(--hold-line); }
  .body {
    flex: 1;
    min-height: 0;
    padding: var(--pad);
    display: grid;
    gap: var(--gap);
    align-content: start;
    grid-template-columns: minmax(0, 1fr);
  }
  .gates {
    display: flex;
    flex-wrap: wrap;
    gap: var(--s-3);
    padding: var(--s-4) var(--s-5);
    border-bottom: 1px solid var(--line);
  }
  .lab {
    display: flex;
    justify-content: space-between;
    gap: var(--s-4);
    padding: var(--s-3) var(--s-5);
    background: var(--sunken);
    border-bottom: 1px solid var(--line);
    font-size: var(--t-meta);
    line-height: var(--l-meta);
    font-weight: var(--w-strong);
    color: var(--text-2);
  }
  .lab .meta { font-weight: var(--w-normal); }
  .words > li {
    padding: var(--s-3) var(--s-5);
    border-bottom: 1px solid var(--line);
    font-size: var(--t-small);
    line-height: var(--l-small);
    overflow-wrap: anywhere;
  }
  :is(.note, summary) { padding: var(--s-3) var(--s-5); border-bottom: 1px solid var(--line); }
  summary { cursor: pointer; }
  hp-claims { display: block; padding: 0 var(--s-4) var(--s-4); }
  .line { padding: var(--s-2) var(--pad); border-top: 1px solid var(--line); }
  .wait { padding: var(--s-6); }
  .foot { flex: none; border-top: 1px solid var(--line-2); background: var(--surface); position: relative; }
  @media (max-width: 1199px) {
    .cols { grid-template: auto minmax(0, 1fr) / minmax(0, 1fr) 40%; }
    .cols > .list { max-height: 240px; }
    .cols > .result { grid-area: 1 / 2 / 3 / 3; }
  }
  @media (max-width: 767px) {
    .cols { display: block; overflow: auto; }
    .cols > .list { max-height: none; overflow: visible; }
    .body { overflow: visible; }
    .wide { display: none; }
    :host([pane="change"]) .result { display: none; }
    :host([pane="result"]) :is(.list, .diff, .foot) { display: none; }
    :host([pane="result"]) .result { min-height: 100%; }
  }
`;
