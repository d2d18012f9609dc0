/** What is talked about as it is now: the nodes of a workflow as a list, or a text. Pure. */
import { html, type nothing, type TemplateResult } from "lit";
import { icon } from "../../base/icons.js";
import { t } from "../../text/index.js";
import "../nodes.js";
import type { NowView } from "./view.js";

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
      return html`<hp-crew-nodes
        still
        .graph=${view.graph}
        .name=${view.name}
        .agents=${view.agents}
      ></hp-crew-nodes>`;
  }
}
