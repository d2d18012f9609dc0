/**
 * The shared styles: what more than one element wears.
 *
 * Each element adopts the parts that it needs and adds its own beside its code. Every colour, size and time is a token.
 */
import { css, unsafeCSS } from "lit";
import { LATE_MS } from "./late.js";

/** The ground of every element: resets, text classes, icons, focus. */
export const ground = css`
  :host {
    display: block;
    font-size: var(--t-body);
    line-height: var(--l-body);
    color: var(--text);
    font-variant-numeric: tabular-nums;
  }
  :host([hidden]) { display: none; }
  *, *::before, *::after { box-sizing: border-box; }
  h1, h2, h3, h4, p, ul, ol, dl, dd, figure, pre { margin: 0; padding: 0; }
  ul, ol { list-style: none; }
  button, input, select, textarea { font: inherit; color: inherit; letter-spacing: inherit; }
  a { color: var(--action); text-underline-offset: 2px; }
  mark { color: inherit; border-radius: 1px; padding: 0 1px; }
  code, .mono { font-family: var(--mono); font-size: .9286em; }
  [hidden] { display: none !important; }
  :focus-visible {
    outline: 2px solid var(--focus);
    outline-offset: 2px;
    border-radius: var(--r-1);
  }
  .inset:focus-visible,
  .scroll:focus-visible,
  summary:focus-visible,
  [role="treeitem"]:focus-visible {
    outline-offset: -2px;
  }
  .vh {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  .i {
    width: 16px;
    height: 16px;
    flex: none;
    fill: none;
    stroke: currentColor;
    stroke-width: 1.5;
    stroke-linecap: round;
    stroke-linejoin: round;
    vertical-align: -3px;
  }
  .i.s { width: 14px; height: 14px; vertical-align: -2px; }
  .scroll {
    overflow: auto;
    overscroll-behavior: contain;
    scrollbar-width: thin;
    scrollbar-color: var(--line-2) transparent;
  }
  .meta { font-size: var(--t-meta); line-height: var(--l-meta); color: var(--text-2); }
  .quiet { color: var(--text-3); }
  .strong { font-weight: var(--w-strong); }
  .num { text-align: end; white-space: nowrap; }
  .nowrap { white-space: nowrap; }
  .trunc { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; min-width: 0; }
  .flex { display: flex; align-items: center; gap: var(--s-4); min-width: 0; }
  .wrap { flex-wrap: wrap; }
  .grow { flex: 1; min-width: 0; }
  .stack {
    display: grid;
    gap: var(--gap);
    align-content: start;
    grid-template-columns: minmax(0, 1fr);
  }
  .stack.tight { gap: var(--s-2); }
  .c-pass { color: var(--pass); }
  .c-hold { color: var(--hold); }
  .c-fail { color: var(--fail); }
  .c-run { color: var(--action); }
  .c-off { color: var(--text-3); }
  .spin { animation: spin 1.1s linear infinite; transform-origin: 50% 50%; }
  @keyframes spin { to { rotate: 360deg; } }
  @media (prefers-reduced-motion: reduce) { .spin { animation: none; } }
  .late { animation: late 1ms linear ${unsafeCSS(LATE_MS)}ms backwards; }
  @keyframes late { from, to { visibility: hidden; } }
`;

/** Buttons, also those that read as links; segments, fingerprints. */
export const buttons = css`
  .btn {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    gap: var(--s-3);
    min-height: var(--control);
    padding: 0 var(--s-5);
    border: 1px solid var(--line-control);
    border-radius: var(--r-2);
    background: var(--surface);
    color: var(--text);
    font-size: var(--t-small);
    line-height: var(--l-small);
    font-weight: var(--w-medium);
    cursor: pointer;
    text-decoration: none;
    transition: background var(--m-1) var(--ease);
  }
  .btn:hover { background: var(--hover); }
  .btn.primary {
    background: var(--action-fill);
    border-color: var(--action-fill);
    color: var(--action-on);
  }
  .btn.primary:hover { background: var(--action-fill-2); }
  .btn.sign { background: var(--pass-fill); border-color: var(--pass-fill); color: var(--pass-on); }
  .btn.quiet { border-color: transparent; background: transparent; color: var(--text-2); }
  .btn.quiet:hover { background: var(--hover); color: var(--text); }
  .btn.danger { color: var(--fail); }
  .btn.s { min-height: var(--control-s); padding: 0 var(--s-4); font-size: var(--t-meta); }
  .btn.icon { width: var(--control); padding: 0; flex: none; }
  .btn.s.icon { width: var(--control-s); }
  .btn[disabled], .btn[aria-disabled="true"] {
    background: var(--sunken);
    border-color: var(--line-2);
    color: var(--text-off);
    cursor: not-allowed;
  }
  .btn.quiet[disabled] { background: none; border-color: transparent; }
  .btn .fp {
    font-family: var(--mono);
    font-size: var(--t-meta);
    font-weight: var(--w-strong);
    padding-inline-start: var(--s-4);
    margin-inline-start: var(--s-1);
    border-inline-start: 1px solid color-mix(in srgb, currentColor 40%, transparent);
    letter-spacing: .02em;
  }
  .btn .fp.sum { font-family: inherit; font-size: inherit; letter-spacing: 0; }
  .btn.block { width: 100%; }
  .link {
    font: inherit;
    color: var(--action);
    background: none;
    border: 0;
    padding: 0;
    cursor: pointer;
    text-decoration: underline;
    text-underline-offset: 2px;
    text-align: start;
  }
  .fp-chip {
    font-family: var(--mono);
    font-size: var(--t-meta);
    letter-spacing: .02em;
    padding: 1px var(--s-3);
    border: 1px solid var(--line-2);
    border-radius: var(--r-1);
    background: var(--sunken);
    color: var(--text);
    white-space: nowrap;
  }
  .seg {
    display: inline-flex;
    border: 1px solid var(--line-control);
    border-radius: var(--r-2);
    overflow: clip;
    background: var(--surface);
  }
  .seg > * {
    border: 0;
    background: none;
    min-height: calc(var(--control-s) - 2px);
    padding: 0 var(--s-4);
    font-size: var(--t-meta);
    font-weight: var(--w-medium);
    color: var(--text-2);
    cursor: pointer;
    display: inline-flex;
    align-items: center;
    gap: var(--s-2);
    white-space: nowrap;
  }
  .seg > * + * { border-inline-start: 1px solid var(--line-2); }
  .seg > [aria-pressed="true"], .seg > [aria-selected="true"], .seg > [aria-current] {
    background: var(--action-tint);
    color: var(--action);
  }
  .seg > .no[aria-pressed="true"] { background: var(--active); color: var(--text); }
  .seg > :focus-visible { outline-offset: -2px; }
`;

/** Badges: shape and word, never colour alone. */
export const badges = css`
  .badge {
    display: inline-flex;
    align-items: center;
    gap: var(--s-2);
    padding: 1px var(--s-3) 1px var(--s-2);
    border: 1px solid var(--line-2);
    border-radius: var(--r-1);
    font-size: var(--t-meta);
    line-height: var(--l-meta);
    font-weight: var(--w-medium);
    white-space: nowrap;
    color: var(--text-2);
    background: var(--surface);
  }
  .badge.pass { color: var(--pass); background: var(--pass-tint); border-color: var(--pass-line); }
  .badge.hold { color: var(--hold); background: var(--hold-tint); border-color: var(--hold-line); }
  .badge.fail { color: var(--fail); background: var(--fail-tint); border-color: var(--fail-line); }
  .badge.run {
    color: var(--action);
    background: var(--action-tint);
    border-color: var(--action-line);
  }
  .badge.plain { padding-inline: var(--s-3); }
`;

/** Inputs, ticks, choices. */
export const forms = css`
  .input, .select, textarea.input {
    min-height: var(--control-s);
    border: 1px solid var(--line-control);
    border-radius: var(--r-2);
    background: var(--surface);
    color: var(--text);
    padding: var(--s-1) var(--s-4);
    font-size: var(--t-small);
    line-height: var(--l-small);
    width: 100%;
  }
  .input:focus-visible { outline-offset: 0; }
  .select { width: auto; padding-inline-end: var(--s-3); text-overflow: ellipsis; }
  .check {
    appearance: none;
    width: 16px;
    height: 16px;
    flex: none;
    margin: 0;
    border: 1px solid var(--line-control);
    border-radius: var(--r-1);
    background: var(--surface);
    display: inline-grid;
    place-content: center;
    cursor: pointer;
    position: relative;
  }
  .check::after {
    content: "";
    width: 9px;
    height: 5px;
    border: solid var(--action-on);
    border-width: 0 0 2px 2px;
    transform: translateY(-1px) rotate(-45deg) scale(0);
  }
  .check:checked { background: var(--action-fill); border-color: var(--action-fill); }
  .check:checked::after { transform: translateY(-1px) rotate(-45deg); }
  .check:disabled { opacity: .6; cursor: not-allowed; }
  .check::before { content: ""; position: absolute; inset: -5px; }

  .radio {
    appearance: none;
    width: 16px;
    height: 16px;
    flex: none;
    margin: 1px 0 0;
    border: 1px solid var(--line-control);
    border-radius: 50%;
    background: var(--surface);
    display: inline-grid;
    place-content: center;
    cursor: pointer;
    position: relative;
  }
  .radio::after {
    content: "";
    width: 8px;
    height: 8px;
    border-radius: 50%;
    background: var(--action-on);
    scale: 0;
  }
  .radio:checked { background: var(--action-fill); border-color: var(--action-fill); }
  .radio:checked::after { scale: 1; }
  .radio::before { content: ""; position: absolute; inset: -5px; }
`;
