/** An answer: its figure, its facts, its tables, and the code behind it. */
import { css } from "lit";

export const styles = css`
  :host { display: grid; gap: var(--gap); }
  .words { padding: var(--s-4) var(--s-5); display: grid; gap: var(--s-2); }
  .words p { overflow-wrap: anywhere; white-space: pre-line; }
  .big-n {
    font-size: var(--t-figure);
    line-height: var(--l-figure);
    font-weight: var(--w-strong);
    letter-spacing: -.02em;
  }
  .vlink, .rowb {
    border: 0;
    padding: 0;
    background: none;
    font: inherit;
    letter-spacing: inherit;
    color: var(--action);
    text-align: start;
    cursor: pointer;
    text-decoration: underline dotted;
    text-underline-offset: .2em;
  }
  .rowb { color: inherit; overflow-wrap: anywhere; min-height: var(--target); }
  .rowb:hover, .vlink:hover { text-decoration-style: solid; }
  .kv { font-size: var(--t-small); line-height: var(--l-small); padding: 0 var(--s-5) var(--s-4); }
  .kv > div { display: flex; gap: var(--s-5); justify-content: space-between; padding-block: var(--s-2); }
  .kv dt { color: var(--text-2); overflow-wrap: anywhere; }
  .kv dd { text-align: end; overflow-wrap: anywhere; }
  .tcap {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: var(--s-3);
    padding: var(--s-2) var(--s-5);
    border-top: 1px solid var(--line);
    min-height: var(--row);
  }
  .tcap .end { margin-inline-start: auto; display: flex; flex-wrap: wrap; gap: var(--s-2); }
  p.tcap { margin: 0; }
  details { border-top: 1px solid var(--line); }
  summary {
    display: flex;
    align-items: center;
    gap: var(--s-3);
    padding: var(--s-3) var(--s-5);
    cursor: pointer;
    font-size: var(--t-small);
  }
  summary .end { margin-inline-start: auto; }
  .scroll { overflow: auto; max-height: 420px; }
  .scroll:has(table) { border-top: 1px solid var(--line); }
  thead th { position: sticky; inset-block-start: 0; }
  td { max-width: 260px; overflow-wrap: anywhere; }
  pre { margin: 0; padding: var(--s-4) var(--s-5); font-size: var(--t-small); background: var(--sunken); }
  .code .acts { padding: var(--s-3) var(--s-5); }
  .sub { display: block; }
`;
