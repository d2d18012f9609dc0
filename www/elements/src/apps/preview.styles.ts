/** The frame of an app: what is around it is Holdpoint's, nothing in it is. */
import { css } from "lit";

export const styles = css`
  :host { display: flex; flex-direction: column; flex: 1; min-height: 0; min-width: 0; }
  .bar {
    display: flex;
    align-items: center;
    gap: var(--s-3) var(--s-4);
    min-height: 40px;
    padding: var(--s-2) var(--s-4) var(--s-2) var(--s-5);
    border-bottom: 1px solid var(--line);
    background: var(--surface);
    flex: none;
  }
  .seg > * { padding-inline: var(--s-3); }
  .route { flex: 1 1 96px; min-width: 72px; width: auto; font-size: var(--t-meta); }
  .frame {
    flex: 1;
    min-height: 0;
    overflow: auto;
    background: var(--canvas);
    display: grid;
    justify-items: center;
    grid-template-columns: minmax(0, 1fr);
  }
  iframe { border: 0; width: 100%; height: 100%; background: #fff; color-scheme: light; }
  iframe.dim { filter: grayscale(1) opacity(.42); }
  .phone > iframe { width: 390px; border-inline: 1px solid var(--line-2); }
  .tablet > iframe { width: 768px; border-inline: 1px solid var(--line-2); }
  .errs { margin: var(--s-4); max-height: 40%; overflow: auto; flex: none; }
  .errs li { display: flex; gap: var(--s-4); overflow-wrap: anywhere; }
  .errs .sub { display: block; }
  .errs .check { margin-top: 2px; }
  .line { padding: var(--s-2) var(--pad); border-top: 1px solid var(--line); flex: none; }
  .btn[aria-pressed="true"] { background: var(--action-tint); color: var(--action); }
  .none { align-self: center; padding: var(--s-6); max-width: 440px; }
  @media (pointer: coarse) { .btn.s.icon { width: var(--target); min-height: var(--target); } }
`;
