/** The parts of a review, one below the other. */
import { css } from "lit";

export const styles = css`
  :host {
    display: grid;
    gap: var(--gap);
    align-content: start;
    grid-template-columns: minmax(0, 1fr);
    min-height: auto;
    flex: none;
  }
  .notes > summary {
    list-style: none;
    cursor: pointer;
    display: flex;
    gap: var(--s-3);
    align-items: center;
    color: var(--text-2);
    font-size: var(--t-meta);
    min-height: var(--target);
  }
  .notes ul { padding: var(--s-2) 0 0 var(--s-7); display: grid; gap: var(--s-2); }
`;

/** The reasons to look, and their tick. */
export const confirmStyles = css`
  :host { display: block; }
  .list { display: grid; gap: var(--s-3); }
  .list > li { display: flex; gap: var(--s-4); align-items: flex-start; }
  .list .i { margin-top: 2px; }
  .tick {
    display: flex;
    align-items: center;
    gap: var(--s-4);
    padding-top: var(--s-4);
    margin-top: var(--s-2);
    border-top: 1px solid var(--hold-line);
    min-height: var(--row);
    cursor: pointer;
  }
`;
