/** The look of the road: marks on a line, gates behind their step. */
import { css } from "lit";

export const styles = css`
  .road {
    display: grid;
    grid-template-columns: repeat(7, minmax(0, 1fr));
    padding: var(--s-5) var(--s-4) var(--s-4);
    border-bottom: 1px solid var(--line-2);
    background: var(--sunken);
    flex: none;
  }
  .road li {
    position: relative;
    padding-top: 18px;
    text-align: center;
    font-size: var(--t-meta);
    line-height: var(--l-meta);
    color: var(--text-3);
    white-space: nowrap;
  }
  .road li::before, .road li::after {
    content: "";
    position: absolute;
    top: 6px;
    height: 2px;
    background: var(--line-2);
  }
  .road li::before { left: 0; right: 50%; }
  .road li::after { left: 50%; right: 0; }
  .road li:first-child::before, .road li:last-child::after { display: none; }
  .road .n {
    position: absolute;
    left: 50%;
    top: 7px;
    translate: -50% -50%;
    width: 14px;
    height: 14px;
    border-radius: var(--r-round);
    background: var(--sunken);
    border: 2px solid var(--line-2);
    z-index: 1;
    display: grid;
    place-items: center;
  }
  .road .n .i { width: 10px; height: 10px; stroke-width: 2.5; }
  .road .done { color: var(--text-2); }
  .road .done .n {
    background: var(--pass-fill);
    border-color: var(--pass-fill);
    color: var(--pass-on);
  }
  .road .done::before, .road .done::after, .road .now::before { background: var(--pass-fill); }
  .road .now { color: var(--text); font-weight: var(--w-strong); }
  .road .now .n { border-color: var(--action-fill); }
  .road .now .n::after {
    content: "";
    width: 6px;
    height: 6px;
    border-radius: 50%;
    background: var(--action-fill);
  }
  .road .bad .n {
    border-color: var(--fail-fill);
    background: var(--fail-fill);
    color: var(--fail-on);
  }
  .road .bad .n::after { display: none; }
  .road .gate {
    position: absolute;
    right: 0;
    top: 7px;
    translate: 50% -50%;
    width: 6px;
    height: 18px;
    border-radius: 1px;
    background: var(--surface);
    border: 2px solid var(--line-control);
    z-index: 2;
  }
  .road .done .gate { height: 14px; width: 2px; border: 0; background: var(--pass-fill); }
  .road .now .gate.wait {
    background: var(--hatch);
    border: 0;
    width: 8px;
    height: 22px;
    box-shadow: 0 0 0 2px var(--sunken);
  }
  .road .now:has(.gate.wait) .n { border-color: var(--hold); }
  .road .now:has(.gate.wait) .n::after { background: var(--hold-fill); }
  .road .now:has(.gate.wait)::after { background: var(--line-2); }
  @media (max-width: 767px) {
    .road { padding-bottom: var(--s-3); }
    .road li { padding-top: 16px; }
    .road li .word { font-size: 0; }
    .road li.now, .road li:last-child.done { padding-top: 18px; }
    .road li.now .word, .road li:last-child.done .word { font-size: var(--t-meta); }
  }
  @container road (max-width: 340px) {
    .road li .word { overflow-wrap: anywhere; white-space: normal; hyphens: auto; }
  }
  @media (forced-colors: active) { .gate, .n { forced-color-adjust: none; } }
`;
