/** Two versions in place of the model; below 560 px of room one of them, with tabs. */
import { tabs } from "@holdpoint/elements/base/tabs";
import { css } from "lit";

const own = css`
  .sides { container-type: inline-size; }
  .two { display: flex; flex-direction: column; height: 100%; background: var(--line-2); }
  .two > .tabs {
    display: flex;
    min-height: 40px;
    border-bottom: 1px solid var(--line-2);
    background: var(--sunken);
    flex: none;
  }
  .two > .tabs [aria-selected="true"] { font-weight: var(--w-strong); }
  .one { flex: 1 1 0; min-width: 0; min-height: 0; background: var(--surface); }
  .one:not(.front) { display: none; }
  @container (min-width: 560px) {
    .two { flex-direction: row; gap: 1px; }
    .two > .tabs { display: none; }
    .one:not(.front) { display: block; }
  }
  @media (min-width: 768px) {
    .with-sides > .mid { display: none; }
  }
  @media (min-width: 1200px) {
    .app > .sides { grid-column: 5; grid-row: 1 / -1; }
  }
  @media (max-width: 767px) {
    .app > .sides { grid-column: 1; grid-row: 1; }
    [data-pane="panels"] > .sides { display: flex !important; }
  }
`;

export const sides = [tabs, own];
