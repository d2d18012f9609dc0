/** The drawer beside the editor: head, what scrolls, composer or the name of a checkpoint. */
import { css } from "lit";

export const drawer = css`
  :host {
    display: flex;
    flex-direction: column;
    min-height: 0;
    min-width: 0;
    flex: 1;
    background: var(--surface);
  }
  .body {
    flex: 1;
    min-height: 0;
    overflow: auto;
    overscroll-behavior: contain;
    scrollbar-width: thin;
  }
  .rest { flex: 1; }
  hp-conversation { padding: var(--pad); }
  .foot { flex: none; border-top: 1px solid var(--line-2); }
  @media (max-height: 480px) { .body { overflow: visible; } }
`;
