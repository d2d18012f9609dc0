/** The page of a user's own model. */
import { css } from "lit";

export const styles = css`
  :host {
    display: flex;
    flex-direction: column;
    min-height: 0;
    background: var(--canvas);
  }
  .body { flex: 1; min-height: 0; overflow: auto; }
  .in.mid { max-width: 760px; }
  .frm .flex > .input { flex: 1; min-width: 0; }
  .frm .fp-chip { align-self: center; }
  .two-in { margin-top: 0; }
  .w3 { display: grid; grid-template-columns: 120px minmax(0, 1fr); gap: var(--s-2) var(--s-5); }
  .w3 dt { color: var(--text-2); }
  .w3 dd { margin: 0; overflow-wrap: anywhere; }
  .opt:has(:disabled) { color: var(--text-3); }
  .used {
    margin: 0;
    padding: var(--s-4) var(--s-5);
    border-bottom: 1px solid var(--line);
    font-weight: 600;
    overflow-wrap: anywhere;
  }
  .tips { list-style: disc; padding-inline-start: 18px; display: grid; gap: var(--s-1); }
  @media (max-width: 767px) {
    .frm.wide { grid-template-columns: minmax(0, 1fr); gap: var(--s-2); }
    .frm.wide > :not(label, .fl) { margin-bottom: var(--s-4); }
    .w3 { grid-template-columns: minmax(0, 1fr); }
    .two-in { grid-template-columns: minmax(0, 1fr); }
  }
`;
