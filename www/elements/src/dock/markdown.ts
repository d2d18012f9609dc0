/** A small Markdown as text nodes: headings, lists, paragraphs, emphasis, code, https links. No HTML, no images. */
import { html, type TemplateResult } from "lit";
import { link } from "../base/link.js";

const inline = /(`[^`]+`)|(\*\*[^*]+\*\*)|(\*[^*]+\*)|\[([^\]]+)\]\((https:\/\/[^\s)]+)\)/g;

export function markdown(text: string): TemplateResult {
  const blocks = text
    .replace(/\r\n?/g, "\n")
    .split(/\n{2,}/)
    .map((block) => block.trim())
    .filter(Boolean);
  return html`${blocks.map(block)}`;
}

function block(text: string): TemplateResult {
  const heading = /^(#{1,6})\s+(.*)$/.exec(text);
  if (heading) return html`<p class="md-h">${spans(heading[2] ?? "")}</p>`;
  const lines = text.split("\n");
  if (lines.every((line) => /^\s*[-*]\s+/.test(line)))
    return html`<ul class="md-l">
      ${lines.map((line) => html`<li>${spans(line.replace(/^\s*[-*]\s+/, ""))}</li>`)}
    </ul>`;
  if (lines.every((line) => /^\s*\d+[.)]\s+/.test(line)))
    return html`<ol class="md-l num-l">
      ${lines.map((line) => html`<li>${spans(line.replace(/^\s*\d+[.)]\s+/, ""))}</li>`)}
    </ol>`;
  return html`<p>${spans(lines.join(" "))}</p>`;
}

function spans(text: string): TemplateResult {
  const out: (string | TemplateResult)[] = [];
  let at = 0;
  for (const match of text.matchAll(inline)) {
    const [whole, code, strong, em, label, href] = match;
    if (match.index > at) out.push(text.slice(at, match.index));
    at = match.index + whole.length;
    if (code) out.push(html`<code>${code.slice(1, -1)}</code>`);
    else if (strong) out.push(html`<strong>${strong.slice(2, -2)}</strong>`);
    else if (em) out.push(html`<em>${em.slice(1, -1)}</em>`);
    else out.push(link(label ?? "", href ?? "", whole));
  }
  out.push(text.slice(at));
  return html`${out}`;
}
