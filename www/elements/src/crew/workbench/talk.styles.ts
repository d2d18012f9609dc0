/** The conversation fills the column, the field stands at its foot. */
import { css } from "lit";

export const styles = css`
  :host { display: flex; flex-direction: column; min-height: 0; min-width: 0; flex: 1; }
  .body { flex: 1; min-height: 0; padding: var(--pad); }
  .ctx { padding: 0; }
  .foot { flex: none; border-top: 1px solid var(--line-2); background: var(--surface); }
  .pcard {
    border: 1px solid var(--line-2);
    border-radius: var(--r-2);
    padding: var(--s-4) var(--s-5);
    display: grid;
    gap: var(--s-2);
    background: var(--sunken);
    margin-top: var(--s-4);
  }
  .reads { margin-top: var(--s-2); }
  .warn { margin-top: var(--s-3); display: grid; gap: var(--s-2); font-size: var(--t-small); }
  .warn > li { display: flex; gap: var(--s-3); align-items: flex-start; }
  .hints { list-style: disc; padding-inline-start: 18px; }
  .call dd { overflow-wrap: anywhere; }
  @media (max-width: 979px) {
    .body { overflow: visible; flex: 1 0 auto; }
    .foot { position: sticky; bottom: 0; z-index: var(--z-sticky); }
  }
`;
