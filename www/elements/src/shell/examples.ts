/**
 * The examples that come with the viewer: what each does and may, its kind and risk; a button opens its review. UI.md
 * §11.
 */

import type { DeclaredCapability, Risk } from "@holdpoint/core/types";
import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { icon } from "../base/icons.js";
import { sheets, tables } from "../base/sheets.js";
import { badges, buttons, ground } from "../base/styles.js";
import { riskBadge } from "../review/badges.js";
import { t } from "../text/index.js";
import { permission } from "../text/said.js";

const kinds = ["panel", "lens", "validator", "exporter"] as const;
const many = {
  panel: "examples.panels",
  lens: "examples.lenses",
  validator: "examples.validators",
  exporter: "examples.exporters",
} as const;
/** What an example is first of all. */
export type ExampleKind = (typeof kinds)[number];

export interface ExampleLine {
  id: string;
  name: string;
  /** In the words of its manifest. */
  about: string;
  kind: ExampleKind;
  risk: Risk;
  permissions: Pick<DeclaredCapability, "sentence" | "args">[];
  /** The version that is installed; null where none is. */
  installed: string | null;
}

export interface ExamplesView {
  /** Null while they are being read and checked. */
  lines: ExampleLine[] | null;
  /** They could not be loaded. */
  failed: boolean;
}

const own = css`
  :host { display: block; overflow: auto; background: var(--canvas); }
  .in {
    max-width: 1120px;
    margin: 0 auto;
    padding: var(--s-7) var(--s-6);
    display: grid;
    gap: var(--s-5);
  }
  .head { display: flex; flex-wrap: wrap; gap: var(--s-4); align-items: end; }
  .head > :first-child { flex: 1 1 320px; min-width: 0; }
  .head h2 { font-size: var(--t-title); line-height: var(--l-title); width: fit-content; }
  .t td, .t tbody th { padding-block: var(--s-3); height: auto; vertical-align: top; }
  .t tbody tr:last-child > * { border-bottom: 0; }
  .sub { display: block; color: var(--text-2); font-size: var(--t-meta); line-height: var(--l-meta); }
  .act { text-align: end; white-space: nowrap; }
  .act .flex { justify-content: flex-end; }
  .w-name { width: 18%; }
  .w-kind { width: 10%; }
  .w-risk { width: 13%; }
  .w-act { width: 18%; }
  .sheet > p { padding: var(--s-5); }
  @media (max-width: 767px) {
    .in { padding: var(--s-5) var(--s-4); }
    thead { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; }
    table, tbody { display: block; }
    tbody tr { display: flex; flex-wrap: wrap; gap: var(--s-2) var(--s-4); padding: var(--s-4) var(--s-5); }
    tbody tr + tr { border-top: 1px solid var(--line); }
    .t td, .t tbody th { display: block; padding: 0; border: 0; }
    .t tbody th, .t td.what { flex: 1 1 100%; }
    .act { margin-inline-start: auto; }
  }
`;

@customElement("hp-examples")
export class Examples extends HpElement {
  static override styles = [ground, buttons, badges, sheets, tables, own];
  @property({ attribute: false }) view: ExamplesView = { lines: null, failed: false };
  /** The kind that is shown; null shows all. */
  @state() private kind: ExampleKind | null = null;

  protected override get state(): string {
    if (this.view.failed) return "failed";
    return this.view.lines ? "list" : "loading";
  }

  override render() {
    const { lines } = this.view;
    return html`<div class="in">
      <div class="head">
        <div>
          <h2 id="h-examples" tabindex="-1">${t("examples.title")}</h2>
          <p class="meta">${t("examples.text")}</p>
        </div>
        <button class="btn s" data-testid="hp-examples-close" @click=${() => this.emit("hp-examples", { open: false })}>
          ${t("examples.back")}
        </button>
      </div>
      ${lines ? html`${this.#filter(lines)}${this.#table(lines)}` : this.#waiting()}
    </div>`;
  }

  /** The heading takes the focus when the page comes to the front. */
  override firstUpdated(): void {
    this.renderRoot.querySelector<HTMLElement>("#h-examples")?.focus();
  }

  #waiting() {
    if (!this.view.failed)
      return html`<section class="sheet"><p role="status">${t("examples.loading")}</p></section>`;
    return html`<section class="sheet">
      <p role="status">${t("examples.failed")}</p>
      <p>
        <button class="btn s" data-testid="hp-examples-again" @click=${() => this.emit("hp-examples", { open: true })}>
          ${t("problem.again")}
        </button>
      </p>
    </section>`;
  }

  #filter(lines: ExampleLine[]) {
    const choice = (kind: ExampleKind | null, label: string) =>
      html`<button aria-pressed=${this.kind === kind} @click=${() => (this.kind = kind)}>${label}</button>`;
    return html`<div>
      <div class="seg" role="group" aria-label=${t("examples.kind")}>
        ${choice(null, t("examples.all", { n: lines.length }))}
        ${kinds.map((kind) => {
          const n = lines.filter((line) => line.kind === kind).length;
          return n ? choice(kind, t(many[kind], { n })) : nothing;
        })}
      </div>
    </div>`;
  }

  #table(lines: ExampleLine[]) {
    const shown = lines.filter((line) => this.kind === null || line.kind === this.kind);
    return html`<section class="sheet" aria-label=${t("examples.title")}>
      <table class="t">
        <caption class="vh">
          ${t("examples.title")}
        </caption>
        <thead>
          <tr>
            <th scope="col" class="w-name">${t("examples.extension")}</th>
            <th scope="col">${t("examples.what")}</th>
            <th scope="col" class="w-kind">${t("examples.kind")}</th>
            <th scope="col" class="w-risk">${t("examples.risk")}</th>
            <th scope="col" class="w-act"><span class="vh">${t("examples.act")}</span></th>
          </tr>
        </thead>
        <tbody>
          ${shown.map((line) => this.#row(line))}
        </tbody>
      </table>
    </section>`;
  }

  #row(line: ExampleLine): TemplateResult {
    return html`<tr data-example=${line.id}>
      <th scope="row"><span translate="no" lang="en">${line.name}</span></th>
      <td class="what">
        <span lang="en">${line.about}</span
        ><span class="sub">${line.permissions.map(permission).join(" ")}</span>
      </td>
      <td class="meta">${t(`examples.${line.kind}`)}</td>
      <td>${riskBadge(line.risk)}</td>
      <td class="act">${this.#acts(line)}</td>
    </tr>`;
  }

  #acts({ id, name, installed }: ExampleLine) {
    if (installed === null)
      return html`<button
        class="btn s"
        aria-label=${t("examples.review.of", { name })}
        @click=${() => this.emit("hp-example", { id })}
      >
        ${t("examples.review")}
      </button>`;
    const undo = () => this.emit("hp-extension", { id, action: "undo" });
    return html`<span class="flex"
      ><span class="badge pass"
        >${icon("ok", "s")}<span>${t("examples.installed", { version: installed })}</span></span
      ><button class="btn s quiet" aria-label=${t("examples.undo.of", { name })} @click=${undo}>
        ${icon("undo", "s")}<span>${t("examples.undo")}</span>
      </button></span
    >`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "hp-examples": Examples;
  }
}
