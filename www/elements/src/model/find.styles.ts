import { css } from "lit";

/** The list of a search; also that of the commands. */
export const list = css`
  .head {
    padding: var(--s-3) var(--s-5) var(--s-1);
    font-size: var(--t-meta);
    line-height: var(--l-meta);
    font-weight: var(--w-strong);
    color: var(--text-2);
  }
  .line {
    display: grid;
    grid-template-columns: 16px minmax(0, 1fr) auto;
    gap: var(--s-4);
    align-items: center;
    padding: var(--s-2) var(--s-5);
    min-height: 30px;
    font-size: var(--t-small);
    line-height: var(--l-small);
    cursor: default;
  }
  .line .i, .line .n { color: var(--text-2); }
  .line .n { white-space: nowrap; }
  .line:hover { background: var(--hover); }
  .line[aria-selected="true"] {
    background: var(--selected);
    box-shadow: inset 2px 0 0 var(--action-fill);
  }
  .line[aria-selected="true"] .quiet { color: var(--text-2); }
  mark {
    background: none;
    font-weight: var(--w-strong);
    text-decoration: underline;
    text-decoration-color: var(--action-fill);
    text-underline-offset: 2px;
  }
  .hint {
    display: flex;
    flex-wrap: wrap;
    justify-content: space-between;
    gap: 0 var(--s-5);
    padding: var(--s-3) var(--s-5);
    border-top: 1px solid var(--line);
  }
  .wait { padding: var(--s-3) var(--s-5); }
  @media (pointer: coarse) { .line { min-height: 44px; } }
`;

export const styles = [
  list,
  css`
    :host { display: block; flex: 1; min-width: 0; }
    .box { position: relative; }
    .field {
      display: flex;
      flex-wrap: wrap;
      align-items: center;
      gap: var(--s-2) var(--s-3);
      min-height: var(--control-s);
      padding: 1px var(--s-4);
      border: 1px solid var(--line-control);
      border-radius: var(--r-2);
      background: var(--surface);
      cursor: text;
    }
    .field:focus-within { outline: 2px solid var(--focus); outline-offset: 0; }
    .field > .i { color: var(--text-3); }
    input {
      flex: 1 1 96px;
      min-width: 64px;
      min-height: calc(var(--control-s) - 4px);
      border: 0;
      outline: 0;
      background: none;
      font-size: var(--t-small);
      line-height: var(--l-small);
      text-overflow: ellipsis;
    }
    input:focus-visible { outline: 0; }
    input::placeholder { color: var(--text-3); opacity: 1; }
    .tok {
      display: inline-flex;
      align-items: center;
      max-width: 100%;
      min-width: 0;
      padding-inline-start: var(--s-3);
      border: 1px solid var(--action-line);
      border-radius: var(--r-1);
      background: var(--action-tint);
      font-size: var(--t-meta);
      line-height: var(--l-meta);
      white-space: nowrap;
    }
    .tok b { font-weight: var(--w-strong); }
    .tok button {
      border: 0;
      background: none;
      min-width: 24px;
      min-height: 24px;
      padding: 0;
      color: var(--text-2);
      cursor: pointer;
    }
    .pop {
      position: absolute;
      z-index: var(--z-menu);
      top: calc(100% + 4px);
      inset-inline: 0;
      min-width: min(366px, 100vw - 24px);
      max-width: 560px;
      background: var(--raised);
      box-shadow: var(--e-2);
      border-radius: var(--r-3);
      padding-top: var(--s-2);
    }
    #list { max-height: min(380px, 56vh); overflow: auto; overscroll-behavior: contain; }
    @media (pointer: coarse) { .tok button { min-width: 44px; min-height: 44px; } }
  `,
];
