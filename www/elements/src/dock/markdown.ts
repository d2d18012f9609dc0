/** A small Markdown as text nodes: headings, lists, paragraphs, emphasis, code, https links. No HTML, no images. */
import { html, type TemplateResult } from "lit";
import { link } from "../base/link.js";

const inline = /(`[^`]+`)|(\*\*[^*]+\*\*)|(\*[^*]+\*)|\[([^\]]+)\]\((https:\/\/[^\s)]+)\)/g;
const FENCE = /^\s*```/;
const kinds = {
  heading: /^#{1,6}\s+/,
  points: /^\s*[-*]\s+/,
  numbers: /^\s*\d+[.)]\s+/,
} as const;

interface Block {
  is: keyof typeof kinds | "words" | "code";
  lines: string[];
}

export function markdown(text: string): TemplateResult {
  return html`${blocks(text.replace(/\r\n?/g, "\n").split("\n")).map(drawn)}`;
}

/** Lines of one kind that follow each other: an empty line ends a block, and a list needs none before it. */
function blocks(lines: readonly string[]): Block[] {
  const found: Block[] = [];
  let open: Block | undefined;
  for (const line of lines) {
    if (open?.is === "code") {
      if (FENCE.test(line)) open = undefined;
      else open.lines.push(line);
      continue;
    }
    if (line.trim() === "") {
      open = undefined;
      continue;
    }
    const is = kindOf(line);
    if (is === "heading" || is === "code" || open?.is !== is) {
      open = { is, lines: [] };
      found.push(open);
    }
    if (is === "code") continue;
    open.lines.push(is === "words" ? line.trim() : line.replace(kinds[is], ""));
  }
  return found;
}

function kindOf(line: string): Block["is"] {
  if (FENCE.test(line)) return "code";
  const names = Object.keys(kinds) as (keyof typeof kinds)[];
  return names.find((name) => kinds[name].test(line)) ?? "words";
}

function drawn({ is, lines }: Block): TemplateResult {
  const items = () => lines.map((line) => html`<li>${spans(line)}</li>`);
  switch (is) {
    case "heading":
      return html`<p class="md-h">${spans(lines.join(" "))}</p>`;
    case "points":
      return html`<ul class="md-l">${items()}</ul>`;
    case "numbers":
      return html`<ol class="md-l num-l">${items()}</ol>`;
    case "code":
      return html`<pre class="md-c"><code>${lines.join("\n")}</code></pre>`;
    case "words":
      return html`<p>${spans(lines.join("\n"))}</p>`;
  }
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
