/** Services of an app and its export: a narrow column beside a wide one, one column where it is narrow. */
import { css } from "lit";

export const styles = css`
  .two { grid-template-columns: minmax(0, 300px) minmax(0, 1fr); }
  .two.wide-first { grid-template-columns: minmax(0, 1fr) minmax(0, 360px); }
  .stack { display: grid; gap: var(--s-6); grid-template-columns: minmax(0, 1fr); }
  .services li + li { border-top: 1px solid var(--line); }
  .services button {
    display: grid;
    gap: var(--s-1);
    width: 100%;
    padding: var(--s-4) var(--s-5);
    border: 0;
    background: none;
    color: var(--text);
    font: inherit;
    font-size: var(--t-small);
    line-height: var(--l-small);
    text-align: start;
    cursor: pointer;
  }
  .services button:hover { background: var(--hover); }
  .services button[aria-pressed="true"] {
    background: var(--selected);
    box-shadow: inset 2px 0 0 var(--action-fill);
  }
  .services button:focus-visible { outline-offset: -3px; }
  .sub { color: var(--text-2); font-size: var(--t-meta); line-height: var(--l-meta); }
  .opl { flex: none; min-width: 64px; color: var(--action); font-weight: var(--w-medium); }
  .opl.added { color: var(--pass); }
  .path, .command > code { overflow-wrap: anywhere; }
  .formats .opt { padding: var(--s-4) var(--s-5); font-size: var(--t-small); line-height: var(--l-small); }
  .formats .opt + .opt { border-top: 1px solid var(--line); }
  .formats .opt .sub { display: block; }
  .begins {
    max-height: 320px;
    margin: 0;
    padding: var(--s-5);
    font-size: var(--t-meta);
    line-height: var(--l-meta);
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
  .command { display: grid; gap: var(--s-4); justify-items: start; }
  .command > code {
    width: 100%;
    padding: var(--s-4);
    border: 1px solid var(--line-2);
    border-radius: var(--r-1);
    background: var(--sunken);
    font-size: var(--t-meta);
    line-height: var(--l-meta);
  }
  @media (max-width: 979px) { .two, .two.wide-first { grid-template-columns: minmax(0, 1fr); } }
`;
