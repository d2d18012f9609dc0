/** The apps of a person, and a new one. States: loading, empty, ready, failed, creating. UI.md §13 `hp-apps`. */

import type { AppTemplate } from "@holdpoint/core/apps";
import { html, nothing } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { HpElement } from "../base/element.js";
import { when } from "../base/format.js";
import { icon } from "../base/icons.js";
import { list, newForm } from "../base/lists.js";
import { prose } from "../base/prose.js";
import { calls, sheets, tables } from "../base/sheets.js";
import { badges, buttons, forms, ground } from "../base/styles.js";
import { unread } from "../shell/unread.js";
import { t } from "../text/index.js";
import { refusal } from "../text/refusal.js";
import { styles } from "./apps.styles.js";
import type { AppLine, AppsView } from "./view.js";

@customElement("hp-apps")
export class Apps extends HpElement {
  static override styles = [
    ground,
    buttons,
    badges,
    forms,
    sheets,
    calls,
    tables,
    list,
    newForm,
    styles,
  ];
  @property({ attribute: false }) view!: AppsView;
  @state() private search = "";
  @state() private template = "";
  @state() private nameless = false;
  @query("#name") private name!: HTMLInputElement;
  @query("#slug") private slug!: HTMLInputElement;

  protected override get state(): string {
    return this.view.state === "ready" && !this.view.apps.length ? "empty" : this.view.state;
  }

  override render() {
    const { view } = this;
    const wanted = this.search.trim().toLocaleLowerCase();
    const shown = view.apps.filter(({ name, slug }) =>
      `${name} ${slug}`.toLocaleLowerCase().includes(wanted),
    );
    return html`<div class="in">
      ${this.#head(view)}
      ${
        view.state === "loading"
          ? html`<p class="meta wait late">${icon("spin", "s spin")} ${t("apps.loading")}</p>`
          : nothing
      }
      ${
        view.state === "failed"
          ? unread("apps.failed", view.problem, () => this.emit("hp-apps-again"))
          : nothing
      }
      ${view.apps.length ? this.#table(shown) : nothing} ${this.#create(view)}
      ${this.state === "empty" ? this.#how() : nothing}
    </div>`;
  }

  #head({ apps, state }: AppsView) {
    const some = apps.length > 0;
    return html`<div class="head">
      <div>
        <h2 class="title">${t("apps.page")}</h2>
        <p class="meta">
          ${some || state !== "ready" ? nothing : t("apps.intro")}${
            some ? t("apps.count", { n: apps.length }) : nothing
          }
        </p>
      </div>
      ${
        some
          ? html`<div class="box">
              ${icon("search", "s")}<input
                class="input"
                type="search"
                aria-label=${t("apps.search")}
                placeholder=${t("apps.search")}
                @input=${(event: Event) => (this.search = (event.target as HTMLInputElement).value)}
              />
            </div>`
          : nothing
      }
    </div>`;
  }

  #table(shown: AppLine[]) {
    return html`<section class="sheet">
      <table class="t lt">
        <caption class="vh">
          ${t("apps.page")}
        </caption>
        <thead>
          <tr>
            <th scope="col">${t("apps.app")}</th>
            <th scope="col">${t("apps.status")}</th>
            <th scope="col">${t("apps.build")}</th>
            <th scope="col">${t("apps.changed")}</th>
          </tr>
        </thead>
        <tbody>
          ${repeat(
            shown,
            (app) => app.id,
            (app) => this.#row(app),
          )}
        </tbody>
      </table>
      ${shown.length ? nothing : html`<p class="none">${t("apps.nothing")}</p>`}
    </section>`;
  }

  #row(app: AppLine) {
    return html`<tr data-app=${app.id}>
      <th scope="row">
        <a
          href="/apps/${encodeURIComponent(app.id)}"
          @click=${(event: MouseEvent) => this.#open(event, app)}
          ><span translate="no">${app.name}</span></a
        ><span class="sub mono" translate="no">/${app.slug}</span>
      </th>
      <td class="st">${status(app)}</td>
      <td class="fd">${built(app)}</td>
      <td class="ch">${when(app.at, this.view.now)}</td>
    </tr>`;
  }

  #create(view: AppsView) {
    const { creating, offline, templates } = view;
    const why = this.nameless ? t("apps.name.missing") : "";
    const off = creating || offline || !templates.length;
    return html`<section class="sheet" aria-labelledby="h-new">
      <div class="s-h">
        <h3 id="h-new">${t(this.state === "empty" ? "apps.first" : "apps.new")}</h3>
      </div>
      <form class="newf" @submit=${this.#submit}>
        <div class="two-f">
          <div class="nf">
            <label for="name" class="meta strong">${t("apps.name")}</label
            ><input
              class="input"
              id="name"
              data-testid="hp-app-name"
              maxlength="120"
              placeholder=${t("apps.name.placeholder")}
              aria-describedby=${why ? "name-why" : nothing}
              aria-invalid=${why !== ""}
              @input=${() => (this.nameless = false)}
            />${why ? html`<p id="name-why" class="meta bad" role="alert">${why}</p>` : nothing}
          </div>
          <div class="nf">
            <label for="slug" class="meta strong">${t("apps.slug")}</label
            ><input
              class="input mono"
              id="slug"
              data-testid="hp-app-slug"
              maxlength="63"
              autocapitalize="none"
              spellcheck="false"
              aria-describedby="slug-why"
              aria-invalid=${view.refused !== null}
            />
            <p id="slug-why" class="meta ${view.refused ? "bad" : ""}">
              ${view.refused ? prose(refusal(view.refused)) : t("apps.slug.made")}
            </p>
          </div>
        </div>
        <fieldset class="nf">
          <legend class="meta strong">${t("apps.begin")}</legend>
          <div class="samples">
            ${templates.map(
              (one) =>
                html`<label class="smp" for="t-${one.key}"
                  ><input
                    class="radio"
                    type="radio"
                    name="template"
                    id="t-${one.key}"
                    data-testid="hp-template-${one.key}"
                    .checked=${one.key === this.#chosen}
                    @change=${() => (this.template = one.key)}
                  /><span
                    ><span class="strong">${named(one).name}</span
                    ><span class="sub">${named(one).description}</span></span
                  ></label
                >`,
            )}
          </div>
        </fieldset>
        <div class="flex wrap">
          <button
            class="btn ${off ? "" : "primary"}"
            data-testid="hp-create"
            ?disabled=${off}
            aria-describedby="new-why"
          >
            ${icon(creating ? "spin" : "plus", creating ? "spin" : "")}<span
              >${t(creating ? "apps.creating" : "apps.create")}</span
            ></button
          ><span class="meta" id="new-why">${t(offline ? "apps.offline" : "apps.free")}</span>
        </div>
      </form>
    </section>`;
  }

  get #chosen(): string {
    return this.template || (this.view.templates[0]?.key ?? "");
  }

  /** What the two signatures are for, before the first app. */
  #how() {
    const parts = ["ask", "try", "publish"] as const;
    return html`<section class="sheet" aria-labelledby="h-how">
      <div class="s-h"><h3 id="h-how">${t("apps.how")}</h3></div>
      <dl class="how">
        ${parts.map(
          (part) =>
            html`<div>
              <dt>${t(`apps.how.${part}`)}</dt>
              <dd>${t(`apps.how.${part}.text`)}</dd>
            </div>`,
        )}
      </dl>
    </section>`;
  }

  #open(event: MouseEvent, app: AppLine): void {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    this.emit("hp-open-app", { id: app.id });
  }

  #submit(event: Event): void {
    event.preventDefault();
    const name = this.name.value.trim();
    this.nameless = name === "";
    if (this.nameless) this.name.focus();
    else this.emit("hp-create", { name, slug: this.slug.value.trim(), template_key: this.#chosen });
  }
}

function status({ status, was, live, running, unsaved }: AppLine) {
  const waits = running || unsaved;
  const more = waits
    ? html`<span class="badge ${running ? "run" : "hold"}"
        >${icon(running ? "spin" : "clock", running ? "s spin" : "s")}<span
          >${t(running ? "apps.runs" : "apps.unsaved")}</span
        ></span
      >`
    : nothing;
  if (status === "published")
    return html`<span class="badge pass"
        >${icon("globe", "s")}<span
          >${live === null ? t("apps.live") : t("apps.live.n", { n: String(live) })}</span
        ></span
      >${more}`;
  const words = status === "archived" ? "apps.archived" : null;
  return html`<span class="badge plain">${t(words ?? (was ? "apps.was" : "apps.never"))}</span
    >${more}`;
}

function built({ draft }: AppLine) {
  if (!draft) return nothing;
  const n = String(draft.number);
  switch (draft.build) {
    case "succeeded":
      return html`${icon("ok", "s c-pass")}<span>${t("apps.built.n", { n })}</span>`;
    case "failed":
      return html`${icon("bad", "s c-fail")}<span>${t("apps.build.failed.n", { n })}</span>`;
    case null:
      return html`${icon("idle", "s c-off")}<span>${t("apps.version.n", { n })}</span>`;
    default:
      return html`${icon("spin", "s spin c-run")}<span>${t("apps.building.n", { n })}</span>`;
  }
}

const OURS = ["blank-react", "chat-classic", "dashboard"] as const;

/** Templates of ours in the language of the page; others as they say of themselves. */
function named({ key, name, description }: AppTemplate): Pick<AppTemplate, "name" | "description"> {
  const own = OURS.find((one) => one === key);
  return own
    ? { name: t(`apps.template.${own}`), description: t(`apps.template.${own}.text`) }
    : { name, description };
}

declare global {
  interface HTMLElementTagNameMap {
    "hp-apps": Apps;
  }
}
