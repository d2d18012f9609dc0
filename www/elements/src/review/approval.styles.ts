/** The foot: hatched only when a signature can be given. */
import { css } from "lit";

export const styles = css`
  .approve {
    padding: var(--s-5) var(--pad) var(--s-5);
    display: grid;
    gap: var(--s-4);
    position: relative;
  }
  .approve::before {
    content: "";
    position: absolute;
    inset: -5px 0 auto;
    height: 5px;
    background: var(--hatch);
  }
  .approve.off::before, .approve.done::before { background: var(--line-2); height: 2px; top: -2px; }
  .approve.done::before { background: var(--pass-fill); }
  .approve .why {
    font-size: var(--t-small);
    line-height: var(--l-small);
    color: var(--text-2);
    display: flex;
    gap: var(--s-4);
    align-items: flex-start;
  }
  .approve .why .i { margin-top: 1px; }
  .approve .why .mk {
    width: 20px;
    height: 20px;
    border-radius: var(--r-1);
    background: var(--hold-fill);
    color: var(--hold-on);
    display: grid;
    place-items: center;
    flex: none;
    margin-top: -1px;
  }
  .approve .why .mk .i { margin: 0; stroke-width: 2.5; }
  .approve .acts { display: flex; gap: var(--s-4); flex-wrap: wrap; align-items: center; }
  .approve .acts .end { margin-inline-start: auto; }
  .approve .acts .btn.primary, .approve .acts .btn.sign {
    flex: 1 1 auto;
    min-height: calc(var(--control) + 6px);
  }
  .approve .acts > .first { min-width: 62%; }
  .sub { color: var(--text-2); font-weight: var(--w-normal); }
  .more { display: none; }
  .head { color: var(--text); }
  :host([bar]) .approve { display: flex; gap: var(--s-6); align-items: center; }
  :host([bar]) .why { flex: 1; }
  :host([bar]) .acts { flex-wrap: nowrap; }
  :host([bar]) .acts .btn.primary, :host([bar]) .acts .btn.sign { flex: 0 1 auto; }
  :host([bar]) .btn.sign[disabled], :host([bar]) .btn.primary[disabled] {
    background: var(--sunken);
    border-color: var(--line-2);
    color: var(--text-off);
  }
  @media (max-width: 1023px) {
    :host([bar]) .approve { display: grid; gap: var(--s-4); }
    :host([bar]) .acts .btn.sign, :host([bar]) .acts .btn.primary { flex: 1; }
  }
  @media (max-width: 767px) {
    .approve { padding-block: var(--s-4); gap: var(--s-3); }
    .approve .acts { flex-wrap: nowrap; }
    .approve .acts > .first { min-width: 0; }
    .acts .alt { display: none; }
    .more { display: inline-flex; }
  }
  @media (forced-colors: active) { .approve::before { forced-color-adjust: none; } }
`;
