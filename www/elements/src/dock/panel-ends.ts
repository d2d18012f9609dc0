/** The end of a panel's head: what can be done with it, and how it is closed. */
import { html } from "lit";
import { icon } from "../base/icons.js";
import { t } from "../text/index.js";

type Of = { extension: string; dock: string };

export const panelEnds = (
  { extension, dock }: Of,
  emit: (type: string, detail: unknown) => void,
) => html`<button
    class="btn quiet s icon"
    aria-haspopup="menu"
    aria-label=${t("dock.options")}
    @click=${(event: Event) =>
      emit("hp-panel-menu", { id: extension, dock, anchor: event.currentTarget })}
  >
    ${icon("more")}
  </button>
  <button
    class="btn quiet s icon"
    aria-label=${t("dock.close")}
    @click=${() => emit("hp-panel-close", { dock })}
  >
    ${icon("cross")}
  </button>`;
