/** Values of a test beside each other: JSON in one line, as code writes it, and what differs of two. */
import type { Json } from "@holdpoint/core/types";
import { html, nothing, type TemplateResult } from "lit";

/** Longest value that is shown in one piece; the rest is in the details that can be copied. */
const MAX_VALUE_CHARS = 400;

/** JSON in one line, as code writes it. */
export function written(value: Json): string {
  const text = write(value);
  return text.length > MAX_VALUE_CHARS ? `${text.slice(0, MAX_VALUE_CHARS)} …` : text;
}

function write(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(write).join(", ")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, member]) =>
      `${/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)}: ${write(member)}`,
  );
  return members.length ? `{ ${members.join(", ")} }` : "{}";
}

/** What differs between two values, by their common beginning and end. */
export function marked(text: string, other: string, mark: string): TemplateResult {
  let start = 0;
  while (start < text.length && start < other.length && text[start] === other[start]) start += 1;
  let end = 0;
  while (
    end < text.length - start &&
    end < other.length - start &&
    text.at(-1 - end) === other.at(-1 - end)
  )
    end += 1;
  const middle = text.slice(start, text.length - end);
  return html`${text.slice(0, start)}${
    middle ? html`<mark class=${mark}>${middle}</mark>` : nothing
  }${text.slice(text.length - end)}`;
}
