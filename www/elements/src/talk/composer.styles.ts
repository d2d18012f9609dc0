/** The field with its line of help and its one button. */
import { css } from "lit";

export const styles = css`
  .composer { padding: var(--s-5) var(--pad); display: grid; gap: var(--s-4); }
  .composer .field {
    border: 1px solid var(--line-control);
    border-radius: var(--r-3);
    background: var(--surface);
    display: grid;
  }
  .composer .field:focus-within { outline: 2px solid var(--focus); outline-offset: 1px; }
  .composer textarea {
    border: 0;
    background: none;
    resize: none;
    padding: var(--s-4) var(--s-5);
    min-height: 56px;
    outline: 0;
    font-size: var(--t-body);
    line-height: var(--l-body);
  }
  .composer textarea::placeholder { color: var(--text-3); opacity: 1; }
  .composer .row {
    display: flex;
    align-items: center;
    gap: var(--s-4);
    padding: 0 var(--s-3) var(--s-3) var(--s-4);
  }
  .composer .row .end {
    margin-inline-start: auto;
    display: flex;
    align-items: center;
    gap: var(--s-3);
  }
  .queued {
    display: grid;
    gap: var(--s-3);
    padding: var(--s-4) var(--s-5);
    border: 1px solid var(--line-2);
    border-radius: var(--r-2);
    background: var(--sunken);
    font-size: var(--t-small);
    line-height: var(--l-small);
    overflow-wrap: anywhere;
    max-height: 160px;
    overflow-y: auto;
  }
  .warn { color: var(--text); }
  .composer[data-off] .field { background: var(--sunken); }
`;
