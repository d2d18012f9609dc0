/** The bar above every page. UI.md §2. */
import { css } from "lit";

export const bar = css`
  .top {
    display: flex;
    align-items: center;
    gap: var(--s-5);
    height: var(--bar);
    padding: 0 var(--s-5);
    background: var(--surface);
    border-bottom: 1px solid var(--line-2);
    z-index: var(--z-bar);
    min-width: 0;
  }
  .brand, .pages, .top > .end { flex: none; white-space: nowrap; }
  .brand {
    display: flex;
    align-items: center;
    gap: var(--s-4);
    color: var(--text);
    text-decoration: none;
    font-weight: var(--w-strong);
    letter-spacing: -.005em;
    min-height: var(--target);
    min-width: var(--target);
  }
  .brand .i { width: 22px; height: 22px; stroke-width: 2; color: var(--action); }
  .doc {
    display: flex;
    align-items: center;
    gap: var(--s-3);
    min-width: 0;
    padding-inline-start: var(--s-5);
    border-inline-start: 1px solid var(--line);
    font-size: var(--t-small);
  }
  .end {
    margin-inline-start: auto;
    display: flex;
    align-items: center;
    gap: var(--s-2);
  }
  /* What a bar that is too short goes without, step by step. */
  .top[data-tight~="answers"] .answers,
  .top[data-tight~="words"] :is(.hide-m, .doc .badge.plain),
  .top[data-tight~="personal"] .personal,
  .top[data-tight~="pages"] .pages,
  .top[data-tight~="budget"] hp-budget,
  .top[data-tight~="mark"] .doc > .i,
  .top[data-tight~="brand"] .brand { display: none; }
  .top[data-tight~="brand"] .doc { gap: var(--s-1); }
  .top[data-tight~="words"] .only-m { display: block; }
  .top[data-tight~="left"] hp-budget { --budget-left: none; }
  .answers {
    overflow: hidden;
    text-overflow: ellipsis;
    max-width: 260px;
    padding-inline-end: var(--s-4);
  }
  .initials {
    width: 26px;
    height: 26px;
    border-radius: var(--r-round);
    border: 1px solid var(--line-control);
    display: grid;
    place-items: center;
    background: var(--sunken);
    color: var(--text-2);
  }
  .mg { display: flex; align-items: center; gap: var(--s-4); min-width: 0; flex: 1; }
  .mg .strong { font-size: var(--t-small); }
  .mg .meta { color: var(--text); font-weight: var(--w-strong); }
  .mini { display: flex; align-items: center; flex: none; gap: 3px; }
  .mini i { width: 8px; height: 8px; border-radius: 50%; border: 2px solid var(--line-2); }
  .mini i.done { background: var(--pass-fill); border-color: var(--pass-fill); }
  .mini i.now { border-color: var(--action-fill); background: var(--action-fill); }
  .mini i.bad { border-color: var(--fail-fill); background: var(--fail-fill); }
  .mini b { width: 2px; height: 12px; background: var(--line-control); }
  .mini b.done { background: var(--pass-fill); }
  .mini b.wait { width: 6px; height: 16px; background: var(--hatch); border-radius: 1px; }
  .mini i.now:has(+ b.wait) { border-color: var(--hold); background: var(--hold-fill); }
`;
