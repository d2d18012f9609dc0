/** A message as text nodes: what stands between backticks is code. */
import { html, type TemplateResult } from "lit";

export function prose(text: string): TemplateResult {
  return html`${text.split("`").map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}
