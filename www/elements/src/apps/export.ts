/**
 * A version of an app as a file: which versions, in which form, how it begins, and the command that makes a commit of
 * it in one's own clone. States: loading, failed, ready. UI.md §13 "export".
 */
import { html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { icon } from "../base/icons.js";
import { prose } from "../base/prose.js";
import { calls, sheets } from "../base/sheets.js";
import { buttons, forms, ground } from "../base/styles.js";
import "../review/approval.js";
import { unread } from "../shell/unread.js";
import { t } from "../text/index.js";
import { styles as page } from "./publish.styles.js";
import { styles } from "./services.styles.js";
import { styles as fields } from "./settings.styles.js";
import type { AppExportView } from "./view.js";

const formats = ["patch", "commit", "zip"] as const;

@customElement("hp-app-export")
export class AppExport extends HpElement {
  static override styles = [ground, buttons, forms, sheets, calls, page, fields, styles];
  @property({ attribute: false }) view!: AppExportView;

  protected override get state(): string {
    const { state, making, fault } = this.view;
    if (state !== "ready") return state;
    if (fault) return "refused";
    return making ? "making" : "ready";
  }

  override render() {
    const { view } = this;
    const { foot } = view;
    return html`<div
        class="body scroll"
        tabindex="0"
        role="group"
        aria-label=${t("app.scrolls", { name: t("apps.part.export") })}
      >
        <div class="in">
          <div>
            <h2 class="title">${t("apps.part.export")}</h2>
            <p class="meta">${t("apps.export.text")}</p>
          </div>
          ${this.#main(view)}
        </div>
      </div>
      ${
        foot
          ? html`<div class="foot">
              <hp-approval
                bar
                .view=${foot}
                @hp-act=${(event: CustomEvent<{ id: string }>) => {
                  event.stopPropagation();
                  this.emit(`hp-${event.detail.id}`);
                }}
              ></hp-approval>
            </div>`
          : nothing
      }`;
  }

  #main(view: AppExportView) {
    if (view.state === "loading")
      return html`<p class="meta late">${icon("spin", "s spin")} ${t("apps.export.loading")}</p>`;
    const again = () => this.emit("hp-export-again");
    if (view.state === "failed") return unread("apps.export.unread", view.problem, again);
    return html`<div class="two wide-first">
      <div class="stack">
        ${this.#form(view)}${this.#what(view)}${
          view.fault ? unread("apps.export.refused", view.fault, again) : nothing
        }${view.begins ? begins(view.begins) : nothing}
      </div>
      ${this.#clone(view)}
    </div>`;
  }

  #form({ format }: AppExportView) {
    return html`<section class="sheet" aria-labelledby="h-ef">
      <div class="s-h"><h3 id="h-ef">${t("apps.export.as")}</h3></div>
      <div class="formats" role="radiogroup" aria-labelledby="h-ef">
        ${formats.map(
          (one) =>
            html`<label class="opt" data-testid="hp-format"
              ><input
                class="radio"
                type="radio"
                name="format"
                value=${one}
                .checked=${format === one}
                @change=${() => this.emit("hp-export-what", { format: one })}
              /><span
                >${t(`apps.export.${one}`)}<span class="sub"
                  >${prose(t(`apps.export.${one}.text`))}</span
                ></span
              ></label
            >`,
        )}
      </div>
    </section>`;
  }

  #what(view: AppExportView) {
    const { format, from, to } = view;
    return html`<section class="sheet" aria-labelledby="h-ew">
      <div class="s-h"><h3 id="h-ew">${t("apps.export.what")}</h3></div>
      <div class="frm">
        ${
          format === "zip"
            ? nothing
            : html`<label for="from">${t("apps.export.from")}</label>${this.#versions(view, "from", from)}`
        }
        <label for="to">${t("apps.export.to")}</label>${this.#versions(view, "to", to)}
      </div>
    </section>`;
  }

  #versions({ versions }: AppExportView, end: "from" | "to", chosen: string) {
    return html`<select
      class="select"
      id=${end}
      data-testid="hp-export-${end}"
      @change=${(event: Event) =>
        this.emit("hp-export-what", { [end]: (event.target as HTMLSelectElement).value })}
    >
      ${
        end === "from"
          ? html`<option value="" ?selected=${chosen === ""}>${t("apps.export.whole")}</option>`
          : nothing
      }${versions.map(
        (one) =>
          html`<option value=${one.id} ?selected=${chosen === one.id}>${named(one)}</option>`,
      )}
    </select>`;
  }

  #clone({ command }: AppExportView) {
    return html`<section class="sheet" aria-labelledby="h-ec">
      <div class="s-h"><h3 id="h-ec">${t("apps.export.clone")}</h3></div>
      <div class="s-b command">
        <p>${prose(t("apps.export.clone.text"))}</p>
        <code class="mono" translate="no" data-testid="hp-export-command">${command}</code
        ><button
          class="btn s"
          data-testid="hp-copy-command"
          @click=${() => this.emit("hp-copy-command", { command })}
        >
          ${icon("copy", "s")}<span>${t("apps.export.copy")}</span>
        </button>
      </div>
    </section>`;
  }
}

const begins = (text: string) =>
  html`<section class="sheet" aria-labelledby="h-eb">
    <div class="s-h"><h3 id="h-eb">${t("apps.export.begins")}</h3></div>
    <pre
      class="begins mono scroll"
      tabindex="0"
      role="group"
      aria-labelledby="h-eb"
      translate="no"
      data-testid="hp-export-begins"
    >
${text}</pre
    >
  </section>`;

function named({ number, draft, live }: AppExportView["versions"][number]): string {
  const n = String(number);
  if (live) return t("apps.live.n", { n });
  return draft ? t("apps.draft.n", { n }) : t("apps.version.n", { n });
}

declare global {
  interface HTMLElementTagNameMap {
    "hp-app-export": AppExport;
  }
}
