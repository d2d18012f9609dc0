/** The scripts of a person, and a new one. States: loading, empty, ready, failed, creating. UI.md §3 `hp-tools`. */

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
import "../shell/copy.js";
import { t } from "../text/index.js";
import { detailed, refusal } from "../text/refusal.js";
import { styles } from "./tools.styles.js";
import type { Sample, ToolLine, ToolsView } from "./view.js";

const samples: Sample[] = ["door-report", "table-to-table", "empty"];

@customElement("hp-tools")
export class Tools extends HpElement {
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
  @property({ attribute: false }) view!: ToolsView;
  @state() private search = "";
  @state() private sample: Sample = "door-report";
  @state() private nameless = false;
  @query("#name") private name!: HTMLInputElement;
  @query("#file") private file!: HTMLInputElement;

  protected override get state(): string {
    return this.view.state === "ready" && !this.view.tools.length ? "empty" : this.view.state;
  }

  override render() {
    const { tools, state: now } = this.view;
    const wanted = this.search.trim().toLocaleLowerCase();
    const shown = tools.filter((tool) =>
      `${tool.title} ${tool.sub}`.toLocaleLowerCase().includes(wanted),
    );
    return html`<div class="in">
      <div class="head">
        <div>
          <h2 class="title">${t("script.tools.title")}</h2>
          <p class="meta">
            ${now === "ready" ? t("script.tools.count", { n: tools.length }) : nothing}
          </p>
        </div>
        ${this.#upload()}
        <div class="box">
          ${icon("search", "s")}<input
            class="input"
            type="search"
            aria-label=${t("script.tools.search")}
            placeholder=${t("script.tools.search")}
            @input=${(event: Event) => (this.search = (event.target as HTMLInputElement).value)}
          />
        </div>
      </div>
      ${
        now === "loading"
          ? html`<p class="meta wait late">
              ${icon("spin", "s spin")} ${t("script.tools.loading")}
            </p>`
          : nothing
      }
      ${now === "failed" ? this.#failed() : nothing}
      ${tools.length ? this.#table(shown) : nothing}
      ${
        !tools.length && now === "ready"
          ? html`<p class="none sheet">${t("script.tools.none")}</p>`
          : nothing
      }
      ${this.#create()}${this.#deleted()}
    </div>`;
  }

  #upload() {
    const { offline, creating } = this.view;
    return html`<button
        class="btn up"
        data-testid="hp-upload"
        ?disabled=${offline || creating}
        @click=${() => this.file.click()}
      >
        ${icon("up", "s")}<span>${t("script.tools.upload")}</span></button
      ><input
        id="file"
        type="file"
        hidden
        accept=".zip,.py"
        aria-label=${t("script.tools.upload")}
        @change=${this.#chosen}
      />`;
  }

  #chosen(): void {
    const [file] = this.file.files ?? [];
    this.file.value = "";
    if (file) this.emit("hp-upload", { file });
  }

  /** Deleted here, newest first: each can be brought back. */
  #deleted() {
    const { deleted, offline, now } = this.view;
    if (!deleted.length) return nothing;
    return html`<section class="sheet" aria-labelledby="h-gone" data-testid="hp-deleted">
      <div class="s-h">
        <h3 id="h-gone">${t("script.tools.deleted")}</h3>
        <span class="meta end">${t("script.tools.deleted.text")}</span>
      </div>
      <ul class="gone">
        ${repeat(
          deleted,
          (one) => one.tool_id,
          (one) =>
            html`<li>
              <span class="strong" translate="no">${one.title}</span
              ><span class="meta">${t("script.tools.deleted.at", { time: when(one.at, now) })}</span
              ><button
                class="btn s"
                ?disabled=${offline}
                aria-label=${t("script.tools.back.of", { title: one.title })}
                @click=${() => this.emit("hp-bring-back", { tool_id: one.tool_id })}
              >
                ${icon("undo", "s")}<span>${t("script.tools.bring_back")}</span>
              </button>
            </li>`,
        )}
      </ul>
    </section>`;
  }

  #failed() {
    const { problem } = this.view;
    return html`<section class="call fail" role="alert" aria-labelledby="h-f">
      <h3 id="h-f">${t("script.tools.failed")}</h3>
      <p>${problem ? prose(refusal(problem)) : nothing}</p>
      <div class="flex wrap acts-c">
        <button class="btn s primary" @click=${() => this.emit("hp-tools-again")}>
          ${icon("again", "s")}<span>${t("script.tools.again")}</span></button
        >${problem ? html`<hp-copy .text=${detailed(problem)}></hp-copy>` : nothing}
      </div>
    </section>`;
  }

  #table(shown: ToolLine[]) {
    return html`<section class="sheet">
      <table class="t lt">
        <caption class="vh">
          ${t("script.tools.title")}
        </caption>
        <thead>
          <tr>
            <th scope="col">${t("script.tools.script")}</th>
            <th scope="col">${t("script.tools.findings")}</th>
            <th scope="col">${t("script.tools.proposal")}</th>
            <th scope="col">${t("script.tools.changed")}</th>
            <th scope="col"><span class="vh">${t("script.tools.actions")}</span></th>
          </tr>
        </thead>
        <tbody>
          ${repeat(
            shown,
            (tool) => tool.tool_id,
            (tool) => this.#row(tool),
          )}
        </tbody>
      </table>
      ${shown.length ? nothing : html`<p class="none">${t("script.tools.nothing")}</p>`}
    </section>`;
  }

  #row(tool: ToolLine) {
    return html`<tr>
      <th scope="row">
        <a
          href="/scripts/${encodeURIComponent(tool.tool_id)}"
          @click=${(event: MouseEvent) => this.#open(event, tool)}
          ><span translate="no">${tool.title}</span></a
        >${tool.sub ? html`<span class="sub">${tool.sub}</span>` : nothing}
      </th>
      <td class="fd">${this.#findings(tool)}</td>
      <td class="pr">${this.#waits(tool)}</td>
      <td class="ch">${when(tool.at, this.view.now)}</td>
      <td class="mo">
        <button
          class="btn quiet s icon"
          aria-haspopup="menu"
          aria-label=${t("script.tools.more", { title: tool.title })}
          @click=${(event: Event) =>
            this.emit("hp-tool-menu", {
              tool_id: tool.tool_id,
              title: tool.title,
              anchor: event.currentTarget,
            })}
        >
          ${icon("more")}
        </button>
      </td>
    </tr>`;
  }

  #waits({ proposal, unsaved }: ToolLine) {
    if (!proposal && !unsaved) return nothing;
    const words = t(proposal ? "script.tools.waits" : "script.tools.unsaved");
    return html`<span class="badge hold"
      >${icon(proposal ? "med" : "clock", "s")}<span>${words}</span></span
    >`;
  }

  #findings({ findings }: ToolLine) {
    if (!findings)
      return html`<span class="quiet"
        >${icon("idle", "c-off s")}<span>${t("script.tools.unread")}</span></span
      >`;
    const { errors, hints, path } = findings;
    if (errors)
      return html`<span class="bad"
        >${icon("bad", "c-fail s")}<span
          >${t("script.tools.errors", { n: errors, path })}</span
        ></span
      >`;
    if (hints)
      return html`${icon("info", "c-off s")}<span>${t("script.tools.hints", { n: hints })}</span>`;
    return html`${icon("ok", "c-pass s")}<span>${t("script.tools.clean")}</span>`;
  }

  #create() {
    const { creating, offline } = this.view;
    const why = this.nameless ? t("script.tools.name.missing") : "";
    return html`<section class="sheet" aria-labelledby="h-new">
      <div class="s-h"><h3 id="h-new">${t("script.tools.new")}</h3></div>
      <form class="newf" @submit=${this.#submit}>
        <div class="nf">
          <label for="name" class="meta strong">${t("script.tools.name")}</label
          ><input
            class="input"
            id="name"
            data-testid="hp-tool-name"
            maxlength="200"
            placeholder=${t("script.tools.name.placeholder")}
            aria-describedby=${why ? "name-why" : nothing}
            aria-invalid=${why !== ""}
            @input=${() => (this.nameless = false)}
          />${why ? html`<p id="name-why" class="meta bad" role="alert">${why}</p>` : nothing}
        </div>
        <fieldset class="nf">
          <legend class="meta strong">${t("script.tools.begin")}</legend>
          <div class="samples">
            ${samples.map(
              (one) =>
                html`<label class="smp" for="s-${one}"
                  ><input
                    class="radio"
                    type="radio"
                    name="sample"
                    id="s-${one}"
                    .checked=${one === this.sample}
                    @change=${() => (this.sample = one)}
                  /><span
                    ><span class="strong">${t(`script.tools.${one}`)}</span
                    ><span class="sub">${t(`script.tools.${one}.sub`)}</span></span
                  ></label
                >`,
            )}
          </div>
        </fieldset>
        <div class="flex">
          <button
            class="btn ${offline || creating ? "" : "primary"}"
            data-testid="hp-create"
            ?disabled=${creating || offline}
            aria-describedby="new-why"
          >
            ${icon(creating ? "spin" : "plus", creating ? "spin" : "")}<span
              >${t(creating ? "script.tools.creating" : "script.tools.create")}</span
            ></button
          ><span class="meta" id="new-why"
            >${t(offline ? "script.tools.offline" : "script.tools.free")}</span
          >
        </div>
      </form>
    </section>`;
  }

  #open(event: MouseEvent, tool: ToolLine): void {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    this.emit("hp-open-tool", { tool_id: tool.tool_id });
  }

  #submit(event: Event): void {
    event.preventDefault();
    const title = this.name.value.trim();
    this.nameless = title === "";
    if (this.nameless) this.name.focus();
    else this.emit("hp-create", { title, sample: this.sample });
  }
}
