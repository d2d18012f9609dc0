/** The panel's frame, and the looks of the widget nodes. */
import { css, unsafeCSS } from "lit";

/** Below a width the rows of a table stand one value to a line. */
const folded = (columns: string, width: number) => {
  const at = unsafeCSS(`.t.${columns}`);
  return css`
    @container (max-width: ${unsafeCSS(width)}px) {
      ${at}, ${at} :is(tbody, tr, td, tbody th) { display: block; }
      ${at} thead { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; }
      ${at} :is(td, tbody th) { height: auto; border: 0; padding: 1px var(--pad); text-align: start; }
      ${at} tr { border-bottom: 1px solid var(--line-2); padding: var(--s-3) 0; }
      ${at} tbody td { display: grid; grid-template-columns: 44% 1fr; gap: var(--s-4); }
      ${at} td::before { content: attr(data-title) " "; color: var(--text-2); }
    }
  `;
};

export const styles = css`
  :host { min-height: 0; height: 100%; }
  .none { padding: var(--pad); display: grid; gap: var(--s-5); justify-items: start; }
  .panel { display: flex; flex-direction: column; height: 100%; background: var(--surface); }
  .panel.prev { position: relative; }
  /* Over all of it: what is inside has backgrounds of its own. */
  .panel.prev::after {
    content: "";
    position: absolute;
    inset: 0;
    border: 2px solid var(--hold-line);
    pointer-events: none;
  }
  .panel.of-two { container-type: inline-size; }
  .of-two h2 { flex: none; }
  /* Beside the frame and the tint its mark says enough. */
  @container (max-width: 360px) {
    .of-two .p-head .badge > span { position: absolute; clip-path: inset(50%); width: 1px; overflow: hidden; }
  }
  .prev .p-head { background: var(--hold-tint); }
  .pv-n {
    padding: var(--s-3) var(--pad);
    border-bottom: 1px solid var(--line);
    font-size: var(--t-meta);
    line-height: var(--l-meta);
    color: var(--text-2);
  }
  .pv-log { border-top: 1px solid var(--line-2); }
  .pv-log .group-h {
    display: flex;
    padding: var(--s-3) var(--pad);
    background: var(--sunken);
    font-size: var(--t-small);
    font-weight: var(--w-strong);
  }
  .pv-log .group-h .end { margin-inline-start: auto; font-weight: var(--w-normal); }
  .pv-log pre { max-height: 200px; overflow: auto; }
  .answer { display: grid; gap: var(--s-3); }
  .p-head h2 { overflow: hidden; text-overflow: ellipsis; }
  .p-body { flex: 1; min-height: 0; }
  .p-foot {
    border-top: 1px solid var(--line-2);
    padding: var(--s-3) var(--pad);
    display: flex;
    gap: var(--s-4);
    justify-content: space-between;
    align-items: center;
    flex: none;
  }
  .p-body { container-type: inline-size; }
  .widget {
    padding: var(--pad);
    display: grid;
    gap: var(--gap);
    grid-template-columns: minmax(0, 1fr);
  }
  .widget[aria-busy="true"] { opacity: .75; }
  /* Where a person points at what is wrong: each value that can be pointed at. */
  .picks :is(td, th[scope="row"], dd, li, h3, svg) { cursor: crosshair; }
  .picks :is(td, th[scope="row"], dd, li, h3, svg):hover { background: var(--hold-tint); }
  .w-stack { display: flex; min-width: 0; }
  .w-stack.vertical { flex-direction: column; }
  .w-stack.vertical > * { min-width: 0; }
  .w-stack.horizontal { flex-wrap: wrap; align-items: center; }
  .gap-none { gap: 0; }
  .gap-sm { gap: var(--s-4); }
  .gap-md { gap: var(--gap); }
  .gap-lg { gap: var(--s-8); }
  .al-start { align-items: flex-start; }
  .al-center { align-items: center; }
  .al-end { align-items: flex-end; }
  .ju-center { justify-content: center; }
  .ju-end { justify-content: flex-end; }
  .ju-between { justify-content: space-between; }
  .w-group {
    display: grid;
    gap: var(--s-4);
    border: 1px solid var(--line-2);
    border-radius: var(--r-2);
    padding: var(--s-5);
  }
  .w-group > h3, .w-empty h3 {
    font-size: var(--t-small);
    line-height: var(--l-small);
    font-weight: var(--w-strong);
  }
  .w-heading {
    font-size: var(--t-title);
    line-height: var(--l-title);
    font-weight: var(--w-strong);
    letter-spacing: -.01em;
    overflow-wrap: anywhere;
  }
  .w-body { overflow-wrap: anywhere; }
  .w-caption {
    font-size: var(--t-meta);
    line-height: var(--l-meta);
    color: var(--text-2);
    overflow-wrap: anywhere;
  }
  .tone-info { color: var(--action); }
  .tone-warn { color: var(--hold); }
  .tone-error { color: var(--fail); }
  .tone-success { color: var(--pass); }
  .tone-muted { color: var(--text-3); }
  .w-field { display: grid; gap: var(--s-2); font-size: var(--t-small); }
  .w-field label { color: var(--text-2); font-size: var(--t-meta); line-height: var(--l-meta); }
  .w-field .input, .w-field .select { min-height: var(--control); width: 100%; }
  .w-color { padding: var(--s-1); width: 64px !important; }
  .w-check {
    display: flex;
    align-items: center;
    gap: var(--s-4);
    font-size: var(--t-small);
    min-height: var(--target);
  }
  .w-many { display: grid; }
  .w-table { margin-inline: calc(-1 * var(--pad)); overflow-x: auto; }
  .w-save { padding: var(--s-2) var(--s-3); }
  .w-table:focus-visible { outline-offset: -2px; }
  .t :is(th, td):first-child { padding-inline-start: var(--pad); }
  .t :is(th, td):last-child { padding-inline-end: var(--pad); }
  .t tbody th { font-weight: var(--w-medium); text-align: start; }
  .t .center { text-align: center; }
  .t th { white-space: normal; overflow-wrap: anywhere; }
  .t td { overflow-wrap: anywhere; }
  .t .num { white-space: nowrap; }
  ${folded("c4", 300)}
  ${folded("c5", 480)}
  ${folded("c8", 800)}
  .bar {
    display: inline-block;
    vertical-align: middle;
    width: 56px;
    height: 6px;
    background: var(--active);
    border-radius: 1px;
    overflow: hidden;
  }
  .bar > i { display: block; height: 100%; background: var(--action-fill); }
  .pct { display: inline-block; min-width: 40px; }
  .rowlink {
    border: 0;
    background: none;
    padding: 0;
    font: inherit;
    color: inherit;
    text-align: start;
    cursor: pointer;
    min-height: var(--target);
    text-decoration: underline;
    text-decoration-color: var(--line-control);
    text-underline-offset: 3px;
  }
  .rowlink:hover { text-decoration-color: currentColor; }
  .w-list { border: 1px solid var(--line-2); border-radius: var(--r-2); }
  .w-none { padding: var(--s-4) 0; }
  .w-tree, .w-tree ul { display: grid; gap: var(--s-1); font-size: var(--t-small); }
  .w-tree ul { padding-inline-start: var(--s-7); }
  .w-tree summary {
    display: flex;
    align-items: center;
    gap: var(--s-3);
    min-height: var(--target);
    cursor: pointer;
    list-style: none;
  }
  .w-tabs { display: grid; gap: var(--gap); }
  .w-tabs .seg { justify-self: start; max-width: 100%; flex-wrap: wrap; }
  .w-empty { display: grid; gap: var(--s-4); justify-items: start; padding: var(--s-6) 0; }
  hr { border: 0; border-top: 1px solid var(--line-2); margin: 0; width: 100%; }
  .kv {
    font-size: var(--t-small);
    line-height: var(--l-small);
    margin-inline: calc(-1 * var(--pad));
  }
  .kv > div {
    display: grid;
    grid-template-columns: 44% 1fr;
    gap: var(--s-4);
    padding: 5px var(--pad);
    border-bottom: 1px solid var(--line);
  }
  .kv dt { color: var(--text-2); overflow-wrap: anywhere; }
  .kv dd { overflow-wrap: anywhere; }
  .md { display: grid; gap: var(--s-4); overflow-wrap: anywhere; }
  .md-h { font-weight: var(--w-strong); }
  .md-l { padding-inline-start: var(--s-7); }
  .md-l li { list-style: disc; }
  .num-l li { list-style: decimal; }
  .md-c { white-space: pre-wrap; }
  .chart { display: grid; gap: var(--s-4); }
  .bars { width: 100%; border-collapse: collapse; font-size: var(--t-small); }
  .bars th {
    text-align: start;
    font-weight: var(--w-normal);
    padding: var(--s-2) var(--s-4) var(--s-2) 0;
    overflow-wrap: anywhere;
  }
  .bars .w { width: 50%; }
  .bars .bar { width: 100%; height: 10px; }
  .bars .num { padding-inline-start: var(--s-4); }
  .line .axis { stroke: var(--line-2); fill: none; }
  .line .stroke { stroke: var(--action-fill); stroke-width: 2; fill: none; }
  .line circle { fill: var(--action-fill); }
  .ends { display: flex; justify-content: space-between; }
  .pie { display: flex; gap: var(--s-6); align-items: center; flex-wrap: wrap; }
  .pie svg { width: 120px; flex: none; }
  .pie-l { flex: 1; min-width: 140px; font-size: var(--t-small); display: grid; gap: var(--s-2); }
  .pie-l li { display: flex; gap: var(--s-4); align-items: center; }
  .p0 { fill: var(--action-fill); background: var(--action-fill); }
  .p1 { fill: var(--action-line); background: var(--action-line); }
  .p2 { fill: var(--text-3); background: var(--text-3); }
  .p3 { fill: var(--pass-fill); background: var(--pass-fill); }
  .p4 { fill: var(--line-control); background: var(--line-control); }
  .p5 { fill: var(--line-2); background: var(--line-2); }
  path.p0, path.p1, path.p2, path.p3, path.p4, path.p5 {
    background: none;
    stroke: var(--surface);
    stroke-width: .5;
  }
`;
