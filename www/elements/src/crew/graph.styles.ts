/** The drawing of a graph: nodes, edges, labels, its tools and its key. */
import { css } from "lit";

export const styles = css`
  :host { display: flex; min-height: 0; min-width: 0; flex: 1; }
  .canvas {
    position: relative;
    overflow: hidden;
    background: var(--canvas);
    flex: 1;
    min-height: 0;
    touch-action: none;
    cursor: grab;
  }
  .canvas:active { cursor: grabbing; }
  .stage { position: absolute; left: 0; top: 0; width: 0; height: 0; transform-origin: 0 0; }
  .eg { position: absolute; overflow: visible; width: 1px; height: 1px; left: 0; top: 0; }
  .eg path { fill: none; stroke: var(--line-control); stroke-width: 1; }
  .eg .on path { stroke: var(--action); }
  .eg .dft { stroke-width: 2; }
  .eg .tip { fill: var(--canvas); stroke-width: 1; }
  .eg .sl { stroke: var(--text); stroke-width: 2; }
  .eg .added path { stroke: var(--pass); stroke-width: 2; }
  .eg .removed path { stroke: var(--fail); stroke-dasharray: 5 3; stroke-width: 1.5; }
  .eg .pull { stroke: var(--action); stroke-width: 2; stroke-dasharray: 4 3; }
  .eg .dot { fill: var(--text-2); }
  .nd {
    position: absolute;
    height: 48px;
    border: 0;
    background: none;
    padding: 0 20px;
    display: grid;
    align-content: center;
    text-align: center;
    cursor: pointer;
    color: var(--text);
    font-size: var(--t-small);
    line-height: 1.0625rem;
  }
  .panning .nd { cursor: grab; }
  .nd > span { position: relative; }
  .ti, .ty { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  .ti { font-weight: var(--w-strong); }
  .ty { font-size: var(--t-meta); line-height: var(--l-meta); color: var(--text-2); }
  .ns {
    position: absolute;
    inset: 0;
    width: 100%;
    height: 100%;
    overflow: visible;
    fill: var(--surface);
    stroke: var(--line-control);
    stroke-width: 1;
  }
  .ns .in { fill: none; }
  .nd:hover > .ns { fill: var(--hover); }
  .nd[aria-current="true"] > .ns { fill: var(--selected); stroke: var(--action); stroke-width: 2; }
  .nd:focus-visible { outline-offset: 3px; }
  .nd > .nf {
    position: absolute;
    inset-inline-end: -4px;
    top: -9px;
    display: inline-flex;
    align-items: center;
    gap: 2px;
    padding: 0 4px;
    border: 1px solid var(--hold-line);
    border-radius: var(--r-1);
    background: var(--hold-tint);
    color: var(--hold);
    font-size: var(--t-meta);
    line-height: var(--l-meta);
    font-weight: var(--w-strong);
  }
  .nd > .nf.bad {
    border-color: var(--fail-line);
    background: var(--fail-tint);
    color: var(--fail);
  }
  .nf .i { width: 12px; height: 12px; }
  .nd.added > .ns { fill: var(--diff-add); stroke: var(--pass); stroke-width: 2; }
  .nd.removed > .ns {
    fill: var(--diff-del);
    stroke: var(--fail);
    stroke-dasharray: 5 3;
    stroke-width: 1.5;
  }
  .nd.changed > .ns { stroke: var(--action); stroke-width: 2; fill: var(--action-tint); }
  .nd.removed .ti { text-decoration: line-through; }
  .nd > .mkr {
    position: absolute;
    inset-inline-end: -7px;
    top: -12px;
    padding: 0 5px;
    border-radius: var(--r-1);
    font-size: var(--t-meta);
    line-height: 1.0625rem;
    font-weight: var(--w-strong);
    background: var(--surface);
    border: 1px solid currentColor;
    white-space: nowrap;
  }
  .added .mkr { color: var(--pass); }
  .removed .mkr { color: var(--fail); }
  .changed .mkr { color: var(--action); }
  .ghost {
    position: absolute;
    height: 48px;
    border: 1px dashed var(--line-2);
    background: repeating-linear-gradient(135deg, transparent 0 5px, var(--line) 5px 6px);
  }
  .pull-h {
    position: absolute;
    width: 16px;
    height: 16px;
    margin: -8px 0 0 -8px;
    border-radius: 50%;
    border: 2px solid var(--action);
    background: var(--surface);
    cursor: crosshair;
    opacity: 0;
  }
  .pull-h.on, .pull-h:hover, .pull-h:active, .nd:hover + .pull-h { opacity: 1; }
  .pull-h::before { content: ""; position: absolute; inset: -6px; }
  .el {
    position: absolute;
    translate: -50% -50%;
    background: var(--canvas);
    padding: 0 4px;
    font-size: var(--t-meta);
    line-height: var(--l-meta);
    color: var(--text-2);
    white-space: nowrap;
    pointer-events: none;
  }
  .el { display: flex; gap: 0 4px; }
  .el b { overflow: hidden; text-overflow: ellipsis; max-width: 200px; }
  .el b { color: var(--text); font-weight: var(--w-strong); }
  .el.added b { color: var(--pass); }
  .el.removed b { color: var(--fail); text-decoration: line-through; }
  .tools {
    position: absolute;
    left: var(--s-5);
    top: var(--s-5);
    display: grid;
    gap: 1px;
    background: var(--line-2);
    border: 1px solid var(--line-2);
    border-radius: var(--r-2);
    overflow: clip;
    box-shadow: var(--e-1);
    cursor: default;
  }
  .tools .btn { border: 0; border-radius: 0; }
  .tools .btn:focus-visible { outline-offset: -2px; }
  .tools .btn[aria-pressed="true"] { background: var(--action-tint); color: var(--action); }
  .zoom, .gkey {
    position: absolute;
    bottom: var(--s-4);
    font-size: var(--t-meta);
    line-height: var(--l-meta);
    color: var(--text-2);
    pointer-events: none;
  }
  .zoom { left: var(--s-5); }
  .gkey {
    right: var(--s-3);
    bottom: var(--s-2);
    padding: var(--s-2);
    border-radius: var(--r-2);
    background: var(--canvas);
    display: grid;
    gap: var(--s-2);
  }
  .gkey li { display: flex; gap: var(--s-4); align-items: center; }
  .gkey svg, .tm {
    width: 26px;
    height: 14px;
    fill: var(--surface);
    stroke: var(--line-control);
    overflow: visible;
  }
  .gkey .bar { stroke-width: 2; }
  .gkey .stroke { stroke: var(--text); stroke-width: 2; }
  @media (max-width: 979px) {
    .zoom, .gkey { display: none; }
    .tools { top: auto; bottom: var(--s-5); grid-auto-flow: column; }
  }
  :host([still]) .nd { padding: 0 6px; }
  @media (forced-colors: active) {
    .ns, .eg path { stroke: CanvasText; }
    .nd[aria-current="true"] > .ns { stroke: Highlight; }
  }
`;
