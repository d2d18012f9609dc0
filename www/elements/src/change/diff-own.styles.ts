/** Where the review differs from the plain diff: folds by file, and a choice of layout. */
import { css } from "lit";

export const own = css`
  .diff-f + .diff-f, .diffbody { border-top: 1px solid var(--line); }
  .stats { margin-inline-start: auto; }
  .diffbody { container-type: inline-size; }
  .w-ln { width: 36px; }
  .w-sg { width: 18px; }
  .hunk:focus-visible { outline-offset: -2px; }
  .hunk-h .strong { color: var(--text); }
  .sheet { container-type: inline-size; container-name: change; }
  .seg.wide { display: none; }
  @container change (min-width: 700px) {
    .seg.wide { display: inline-flex; }
    [data-uni] .cols { display: none; }
  }
  [data-uni] .split { display: none !important; }
  [data-uni] .uni { display: table !important; }
  .one .code { padding-inline: 2ch var(--s-4); }
`;
