/** Running a script: head, two columns of input and result, foot. */
import { css } from "lit";

export const styles = css`
  :host {
    display: flex;
    flex-direction: column;
    flex: 1;
    min-height: 0;
    min-width: 0;
    background: var(--surface);
    container: run / inline-size;
  }
  .p-head h2 { flex: none; }
  .body {
    flex: 1;
    min-height: 0;
    overflow: auto;
    overscroll-behavior: contain;
    scrollbar-width: thin;
    display: grid;
    grid-template-columns: minmax(260px, 340px) minmax(0, 1fr);
    align-content: stretch;
  }
  .body > * { padding: var(--pad); align-content: start; }
  .asks { border-inline-end: 1px solid var(--line-2); background: var(--canvas); }
  .cols { display: grid; gap: var(--s-6); grid-template-columns: minmax(0, 1fr); align-items: start; }
  .cols.two { grid-template-columns: repeat(2, minmax(0, 1fr)); }
  .foot { flex: none; border-top: 1px solid var(--line-2); position: relative; }
  .none { display: grid; gap: var(--s-3); max-width: 460px; padding-block: var(--s-8); }
  .none p { color: var(--text-2); }
  .none h3 { font-size: var(--t-head); line-height: var(--l-head); }
  .progress { position: absolute; inset: -4px 0 auto; border-radius: 0; }
  .ex-l > li { align-items: center; }
  @container run (max-width: 720px) {
    .body { display: block; }
    .asks { border-inline-end: 0; border-bottom: 1px solid var(--line-2); }
    .cols.two { grid-template-columns: minmax(0, 1fr); }
  }
  @media (max-width: 767px) {
    .hide-n { display: none !important; }
    .body { padding-bottom: var(--s-8); }
    .seg > * { min-height: 42px; }
  }
  @media (max-height: 480px) { .body { overflow: visible; flex: none; } :host { overflow: auto; } }
`;

export const fields = css`
  :host { display: grid; gap: var(--gap); grid-template-columns: minmax(0, 1fr); align-content: start; }
  .frm { display: grid; gap: var(--s-6); padding: var(--s-5); grid-template-columns: minmax(0, 1fr); }
  .fld { display: grid; gap: var(--s-2); justify-items: start; min-width: 0; }
  .fld > label, .fld > .lb {
    font-size: var(--t-small);
    line-height: var(--l-small);
    font-weight: var(--w-medium);
    overflow-wrap: anywhere;
  }
  .fld .meta { overflow-wrap: anywhere; }
  .fld .need { color: var(--text-3); font-weight: var(--w-normal); }
  .fld textarea { min-height: 76px; resize: vertical; }
  .fld .select { width: 100%; min-height: var(--control-s); }
  .opt { display: flex; gap: var(--s-4); align-items: flex-start; cursor: pointer; }
  .opt { font-size: var(--t-small); line-height: var(--l-small); }
  .opts { display: grid; gap: var(--s-3); border: 0; margin: 0; padding: 0; min-width: 0; }
  .bad { color: var(--fail); font-size: var(--t-meta); line-height: var(--l-meta); }
  .input[aria-invalid="true"], .select[aria-invalid="true"] { border-color: var(--fail); }
  .has {
    display: flex;
    align-items: center;
    gap: var(--s-4);
    width: 100%;
    border: 1px solid var(--line-2);
    border-radius: var(--r-2);
    background: var(--sunken);
    padding: 0 0 0 var(--s-4);
    font-size: var(--t-small);
    min-width: 0;
  }
  .has .meta { flex: none; }
  .has .btn { margin-inline-start: auto; }
  .rows .has { border: 0; background: none; }
  .drop {
    display: grid;
    gap: var(--s-3);
    margin: var(--s-5);
    padding: var(--s-5);
    border: 1px dashed var(--line-control);
    border-radius: var(--r-2);
    font-size: var(--t-small);
    line-height: var(--l-small);
    justify-items: start;
  }
  .drop.over { background: var(--action-tint); border-color: var(--action); }
  .files > li { padding: 0 var(--s-5); }
  @media (max-width: 767px) {
    .btn, .input, .select { min-height: 44px; }
    .btn.icon { width: 44px; }
    .opt { min-height: 44px; align-items: center; }
    .link { min-height: 44px; }
  }
`;

export const result = css`
  :host { display: grid; gap: var(--gap); grid-template-columns: minmax(0, 1fr); align-content: start; }
  .top { display: flex; align-items: center; gap: var(--s-4); flex-wrap: wrap; min-height: 24px; }
  .top h3 { font-size: var(--t-body); line-height: var(--l-body); font-weight: var(--w-strong); }
  pre {
    margin: 0;
    padding: var(--s-4) 0;
    font-family: var(--mono);
    font-size: var(--t-code);
    line-height: var(--l-code);
    color: var(--code);
    max-height: 360px;
    overflow: auto;
  }
  pre > span {
    display: block;
    padding: 0 var(--s-5);
    white-space: pre-wrap;
    overflow-wrap: anywhere;
    min-height: var(--l-code);
  }
  .d { background: var(--hold-tint); box-shadow: inset 3px 0 0 var(--hold-fill); }
  .d.on { box-shadow: none; }
  .tab { max-height: 360px; overflow: auto; }
  .tab td, .tab th { white-space: nowrap; max-width: 320px; overflow: hidden; text-overflow: ellipsis; }
  .tab thead th { position: sticky; top: 0; }
  .facts {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr);
    font-size: var(--t-small);
    line-height: var(--l-small);
  }
  .facts > * { padding: var(--s-3) var(--s-5); border-top: 1px solid var(--line); overflow-wrap: anywhere; }
  .facts > :nth-child(-n + 2) { border-top: 0; }
  .facts dt { color: var(--text-2); }
  figure { padding: var(--s-5); display: grid; justify-items: start; background: #fff; }
  figure img { max-width: 100%; max-height: 480px; }
  .s-h h4 {
    font-size: var(--t-small);
    line-height: var(--l-small);
    font-weight: var(--w-strong);
    overflow-wrap: anywhere;
  }
  .s-f { padding: var(--s-3) var(--s-5); border-top: 1px solid var(--line); }
  .src {
    display: flex;
    gap: var(--s-5);
    padding: var(--s-3) var(--s-4);
    background: var(--sunken);
    border-radius: var(--r-2);
    overflow-x: auto;
  }
  .src code { white-space: pre; font-size: var(--t-code); }
  .call > p { overflow-wrap: anywhere; }
  details summary { cursor: pointer; font-size: var(--t-meta); color: var(--text-2); min-height: var(--target); }
  details pre > span { padding: 0; }
  @media (max-width: 767px) {
    .btn { min-height: 44px; }
    .link { min-height: 44px; display: inline-flex; align-items: center; }
    details summary { min-height: 44px; align-content: center; }
  }
`;
