/** The look of the change column: rows with hairlines, a letter and its lines. */
import { css } from "lit";

export const styles = css`
  :host { display: flex; flex-direction: column; min-height: 0; min-width: 0; }
  .p-body { flex: 1; min-height: 0; }
  .chipset { display: flex; flex-wrap: wrap; gap: var(--s-3); padding: var(--s-4) var(--pad); }
  .group-h {
    display: flex;
    align-items: center;
    gap: var(--s-3);
    padding: var(--s-3) var(--pad);
    background: var(--sunken);
    border-block: 1px solid var(--line);
    font-size: var(--t-meta);
    line-height: var(--l-meta);
    font-weight: var(--w-strong);
    color: var(--text-2);
  }
  .group-h :is(h3, h4) { font: inherit; }
  .group-h .end { margin-inline-start: auto; font-weight: var(--w-normal); }
  .none { padding: var(--s-4) var(--pad); }
  .files > li + li { border-top: 1px solid var(--line); }
  .wf {
    display: grid;
    grid-template-columns: 18px minmax(0, 1fr) auto;
    gap: 0 var(--s-3);
    width: 100%;
    text-align: start;
    border: 0;
    background: none;
    padding: var(--s-3) var(--pad);
    font-size: var(--t-small);
    line-height: var(--l-small);
    cursor: pointer;
    min-height: var(--row);
  }
  .wf:hover { background: var(--hover); }
  .wf[aria-current="true"] {
    background: var(--selected);
    box-shadow: inset 2px 0 0 var(--action-fill);
  }
  .wf:focus-visible { outline-offset: -2px; }
  .wf .l { font-family: var(--mono); font-weight: var(--w-strong); }
  .l.A { color: var(--pass); }
  .l.D { color: var(--fail); }
  .l.M { color: var(--action); }
  .wf .nm { font-weight: var(--w-medium); }
  .wf .pm { font-size: var(--t-meta); white-space: nowrap; }
  .wf .sub {
    grid-column: 2 / -1;
    font-family: var(--mono);
    font-size: var(--t-meta);
    line-height: var(--l-meta);
    color: var(--text-2);
    overflow-wrap: anywhere;
  }
  .wf .fl { grid-column: 2 / -1; justify-self: start; margin-top: var(--s-1); }
  .kv { font-size: var(--t-small); line-height: var(--l-small); border-top: 1px solid var(--line); }
  .kv > div {
    display: grid;
    grid-template-columns: 44% 1fr;
    gap: var(--s-4);
    padding: 5px var(--pad);
    align-items: baseline;
    border-bottom: 1px solid var(--line);
  }
  .kv dt { color: var(--text-2); overflow-wrap: break-word; min-width: 0; }
  .kv dd { overflow-wrap: anywhere; }
  .rows > li { padding-inline: var(--pad); }
  @media (max-width: 979px) { .p-body { overflow: visible; } }
  @media (forced-colors: active) { .wf .l { forced-color-adjust: none; } }
`;
