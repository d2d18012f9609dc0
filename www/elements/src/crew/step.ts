/**
 * The step of the selected node: its fields, which write the head of the file, and its text. UI.md §12 "Editor".
 *
 * Emits every change; it keeps nothing. Findings stand under their field, with their fix as a link.
 */
import type { Diagnostic } from "@holdpoint/core/types";
import { css, html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import { HpElement } from "../base/element.js";
import { icon } from "../base/icons.js";
import { heads } from "../base/sheets.js";
import { badges, buttons, forms, ground } from "../base/styles.js";
import { t } from "../text/index.js";
import { fields } from "./crew.styles.js";
import "./exits.js";
import { findingLine } from "./finding-line.js";
import { typeWord } from "./shapes.js";
import "./text-editor.js";
import "./tokens.js";
import type { NodeStep } from "./view.js";

const ARTIFACTS = "artifacts/";
type Listed = "inputs" | "outputs" | "setsVariables";

const own = css`
  :host { display: flex; flex-direction: column; min-height: 0; flex: 1; }
  .body { flex: 1; min-height: 0; display: flex; flex-direction: column; }
  .mdh {
    display: flex;
    align-items: center;
    gap: var(--s-4);
    padding: 0 var(--pad);
    min-height: 32px;
    background: var(--sunken);
    border-bottom: 1px solid var(--line);
    font-size: var(--t-meta);
    line-height: var(--l-meta);
    color: var(--text-2);
    flex: none;
  }
  .mdh .end { margin-inline-start: auto; overflow-wrap: anywhere; }
  hp-crew-text { flex: 1 0 220px; }
  .none { padding: var(--s-5) var(--pad); color: var(--text-2); font-size: var(--t-small); }
  .p-head h2 { min-width: 0; }
`;

@customElement("hp-crew-step")
export class CrewStep extends HpElement {
  static override styles = [ground, buttons, badges, forms, heads, fields, own];
  @property({ attribute: false }) view: NodeStep | null = null;

  protected override get state(): string {
    if (!this.view) return "empty";
    if (this.view.text === null) return "gone";
    return this.view.fields ? "ready" : "unread";
  }

  override render() {
    const { view } = this;
    if (!view) return html`<p class="none">${t("crew.node.none")}</p>`;
    return html`<div class="p-head">
        <h2 class="trunc" translate="no">${view.title}</h2>
        <span class="badge plain">${typeWord(view.type)}</span>
        <div class="end">
          <a class="btn s" href=${view.improve} aria-label=${t("crew.improve.of", { name: view.title })}
            >${t("crew.improve")}</a
          ><button
            class="btn quiet s icon"
            aria-haspopup="menu"
            aria-label=${t("crew.node.more")}
            @click=${(event: Event) =>
              this.emit("hp-node-menu", { id: view.nodeId, anchor: event.currentTarget })}
          >
            ${icon("more")}
          </button>
        </div>
      </div>
      <div class="body scroll" tabindex="0" role="group" aria-label=${t("app.scrolls", { name: t("crew.step.pane") })}>
        ${this.#form(view)}${this.#text(view)}
      </div>`;
  }

  #form(view: NodeStep) {
    const { fields: known, nodeId } = view;
    return html`<div class="frm" role="group" aria-label=${t("crew.step.pane")}>
      ${known ? this.#title(known.title) : nothing}
      <span class="fl">${t("crew.node.id")}</span><span class="ro mono" translate="no">${nodeId}</span>
      ${
        known
          ? html`${this.#agent(view, known.agentId)}
              ${this.#list(view, "inputs", t("crew.node.inputs"), t("crew.node.inputs.add"), view.assets)}
              ${this.#list(view, "outputs", t("crew.node.outputs"), t("crew.node.outputs.add"))}
              ${this.#list(view, "setsVariables", t("crew.node.sets"), t("crew.node.sets.add"))}`
          : nothing
      }
      <span class="fl">${t("crew.node.then")}</span>
      <div><hp-crew-exits .view=${view}></hp-crew-exits>${this.#told("/transitions")}</div>
    </div>`;
  }

  #title(title: string) {
    return html`<label for="title">${t("crew.node.title")}</label
      ><div><input
        class="input"
        id="title"
        maxlength="200"
        .value=${live(title)}
        @input=${(event: Event) => this.#field("title", (event.target as HTMLInputElement).value)}
      />${this.#told("/title")}</div>`;
  }

  #agent(view: NodeStep, agentId: string) {
    const gone = agentId !== "" && !view.agents.some((one) => one.id === agentId);
    return html`<label for="agent">${t("crew.node.agent")}</label>
      <div>
        <select
          class="select"
          id="agent"
          translate="no"
          @change=${(event: Event) => this.#field("agentId", (event.target as HTMLSelectElement).value)}
        >
          <option value="" ?selected=${agentId === ""}>${t("crew.node.agent.none")}</option>
          ${
            gone
              ? html`<option value=${agentId} selected>
                  ${t("crew.node.agent.gone", { id: agentId })}
                </option>`
              : nothing
          }${view.agents.map(
            (one) =>
              html`<option value=${one.id} ?selected=${one.id === agentId}>${one.name}</option>`,
          )}
        </select>
        ${this.#told("/agentId")}
      </div>`;
  }

  #list(view: NodeStep, name: Listed, label: string, add: string, known: readonly string[] = []) {
    const items = view.fields?.[name] ?? [];
    const found = this.#of(`/${name}`);
    const looks = new Map(
      found.map((one): [number, "warn" | "bad"] => [
        Number((one.pointer ?? "").split("/")[2]),
        one.severity === "error" ? "bad" : "warn",
      ]),
    );
    return html`<span class="fl">${label}</span>
      <div>
        <hp-crew-tokens
          data-testid="hp-list-${name}"
          .items=${items}
          .looks=${looks}
          .known=${known}
          label=${label}
          add=${add}
          @hp-items=${(event: CustomEvent<{ items: string[] }>) =>
            this.#field(name, event.detail.items)}
        ></hp-crew-tokens>
        ${found.map((one) => findingLine(one, this.#fix(view, name, one)))}
      </div>`;
  }

  /** What an output that lies elsewhere can be called instead. */
  #fix(view: NodeStep, name: Listed, { code, pointer = "" }: Diagnostic) {
    const n = Number(pointer.split("/")[2]);
    const items = view.fields?.[name] ?? [];
    const was = items[n];
    if (code !== "STEP_OUTPUT_PATH" || was === undefined) return nothing;
    const value = `${ARTIFACTS}${was.replace(/^\.?\//, "")}`;
    return html`<button
      class="link"
      type="button"
      @click=${() =>
        this.#field(
          name,
          items.map((item, at) => (at === n ? value : item)),
        )}
    >
      ${t("crew.fix.artifacts", { value })}
    </button>`;
  }

  #text(view: NodeStep) {
    const { file, text, fields: known, title } = view;
    if (text === null)
      return html`<div class="none" role="status">
        <p>${t("crew.step.gone")}</p>
        <p>
          <button class="btn s" @click=${() => this.emit("hp-make-step", { id: view.nodeId })}>
            ${t("crew.step.make")}
          </button>
        </p>
      </div>`;
    const rest = view.findings.filter((one) => !this.#shown(one));
    return html`${
      known
        ? nothing
        : html`<p class="none msg bad">${icon("bad", "s")}<span>${t("crew.step.unread")}</span></p>`
    }
      <div class="mdh">
        <span class="strong">${t("crew.instructions")}</span><span>${t("crew.markdown")}</span
        ><span class="end mono" translate="no">${file}</span>
      </div>
      ${rest.length ? html`<div class="none">${rest.map((one) => findingLine(one))}</div>` : nothing}
      <hp-crew-text
        .text=${text}
        .path=${file}
        .label=${t("crew.markdown.of", { name: title })}
        .findings=${view.findings}
        .firstLine=${view.firstLine}
      ></hp-crew-text>`;
  }

  // ── findings ───────────────────────────────────────────────────────────────────────────────────────────────────

  /** Findings of a field: of the file, and of its node in the graph. */
  #of(pointer: string): Diagnostic[] {
    const own = new RegExp(`^(/nodes/\\d+)?${pointer}(/|$)`);
    return (this.view?.findings ?? []).filter((one) => own.test(one.pointer ?? ""));
  }

  #shown(one: Diagnostic): boolean {
    if (!this.view?.fields) return false;
    const names = ["title", "agentId", "inputs", "outputs", "setsVariables", "transitions"];
    const exits = this.view.exits.some(({ n }) => one.pointer?.startsWith(`/edges/${n}/`));
    return exits || names.some((name) => this.#of(`/${name}`).includes(one));
  }

  #told(pointer: string) {
    return this.#of(pointer).map((one) => findingLine(one));
  }

  #field(name: string, value: string | readonly string[]): void {
    this.emit("hp-step-field", { name, value });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "hp-crew-step": CrewStep;
  }
}
