/** What is talked about as it is now: the nodes of a workflow as a list, or a text. Pure. */
import { html, nothing, type TemplateResult } from "lit";
import { icon } from "../../base/icons.js";
import { t } from "../../text/index.js";
import type { NodeRow, NowView } from "./view.js";

export function now(view: NowView): TemplateResult | typeof nothing {
  switch (view.is) {
    case "none":
      return html`<p class="meta none">${t("wb.now.none")}</p>`;
    case "loading":
      return html`<p class="meta none late">${icon("spin", "s spin")} ${t("wb.loading")}</p>`;
    case "text":
      return html`<p class="meta none mono" translate="no">${view.path}</p>
        <pre class="now" translate="no">${view.text}</pre>`;
    case "graph":
      return list(view.rows);
  }
}

const list = (rows: readonly NodeRow[]) =>
  html`<table class="t nodes">
    <caption class="vh">
      ${t("wb.nodes")}
    </caption>
    <thead>
      <tr>
        <th scope="col">${t("wb.node")}</th>
        <th scope="col">${t("wb.node.type")}</th>
        <th scope="col">${t("wb.node.then")}</th>
      </tr>
    </thead>
    <tbody translate="no">
      ${rows.map(
        (row) =>
          html`<tr>
            <th scope="row">
              <span class="strong">${row.title}</span>
              ${row.start ? html`<span class="badge plain">${t("wb.node.start")}</span>` : nothing}
              <span class="mono sub">${row.id}</span>
            </th>
            <td>
              ${t(`wb.node.type.${row.type}`)}${
                row.agent ? html` <span class="quiet">· ${row.agent}</span>` : nothing
              }
            </td>
            <td>
              ${row.exits.map(
                ({ label, to, default: usual }) =>
                  html`<p>
                    ${label ? html`<span class="strong">${label}</span> ` : nothing}→ ${to}
                    ${usual ? html`<span class="badge plain">${t("wb.node.default")}</span>` : nothing}
                  </p>`,
              )}
            </td>
          </tr>`,
      )}
    </tbody>
  </table>`;
