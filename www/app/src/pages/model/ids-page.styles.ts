/** The page while a check is open: its panel stands where docks and change were. UI.md §11. */
import { css } from "lit";

export const checked = css`
  hp-checks { flex: 1; min-height: 0; }
  .mid .p-head > [data-testid="hp-check"][aria-pressed="true"] {
    background: var(--action-tint);
    color: var(--action);
  }
  @media (min-width: 768px) {
    [data-checks] > :is(.work, .s4) { display: none; }
  }
  @media (min-width: 1200px) {
    [data-checks] > .rail.change {
      display: flex;
      flex-direction: column;
      grid-column: 9;
      background: var(--surface);
    }
    .rail.change .badge { writing-mode: horizontal-tb; }
  }
  @media (min-width: 768px) and (max-width: 1199px) {
    .app.with-dock[data-checks] {
      grid-template: minmax(0, 1fr) / minmax(0, 1fr) 1px minmax(400px, 46%);
    }
    .app.with-dock[data-checks] > .mid { grid-area: 1 / 1; }
    .app.with-dock[data-checks] > .dock { display: flex; grid-area: 1 / 3; }
  }
`;
