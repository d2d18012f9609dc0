/** The settings of an app: sheets of labelled fields, one column where it is narrow. */
import { css } from "lit";

export const styles = css`
  .in { max-width: 860px; }
  .frm {
    display: grid;
    grid-template-columns: 200px minmax(0, 1fr);
    gap: var(--s-5) var(--s-6);
    padding: var(--s-5);
    align-items: start;
    font-size: var(--t-small);
    line-height: var(--l-small);
  }
  .frm > .fl, .frm > label { padding-top: var(--s-2); color: var(--text-2); }
  .list { display: grid; gap: var(--s-4); justify-items: start; }
  .row { display: grid; gap: var(--s-3); width: 100%; align-items: start; grid-template-columns: minmax(0, 1fr) auto; }
  .row.env { grid-template-columns: minmax(0, 2fr) minmax(0, 3fr) auto; }
  .row .bad, .bad { color: var(--fail); }
  .row .bad { grid-column: 1 / -1; }
  .input[aria-invalid="true"] { border-color: var(--fail); }
  .opt { display: flex; gap: var(--s-4); align-items: flex-start; cursor: pointer; }
  .opt .sub { display: block; color: var(--text-2); font-size: var(--t-meta); line-height: var(--l-meta); }
  .opts { display: grid; gap: var(--s-4); }
  dialog {
    width: min(480px, calc(100vw - 24px));
    padding: var(--s-6);
    border: 0;
    border-radius: var(--r-3);
    background: var(--raised);
    color: var(--text);
    box-shadow: var(--e-3);
  }
  dialog::backdrop { background: rgb(8 16 14 / .28); }
  dialog h2 { font-size: var(--t-head); line-height: var(--l-head); font-weight: var(--w-strong); }
  .d-b { display: grid; gap: var(--s-5); font-size: var(--t-small); line-height: var(--l-small); }
  .d-b .flex { justify-content: flex-end; }
  @media (max-width: 767px) {
    .frm { grid-template-columns: minmax(0, 1fr); gap: var(--s-3); }
    .frm > :is(.fl, label):not(:first-child) { padding-top: var(--s-4); }
    .row.env { grid-template-columns: minmax(0, 1fr) auto; }
    .row.env > .input:nth-of-type(2) { grid-column: 1; }
  }
`;
