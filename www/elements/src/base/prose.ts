/** A message as text nodes: what stands between backticks is code. */
import { html, type TemplateResult } from "lit";

export function prose(text: string): TemplateResult {
  return html`${text
    .split("`")
    .map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}

/** A clause as a sentence of its own: errors of libraries begin small and end without a stop. */
export const sentence = (text: string): string =>
  text === ""
    ? ""
    : `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?…]$/.test(text) ? "" : "."}`;
