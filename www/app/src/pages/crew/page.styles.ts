/** The frame of the crew pages: one view between the bar and the tabs of a narrow page. */
import { css } from "lit";

export const layout = css`
  .app { grid-template: minmax(0, 1fr) / minmax(0, 1fr); background: var(--canvas); }
  .app > * { min-width: 0; min-height: 0; }
  @media (max-width: 359px) { .doc > .i { display: none; } }
  .away {
    padding: var(--s-8);
    display: grid;
    align-content: start;
    gap: var(--s-6);
  }
  .away .sheet {
    max-width: 600px;
    padding: var(--s-6);
    display: grid;
    gap: var(--s-4);
    justify-items: start;
  }
  .away h2 { font-size: var(--t-head); line-height: var(--l-head); }
  .live {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  @media (max-width: 1023px) { .brand span { display: none; } .top { gap: var(--s-4); } }
  @media (max-width: 767px) {
    .hide-n { display: none !important; }
    .away { padding: var(--s-6) var(--s-5); }
  }
  @media (min-width: 980px) { .tabs-n { display: none !important; } }
  @media (min-width: 768px) and (max-width: 979px) {
    .tabs-n {
      display: grid;
      grid-auto-flow: column;
      grid-auto-columns: 1fr;
      background: var(--surface);
      border-top: 1px solid var(--line-2);
      height: 52px;
    }
    .tabs-n button {
      border: 0;
      background: none;
      color: var(--text-2);
      font-size: var(--t-meta);
      display: grid;
      justify-items: center;
      align-content: center;
      border-top: 2px solid transparent;
      cursor: pointer;
    }
    .tabs-n [aria-current="page"] { color: var(--action); border-top-color: var(--action-fill); }
    .tabs-n button:focus-visible { outline-offset: -3px; }
  }
`;
