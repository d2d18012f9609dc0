/** The columns of the pages of apps in their layouts. UI.md §13. */
import { css } from "lit";

export const layout = css`
  hp-apps { min-height: 0; }
  .app.solo { grid-template: minmax(0, 1fr) / minmax(0, 1fr); background: var(--canvas); }
  .app.one { grid-template: auto minmax(0, 1fr) / minmax(0, 1fr); }
  .ab {
    display: grid;
    min-height: 0;
    grid-template: minmax(0, 1fr) / 236px minmax(0, 1fr) 1px var(--c-chat);
    background: var(--line-2);
  }
  .ab > .tree { border-inline-end: 1px solid var(--line-2); }
  .ab.reviewing { grid-template: minmax(0, 1fr) / minmax(0, 1fr) 44px; }
  .rail { border-inline-start: 1px solid var(--line-2); background: var(--sunken); }
  .rail-b {
    border: 0;
    background: none;
    flex: 1;
    display: flex;
    flex-direction: column;
    align-items: center;
    gap: var(--s-5);
    padding: var(--s-5) 0;
    color: var(--text-2);
    font-size: var(--t-small);
    cursor: pointer;
  }
  .rail-b:hover { background: var(--hover); }
  .rail-b span { writing-mode: vertical-rl; }
  .rail-b:focus-visible { outline-offset: -3px; }
  .under {
    flex: none;
    max-height: 45%;
    border-top: 1px solid var(--line-2);
    padding: var(--s-5);
    background: var(--canvas);
  }
  hp-preview[hidden], hp-code[hidden] { display: none; }
  .state {
    padding: var(--s-8);
    background: var(--canvas);
    display: grid;
    align-content: start;
    gap: var(--s-6);
  }
  .state .sheet {
    max-width: 600px;
    padding: var(--s-6);
    display: grid;
    gap: var(--s-4);
    justify-items: start;
    background: var(--surface);
    border: 1px solid var(--line-2);
    border-radius: var(--r-2);
  }
  .state h2 { font-size: var(--t-head); line-height: var(--l-head); }
  .live {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  @media (max-width: 1199px) {
    .ab { grid-template-columns: 200px minmax(0, 1fr) 1px 320px; }
    .brand span { display: none; }
    .top { gap: var(--s-4); }
  }
  /* The bar of the app below says its name too. */
  @media (max-width: 359px) { .doc { display: none; } }
  @media (min-width: 768px) and (max-width: 979px) { .doc { display: none; } }
  @media (max-width: 979px) {
    .ab { grid-template-columns: minmax(0, 1fr) 1px 320px; }
    .ab > .tree { display: none; }
    [data-pane="code"] .ab { grid-template: 200px minmax(0, 1fr) / minmax(0, 1fr) 1px 320px; }
    [data-pane="code"] .ab > .tree { display: flex; grid-column: 1; grid-row: 1; }
    [data-pane="code"] .ab > .mid { grid-column: 1; grid-row: 2; }
    [data-pane="code"] .ab > :is(hp-separator, .chat) { grid-row: 1 / 3; }
  }
  @media (max-width: 767px) {
    .hide-n { display: none !important; }
    /* Below stands the foot, where it is signed. */
    hp-toast { --toast-block: calc(var(--bar) + var(--s-4)) auto; }
    .ab, .ab.reviewing, [data-pane="code"] .ab { grid-template: minmax(0, 1fr) / minmax(0, 1fr); }
    .ab > .panel, hp-separator { display: none !important; }
    .ab > .rev { display: flex !important; }
    [data-pane="chat"] .ab > .chat, [data-pane="preview"] .ab > .mid { display: flex !important; }
    [data-pane="code"] .ab { grid-template: minmax(96px, 30%) minmax(0, 1fr) / minmax(0, 1fr); }
    [data-pane="code"] .ab > :is(.tree, .mid) { display: flex !important; grid-column: 1; }
    [data-pane="code"] .ab.met { grid-template: minmax(0, 1fr) / minmax(0, 1fr); }
    [data-pane="code"] .ab.met > .tree { display: none !important; }
    [data-pane="code"] .ab.met > .mid { grid-row: 1; }
  }
`;
