/** Leads to the earlier conversations about what is talked about. Pure. */
import { html, type TemplateResult } from "lit";
import { icon } from "../../base/icons.js";
import { t } from "../../text/index.js";

/** `name`: of what is talked about. It emits `hp-conversations {anchor}`. */
export const earlier = (name: string, look = ""): TemplateResult =>
  html`<button
    class="btn quiet s icon ${look}"
    aria-haspopup="menu"
    aria-label=${t("wb.earlier.about", { name })}
    data-testid="wb-earlier"
    @click=${({ currentTarget }: Event) =>
      currentTarget?.dispatchEvent(
        new CustomEvent("hp-conversations", {
          detail: { anchor: currentTarget },
          bubbles: true,
          composed: true,
        }),
      )}
  >
    ${icon("history")}
  </button>`;
