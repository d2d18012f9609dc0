/** The stamp: pressed once, then it stands. */
import { css } from "lit";

export const styles = css`
  svg { width: 132px; height: 132px; color: var(--pass); flex: none; rotate: -7deg; }
  svg text { fill: currentColor; font-family: var(--font); }
  svg .fpt { font-family: var(--mono); }
  @media (prefers-reduced-motion: no-preference) {
    svg { animation: press var(--m-3) var(--ease) both; }
    @keyframes press { from { scale: 1.18; opacity: 0; } }
  }
  :host([dashed]) .ring { stroke-dasharray: 7 5; }
`;
