/** The frames of a diff: a box a file, or all files in one sheet; choices, folds, a layout that can be chosen. */
import { css } from "lit";

export const styles = css`
  .w-ln { width: 38px; }
  .uni .w-ln { width: 34px; }
  .w-sg { width: 18px; }
  .hunk:focus-visible { outline-offset: -2px; }
  .slice + .slice { content-visibility: auto; contain-intrinsic-size: auto 2700px; }
  .hunk-h .strong { color: var(--text); }
  .fold-b {
    border: 0;
    background: none;
    padding: 0;
    min-width: var(--target);
    min-height: var(--target);
    margin-inline-start: calc(-1 * var(--s-2));
    cursor: pointer;
    color: var(--text-2);
    display: grid;
    place-items: center;
  }
  .diff-h { padding-block: var(--s-2); }
  [data-uni] .split, [data-uni] .cols { display: none !important; }
  [data-uni] .uni { display: table !important; }
  [data-stale] .diff :is(.ins .code, .ins .sg, .del .code, .del .sg, td.ins, td.del, .ln) {
    background: var(--sunken);
  }
  [data-stale] .diff mark { background: none; text-decoration: underline dotted; }
  .hunk-h .acts { display: flex; flex-wrap: wrap; justify-content: flex-end; gap: var(--s-2); }
  .seg > button[disabled] { color: var(--text-off); cursor: not-allowed; }
`;

/** All files in one sheet: each folds, and the sheet's own head has the layout. */
export const sheetStyles = css`
  .sheet .w-ln, .sheet .uni .w-ln { width: 36px; }
  .diff-f + .diff-f, .diffbody { border-top: 1px solid var(--line); }
  .stats { margin-inline-start: auto; }
  .diffbody { container-type: inline-size; }
  .sheet { container-type: inline-size; container-name: change; }
  .seg.wide { display: none; }
  @container change (min-width: 700px) { .seg.wide { display: inline-flex; } }
`;
