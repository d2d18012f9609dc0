/** The columns of the page in its three layouts: wide, medium, narrow. UI.md §2. */
import { css } from "lit";

export const columns = css`
  .p-head.second { border-top: 1px solid var(--line-2); padding-inline-end: var(--pad); }
  .p-head .meta.end { display: block; }
  .p-head .btn[aria-pressed="true"] { background: var(--action-tint); color: var(--action); }
  .kb {
    padding: 0 var(--s-3);
    border: 1px solid var(--line-2);
    border-radius: var(--r-1);
    font-size: var(--t-meta);
  }
  .away { display: contents; }
  .away > span { white-space: nowrap; }
  .away .sep { width: 1px; height: 12px; background: var(--line-2); margin: 0 var(--s-3); }
  .no-webgl {
    display: flex;
    align-items: center;
    gap: var(--s-4);
    padding: var(--s-2) var(--s-5);
    background: var(--sunken);
    border-bottom: 1px solid var(--line-2);
    font-size: var(--t-small);
    line-height: var(--l-small);
  }
  .no-webgl .btn { margin-inline-start: auto; }
  .mid .p-head { padding-inline: var(--s-5); min-width: 0; }
  .mid .p-head > .meta.end { flex: 0 1000 auto; min-width: 0; }
  /* Every button is in sight: where one line is too short there are more, and past a few they scroll with a bar. */
  .cmds {
    display: flex;
    flex: 0 1 auto;
    flex-wrap: wrap;
    gap: var(--s-2);
    min-width: 0;
    max-height: 128px;
    overflow-y: auto;
    padding: var(--s-2);
  }
  hp-extensions { display: contents; }
  .solo { display: grid; min-height: 0; }
  .solo > hp-examples { min-height: 0; }
  .cmds .btn { max-width: 100%; }
  .cmds .btn > span { overflow-wrap: anywhere; }
  .ext-status {
    display: flex;
    align-items: center;
    gap: var(--s-4);
    min-height: 28px;
    padding: 0 var(--s-5);
    border-top: 1px solid var(--line);
    flex: none;
    flex-wrap: wrap;
  }
  .ext-status > span { display: flex; align-items: center; gap: var(--s-4); flex-wrap: wrap; }
  .ext-status .end { margin-inline-start: auto; }
  .half { flex: 1 1 50%; min-height: 0; overflow: hidden; }
  .half.scroll { overflow: auto; }
  .dock > *, .work > * { flex: 1; min-height: 0; }
  hp-elements { flex: 1; min-height: 0; }
  hp-open.fills { flex: 1; min-height: 0; }
  hp-open { container-type: inline-size; }
  .pair, .tree-b, .only-drawer { display: none; }
  .pair {
    background: var(--sunken);
    min-height: 40px;
    border-bottom: 1px solid var(--line-2);
  }
  .pair button {
    flex: 0 1 auto;
    min-width: 0;
    border: 0;
    border-inline-end: 1px solid var(--line);
    background: none;
    padding: 0 var(--pad);
    font-size: var(--t-small);
    color: var(--text-2);
    display: flex;
    align-items: center;
    gap: var(--s-3);
    cursor: pointer;
    white-space: nowrap;
  }
  .pair [aria-selected="true"] {
    background: var(--surface);
    color: var(--text);
    font-weight: var(--w-strong);
    box-shadow: inset 0 2px 0 var(--action-fill);
  }
  .pair button:focus-visible { outline-offset: -3px; }
  .drops {
    position: fixed;
    inset: 0;
    z-index: var(--z-dialog);
    display: grid;
    grid-auto-flow: column;
    grid-auto-columns: 1fr;
  }
  .drop {
    background: color-mix(in srgb, var(--action-tint) 85%, transparent);
    border: 3px dashed var(--action-fill);
    display: flex;
    align-items: center;
    justify-content: center;
    gap: var(--s-4);
    padding: var(--s-6);
    font-size: var(--t-title);
    color: var(--action);
  }
  .drop > * { pointer-events: none; }
  @media (max-width: 767px) { .drops { grid-auto-flow: row; } }
`;

export const layouts = css`
  .only-m { display: none; }
  /* Only a narrow page has a pane for panels while there are none. */
  @media (min-width: 768px) {
    .app:not(.with-dock) > .dock { display: none; }
  }
  .rail { display: none; }
  @media (min-width: 1200px) {
    .app {
      grid-template: auto minmax(0, 1fr) var(--l-bottom) var(--r-bottom) /
        var(--c-tree) 1px var(--c-left) var(--l-left) minmax(0, 1fr) var(--l-right) var(--c-right) 1px var(--c-work);
    }
    .app > * { grid-row: 1 / -1; }
    .rail, .left { grid-column: 1; }
    .s1 { grid-column: 2; }
    .dock[data-place="left"] { grid-column: 3; }
    .s2 { grid-column: 4; }
    .mid { grid-column: 5; grid-row: 1 / 3; }
    .s5 { grid-column: 5; grid-row: 3; }
    .dock[data-place="bottom"] { grid-column: 5; grid-row: 4; }
    .s3 { grid-column: 6; }
    .dock[data-place="right"] { grid-column: 7; }
    .s4 { grid-column: 8; }
    .work { grid-column: 9; }
    [data-shares] > .pair { display: flex; grid-column: 9; grid-row: 1; }
    [data-shares] > :is(.work, .dock[data-place="right"]) { grid-column: 9; grid-row: 2 / -1; }
    [data-shares] > .s3,
    [data-shares][data-pair="dock"] > .work,
    [data-shares][data-pair="work"] > .dock[data-place="right"] { display: none; }
    [data-rail] > .rail { display: flex; flex-direction: column; background: var(--surface); }
    .rail .btn { writing-mode: vertical-rl; min-height: 96px; margin: var(--s-4) auto; }
    [data-rail] > .left { display: none; }
    [data-rail] > .left.drawer {
      display: flex;
      position: fixed;
      inset: var(--bar) auto 0 0;
      width: var(--w-drawer);
      z-index: var(--z-drawer);
      box-shadow: var(--e-3);
    }
    [data-rail] .only-drawer { display: inline-flex; }
    [data-rail] > .scrim {
      position: fixed;
      inset: 0;
      z-index: calc(var(--z-drawer) - 1);
      background: rgb(8 16 14 / .28);
    }
    [data-rail] > .s1 { pointer-events: none; }
  }
  @media (max-width: 1199px) {
    .app { grid-template-columns: minmax(0, 1fr) 1px minmax(400px, 46%); }
    .app.with-dock {
      grid-template: minmax(0, 1fr) 1px minmax(0, 1fr) / minmax(0, 1fr) 1px minmax(400px, 46%);
    }
    .with-dock .mid, .with-dock .s4 { grid-row: 1 / 4; }
    .with-dock .mid { grid-column: 1; }
    .with-dock .s4 { grid-column: 2; }
    .with-dock .dock { grid-column: 3; grid-row: 1; }
    .with-dock .work { grid-column: 3; grid-row: 3; }
    .s1, .s3 { display: none; }
    .s4 { pointer-events: none; }
    .tree-b { display: inline-flex; }
    .left { display: none; }
    .left.drawer {
      display: flex;
      position: fixed;
      inset: var(--bar) auto 0 0;
      width: var(--w-drawer);
      z-index: var(--z-drawer);
      box-shadow: var(--e-3);
    }
    .only-drawer { display: inline-flex; }
    .scrim {
      position: fixed;
      inset: 0;
      z-index: calc(var(--z-drawer) - 1);
      background: rgb(8 16 14 / .28);
    }
    .hide-m { display: none; }
    .only-m { display: block; }
  }
  @media (min-width: 768px) and (max-width: 1199px) and (max-height: 799px) {
    .app.with-dock { grid-template-rows: auto minmax(0, 1fr); }
    .with-dock .mid, .with-dock .s4 { grid-row: 1 / 3; }
    .with-dock :is(.dock, .work) { grid-column: 3; grid-row: 2; }
    .pair { display: flex; grid-column: 3; grid-row: 1; }
    .with-dock[data-pair="dock"] .work, .with-dock[data-pair="work"] .dock { display: none; }
  }
  @media (max-width: 1023px) {
    .brand span, .doc .badge { display: none; }
    .top { gap: var(--s-4); }
  }
  @media (max-width: 767px) {
    .brand span, .hide-n { display: none; }
    /* The name of the model has two lines before it is cut. */
    .doc .strong {
      display: -webkit-box;
      -webkit-box-orient: vertical;
      -webkit-line-clamp: 2;
      line-height: 1.25;
      white-space: normal;
      overflow-wrap: anywhere;
    }
    .top.is-merged > :is(.brand, .doc) { display: none; }
    .app, .app.with-dock { grid-template: minmax(0, 1fr) / minmax(0, 1fr); }
    .app > .panel, hp-separator, .pair { display: none !important; }
    .app > .panel, .with-dock :is(.mid, .dock, .work) { grid-column: 1; grid-row: 1; }
    [data-pane="model"] > .mid,
    [data-pane="tree"] > .left,
    [data-pane="change"] > .work,
    [data-pane="panels"] > .dock {
      display: flex !important;
    }
    .tree-b, .mid .p-head > .meta.end { display: none; }
    .only-drawer { display: none; }
    .left.drawer { position: relative; inset: auto; width: auto; box-shadow: none; }
    .scrim { display: none; }
    /* The composer stands where a toast would lie. */
    hp-toast { --toast-block: calc(var(--bar) + var(--s-4)) auto; }
  }
`;
