/** The form of a tool that was a script. */
import { css } from "lit";

export const styles = css`
  .form { display: grid; gap: var(--s-5); }
  .f-row { display: grid; gap: var(--s-2); justify-items: start; }
  .f-row :is(label, .label) { font-size: var(--t-small); font-weight: var(--w-medium); }
  .f-row.whole { justify-items: stretch; }
  .input, .select { min-height: var(--control); }
`;
