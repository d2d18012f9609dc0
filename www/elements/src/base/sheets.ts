/**
 * Shared styles of sheets: headings, rows, callouts, tables, meters.
 *
 * Each element adopts the parts that it needs and adds its own beside its code. Every colour, size and time is a token.
 */
import { css } from "lit";

/** A sheet: head, labelled parts, rows, title block, disclosure. */
export const sheets = css`
  .sheet {
    border: 1px solid var(--line-2);
    border-radius: var(--r-2);
    background: var(--surface);
    overflow: clip;
  }
  .sheet > .s-h {
    display: flex;
    align-items: center;
    gap: var(--s-4);
    padding: var(--s-4) var(--s-5);
    background: var(--sunken);
    border-bottom: 1px solid var(--line-2);
    flex-wrap: wrap;
  }
  .sheet > .s-h h3 {
    font-size: var(--t-small);
    line-height: var(--l-small);
    font-weight: var(--w-strong);
  }
  .sheet > .s-h .end { margin-inline-start: auto; }
  .sheet > .s-h > .btn.quiet.end {
    margin-inline-end: calc(-1 * var(--s-4));
    margin-block: calc(-1 * var(--s-2));
  }
  .sheet .s-b { padding: var(--s-5); }
  .sheet .lab {
    padding: var(--s-3) var(--s-5);
    border-block: 1px solid var(--line);
    background: var(--sunken);
    display: flex;
    gap: var(--s-4);
    align-items: baseline;
    justify-content: space-between;
    font-size: var(--t-meta);
    line-height: var(--l-meta);
    color: var(--text-2);
    font-weight: var(--w-strong);
  }
  .sheet .lab > :last-child:not(:first-child) { font-weight: var(--w-normal); }
  .tb {
    display: grid;
    grid-template-columns: repeat(3, minmax(0, 1fr));
    font-size: var(--t-small);
    line-height: var(--l-small);
  }
  .tb > div {
    padding: var(--s-3) var(--s-5);
    border-inline-start: 1px solid var(--line);
    border-bottom: 1px solid var(--line);
    margin: 0 0 -1px -1px;
    min-width: 0;
  }
  .tb dt { font-size: var(--t-meta); line-height: var(--l-meta); color: var(--text-3); }
  .tb dd { overflow-wrap: anywhere; font-weight: var(--w-medium); }
  .rows > li {
    display: flex;
    align-items: flex-start;
    gap: var(--s-4);
    padding: var(--s-3) var(--s-5);
    min-height: var(--row);
    font-size: var(--t-small);
    line-height: var(--l-small);
  }
  .rows > li + li { border-top: 1px solid var(--line); }
  .rows > li > .check { margin-top: 1px; }
  .rows > li > .i { margin-top: 1px; }
  .rows .sub { color: var(--text-2); font-size: var(--t-meta); line-height: var(--l-meta); }
  .rows .off { color: var(--text-3); }
  .rows .off .txt { text-decoration: line-through; }
  .edit { border-bottom: 1px dashed var(--line-control); }
  .said {
    border-inline-start: 2px solid var(--line-2);
    padding: var(--s-1) 0 var(--s-1) var(--s-5);
  }
  .said .who {
    font-size: var(--t-meta);
    line-height: var(--l-meta);
    color: var(--text-3);
    display: flex;
    gap: var(--s-4);
  }
  .said.you { border-color: var(--text-2); }

  summary::-webkit-details-marker { display: none; }
  .fold > summary {
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
  .fold > summary:hover { background: var(--hover); }
  summary > .tw { transition: rotate var(--m-2) var(--ease); color: var(--text-3); }
  details[open] > summary > .tw { rotate: 90deg; }
  .ex > li { padding: 0; }
  .ex-b {
    display: flex;
    gap: var(--s-5);
    align-items: flex-start;
    width: 100%;
    text-align: start;
    border: 0;
    background: none;
    padding: var(--s-5);
    cursor: pointer;
  }
  .ex-b:hover { background: var(--hover); }
  .ex-b .i { margin-top: 1px; color: var(--action); }
  .ex-b .go { margin-inline-start: auto; color: var(--text-3); }
  .ex-b:focus-visible { outline-offset: -2px; }
`;

/** Callouts: what happened, what was kept, what to do. */
export const calls = css`
  .call {
    border: 1px solid var(--line-2);
    border-inline-start-width: 4px;
    border-radius: var(--r-2);
    padding: var(--s-5);
    display: grid;
    gap: var(--s-3);
    font-size: var(--t-small);
    line-height: var(--l-small);
    grid-template-columns: minmax(0, 1fr);
  }
  .call h3 { font-size: var(--t-body); line-height: var(--l-body); font-weight: var(--w-strong); }
  .call.fail {
    border-color: var(--fail-line);
    border-inline-start-color: var(--fail-fill);
    background: var(--fail-tint);
  }
  .call.hold {
    border-color: var(--hold-line);
    border-inline-start-color: var(--hold-fill);
    background: var(--hold-tint);
  }
  .call.info {
    border-color: var(--action-line);
    border-inline-start-color: var(--action-fill);
    background: var(--action-tint);
  }
  .call .w3 { display: grid; grid-template-columns: auto 1fr; gap: var(--s-2) var(--s-5); }
  .call .w3 dt { color: var(--text-2); font-weight: var(--w-medium); }

  .call .acts-c { margin-top: var(--s-3); gap: var(--s-4); }
`;

/** Tables of facts. */
export const tables = css`
  table.t {
    border-collapse: collapse;
    width: 100%;
    font-size: var(--t-small);
    line-height: var(--l-small);
  }
  .t th {
    text-align: start;
    font-size: var(--t-meta);
    line-height: var(--l-meta);
    font-weight: var(--w-medium);
    color: var(--text-2);
    padding: var(--s-3) var(--s-5);
    border-bottom: 1px solid var(--line-2);
    white-space: nowrap;
    background: var(--sunken);
  }
  .t td, .t tbody th {
    padding: 0 var(--s-5);
    height: var(--row);
    border-bottom: 1px solid var(--line);
  }
  .t tbody th {
    font-weight: var(--w-medium);
    color: var(--text);
    font-size: var(--t-small);
    line-height: var(--l-small);
    background: none;
  }
  .t tbody tr:last-child > * { border-bottom: 0; }
  .t tbody tr:hover { background: var(--hover); }
  .t tr[aria-selected="true"], .t tr.sel { background: var(--selected); }
  .t th.num, .t td.num { text-align: end; }
  .t tfoot td, .t tfoot th {
    border-top: 1px solid var(--line-2);
    border-bottom: 0;
    font-weight: var(--w-strong);
    height: var(--row);
    padding: 0 var(--s-5);
    background: none;
    color: var(--text);
    font-size: var(--t-small);
  }
  .swatch {
    display: inline-block;
    width: 12px;
    height: 12px;
    vertical-align: -1px;
    border: 1px solid var(--line-control);
    border-radius: 1px;
    forced-color-adjust: none;
  }
`;

/** Bars in two shades, with their keys. */
export const meters = css`
  .meter {
    display: flex;
    height: 6px;
    border-radius: 1px;
    overflow: hidden;
    background: var(--active);
    box-shadow: inset 0 0 0 1px var(--line-2);
  }
  .meter > i { display: block; background: var(--action-fill); }
  .meter > i.held {
    background: repeating-linear-gradient(
      135deg,
      var(--action-fill) 0 2px,
      var(--action-tint) 2px 4px
    );
  }
  .meter > i.over { background: var(--fail-fill); }
  .meter.big { height: 12px; }
  .key {
    width: 10px;
    height: 10px;
    border-radius: 1px;
    background: var(--action-fill);
    display: inline-block;
  }
  .key.held {
    background: repeating-linear-gradient(
      135deg,
      var(--action-fill) 0 2px,
      var(--action-tint) 2px 4px
    );
    box-shadow: inset 0 0 0 1px var(--action-line);
  }
  .key.left { background: var(--active); box-shadow: inset 0 0 0 1px var(--line-2); }
  .key.over { background: var(--fail-fill); }

  .progress { height: 4px; background: var(--active); border-radius: 1px; overflow: hidden; }
  .progress > i { display: block; height: 100%; background: var(--action-fill); }
`;

/** The head of a pane: its name, and what can be done at its end. */
export const heads = css`
  .p-head {
    display: flex;
    align-items: center;
    gap: var(--s-4);
    min-height: 40px;
    padding: 0 var(--s-4) 0 var(--pad);
    border-bottom: 1px solid var(--line);
    flex: none;
  }
  .p-head h2 {
    font-size: var(--t-small);
    line-height: var(--l-small);
    font-weight: var(--w-strong);
    white-space: nowrap;
  }
  .p-head .end { margin-inline-start: auto; display: flex; align-items: center; gap: var(--s-1); }
`;
