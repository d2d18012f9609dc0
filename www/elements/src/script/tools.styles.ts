/** The list of scripts, beside what all lists have. */
import { css } from "lit";

export const styles = css`
  :host { --list-card: minmax(0, 1fr) auto; }
  .mo { width: 48px; padding-inline: 0 var(--s-4); text-align: end; }
  @media (max-width: 767px) {
    .mo { grid-column: 2; grid-row: 1; width: auto; }
    .fd, .ch, .pr { grid-column: 1; font-size: var(--t-meta); }
    .pr:empty { display: none; }
  }
`;
