/** The column: the sheet scrolls, the foot stays; on a narrow screen head and road scroll away with it. */
import { css } from "lit";

export const styles = css`
  :host { height: 100%; min-height: 0; }
  .col {
    display: flex;
    flex-direction: column;
    height: 100%;
    min-height: 0;
    background: var(--surface);
  }
  .scr { display: contents; }
  .p-body { flex: 1; min-height: 0; }
  .p-foot { flex: none; border-top: 1px solid var(--line-2); background: var(--surface); }
  .wb-body { padding: var(--pad); }
  .wb-body.bare { padding: 0; }
  .far { gap: var(--s-8); }
  .wide { gap: var(--s-6); }
  .title { font-size: var(--t-title); line-height: var(--l-title); letter-spacing: -.01em; }
  .soft { color: var(--text-2); }
  .small { font-size: var(--t-small); line-height: var(--l-small); }
  .lbl { margin-bottom: var(--s-2); }
  .head { font-size: var(--t-head); line-height: var(--l-head); }
  dd.small { font-weight: var(--w-normal); }
  .gates { display: grid; gap: var(--s-4); }
  .gates > div {
    display: grid;
    grid-template-columns: 84px 1fr;
    gap: var(--s-4);
    font-size: var(--t-small);
    line-height: var(--l-small);
    color: var(--text-2);
  }
  .gates dt { display: flex; gap: var(--s-4); font-weight: var(--w-strong); color: var(--text); }
  .g1 { width: 8px; height: 18px; background: var(--hatch); border-radius: 1px; flex: none; }
  .fold .badge.end { margin-inline-start: auto; }
  .inner { padding: var(--s-5); border-top: 1px solid var(--line); }
  .tb .whole { grid-column: 1 / -1; }
  .tb.line { border-top: 1px solid var(--line-2); }
  .done {
    display: flex;
    gap: var(--s-6);
    align-items: center;
    flex-wrap: wrap;
    padding: var(--s-6) !important;
  }
  .done .grow { min-width: 180px; }
  .start { justify-self: start; }
  .sheet-t {
    border: 1px solid var(--line-2);
    border-radius: var(--r-2);
    border-collapse: separate;
    border-spacing: 0;
    overflow: hidden;
  }
  .sheet-t td, .sheet-t tbody th, .sheet-t th { padding-inline: var(--s-5) var(--s-2); }
  .drift .lab h4 { font: inherit; }
  .drift .below {
    display: grid;
    gap: var(--s-4);
    padding: 0 var(--s-5) var(--s-4) calc(var(--s-5) + 24px);
    border: 0;
  }
  .cause { border: 1px solid var(--line-2); border-radius: var(--r-2); overflow: clip; }
  .cause .what { padding: var(--s-3) var(--s-4); }
  .cause .at {
    display: flex;
    gap: var(--s-4);
    justify-content: space-between;
    padding: var(--s-2) var(--s-4);
    border-top: 1px solid var(--line);
    background: var(--sunken);
    font-family: var(--mono);
    font-size: var(--t-meta);
    line-height: var(--l-meta);
  }
  .pts { display: grid; gap: var(--s-2); padding-inline-start: 1.2em; list-style: disc; }
  h3:focus, h2:focus { outline: none; }
  h3:focus-visible, h2:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
  @media (max-width: 767px) {
    .hide-n { display: none; }
    .tb { grid-template-columns: repeat(2, minmax(0, 1fr)); }
    .tb .last { grid-column: 1 / -1; }
    .scr {
      display: flex;
      flex-direction: column;
      flex: 1;
      min-height: 0;
      overflow: auto;
      overscroll-behavior: contain;
    }
    .p-body { flex: 1 0 auto; overflow: visible; }
  }
  @media (max-height: 480px) {
    :host, .col { height: auto; }
    .p-body { overflow: visible; }
  }
  @media (forced-colors: active) { .g1 { forced-color-adjust: none; } }
`;
