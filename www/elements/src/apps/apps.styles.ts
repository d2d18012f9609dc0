/** The list of apps, beside what all lists have. */
import { css } from "lit";

export const styles = css`
  :host { --list-width: 1240px; --list-row: 60px; }
  .st > .badge + .badge { margin-inline-start: var(--s-3); }
  .two-f { display: grid; grid-template-columns: repeat(2, minmax(0, 420px)); gap: var(--s-5); }
  .how { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); }
  .how > div { padding: var(--s-4) var(--s-5); font-size: var(--t-small); line-height: var(--l-small); }
  .how > div + div { border-inline-start: 1px solid var(--line); }
  .how dt { font-weight: var(--w-strong); }
  @media (max-width: 767px) {
    .fd, .ch { font-size: var(--t-meta); }
    .two-f, .how { grid-template-columns: minmax(0, 1fr); }
    .how > div + div { border: 0; border-top: 1px solid var(--line); }
  }
`;
