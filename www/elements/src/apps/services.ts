/**
 * Services that an app can be set up with: the list, what one of them asks, and what it will propose. Each fault stands
 * at its field. States: loading, failed, ready. UI.md §13 "services".
 */
import type { Scaffold, ScaffoldField } from "@holdpoint/core/apps";
import { html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { entry } from "../base/entry.js";
import { icon } from "../base/icons.js";
import { prose } from "../base/prose.js";
import { calls, sheets } from "../base/sheets.js";
import { badges, buttons, forms, ground } from "../base/styles.js";
import "../review/approval.js";
import { unread } from "../shell/unread.js";
import { t } from "../text/index.js";
import { styles as page } from "./publish.styles.js";
import { styles } from "./services.styles.js";
import { styles as fields } from "./settings.styles.js";
import type { AppServicesView } from "./view.js";

@customElement("hp-app-services")
export class AppServices extends HpElement {
  static override styles = [ground, badges, buttons, forms, sheets, calls, page, fields, styles];
  @property({ attribute: false }) view!: AppServicesView;

  protected override get state(): string {
    return this.view.state;
  }

  override render() {
    const { view } = this;
    const { foot } = view;
    return html`<div
        class="body scroll"
        tabindex="0"
        role="group"
        aria-label=${t("app.scrolls", { name: t("apps.part.services") })}
      >
        <div class="in">
          <div>
            <h2 class="title">${t("apps.part.services")}</h2>
            <p class="meta">${t("apps.services.text")}</p>
          </div>
          ${view.waits ? this.#waits(view.waits) : nothing}${this.#main(view)}
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

  #waits(id: string) {
    return html`<section class="call hold" data-testid="hp-offer" aria-labelledby="h-of">
      <h3 id="h-of">${t("apps.services.waits")}</h3>
      <div class="flex wrap acts-c">
        <button class="btn s" @click=${() => this.emit("hp-open-proposal", { id })}>
          ${icon("diff", "s")}<span>${t("apps.card.look")}</span>
        </button>
      </div>
    </section>`;
  }

  #main(view: AppServicesView) {
    const { state, problem, services, chosen } = view;
    if (state === "loading")
      return html`<p class="meta late">${icon("spin", "s spin")} ${t("apps.services.loading")}</p>`;
    if (state === "failed")
      return unread("apps.services.unread", problem, () => this.emit("hp-services-again"));
    const service = services.find(({ key }) => key === chosen);
    return html`<div class="two">
      <section class="sheet" aria-labelledby="h-sl">
        <div class="s-h"><h3 id="h-sl">${t("apps.services.choose")}</h3></div>
        <ul class="services" lang="en">
          ${services.map((one) => html`<li>${this.#service(one, view)}</li>`)}
        </ul>
      </section>
      ${
        service
          ? html`<div class="stack">${this.#asks(service, view)}${proposes(service, view)}</div>`
          : nothing
      }
    </div>`;
  }

  #service({ key, name, description }: Scaffold, { chosen, busy }: AppServicesView) {
    return html`<button
      data-testid="hp-scaffold-pick"
      data-key=${key}
      aria-pressed=${key === chosen}
      ?disabled=${busy}
      @click=${() => this.emit("hp-service", { key })}
    >
      <span class="strong">${name}</span><span class="sub">${description}</span>
    </button>`;
  }

  #asks({ key, name, fields }: Scaffold, view: AppServicesView) {
    return html`<section class="sheet" aria-labelledby="h-sa">
      <div class="s-h">
        <h3 id="h-sa" lang="en">${name}</h3>
        <span class="meta">${t("apps.services.asks")}</span>
      </div>
      <form
        class="frm"
        @submit=${(event: Event) => {
          event.preventDefault();
          this.emit("hp-set-up");
        }}
      >
        ${fields.map((field) => this.#field(`${key}-${field.name}`, field, view))}
        <button type="submit" hidden></button>
      </form>
    </section>`;
  }

  #field(id: string, field: ScaffoldField, { values, errors, busy }: AppServicesView) {
    const { name, label, form, example, default: usual } = field;
    const why = errors[name];
    const hint = usual === undefined ? "" : t("apps.services.default", { text: usual });
    const said = [hint && `${id}-hint`, why && `${id}-why`].filter(Boolean).join(" ");
    return html`<label for=${id} lang="en">${label}</label>
      <div class="list">
        <input
          class="input ${form === "text" ? "" : "mono"}"
          id=${id}
          data-testid="hp-scaffold-field"
          inputmode=${form === "url" ? "url" : nothing}
          autocapitalize="none"
          autocomplete="off"
          spellcheck=${form === "text"}
          placeholder=${usual ?? example}
          ?required=${usual === undefined}
          ?disabled=${busy}
          .value=${entry(values[name] ?? "")}
          aria-invalid=${why !== undefined}
          aria-describedby=${said || nothing}
          @input=${(event: Event) =>
            this.emit("hp-service-value", {
              name,
              value: (event.target as HTMLInputElement).value,
            })}
        />${hint ? html`<p class="meta" id="${id}-hint">${hint}</p>` : nothing}${
          why
            ? html`<p class="meta bad" id="${id}-why" role="alert">${icon("bad", "s")} ${prose(why)}</p>`
            : nothing
        }
      </div>`;
  }
}

/** Its files, the settings that its code reads, and what is left to a person. */
function proposes(service: Scaffold, view: AppServicesView) {
  const { operations, env, notes } = service;
  const known = new Set(view.paths);
  return html`<section class="sheet" aria-labelledby="h-sp" data-testid="hp-scaffold-makes">
    <div class="s-h">
      <h3 id="h-sp">${t("apps.services.proposes")}</h3>
      <span class="meta">${t("review.files", { n: operations.length })}</span>
    </div>
    <ul class="rows">
      ${operations.map(({ path }) => {
        const status = known.has(path) ? "modified" : "added";
        return html`<li>
          <span class="opl ${status}">${t(`apps.file.${status}`)}</span
          ><span class="mono grow path" translate="no">${path}</span>
        </li>`;
      })}
    </ul>
    ${
      env.length
        ? html`<h4 class="lab">${t("apps.services.reads")}</h4>
            <ul class="rows">
              ${env.map((name) => html`<li><code translate="no">${name}</code></li>`)}
            </ul>`
        : nothing
    }
    <h4 class="lab">${t("apps.services.left")}</h4>
    <ul class="rows" lang="en">
      ${notes.map(
        (note) =>
          html`<li>
            ${icon("info", "s c-off")}<span class="grow">${filled(note, service, view)}</span>
          </li>`,
      )}
    </ul>
  </section>`;
}

/** A note with what was filled in; what was not stands as the name of its field. */
const filled = (note: string, { fields }: Scaffold, { values }: AppServicesView): string =>
  fields.reduce((text, { name, label, default: usual }) => {
    const value = values[name]?.trim() || usual || `(${label})`;
    return text.replaceAll(`{${name}}`, value);
  }, note);

declare global {
  interface HTMLElementTagNameMap {
    "hp-app-services": AppServices;
  }
}
