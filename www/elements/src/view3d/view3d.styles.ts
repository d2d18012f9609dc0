/** The drawing with what lies over it: tools, boxes, what is picked. UI.md §11. */
import { css } from "lit";

export const styles = css`
  :host {
    position: relative;
    container-type: inline-size;
    flex: 1;
    min-height: 0;
    overflow: hidden;
    background: linear-gradient(var(--view-1), var(--view-2));
  }
  canvas { position: absolute; inset: 0; width: 100%; height: 100%; outline: none; }
  canvas:focus-visible { outline: 2px solid var(--focus); outline-offset: -3px; }
  .cross { position: absolute; inset: 0; display: none; pointer-events: none; }
  canvas:focus-visible ~ .cross { display: block; }
  .cross::before, .cross::after {
    content: "";
    position: absolute;
    left: 50%;
    top: 50%;
    translate: -50% -50%;
    background: var(--focus);
  }
  .cross::before { width: 17px; height: 1px; }
  .cross::after { width: 1px; height: 17px; }
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
    max-height: calc(100% - 2 * var(--s-5));
  }
  .tools .btn { border: 0; border-radius: 0; }
  .tools .btn:focus-visible { outline-offset: -2px; }
  .tools .btn[aria-pressed="true"] { background: var(--action-tint); color: var(--action); }
  .tools hr { border: 0; height: 3px; margin: 0; background: var(--line-2); }
  .foot {
    position: absolute;
    left: var(--s-5);
    right: var(--s-5);
    bottom: var(--s-4);
    display: grid;
    justify-items: start;
    gap: var(--s-3);
    pointer-events: none;
  }
  .foot > * { pointer-events: auto; max-width: 100%; }
  .tag {
    background: var(--raised);
    border: 1px solid var(--line-2);
    border-radius: var(--r-2);
    padding: var(--s-2) var(--s-4);
    font-size: var(--t-meta);
    line-height: var(--l-meta);
    box-shadow: var(--e-1);
    color: var(--text);
  }
  .tag:empty { display: none; }
  .tag.row { display: flex; align-items: center; gap: var(--s-4); }
  .tag summary { cursor: pointer; }
  .tag ul { max-height: 160px; margin-top: var(--s-2); display: grid; gap: var(--s-1); }
  .box {
    position: absolute;
    right: var(--s-5);
    top: var(--s-5);
    width: 252px;
    background: var(--raised);
    border: 1px solid var(--line-2);
    border-radius: var(--r-2);
    box-shadow: var(--e-1);
    font-size: var(--t-small);
    line-height: var(--l-small);
    overflow: clip;
  }
  .box + .box { top: auto; bottom: var(--s-5); }
  .box h3 {
    font-size: var(--t-small);
    line-height: var(--l-small);
    font-weight: var(--w-strong);
  }
  .box .h {
    display: flex;
    align-items: center;
    padding: var(--s-2) var(--s-2) var(--s-2) var(--s-5);
    border-bottom: 1px solid var(--line);
    background: var(--sunken);
  }
  .box .h .btn { margin-inline-start: auto; }
  .box .b { padding: var(--s-4) var(--s-5); display: grid; gap: var(--s-3); justify-items: start; }
  .box dl > div {
    display: grid;
    grid-template-columns: 104px minmax(0, 1fr);
    gap: var(--s-4);
    padding: 4px var(--s-5);
    border-bottom: 1px solid var(--line);
  }
  .box dt { color: var(--text-2); }
  .box dd { overflow-wrap: anywhere; }
  .box .hint { padding: var(--s-3) var(--s-5); }
  .box input { accent-color: var(--action-fill); width: 100%; }
  .lines { position: absolute; inset: 0; width: 100%; height: 100%; pointer-events: none; }
  .lines line { stroke: var(--pick-right); stroke-width: 2; }
  .lines circle { fill: var(--pick-right); stroke: var(--surface); stroke-width: 1.5; }
  .dim { position: absolute; translate: -50% -50%; pointer-events: none; }
  .none { position: absolute; inset: 0; display: grid; place-content: center; padding: var(--pad); }
  @container (max-width: 480px) { .box { width: auto; left: 64px; } }
  @media (forced-colors: active) { canvas { forced-color-adjust: none; } }
`;
