/** The list of scripts, beside what all lists have. */
import { css } from "lit";

export const styles = css`
  :host { --list-card: minmax(0, 1fr) auto; }
  .up { margin-inline-start: auto; }
  .up + input + .box { margin-inline-start: 0; }
  .gone { padding: 0; margin: 0; list-style: none; }
  .gone li {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: var(--s-3) var(--s-5);
    padding: var(--s-4) var(--s-5);
    min-height: var(--row);
  }
  .gone li + li { border-top: 1px solid var(--line); }
  .gone { font-size: var(--t-small); line-height: var(--l-small); }
  .gone .strong { overflow-wrap: anywhere; }
  .gone .btn { margin-inline-start: auto; }
  .mo { width: 48px; padding-inline: 0 var(--s-4); text-align: end; }
  @media (max-width: 767px) {
    .mo { grid-column: 2; grid-row: 1; width: auto; }
    .fd, .ch, .pr { grid-column: 1; font-size: var(--t-meta); }
    .pr:empty { display: none; }
  }
`;
