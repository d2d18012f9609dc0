/** A grid of rows; under 560 px of its own width a row has two lines and the chips are menus. */
import { css } from "lit";

/** Chips that narrow. */
export const chips = css`
  .chips { display: flex; flex-wrap: wrap; gap: var(--s-3); align-items: center; }
  .chips > .meta { min-width: 48px; }
  .chip {
    display: inline-flex;
    align-items: center;
    gap: var(--s-2);
    min-height: var(--target);
    padding: 0 var(--s-4);
    border: 1px solid var(--line-2);
    border-radius: var(--r-round);
    background: var(--surface);
    color: var(--text-2);
    font-size: var(--t-meta);
    line-height: var(--l-meta);
    font-weight: var(--w-medium);
    cursor: pointer;
    white-space: nowrap;
  }
  .chip:hover { background: var(--hover); }
  .chip .n { color: var(--text-3); font-weight: var(--w-normal); }
  .chip[aria-pressed="true"] {
    background: var(--action-tint);
    border-color: var(--action-line);
    color: var(--action);
    padding-inline-start: var(--s-3);
  }
  .chip[aria-pressed="true"] .n { color: inherit; }
`;

export const styles = css`
  :host {
    container-type: inline-size;
    min-height: 0;
    height: 100%;
    display: flex;
    position: relative;
  }
  .m-table {
    container-type: inline-size;
    flex: 1;
    min-width: 0;
    min-height: 0;
    display: flex;
    flex-direction: column;
  }
  hp-columns { flex: 0 0 380px; border-inline-start: 1px solid var(--line-2); }
  @container (max-width: 760px) {
    hp-columns { position: absolute; inset: 0; z-index: var(--z-sticky); border: 0; }
  }
  .m-scroll { flex: 1; min-height: 0; position: relative; }
  .upper {
    flex: none;
    display: flex;
    flex-direction: column;
    height: calc(100% / 3);
    min-height: min(96px, 50%);
    max-height: max(96px, calc(100% - 192px));
  }
  slot[name="drawing"] { display: flex; flex: 1; min-height: 0; }
  .m-scroll:focus-visible { outline-offset: -2px; }
  .none { padding: var(--pad); }
  .et-bar {
    display: flex;
    align-items: center;
    gap: var(--s-4);
    padding: var(--s-4) var(--s-5);
    border-bottom: 1px solid var(--line);
  }
  .et-bar { align-items: flex-start; }
  .et-bar > .btn { flex: none; min-height: var(--control-s); }
  .et-bar .only-thin { display: none; }
  /* Many storeys of many models do not take the place of the rows. */
  .et-wide {
    max-height: 180px;
    overflow: auto;
    display: grid;
    gap: var(--s-3);
    padding: var(--s-4) var(--s-5);
    border-bottom: 1px solid var(--line);
  }
  .et-thin { display: none; }
  .legend .n { color: var(--text-3); font-weight: var(--w-normal); }
  .legend {
    display: flex;
    align-items: center;
    gap: var(--s-2) var(--s-6);
    padding: var(--s-2) var(--s-4) var(--s-2) var(--s-5);
    min-height: 36px;
    background: var(--sunken);
    border-bottom: 1px solid var(--line);
    font-size: var(--t-meta);
    line-height: var(--l-meta);
    flex-wrap: wrap;
  }
  .legend ul { display: flex; flex-wrap: wrap; gap: var(--s-1) var(--s-5); }
  .legend li { display: flex; align-items: center; gap: var(--s-3); }
  .legend .btn { margin-inline-start: auto; }
  .key {
    width: 10px;
    height: 10px;
    border-radius: 1px;
    background: var(--c);
    box-shadow: inset 0 0 0 1px rgb(0 0 0 / .22);
    display: inline-block;
    flex: none;
  }
  .row {
    display: grid;
    grid-template-columns:
      42px minmax(0, 19fr) minmax(0, 44fr) minmax(0, 17fr) var(--values);
    min-width: var(--least);
    align-items: center;
    font-size: var(--t-small);
    line-height: var(--l-small);
  }
  .row > * { padding: 0 var(--s-5); min-width: 0; }
  .row > .ck { padding-inline: var(--s-5) 0; display: flex; }
  .head {
    position: sticky;
    top: 0;
    z-index: 1;
    background: var(--sunken);
    border-bottom: 1px solid var(--line-2);
  }
  .head .row {
    height: 30px;
    font-size: var(--t-meta);
    font-weight: var(--w-medium);
    color: var(--text-2);
  }
  .th {
    border: 0;
    background: none;
    padding: 0;
    min-height: 28px;
    max-width: 100%;
    font-size: inherit;
    font-weight: inherit;
    color: inherit;
    cursor: pointer;
    display: inline-flex;
    align-items: center;
    gap: var(--s-2);
  }
  [aria-sort] .th { color: var(--text); font-weight: var(--w-strong); }
  .turned { rotate: 180deg; }
  .body { height: calc(var(--row) + 1px); border-bottom: 1px solid var(--line); cursor: default; }
  .body:focus-visible { outline-offset: -2px; z-index: 0; }
  .body.painted { background: color-mix(in srgb, var(--c) 6%, var(--surface)); }
  .body { box-shadow: inset 4px 0 0 var(--c, transparent); }
  .body.sel { background: var(--selected); }
  .body:hover { background: var(--hover); }
  .body.sel .nm { font-weight: var(--w-medium); }
  .ty, .pv { display: flex; align-items: center; gap: var(--s-3); white-space: nowrap; }
  .pv.num { justify-content: flex-end; }
  .ty .i { color: var(--text-3); }
  .nm, .sy { display: flex; }
  .statusline {
    display: flex;
    align-items: center;
    gap: var(--s-3);
    padding: 0 var(--pad);
    border-top: 1px solid var(--line-2);
    font-size: var(--t-meta);
    line-height: var(--l-meta);
    color: var(--text-2);
    min-height: 36px;
    flex: none;
    background: var(--surface);
  }
  .statusline > * { white-space: nowrap; }
  .statusline .end {
    margin-inline-start: auto;
    overflow: hidden;
    text-overflow: ellipsis;
    min-width: 0;
  }
  .sep { width: 1px; height: 12px; background: var(--line-2); margin: 0 var(--s-3); }
  .statusline .btn.s { min-height: 24px; }
  @container (max-width: 560px) {
    .et-wide, .et-bar .wide { display: none; }
    .et-bar .only-thin { display: block; }
    .et-bar { border: 0; }
    .et-thin {
      display: grid;
      grid-template-columns: repeat(3, minmax(0, 1fr));
      gap: var(--s-4);
      padding: 0 var(--s-5) var(--s-4);
      border-bottom: 1px solid var(--line);
    }
    .et-thin .select { width: 100%; }
    .et-thin .on {
      border-color: var(--action-line);
      background: var(--action-tint);
      color: var(--action);
      font-weight: var(--w-medium);
    }
    .head { position: absolute; clip-path: inset(50%); height: 1px; overflow: hidden; }
    .body {
      grid-template: auto auto / 42px auto minmax(0, 1fr) auto;
      min-width: 0;
      height: 47px;
      align-content: center;
    }
    .body > * { padding: 0; }
    .body .ck { grid-row: 1 / 3; align-self: center; }
    .body .nm { grid-column: 2 / 4; grid-row: 1; font-weight: var(--w-medium); }
    .body .ty, .body .sy {
      grid-row: 2;
      font-size: var(--t-meta);
      line-height: var(--l-meta);
      color: var(--text-2);
    }
    .body .ty .i { display: none; }
    .body .sy { grid-column: 3; padding-inline-start: var(--s-2); }
    .body .sy .trunc:not(:empty)::before { content: "· "; }
    .body .pv ~ .pv { display: none; }
    .body .pv {
      grid-row: 1 / 3;
      grid-column: 4;
      padding-inline: var(--s-4) var(--s-5);
      max-width: 40cqi;
    }
    .legend {
      display: grid;
      grid-template-columns: 1fr auto;
      padding-block: var(--s-2) var(--s-3);
    }
    .legend ul { grid-row: 2; grid-column: 1 / -1; }
    .legend .btn { grid-row: 1; grid-column: 2; }
    .hide-n { display: none; }
    .statusline { flex-wrap: wrap; row-gap: 0; }
    .statusline .btn { margin-inline-start: auto; }
  }
  @container (max-width: 480px) {
    .et-bar { gap: var(--s-3); }
    .statusline .sep { display: none; }
  }
  @media (forced-colors: active) { .key, .body { forced-color-adjust: none; } }
`;
