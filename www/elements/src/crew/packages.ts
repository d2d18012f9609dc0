/**
 * The packages of a person, and a new one from nothing or an example. States: loading, empty, list, failed, creating,
 * importing; an import whose name is taken, or whose archive is refused. UI.md §12.
 */
import { html, nothing } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { HpElement } from "../base/element.js";
import { listed, when } from "../base/format.js";
import { icon } from "../base/icons.js";
import { newForm } from "../base/lists.js";
import { prose } from "../base/prose.js";
import { calls, sheets, tables } from "../base/sheets.js";
import { badges, buttons, forms, ground } from "../base/styles.js";
import "../findings/findings.js";
import "../shell/copy.js";
import { t } from "../text/index.js";
import { detailed, refusal } from "../text/refusal.js";
import { checkedCell } from "./checked.js";
import { callHead, cards, column, partTables } from "./crew.styles.js";
import { going } from "./going.js";
import { styles } from "./packages.styles.js";
import type { PackageLine, PackagesView, Sample } from "./view.js";

@customElement("hp-crew-packages")
export class CrewPackages extends HpElement {
  static override styles = [
    ground,
    buttons,
    badges,
    forms,
    sheets,
    calls,
    callHead,
    tables,
    column,
    partTables,
    cards,
    newForm,
    styles,
  ];
  @property({ attribute: false }) view!: PackagesView;
  @state() private sample: Sample = "nothing";
  @state() private nameless = false;
  @query("#name") private name!: HTMLInputElement;
  @query("#file") private file!: HTMLInputElement;
  @query("#other") private other!: HTMLInputElement | null;

  protected override get state(): string {
    return this.view.state === "ready" && !this.view.packages.length ? "empty" : this.view.state;
  }

  override render() {
    const { state } = this;
    return html`<div class="in">
      ${this.#head()}${this.#taken()}${this.#refused()}
      ${
        state === "loading"
          ? html`<p class="meta late">${icon("spin", "s spin")} ${t("crew.list.loading")}</p>`
          : nothing
      }${state === "failed" ? this.#failed() : nothing}${
        this.view.packages.length ? this.#table() : nothing
      }${state === "loading" ? nothing : this.#create()}${state === "empty" ? this.#how() : nothing}
    </div>`;
  }

  #head() {
    const { packages, offline, importing } = this.view;
    const lead =
      this.state === "empty" ? t("crew.list.lead") : t("crew.list.count", { n: packages.length });
    return html`<div class="head">
      <div>
        <h1>${t("crew.title")}</h1>
        <p class="meta">${this.state === "loading" ? nothing : lead}</p>
      </div>
      <div class="flex wrap end">
        <span class="meta hide-n" id="limits">${t("crew.import.limits")}</span
        ><button
          class="btn"
          data-testid="hp-import"
          aria-describedby="limits"
          ?disabled=${offline || importing !== ""}
          @click=${() => this.file.click()}
        >
          ${icon(importing ? "spin" : "up", importing ? "s spin" : "s")}<span
            >${t(importing ? "crew.importing" : "crew.import")}</span
          ></button
        ><input
          id="file"
          type="file"
          hidden
          accept=".zip,.bmad"
          aria-label=${t("crew.import")}
          @change=${this.#chosen}
        />
      </div>
    </div>`;
  }

  #chosen(): void {
    const [file] = this.file.files ?? [];
    this.file.value = "";
    if (file) this.emit("hp-import", { file });
  }

  #taken() {
    const { taken } = this.view;
    if (!taken) return nothing;
    return html`<section class="call hold" role="alert" aria-labelledby="h-t">
      <h2 id="h-t">${t("crew.import.name", { name: taken.name })}</h2>
      <p>${t("crew.import.name.text")}</p>
      <form class="flex wrap" @submit=${this.#again}>
        <label class="vh" for="other">${t("crew.name")}</label
        ><input class="input" id="other" maxlength="200" .value=${taken.suggested} /><button
          class="btn s primary"
          data-testid="hp-import-go"
        >
          ${t("crew.import.go")}</button
        ><button class="btn s quiet" type="button" @click=${() => this.emit("hp-import-drop")}>
          ${t("crew.cancel")}
        </button>
      </form>
    </section>`;
  }

  #again(event: Event): void {
    event.preventDefault();
    const name = this.other?.value.trim();
    if (name) this.emit("hp-import-as", { name });
  }

  #refused() {
    const { refused } = this.view;
    if (!refused) return nothing;
    const { name, error, findings } = refused;
    return html`<section class="call fail" role="alert" data-testid="hp-refused" aria-labelledby="h-r">
      <h2 id="h-r">${t("crew.import.findings", { name })}</h2>
      <p>${findings.length ? t("crew.import.findings.text") : refusal(error)}</p>
      ${
        findings.length
          ? html`<hp-findings .findings=${findings} .links=${false}></hp-findings>`
          : nothing
      }
      <div class="flex wrap acts-c">
        <hp-copy .text=${detailed(error)}></hp-copy
        ><button class="btn s quiet" @click=${() => this.emit("hp-import-drop")}>
          ${t("app.close")}
        </button>
      </div>
    </section>`;
  }

  #failed() {
    const { problem } = this.view;
    return html`<section class="call fail" role="alert" aria-labelledby="h-f">
      <h2 id="h-f">${t("crew.list.failed")}</h2>
      <p>${problem ? prose(refusal(problem)) : nothing}</p>
      <div class="flex wrap acts-c">
        <button class="btn s primary" @click=${() => this.emit("hp-list-again")}>
          ${icon("again", "s")}<span>${t("offline.again")}</span></button
        >${problem ? html`<hp-copy .text=${detailed(problem)}></hp-copy>` : nothing}
      </div>
    </section>`;
  }

  #table() {
    return html`<section class="sheet" aria-labelledby="h-p">
      <div class="s-h"><h2 id="h-p">${t("crew.list")}</h2></div>
      <table class="t ct cards">
        <caption class="vh">
          ${t("crew.list.caption")}
        </caption>
        <thead>
          <tr>
            <th scope="col">${t("crew.list.package")}</th>
            <th scope="col">${t("crew.check")}</th>
            <th scope="col">${t("crew.list.holds")}</th>
            <th scope="col">${t("crew.list.proposal")}</th>
            <th scope="col">${t("crew.changed")}</th>
            <th scope="col"><span class="vh">${t("crew.actions")}</span></th>
          </tr>
        </thead>
        <tbody>
          ${repeat(
            this.view.packages,
            (one) => one.id,
            (one) => this.#row(one),
          )}
        </tbody>
      </table>
    </section>`;
  }

  #row(one: PackageLine) {
    const href = `/crew/${encodeURIComponent(one.id)}`;
    const version = one.version ? `${one.version} · ` : "";
    return html`<tr data-package=${one.id}>
      <th scope="row">
        <a href=${href} @click=${(event: MouseEvent) => going(event, href, this)}
          ><span translate="no">${one.name}</span></a
        >${one.sub ? html`<span class="sub">${one.sub}</span>` : nothing}
      </th>
      <td class="fd">${this.#check(one)}</td>
      <td class="n hn">${one.holds ? holds(one.holds) : nothing}</td>
      <td class="pr">${waits(one)}</td>
      <td class="n">${version}${when(one.at, this.view.now)}</td>
      <td class="ac">
        <button
          class="btn quiet s icon"
          aria-haspopup="menu"
          aria-label=${t("crew.list.more", { name: one.name })}
          @click=${(event: Event) =>
            this.emit("hp-package-menu", { id: one.id, anchor: event.currentTarget })}
        >
          ${icon("more")}
        </button>
      </td>
    </tr>`;
  }

  #check({ check }: PackageLine) {
    if (!check)
      return html`${icon("idle", "c-off s")}<span class="quiet">${t("crew.unread")}</span>`;
    if (check.errors && check.where)
      return html`${icon("bad", "c-fail s")}<span
          >${t("crew.errors.in", { n: check.errors, name: check.where })}</span
        >`;
    return checkedCell(check);
  }

  #create() {
    const { creating, offline, samples } = this.view;
    const why = this.nameless ? t("crew.new.missing") : "";
    return html`<section class="sheet" aria-labelledby="h-n">
      <div class="s-h"><h2 id="h-n">${t("crew.new")}</h2></div>
      <form class="newf" @submit=${this.#submit}>
        <div class="nf">
          <label for="name" class="strong">${t("crew.new.name")}</label
          ><input
            class="input"
            id="name"
            data-testid="hp-package-name"
            maxlength="200"
            autocomplete="off"
            aria-invalid=${why !== ""}
            aria-describedby=${why ? "name-why" : nothing}
            @input=${() => (this.nameless = false)}
          />${why ? html`<p id="name-why" class="meta c-fail" role="alert">${why}</p>` : nothing}
        </div>
        <fieldset class="nf">
          <legend class="strong">${t("crew.new.from")}</legend>
          <div class="samples">
            ${samples.map(
              ({ id, holds: has }) =>
                html`<label class="smp" for="s-${id}"
                  ><input
                    class="radio"
                    type="radio"
                    name="sample"
                    id="s-${id}"
                    .checked=${id === this.sample}
                    @change=${() => (this.sample = id)}
                  /><span
                    ><span>${t(`crew.new.${id}`)}</span
                    ><span class="sub">${has ? holds(has) : t("crew.new.nothing.sub")}</span></span
                  ></label
                >`,
            )}
          </div>
        </fieldset>
        <div class="flex wrap">
          <button
            class="btn ${offline || creating ? "" : "primary"}"
            data-testid="hp-create"
            ?disabled=${creating || offline}
            aria-describedby="new-why"
          >
            ${creating ? icon("spin", "s spin") : nothing}<span
              >${t(creating ? "crew.new.going" : "crew.new.go")}</span
            ></button
          ><span class="meta" id="new-why"
            >${t(offline ? "crew.new.offline" : "crew.new.free")}</span
          >
        </div>
      </form>
    </section>`;
  }

  #submit(event: Event): void {
    event.preventDefault();
    const name = this.name.value.trim();
    this.nameless = name === "";
    if (this.nameless) this.name.focus();
    else this.emit("hp-create", { name, sample: this.sample });
  }

  #how() {
    return html`<section class="sheet" aria-labelledby="h-h">
      <div class="s-h"><h2 id="h-h">${t("crew.how")}</h2></div>
      <ol class="how">
        ${(["say", "look", "sign"] as const).map(
          (step) => html`<li><b>${t(`crew.how.${step}`)}</b>${t(`crew.how.${step}.text`)}</li>`,
        )}
      </ol>
    </section>`;
  }
}

const holds = ({ workflows, agents, assets }: NonNullable<PackageLine["holds"]>): string =>
  listed([
    t("crew.workflows.n", { n: workflows }),
    t("crew.agents.n", { n: agents }),
    t("crew.assets.n", { n: assets }),
  ]);

function waits({ proposal, unsaved }: PackageLine) {
  if (!proposal && !unsaved) return nothing;
  return html`<span class="badge hold"
    >${icon(proposal ? "med" : "clock", "s")}<span
      >${t(proposal ? "crew.list.waits" : "crew.list.unsaved")}</span
    ></span
  >`;
}

declare global {
  interface HTMLElementTagNameMap {
    "hp-crew-packages": CrewPackages;
  }
}
