/**
 * The settings of an app: its name and address, what a save and a publish ask for, where its page may ask, and the
 * public values that it is built with. Each fault stands at its field. UI.md §13 "settings".
 */
import { html, nothing } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { entry } from "../base/entry.js";
import { icon } from "../base/icons.js";
import { prose } from "../base/prose.js";
import { sheets } from "../base/sheets.js";
import { buttons, forms, ground } from "../base/styles.js";
import "../review/approval.js";
import { t } from "../text/index.js";
import { styles as page } from "./publish.styles.js";
import { styles } from "./settings.styles.js";
import type { AppSettingsView, SettingsEdit } from "./view.js";

/** How names and addresses look, in every language. */
const example = { value: "VITE_TITLE", origin: "https://api.example.com" } as const;

type End = "archive" | "delete";

@customElement("hp-app-settings")
export class AppSettingsElement extends HpElement {
  static override styles = [ground, buttons, forms, sheets, page, styles];
  @property({ attribute: false }) view!: AppSettingsView;
  /** What is asked once more. */
  @state() private asking: End | null = null;
  @query("dialog") private dialog!: HTMLDialogElement | null;

  protected override get state(): string {
    if (this.asking) return this.asking;
    return this.view.changed ? "changed" : "saved";
  }

  override render() {
    const { view } = this;
    return html`<div class="body scroll" tabindex="0" role="group" aria-label=${t("apps.set.scrolls")}>
        <div class="in">
          <div>
            <h2 class="title">${t("apps.part.settings")}</h2>
            <p class="meta">${t("apps.set.text", { n: String(view.draft) })}</p>
          </div>
          ${this.#env(view)}${this.#origins(view)}${this.#gates(view)}${this.#named(view)}
        </div>
      </div>
      <div class="foot">
        <hp-approval
          bar
          .view=${view.foot}
          @hp-act=${(event: CustomEvent<{ id: string }>) => {
            event.stopPropagation();
            this.emit(`hp-${event.detail.id}`);
          }}
        ></hp-approval>
      </div>
      ${this.#dialog(view)}`;
  }

  #set(edit: SettingsEdit): void {
    this.emit("hp-setting", edit);
  }

  #env({ env, errors, busy }: AppSettingsView) {
    const put = (n: number, change: Partial<AppSettingsView["env"][number]>): void =>
      this.#set({ env: env.map((one, i) => (i === n ? { ...one, ...change } : one)) });
    return html`<section class="sheet" aria-labelledby="h-env" data-testid="hp-env">
      <div class="s-h">
        <h3 id="h-env">${t("apps.set.env")}</h3>
        <span class="meta">${t("apps.set.env.text")}</span>
      </div>
      <div class="s-b list">
        ${env.map((one, n) => {
          const why = errors[`env/${n}`];
          return html`<div class="row env" data-testid="hp-env-row">
            <input
              class="input mono"
              aria-label=${t("apps.set.env.name")}
              placeholder=${example.value}
              autocapitalize="none"
              spellcheck="false"
              ?disabled=${busy}
              .value=${entry(one.name)}
              aria-invalid=${why !== undefined}
              aria-describedby=${why ? `env-${n}` : nothing}
              @input=${(event: Event) => put(n, { name: textOf(event) })}
            /><input
              class="input"
              aria-label=${t("apps.set.env.value", { name: one.name })}
              spellcheck="false"
              ?disabled=${busy}
              .value=${entry(one.value)}
              aria-invalid=${why !== undefined}
              aria-describedby=${why ? `env-${n}` : nothing}
              @input=${(event: Event) => put(n, { value: textOf(event) })}
            />
            ${this.#remove(one.name, () => this.#set({ env: env.filter((_, i) => i !== n) }))}
            ${fault(`env-${n}`, why)}
          </div>`;
        })}
        ${fault("env", errors.env)}
        <button
          class="btn s"
          data-testid="hp-env-add"
          ?disabled=${busy}
          @click=${() => this.#set({ env: [...env, { name: "", value: "" }] })}
        >
          ${icon("plus", "s")}<span>${t("apps.set.env.add")}</span>
        </button>
      </div>
    </section>`;
  }

  #origins({ origins, errors, busy }: AppSettingsView) {
    return html`<section class="sheet" aria-labelledby="h-org" data-testid="hp-origins">
      <div class="s-h">
        <h3 id="h-org">${t("apps.set.origins")}</h3>
        <span class="meta">${t("apps.set.origins.text")}</span>
      </div>
      <div class="s-b list">
        ${origins.map((origin, n) => {
          const why = errors[`origins/${n}`];
          return html`<div class="row">
            <input
              class="input mono"
              aria-label=${t("apps.set.origin")}
              placeholder=${example.origin}
              autocapitalize="none"
              spellcheck="false"
              ?disabled=${busy}
              .value=${entry(origin)}
              aria-invalid=${why !== undefined}
              aria-describedby=${why ? `org-${n}` : nothing}
              @input=${(event: Event) =>
                this.#set({ origins: origins.map((one, i) => (i === n ? textOf(event) : one)) })}
            />
            ${this.#remove(origin, () => this.#set({ origins: origins.filter((_, i) => i !== n) }))}
            ${fault(`org-${n}`, why)}
          </div>`;
        })}
        ${fault("org", errors.origins)}
        <button
          class="btn s"
          data-testid="hp-origin-add"
          ?disabled=${busy}
          @click=${() => this.#set({ origins: [...origins, ""] })}
        >
          ${icon("plus", "s")}<span>${t("apps.set.origin.add")}</span>
        </button>
      </div>
    </section>`;
  }

  #remove(name: string, act: () => void) {
    return html`<button
      class="btn quiet s icon"
      aria-label=${t("apps.set.remove", { name })}
      ?disabled=${this.view.busy}
      @click=${act}
    >
      ${icon("trash")}
    </button>`;
  }

  #gates({ gate, tests, policy, busy }: AppSettingsView) {
    return html`<section class="sheet" aria-labelledby="h-gt">
      <div class="s-h"><h3 id="h-gt">${t("apps.set.gates")}</h3></div>
      <div class="frm">
        <span class="fl" id="l-sg">${t("apps.set.gate")}</span>
        <div class="opts" role="radiogroup" aria-labelledby="l-sg" data-testid="hp-save-gate">
          ${(["build", "check"] as const).map(
            (one) =>
              html`<label class="opt"
                ><input
                  class="radio"
                  type="radio"
                  name="gate"
                  value=${one}
                  ?disabled=${busy}
                  .checked=${gate === one}
                  @change=${() => this.#set({ gate: one })}
                /><span
                  >${t(`apps.set.gate.${one}`)}<span class="sub"
                    >${t(`apps.set.gate.${one}.text`)}</span
                  ></span
                ></label
              >`,
          )}
        </div>
        <span class="fl">${t("apps.set.tests")}</span>
        <label class="opt"
          ><input
            class="check"
            type="checkbox"
            data-testid="hp-publish-tests"
            ?disabled=${busy}
            .checked=${tests}
            @change=${(event: Event) =>
              this.#set({ tests: (event.target as HTMLInputElement).checked })}
          /><span>${t("apps.set.tests.text")}</span></label
        >
        <label for="policy">${t("apps.set.policy")}</label>
        <select
          class="select"
          id="policy"
          data-testid="hp-policy"
          ?disabled=${busy}
          @change=${(event: Event) =>
            this.#set({
              policy: textOf(event) === "curated" ? "curated" : "registry-pinned",
            })}
        >
          ${(["curated", "registry-pinned"] as const).map(
            (one) =>
              html`<option value=${one} ?selected=${policy === one}>
                ${t(`apps.set.policy.${one}`)}
              </option>`,
          )}
        </select>
      </div>
    </section>`;
  }

  #named({ name, slug, errors, published, archived, busy, off }: AppSettingsView) {
    const stays = published ? t("apps.set.slug.stays") : t("apps.set.slug.text");
    return html`<section class="sheet" aria-labelledby="h-nm">
      <div class="s-h"><h3 id="h-nm">${t("apps.set.named")}</h3></div>
      <div class="frm">
        <label for="name">${t("apps.name")}</label>
        <div class="list">
          <input
            class="input"
            id="name"
            data-testid="hp-app-name"
            maxlength="120"
            ?disabled=${busy}
            .value=${entry(name)}
            aria-invalid=${errors.name !== undefined}
            aria-describedby=${errors.name ? "name-why" : nothing}
            @input=${(event: Event) => this.#set({ name: textOf(event) })}
          />${fault("name-why", errors.name)}
        </div>
        <label for="slug">${t("apps.slug")}</label>
        <div class="list">
          <input
            class="input mono"
            id="slug"
            data-testid="hp-app-slug"
            maxlength="63"
            autocapitalize="none"
            spellcheck="false"
            ?disabled=${published || busy}
            .value=${entry(slug)}
            aria-invalid=${errors.slug !== undefined}
            aria-describedby="slug-why"
            @input=${(event: Event) => this.#set({ slug: textOf(event) })}
          />
          <p class="meta ${errors.slug ? "bad" : ""}" id="slug-why">${prose(errors.slug ?? stays)}</p>
        </div>
        <span class="fl">${t("apps.app")}</span>
        <div class="list">
          <div class="flex wrap">
            <button
              class="btn s"
              data-testid="hp-archive"
              ?disabled=${busy || off !== "" || (published && !archived)}
              aria-describedby="end-why"
              @click=${() => (archived ? this.emit("hp-archive", { archive: false }) : this.#ask("archive"))}
            >
              ${t(archived ? "apps.set.unarchive" : "apps.set.archive")}</button
            ><button
              class="btn s quiet danger"
              data-testid="hp-delete"
              ?disabled=${busy || off !== ""}
              @click=${() => this.#ask("delete")}
            >
              ${icon("trash", "s")}<span>${t("apps.set.delete")}</span>
            </button>
          </div>
          <p class="meta" id="end-why">
            ${published ? t("apps.set.archive.live") : t("apps.set.archive.text")}
          </p>
        </div>
      </div>
    </section>`;
  }

  #ask(what: End): void {
    this.asking = what;
    void this.updateComplete.then(() => {
      this.dialog?.showModal();
      this.dialog?.querySelector<HTMLElement>("[data-testid=hp-end-not]")?.focus();
    });
  }

  /** What cannot be taken back is asked once more, by its name; the focus is on the way back. */
  #dialog({ saved, slug, published }: AppSettingsView) {
    const { asking } = this;
    if (!asking) return nothing;
    const live = asking === "delete" && published;
    const kind = live ? "delete.live" : asking;
    return html`<dialog
      aria-labelledby="h-end"
      data-testid="hp-end"
      @close=${() => (this.asking = null)}
    >
      <div class="d-b">
        <h2 id="h-end">${t(`apps.set.${asking}.ask`, { name: saved })}</h2>
        <p>${t(`apps.set.${kind}.what`, { slug })}</p>
        <div class="flex wrap">
          <button class="btn" data-testid="hp-end-not" @click=${() => this.dialog?.close()}>
            ${t("apps.set.not")}</button
          ><button
            class="btn ${asking === "delete" ? "danger" : "primary"}"
            data-testid="hp-end-do"
            @click=${() => this.#end(asking)}
          >
            ${t(`apps.set.${asking}.do`)}
          </button>
        </div>
      </div>
    </dialog>`;
  }

  #end(what: End): void {
    this.dialog?.close();
    if (what === "archive") this.emit("hp-archive", { archive: true });
    else this.emit("hp-delete");
  }
}

const textOf = (event: Event): string => (event.target as HTMLInputElement).value;

const fault = (id: string, why: string | undefined) =>
  why
    ? html`<p class="meta bad" id=${id} role="alert">${icon("bad", "s")} ${prose(why)}</p>`
    : nothing;

declare global {
  interface HTMLElementTagNameMap {
    "hp-app-settings": AppSettingsElement;
  }
}
