/** What the crew pages share: a column of sheets, tables of parts, forms, the bar of a view, its foot. UI.md §12. */
import { css } from "lit";

/** The heading of a callout that stands right under the page's own. */
export const callHead = css`
  .call h2 { font-size: var(--t-body); line-height: var(--l-body); font-weight: var(--w-strong); }
`;

/** A page that scrolls above its foot. */
export const scrolling = css`
  :host {
    display: grid;
    grid-template-rows: minmax(0, 1fr) auto;
    min-height: 0;
    background: var(--canvas);
  }
  .all { overflow: auto; min-height: 0; }
  @media (max-height: 480px) { :host { display: block; overflow: auto; } }
`;

/** Panes beside each other under the bar of a view. */
export const panes = css`
  :host { display: flex; flex-direction: column; min-height: 0; background: var(--surface); }
  .both {
    display: grid;
    grid-template: minmax(0, 1fr) / minmax(0, 1fr) 444px;
    gap: 1px;
    background: var(--line-2);
    flex: 1;
    min-height: 0;
  }
  .pane {
    display: flex;
    flex-direction: column;
    min-width: 0;
    min-height: 0;
    background: var(--surface);
  }
  @media (max-width: 1199px) { .both { grid-template-columns: minmax(0, 1fr) 380px; } }
  @media (max-width: 979px) { .both { display: flex; flex-direction: column; } }
`;

/** A table whose rows are cards where it is narrow. */
export const cards = css`
  @media (max-width: 767px) {
    .cards thead { position: absolute; clip-path: inset(50%); height: 1px; overflow: hidden; }
    .cards, .cards tbody { display: block; }
    .cards tr {
      display: grid;
      grid-template-columns: minmax(0, 1fr) auto;
      gap: var(--s-2) var(--s-4);
      padding: var(--s-4) var(--s-5);
      border-bottom: 1px solid var(--line);
    }
    .cards tbody tr > * { height: auto; padding: 0; border: 0; min-width: 0; }
  }
`;

/** One column of sheets, with a head above and a foot below. */
export const column = css`
  .in {
    max-width: 1240px;
    width: 100%;
    margin: 0 auto;
    padding: var(--s-8) var(--s-8) var(--s-10);
    display: grid;
    gap: var(--s-6);
    grid-template-columns: minmax(0, 1fr);
    align-content: start;
  }
  .in.mid { max-width: 1080px; }
  .head { display: flex; align-items: end; gap: var(--s-4) var(--s-6); flex-wrap: wrap; }
  .head .end { margin-inline-start: auto; }
  h1 {
    font-size: var(--t-title);
    line-height: var(--l-title);
    letter-spacing: -.01em;
    font-weight: var(--w-strong);
    overflow-wrap: anywhere;
  }
  .sheet > .s-h { min-height: 42px; padding-block: var(--s-3); }
  .sheet > .s-h h2 {
    font-size: var(--t-small);
    line-height: var(--l-small);
    font-weight: var(--w-strong);
  }
  .crumb { font-size: var(--t-small); color: var(--text-2); white-space: nowrap; }
  .none { padding: var(--s-5); color: var(--text-2); font-size: var(--t-small); }
  .two {
    display: grid;
    grid-template-columns: minmax(0, 1fr) 300px;
    gap: var(--s-6);
    align-items: start;
  }
  .two > * {
    display: grid;
    gap: var(--s-6);
    min-width: 0;
    grid-template-columns: minmax(0, 1fr);
  }
  .two > .side { position: sticky; top: 0; }
  @media (max-width: 1199px) {
    .two { grid-template-columns: minmax(0, 1fr); }
    .two > .side { position: static; }
    .two.first > .side { order: -1; }
  }
  @media (max-width: 767px) {
    .in { padding: var(--s-6) var(--s-5) var(--s-9); }
    .head .end { margin-inline-start: 0; }
  }
`;

/** Tables of parts. */
export const partTables = css`
  .ct td, .ct tbody th { height: 48px; padding-block: var(--s-3); }
  .ct tbody th { text-align: start; white-space: normal; overflow-wrap: anywhere; }
  .ct .sub {
    display: block;
    font-weight: var(--w-normal);
    color: var(--text-2);
    font-size: var(--t-meta);
    line-height: var(--l-meta);
  }
  .ct th a, .ct th a code {
    color: var(--text);
    font-weight: var(--w-strong);
    text-decoration: none;
  }
  .ct th a:hover { text-decoration: underline; }
  .ct .ac { white-space: nowrap; text-align: end; width: 1%; padding-inline-start: 0; }
  .ct .ac > * { vertical-align: middle; }
  .ct td.n { white-space: nowrap; color: var(--text-2); }
  .ct .fd { white-space: nowrap; }
  .ct .fd > .i { margin-inline-end: var(--s-3); }
  @media (min-width: 768px) {
    .ct.al { table-layout: fixed; }
    .ct.al th:nth-child(2) { width: 160px; }
    .ct.al th:nth-child(3) { width: 174px; }
    .ct.al th:nth-child(4) { width: 148px; }
    .ct.al th:nth-child(5) { width: 116px; }
    .ct.al td.n { white-space: normal; }
  }
  @media (max-width: 767px) {
    .ct tbody tr:last-child { border-bottom: 0; }
    .ct td.n, .ct .fd {
      grid-column: 1;
      font-size: var(--t-meta);
      line-height: var(--l-meta);
      white-space: normal;
    }
    .ct .ac { grid-column: 2; grid-row: 1; width: auto; }
    .ct .ac .btn:not(.icon) { display: none; }
    .ct td.hn, .ct td:empty { display: none; }
  }
`;

/** Names and their fields. */
export const fields = css`
  .frm {
    display: grid;
    grid-template-columns: 104px minmax(0, 1fr);
    gap: var(--s-4);
    padding: var(--s-5) var(--pad);
    font-size: var(--t-small);
    line-height: var(--l-small);
    align-items: start;
    border-bottom: 1px solid var(--line);
  }
  .frm > label, .frm > .fl { color: var(--text-2); padding-top: 4px; }
  .frm .input, .frm .select { min-height: 28px; width: 100%; }
  .msg {
    display: flex;
    gap: var(--s-3);
    color: var(--hold);
    font-size: var(--t-meta);
    line-height: var(--l-meta);
    margin-top: var(--s-2);
    overflow-wrap: anywhere;
  }
  .msg.bad { color: var(--fail); }
  .ro { padding-top: 4px; overflow-wrap: anywhere; }
  .frm.wide {
    grid-template-columns: 176px minmax(0, 1fr);
    padding: var(--s-5);
    gap: var(--s-5);
    border: 0;
  }
  .frm.wide .input, .frm.wide .select { min-height: var(--control); }
  .frm.wide > label, .frm.wide > .fl { padding-top: 7px; }
  .frm textarea.input { resize: vertical; padding-block: var(--s-3); }
  .hint {
    color: var(--text-2);
    font-size: var(--t-meta);
    line-height: var(--l-meta);
    margin-top: var(--s-2);
  }
  .opt {
    display: flex;
    gap: var(--s-4);
    align-items: flex-start;
    padding-top: 7px;
    cursor: pointer;
  }
  .two-in {
    display: grid;
    grid-template-columns: repeat(2, minmax(0, 1fr));
    gap: var(--s-4);
    margin-top: var(--s-4);
  }
  [aria-invalid="true"].input { border-color: var(--fail-fill); }
  @media (max-width: 767px) {
    .frm.wide { grid-template-columns: minmax(0, 1fr); gap: var(--s-2); }
    .frm.wide > label, .frm.wide > .fl {
      padding-top: var(--s-4);
      font-weight: var(--w-medium);
      color: var(--text);
    }
    .frm.wide .ro, .opt { padding-top: 0; }
    .two-in { grid-template-columns: minmax(0, 1fr); }
  }
`;

/** The bar above an editor. */
export const viewBar = css`
  .vbar {
    display: flex;
    align-items: center;
    gap: var(--s-2) var(--s-4);
    min-height: 48px;
    padding: var(--s-2) var(--s-5) var(--s-2) var(--pad);
    background: var(--surface);
    min-width: 0;
    flex: none;
    border-bottom: 1px solid var(--line-2);
  }
  .vbar h1 {
    font-size: var(--t-head);
    line-height: var(--l-head);
    font-weight: var(--w-strong);
    letter-spacing: -.005em;
    min-width: 0;
    overflow-wrap: anywhere;
  }
  .vbar h1.mono { font-size: var(--t-body); }
  .vbar .end {
    margin-inline-start: auto;
    display: flex;
    align-items: center;
    gap: var(--s-3);
    flex: none;
  }
  .vbar .sep { width: 1px; height: 20px; background: var(--line-2); flex: none; }
  @media (max-width: 979px) {
    .vbar { flex-wrap: wrap; padding-block: var(--s-4); }
    .vbar .end { margin-inline-start: 0; flex: 0 1 auto; flex-wrap: wrap; min-width: 0; }
    .vbar .end .select { min-width: 0; max-width: 100%; }
    .vbar .sep, .wide-only { display: none !important; }
  }
  @media (max-width: 767px) { .vbar .hide-n { display: none; } }
`;

/** The line at the foot: what is so, and what can be done. */
export const statusBar = css`
  .statusbar {
    display: flex;
    align-items: center;
    gap: var(--s-2) var(--s-4);
    padding: var(--s-4) var(--pad);
    font-size: var(--t-small);
    line-height: var(--l-small);
    flex-wrap: wrap;
  }
  .statusbar .end {
    margin-inline-start: auto;
    display: flex;
    gap: var(--s-2) var(--s-4);
    flex-wrap: wrap;
    justify-content: flex-end;
  }
  .statusbar .btn { white-space: nowrap; }
  .p-foot { flex: none; border-top: 1px solid var(--line-2); background: var(--surface); }
`;
