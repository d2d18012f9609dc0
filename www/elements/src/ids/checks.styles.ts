/** The panel of checks: figures, specifications that fold, reasons with linked counts, issues. */
import { css } from "lit";

export const panel = css`
  :host { display: flex; flex-direction: column; min-height: 0; background: var(--surface); }
  h2:focus-visible { outline-offset: 0; }
  .p-head > .meta { min-width: 0; }
  .p-head .end { gap: var(--s-2); flex: none; }
  .body { flex: 1; min-height: 0; }
  hp-ids, hp-topics { flex: 1; min-height: 0; }
  .state { padding: var(--pad); display: grid; gap: var(--s-4); justify-items: start; align-content: start; }
  .state p { max-width: 60ch; overflow-wrap: anywhere; }
  .state .flex { align-items: flex-start; }
  .state .call { width: 100%; }
`;

export const styles = css`
  :host { display: flex; flex-direction: column; min-height: 0; }
  .body { flex: 1; min-height: 0; }
  .body.old { color: var(--text-2); }
  .fig { padding: var(--pad); border-bottom: 1px solid var(--line); display: grid; gap: var(--s-3); }
  .fig > .flex { align-items: baseline; flex-wrap: wrap; }
  .fig .meta.num { margin-inline-start: auto; }
  .fig .all { font-size: var(--t-head); line-height: var(--l-head); font-weight: var(--w-strong); }
  .big-n {
    font-size: var(--t-figure);
    line-height: var(--l-figure);
    font-weight: var(--w-strong);
    letter-spacing: -.02em;
  }
  .meter.res { height: 10px; }
  .meter.res > .p { background: var(--pass-fill); }
  .meter.res > .f { background: var(--fail-fill); }
  .noted { margin: var(--pad) var(--pad) 0; }
  .noted p { overflow-wrap: anywhere; }
  .vlink {
    border: 0;
    padding: 0;
    background: none;
    font: inherit;
    letter-spacing: inherit;
    color: var(--action);
    text-align: start;
    cursor: pointer;
    text-decoration: underline dotted;
    text-underline-offset: 3px;
  }
  .vlink:hover { text-decoration-style: solid; }
  .why .vlink, .names .vlink { min-height: var(--target); min-width: var(--target); }
  .why .num .vlink { text-align: end; }
  .vlink[aria-pressed="true"] {
    background: var(--action-tint);
    outline: 1px solid var(--action-line);
    outline-offset: 2px;
    border-radius: var(--r-1);
    text-decoration-style: solid;
  }
  .vlink:focus-visible { outline: 2px solid var(--focus); }
  .fold + .fold { border-top: 1px solid var(--line); }
  .specs > .fold > summary {
    display: grid;
    grid-template-columns: 14px 16px minmax(0, 1fr) auto;
    padding: var(--s-3) var(--pad);
  }
  .specs > .fold > summary > span { overflow-wrap: anywhere; }
  .sub { display: block; font-size: var(--t-meta); line-height: var(--l-meta); color: var(--text-2); }
  .why {
    border-top: 1px solid var(--line);
    background: var(--sunken);
    padding: var(--s-3) var(--pad) var(--s-4) calc(var(--pad) + 46px);
    font-size: var(--t-small);
    line-height: var(--l-small);
    display: grid;
    gap: var(--s-3);
    grid-template-columns: minmax(0, 1fr);
    overflow-wrap: anywhere;
  }
  .req { display: grid; gap: var(--s-2); grid-template-columns: minmax(0, 1fr); }
  .req + .req { border-top: 1px solid var(--line); padding-top: var(--s-3); }
  .line { display: flex; gap: var(--s-4); justify-content: space-between; align-items: baseline; }
  .line > :first-child { min-width: 0; overflow-wrap: anywhere; }
  .req > .line > .i { align-self: center; }
  .reasons { display: grid; gap: var(--s-2); grid-template-columns: minmax(0, 1fr); }
  .reasons > li {
    display: grid;
    grid-template-columns: minmax(0, 1fr) auto;
    gap: var(--s-2) var(--s-4);
    align-items: baseline;
  }
  .reasons details { grid-column: 1; min-width: 0; }
  .reasons summary {
    list-style: none;
    cursor: pointer;
    display: flex;
    gap: var(--s-3);
    align-items: baseline;
    min-height: var(--target);
  }
  .reasons summary > .i { flex: none; align-self: center; }
  .names { display: flex; flex-wrap: wrap; gap: 0 var(--s-5); padding: var(--s-2) 0 var(--s-2) 22px; }
  .names .vlink { overflow-wrap: anywhere; }
  .foot {
    border-top: 2px solid var(--line-2);
    padding: var(--s-4) var(--pad);
    display: grid;
    gap: var(--s-3);
    flex: none;
  }
  .foot .acts { display: flex; gap: var(--s-4); flex-wrap: wrap; align-items: center; }
  .foot .btn.primary { flex: 1 1 auto; min-height: calc(var(--control) + 6px); }
  .topic { padding: var(--s-4) var(--pad); display: grid; gap: var(--s-2); grid-template-columns: minmax(0, 1fr); }
  .topic + .topic { border-top: 1px solid var(--line); }
  .topic.on { background: var(--selected); }
  .topic p { overflow-wrap: anywhere; white-space: pre-line; font-size: var(--t-small); line-height: var(--l-small); }
  .topic .name { font-weight: var(--w-strong); overflow-wrap: anywhere; }
  .topic summary {
    list-style: none;
    cursor: pointer;
    display: flex;
    gap: var(--s-3);
    align-items: center;
    min-height: var(--target);
  }
  .said + .said { margin-top: var(--s-3); }
  .topic .said { margin-inline-start: 22px; }
  @media (max-width: 767px) {
    .why { padding-inline-start: var(--pad); }
    .foot { padding-block: var(--s-3); }
    .foot > .meta { position: absolute; clip-path: inset(50%); }
  }
`;
