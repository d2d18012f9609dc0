/** Lines of a place as tables: side by side, in one column, and of a file that has one side only. Pure. */

import { html, nothing, type TemplateResult } from "lit";
import { grammarOf } from "../base/highlight.js";
import { icon } from "../base/icons.js";
import { t } from "../text/index.js";
import { lookOf, type Pair, type Row, sign, words } from "./lines.js";

const caption = (words: string): TemplateResult => html`<caption class="vh">${words}</caption>`;

/** The sign of a line: what becomes of it, and why it has to be looked at. */
function signed({ line, note }: Row) {
  if (!note?.first) return sign(line);
  const said = html`<span class="vh">${t(`diff.mark.${note.look}`)}</span>`;
  return html`${line.kind === "context" ? icon("med", "s") : sign(line)}${said}`;
}

const noteOf = ({ note }: Row): string => (note ? `look ${note.look}` : "");

/** Old and new beside each other. */
export function split(path: string, all: readonly Pair[], said: string): TemplateResult {
  const grammar = grammarOf(path);
  const cell = (row: Row | null, side: "left" | "right") => {
    const gap = side === "right" ? "mid" : "";
    if (!row)
      return html`<td class="ln ${gap}"></td>
        <td class="sg none"></td>
        <td class="code none"></td>`;
    const look = lookOf(row.line);
    const note = noteOf(row);
    return html`<td class="ln ${gap} ${note}">${side === "left" ? row.old : row.now}</td>
      <td class="sg ${look} ${note}">${side === "left" ? signed(row) : sign(row.line)}</td>
      <td class="code ${look} ${note}">${words(row.line, grammar, row.note?.part)}</td>`;
  };
  return html`<table class="diff split">
    ${caption(said)}
    <colgroup>
      <col class="w-ln" />
      <col class="w-sg" />
      <col />
      <col class="w-ln" />
      <col class="w-sg" />
      <col />
    </colgroup>
    <tbody>
      ${all.map(
        (pair) =>
          html`<tr>
            ${cell(pair.left, "left")}${cell(pair.right, "right")}
          </tr>`,
      )}
    </tbody>
  </table>`;
}

/** One line below the other; what has `both` sides shows the numbers of both. */
export function column(
  path: string,
  all: readonly Row[],
  said: string,
  both = true,
): TemplateResult {
  const grammar = grammarOf(path);
  return html`<table class="diff ${both ? "uni" : "one"}">
    ${caption(said)}
    <colgroup>
      ${both ? html`<col class="w-ln" />` : nothing}
      <col class="w-ln" />
      <col class="w-sg" />
      <col />
    </colgroup>
    <tbody>
      ${all.map(
        (row) =>
          html`<tr class=${lookOf(row.line)}>
            ${both ? html`<td class="ln ${noteOf(row)}">${row.old ?? ""}</td>` : nothing}
            <td class="ln ${noteOf(row)}">${(both ? row.now : (row.now ?? row.old)) ?? ""}</td>
            <td class="sg ${noteOf(row)}">${signed(row)}</td>
            <td class="code ${noteOf(row)}">${words(row.line, grammar, row.note?.part)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}
