/** Files, folds, changed words; side by side from 700 px of its own width. */
import { css } from "lit";

export const styles = css`
  .diffbox {
    container-type: inline-size;
    border: 1px solid var(--line-2);
    border-radius: var(--r-2);
    overflow: clip;
    background: var(--surface);
  }
  .diffbox + .diffbox { margin-top: var(--gap); }
  .diff-h {
    display: flex;
    align-items: center;
    gap: var(--s-4);
    padding: var(--s-3) var(--s-5);
    background: var(--sunken);
    border-bottom: 1px solid var(--line-2);
    font-size: var(--t-small);
    line-height: var(--l-small);
    min-height: 36px;
    flex-wrap: wrap;
  }
  .diff-h .path {
    font-family: var(--mono);
    font-size: var(--t-meta);
    font-weight: var(--w-strong);
  }
  .diff-h .end { margin-inline-start: auto; display: flex; gap: var(--s-4); align-items: center; }
  .hunk-h {
    display: flex;
    align-items: center;
    gap: var(--s-4);
    padding: var(--s-3) var(--s-4) var(--s-3) var(--s-5);
    background: var(--diff-fold);
    border-block: 1px solid var(--line);
    font-size: var(--t-meta);
    line-height: var(--l-meta);
    color: var(--text-2);
    flex-wrap: wrap;
  }
  .diff-h + .hunk-h { border-top: 0; }
  .hunk-h .end { margin-inline-start: auto; }
  .hunk.rejected .code, .hunk.rejected .sg, .hunk.rejected .ln {
    background: var(--surface) !important;
  }
  .hunk.rejected mark { background: none !important; }
  .hunk.rejected tr.ins .code, .hunk.rejected td.ins.code {
    text-decoration: line-through;
    color: var(--text-3);
  }
  .hunk.rejected .ins *, .hunk.rejected .sg { color: var(--text-3) !important; }
  .cols {
    display: none;
    grid-template-columns: 1fr 1fr;
    font-size: var(--t-meta);
    line-height: var(--l-meta);
    color: var(--text-2);
    border-bottom: 1px solid var(--line);
  }
  .cols > * { padding: var(--s-2) var(--s-5); }
  .cols > * + * { border-inline-start: 1px solid var(--line-2); }
  table.diff {
    border-collapse: collapse;
    width: 100%;
    table-layout: fixed;
    font: var(--t-code)/var(--l-code) var(--mono);
    color: var(--code);
    tab-size: 4;
  }
  .diff td { padding: 0; vertical-align: top; }
  .diff .ln {
    width: 38px;
    padding-inline-end: var(--s-3);
    text-align: end;
    color: var(--text-3);
    user-select: none;
    background: var(--sunken);
  }
  .diff .sg { width: 18px; text-align: center; color: var(--text-2); user-select: none; }
  .diff .code {
    white-space: pre-wrap;
    overflow-wrap: anywhere;
    padding-inline: 2ch var(--s-4);
    text-indent: -2ch;
  }
  .diff .ins .code, .diff .ins .sg, .diff td.ins { background: var(--diff-add); }
  .diff .del .code, .diff .del .sg, .diff td.del { background: var(--diff-del); }
  .diff .ins .sg, .diff td.sg.ins { color: var(--pass); font-weight: var(--w-strong); }
  .diff .del .sg, .diff td.sg.del { color: var(--fail); font-weight: var(--w-strong); }
  .diff .none {
    background: repeating-linear-gradient(135deg, transparent 0 5px, var(--line) 5px 6px);
  }
  .diff mark { color: inherit; border-radius: 1px; }
  .ins mark, mark.a { background: var(--diff-add-word); }
  .del mark, mark.d { background: var(--diff-del-word); }
  .diff .mid { border-inline-start: 1px solid var(--line-2); }
  .diff .ln.look { box-shadow: inset 3px 0 0 var(--hold-fill); }
  .diff :is(.sg, .code):is(.copy, .there) { background: var(--hold-tint); }
  .diff .sg.look .i { color: var(--hold); }
  .diff span.part { border-bottom: 2px solid var(--hold-fill); }
  .ctl {
    margin-inline: 1px;
    padding-inline: 2px;
    border: 1px solid var(--hold-line);
    border-radius: 2px;
    background: var(--hold-tint);
    color: var(--hold);
  }
  .k { color: var(--code-key); }
  .st { color: var(--code-str); }
  .nu { color: var(--code-num); }
  .co { color: var(--code-com); }
  .split { display: none !important; }
  @container (max-width: 420px) {
    .diff.uni .ln:first-child, .diff.uni col:first-child { display: none; }
    .diff .code { padding-inline: 3ch var(--s-2); text-indent: -3ch; }
  }
  @container (min-width: 700px) {
    .cols { display: grid; }
    .split { display: table !important; }
    .uni { display: none !important; }
  }
  .fold-line {
    display: block;
    width: 100%;
    text-align: start;
    border: 0;
    background: var(--diff-fold);
    color: var(--text-2);
    font-size: var(--t-meta);
    line-height: var(--l-meta);
    padding: var(--s-2) var(--s-5);
    border-top: 1px solid var(--line);
    cursor: pointer;
    min-height: var(--target);
  }
  .fold-line:focus-visible { outline-offset: -2px; }
  .fold-line.stays {
    display: flex;
    align-items: center;
    gap: var(--s-2);
    border-block: 1px dashed var(--hold-line);
    box-shadow: inset 3px 0 0 var(--hold-fill);
    background: var(--hold-tint);
    color: var(--hold);
  }
`;
