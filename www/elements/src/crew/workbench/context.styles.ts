/** Rows with switches. */
import { css } from "lit";

export const styles = css`
  .none { padding: var(--s-4) var(--pad); }
  .group-h {
    display: flex;
    align-items: center;
    gap: var(--s-3);
    padding: var(--s-3) var(--pad);
    background: var(--sunken);
    border-block: 1px solid var(--line);
    font-size: var(--t-meta);
    line-height: var(--l-meta);
    font-weight: var(--w-strong);
    color: var(--text-2);
  }
  .end { margin-inline-start: auto; font-weight: var(--w-normal); }
  .budgetline { padding: var(--s-4) var(--pad); display: grid; gap: var(--s-3); }
  .budgetline .flex { font-size: var(--t-small); flex-wrap: wrap; }
  .meter > i.alt { background: color-mix(in srgb, var(--action-fill) 62%, var(--surface)); }
  .cx > li { align-items: center; padding-inline: var(--pad); }
  .cx label {
    display: flex;
    gap: var(--s-4);
    align-items: center;
    cursor: pointer;
    overflow-wrap: anywhere;
  }
  .cx .sub { display: block; }
  .cx .off .nm { text-decoration: line-through; }
  .tok-n { color: var(--text-3); font-size: var(--t-meta); white-space: nowrap; }
  .sw {
    appearance: none;
    width: 30px;
    height: 18px;
    flex: none;
    margin: 0;
    border: 1px solid var(--line-control);
    border-radius: var(--r-round);
    background: var(--sunken);
    position: relative;
    cursor: pointer;
  }
  .sw::after {
    content: "";
    position: absolute;
    width: 12px;
    height: 12px;
    border-radius: 50%;
    top: 2px;
    left: 2px;
    background: var(--line-control);
    transition: translate var(--m-2) var(--ease);
  }
  .sw:checked { background: var(--action-fill); border-color: var(--action-fill); }
  .sw:checked::after { background: var(--action-on); translate: 12px 0; }
  .sw::before { content: ""; position: absolute; inset: -4px; }
  .sw:disabled { opacity: .6; cursor: not-allowed; }
  @media (forced-colors: active) { .sw { forced-color-adjust: none; } }
`;
