/** The columns of the workbench, wide and narrow. UI.md §12 "Workbench, wide", "Workbench under 980". */
import { css } from "lit";
import { tabBar } from "../../../panes.styles.js";

export const layout = css`
  .away {
    min-height: 0;
    display: grid;
    place-content: center;
    padding: var(--s-6);
    background: var(--canvas);
    overflow: auto;
    outline: none;
  }
  .card {
    background: var(--surface);
    max-width: 560px;
    border: 1px solid var(--fail-line);
    border-inline-start: 4px solid var(--fail-fill);
    border-radius: var(--r-2);
    padding: var(--s-5);
    display: grid;
    gap: var(--s-4);
    font-size: var(--t-small);
    line-height: var(--l-small);
  }
  .card h1 { font-size: var(--t-head); line-height: var(--l-head); font-weight: var(--w-strong); }
  .w3 { display: grid; grid-template-columns: auto 1fr; gap: var(--s-2) var(--s-5); }
  .w3 dt { color: var(--text-2); font-weight: var(--w-medium); }
  .w3 dd { overflow-wrap: anywhere; }
  .hints { list-style: disc; padding-inline-start: 18px; }
  .wb {
    display: grid;
    grid-template: auto minmax(0, 1fr) / minmax(0, 1fr) 384px;
    gap: 1px;
    background: var(--line-2);
    min-height: 0;
    outline: none;
  }
  hp-wb-head { grid-column: 1 / -1; }
  .wb-ch {
    display: grid;
    grid-template: minmax(0, 1fr) auto / 292px minmax(0, 1fr);
    gap: 1px;
    background: var(--line-2);
    min-width: 0;
    min-height: 0;
  }
  .wb-ch > .p-foot { grid-column: 1 / -1; min-width: 0; background: var(--surface); }
  .panel > :where(:not(.vh)) { flex: 1; min-height: 0; }
  .ptabs {
    flex: none;
    display: flex;
    align-items: center;
    padding: 0 var(--s-3);
    min-height: 40px;
    border-bottom: 1px solid var(--line);
  }
  .ptabs [role="tablist"] { display: flex; gap: var(--s-2); }
  .ptabs .end { margin-inline-start: auto; }
  .ptabs [role="tab"] {
    border: 0;
    background: none;
    min-height: 38px;
    padding: 0 var(--s-4);
    font-size: var(--t-small);
    font-weight: var(--w-medium);
    color: var(--text-2);
    border-block: 2px solid transparent;
    cursor: pointer;
    white-space: nowrap;
  }
  .ptabs [aria-selected="true"] { color: var(--text); border-bottom-color: var(--action-fill); }
  .ptabs [role="tab"]:focus-visible { outline-offset: -3px; }
  .applied {
    padding: var(--s-4) var(--pad);
    border-bottom: 1px solid var(--pass-line);
    background: var(--pass-tint);
    font-size: var(--t-small);
  }
  .mini-stamp {
    display: inline-flex;
    align-items: center;
    gap: var(--s-3);
    border: 2px solid var(--pass);
    color: var(--pass);
    border-radius: var(--r-2);
    padding: 1px var(--s-4);
    font-size: var(--t-meta);
    font-weight: 700;
    letter-spacing: .06em;
    rotate: -1.5deg;
  }
  .mini-stamp .mono { letter-spacing: 0; }
  .live {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  @media (max-width: 1199px) {
    .wb { grid-template-columns: minmax(0, 1fr) 320px; }
    .wb-ch { grid-template-columns: 248px minmax(0, 1fr); }
  }
  @media (max-width: 979px) {
    .wb, .wb-ch { display: flex; flex-direction: column; gap: 0; background: var(--surface); }
    .wb { overflow: auto; }
    .wb-ch { flex: 1 0 auto; }
    .wb-ch > .panel { flex: none; }
    .wb-ch > .mid { flex: 1 0 auto; border-top: 1px solid var(--line-2); }
    [data-middle="first"] .wb-ch > .mid { order: -1; border-top: 0; flex: none; }
    [data-middle="first"] .wb-ch > .panel:first-child { flex: 1 0 auto; }
    .wb-ch > .p-foot { position: sticky; bottom: 0; z-index: var(--z-sticky); }
    .aside { flex: 1 0 auto; }
    .ptabs { display: none; }
    [data-pane="chat"] > .wb-ch, [data-pane="ctx"] > .wb-ch, [data-pane="change"] > .aside {
      display: none;
    }
    ${tabBar}
    .passed .brand { display: none; }
    .top > .end { flex: none; }
  }
  @media (max-width: 1023px) {
    .brand span { display: none; }
    .top { gap: var(--s-4); }
  }
  @media (max-width: 767px) {
    .hide-n { display: none !important; }
  }
  @media (max-height: 480px) {
    .wb, .wb-ch { display: block; overflow: visible; }
    .p-foot { position: static !important; }
  }
`;
