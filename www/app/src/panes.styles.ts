/** The frame of a page with panes, and the tab bar of a narrow one. UI.md §2. */
import { css } from "lit";

/** The tab bar of a page that is narrow: for the media query of where it is. */
export const tabBar = css`
  .tabs-n {
    display: grid;
    grid-auto-flow: column;
    grid-auto-columns: 1fr;
    background: var(--surface);
    border-top: 1px solid var(--line-2);
    height: 52px;
    z-index: var(--z-bar);
  }
  .tabs-n button {
    border: 0;
    background: none;
    color: var(--text-2);
    font-size: var(--t-meta);
    line-height: var(--l-meta);
    display: grid;
    justify-items: center;
    align-content: center;
    gap: 2px;
    border-top: 2px solid transparent;
    position: relative;
    cursor: pointer;
  }
  .tabs-n [aria-current="page"] {
    color: var(--action);
    border-top-color: var(--action-fill);
    font-weight: var(--w-strong);
  }
  .tabs-n .dot {
    position: absolute;
    top: 6px;
    left: calc(50% + 8px);
    width: 10px;
    height: 10px;
    background: var(--hold-fill);
    border: 1px solid var(--hold);
    border-radius: 1px;
  }
  .tabs-n button:focus-visible { outline-offset: -3px; }
  .tabs-n button:disabled { color: var(--text-off); }
`;

export const frame = css`
  :host {
    display: grid;
    grid-template: auto auto minmax(0, 1fr) auto / minmax(0, 1fr);
    height: 100dvh;
    background: var(--canvas);
    overflow: hidden;
  }
  hp-sign-in { grid-row: 3; }
  .app { display: grid; min-height: 0; background: var(--line-2); outline: none; }
  .panel {
    background: var(--surface);
    min-width: 0;
    min-height: 0;
    display: flex;
    flex-direction: column;
    position: relative;
  }
  .tabs-n { display: none; }
  .over { position: absolute; }
  @media (max-width: 767px) {
    .top { padding-inline: var(--s-5) var(--s-3); }
    .doc { padding-inline-start: 0; border: 0; }
    ${tabBar}
  }
  @media (max-height: 480px) {
    :host { display: block; height: auto; overflow: visible; }
    .app { display: block; }
    .panel { min-height: 60vh; }
    .tabs-n { position: sticky; bottom: 0; }
  }
`;
