/** The publish page of an app: two columns, one where it is narrow, over a foot. */
import { css } from "lit";

export const styles = css`
  :host { display: flex; flex-direction: column; flex: 1; min-height: 0; min-width: 0; background: var(--canvas); }
  .body { flex: 1; min-height: 0; }
  .in {
    max-width: 1080px;
    margin: 0 auto;
    padding: var(--s-6) var(--s-8) var(--s-9);
    display: grid;
    gap: var(--s-6);
    grid-template-columns: minmax(0, 1fr);
  }
  .title {
    font-size: var(--t-title);
    line-height: var(--l-title);
    letter-spacing: -.01em;
    font-weight: var(--w-strong);
  }
  .two { display: grid; gap: var(--s-6); grid-template-columns: minmax(0, 1fr) minmax(0, 380px); align-items: start; }
  .addr { display: grid; gap: var(--s-4); justify-items: start; }
  .addr .mono { overflow-wrap: anywhere; }
  .foot { flex: none; border-top: 1px solid var(--line-2); background: var(--surface); position: relative; }
  @media (max-width: 979px) { .two { grid-template-columns: minmax(0, 1fr); } }
  @media (max-width: 767px) {
    .in { padding: var(--s-6) var(--s-5) var(--s-8); }
    .tb { grid-template-columns: minmax(0, 1fr); }
  }
`;
