/**
 * What a script answered, and what it did. Figures and elements select. States: answered, nothing. Events: `hp-entity`,
 * `hp-act {id: export | source}`, `hp-open-source`. UI.md §11.
 */
import type {
  AnsweredElement,
  AnswerTable,
  CapabilityUse,
  Cell,
  CellValue,
  ElementRef,
  Files,
  NamedElement,
  ScriptAnswer,
} from "@holdpoint/core/types";
import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import type { ExportAsk, ExportTable } from "../base/export-table.js";
import { decimal, elapsed } from "../base/format.js";
import { icon } from "../base/icons.js";
import { prose } from "../base/prose.js";
import { calls, sheets, tables } from "../base/sheets.js";
import { badges, buttons, ground } from "../base/styles.js";
import { drawn } from "../dock/cells.js";
import { titled, untitled } from "../dock/units.js";
import { riskBadge } from "../review/badges.js";
import { t } from "../text/index.js";
import { permission } from "../text/said.js";
import { styles } from "./answer.styles.js";

/** Rows that are listed before a person wants all of them. */
const FIRST_ROWS = 10;
/** Lines that are named as the reason for a permission. */
const MAX_LINES = 3;

export interface AnswerView {
  answer: ScriptAnswer;
  ms: number | null;
  /** The names of the models that it is about. */
  model: string;
  /** Just that is shown: its elements can be selected. */
  stands: boolean;
  /** What it may do, with the lines that need it. */
  uses: readonly CapabilityUse[];
  /** The script. */
  files: Files;
  /** What it cost, in words; empty where nothing is known. */
  spent: string;
}

const refOf = ({ model, id }: NamedElement): ElementRef => ({ modelId: model, expressId: id });

@customElement("hp-answer")
export class HpAnswer extends HpElement {
  static override styles = [ground, buttons, badges, sheets, calls, tables, styles];
  @property({ attribute: false }) view?: AnswerView;
  /** Tables of which all rows are listed. */
  @state() private whole: ReadonlySet<number> = new Set();

  protected override get state(): string {
    const found = this.view?.answer.tables.some((table) => table.total > 0);
    return this.view && !found && this.view.answer.tables.length ? "nothing" : "answered";
  }

  override render() {
    const { view } = this;
    if (!view) return nothing;
    return html`${view.stands ? nothing : other(view)}${this.#result(view)}${this.#did(view)}`;
  }

  #result({ answer, ms }: AnswerView) {
    const rows = answer.tables.some((table) => table.rows.length);
    return html`<section class="sheet" aria-labelledby="h">
      <div class="s-h">
        <h3 id="h">${t("answer.title")}</h3>
        ${
          ms === null
            ? nothing
            : html`<span class="badge pass"
                >${icon("ok", "s")}<span>${t("answer.ran", { time: elapsed(ms) })}</span></span
              >`
        }
        ${rows ? this.#export() : nothing}
      </div>
      ${this.#words(answer)}${this.#facts(answer)}${answer.tables.map((one, i) =>
        this.#table(one, i),
      )}
    </section>`;
  }

  #export() {
    return html`<span class="end"
      ><button class="btn quiet s" @click=${() => this.emit("hp-act", { id: "export" })}>
        ${icon("down", "s")}<span>${t("answer.export")}</span>
      </button></span
    >`;
  }

  /** A figure leads to the elements that it counts. */
  #words({ text, figure, tables }: ScriptAnswer) {
    if (!text && figure === null) return nothing;
    const counted = tables.find(({ total }) => total === figure)?.elements ?? [];
    const number = figure === null ? nothing : decimal(figure);
    return html`<div class="words">
      ${
        figure === null
          ? nothing
          : html`<span class="big-n"
              >${
                counted.length
                  ? html`<button
                      class="vlink"
                      aria-label=${`${decimal(figure)}: ${t("answer.select", { n: counted.length })}`}
                      @click=${() => this.#select(counted)}
                    >
                      ${number}
                    </button>`
                  : number
              }</span
            >`
      }
      ${text ? html`<p>${prose(text)}</p>` : nothing}
    </div>`;
  }

  #facts({ facts }: ScriptAnswer) {
    if (!facts.length) return nothing;
    return html`<dl class="kv">
      ${facts.map(({ name, value }) => {
        const { label, unit } = typeof value === "number" ? titled(name) : untitled(name);
        return html`<div>
            <dt>${label || t("answer.title")}</dt>
            <dd>${this.#cell(value, unit)}</dd>
          </div>`;
      })}
    </dl>`;
  }

  #table(one: AnswerTable, i: number): TemplateResult {
    const { title, total, elements } = one;
    if (!total) {
      const none = t("answer.nothing");
      return html`<p class="tcap">${title ? `${title}: ${none}` : none}</p>`;
    }
    const shown = this.whole.has(i) ? one.rows : one.rows.slice(0, FIRST_ROWS);
    const count = t("answer.rows", { n: total });
    return html`${title ? html`<p class="tcap strong">${title}</p>` : nothing}
      ${this.#rows({ ...one, rows: shown }, title || count)}
      <p class="tcap">
        <span class="meta"
          >${shown.length < total ? t("answer.of", { n: shown.length, of: total }) : count}</span
        >
        <span class="end">
          ${
            elements.length
              ? html`<button class="btn quiet s" @click=${() => this.#select(elements)}>
                  ${icon("pick", "s")}<span>${t("answer.select", { n: elements.length })}</span>
                </button>`
              : nothing
          }
          <button
            class="btn quiet s"
            aria-haspopup="menu"
            @click=${(event: Event) => this.#save(one, event.currentTarget as HTMLElement)}
          >
            ${icon("down", "s")}<span>${t("export.table")}</span>
          </button>
          ${
            shown.length < one.rows.length
              ? html`<button class="btn quiet s" @click=${() => this.#whole(i)}>
                  ${t("answer.all")}
                </button>`
              : nothing
          }
        </span>
      </p>`;
  }

  #save(one: AnswerTable, anchor: HTMLElement): void {
    const value = (cell: Cell | undefined): CellValue =>
      cell !== null && typeof cell === "object" ? cell.name : (cell ?? null);
    const table = (): ExportTable => ({
      ...(one.of_elements && this.view?.stands
        ? { elements: one.rows.map(({ element }) => element && refOf(element)) }
        : {}),
      name: one.title || t("answer.title"),
      columns: [
        ...(one.of_elements
          ? [
              {
                title: t("answer.element"),
                values: one.rows.map(({ element }) => element?.name ?? null),
              },
              { title: "#", values: one.rows.map(({ element }) => element?.id ?? null) },
            ]
          : []),
        ...one.columns.map((title, i) => ({
          title,
          values: one.rows.map(({ cells }) => value(cells[i])),
        })),
      ],
    });
    this.emit<ExportAsk>("hp-export", { anchor, table });
  }

  #whole(i: number): void {
    this.whole = new Set([...this.whole, i]);
  }

  #rows(one: AnswerTable, name: string) {
    const numeric = one.columns.map((_, i) => one.rows.every(({ cells }) => isNumber(cells[i])));
    const side = (i: number) => (numeric[i] ? "num" : "");
    const heads = one.columns.map((title, i) =>
      numeric[i] ? titled(heading(title)) : untitled(heading(title)),
    );
    return html`<div class="scroll" tabindex="0" role="group" aria-label=${t("app.scrolls", { name })}>
      <table class="t">
        <thead>
          <tr>
            ${one.of_elements ? html`<th scope="col">${t("answer.element")}</th>` : nothing}
            ${heads.map(({ label }, i) => html`<th scope="col" class=${side(i)}>${label}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${one.rows.map(
            ({ element, cells }) =>
              html`<tr>
                ${
                  one.of_elements
                    ? html`<th scope="row">${element ? this.#link(element) : none()}</th>`
                    : nothing
                }
                ${cells.map((value, i) => html`<td class=${side(i)}>${this.#cell(value, heads[i]?.unit ?? null)}</td>`)}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
  }

  #cell(value: Cell | undefined, unit: string | null): TemplateResult | string {
    if (value === null || value === undefined || value === "") return none();
    return typeof value === "object" ? this.#link(value) : drawn(value, unit);
  }

  #link(element: NamedElement) {
    return html`<button class="rowb" @click=${() => this.#select([refOf(element)])}>
      ${element.name || t("answer.unnamed", { id: element.id })}
    </button>`;
  }

  /** Of what was kept without its model, a number means another element elsewhere. */
  #select(value: readonly (ElementRef | AnsweredElement)[]): void {
    if (this.view?.stands) this.emit("hp-entity", { value: [...value] });
  }

  #did({ uses, files, spent }: AnswerView) {
    return html`<section class="sheet" aria-labelledby="d">
      <div class="s-h">
        <h3 id="d">${t("answer.did")}</h3>
        ${spent ? html`<span class="end meta">${spent}</span>` : nothing}
      </div>
      <ul class="rows">
        ${uses.map((use) => this.#use(use))}
        <li class="c-off">
          ${icon("dash")}<span class="grow"
            >${t(uses.length ? "answer.nothing_else" : "answer.read_nothing")}</span
          >
        </li>
      </ul>
      ${Object.entries(files).map(([path, text]) => this.#code(path, text.trimEnd()))}
    </section>`;
  }

  #use(use: CapabilityUse) {
    const lines = use.places.flatMap(({ path, line }) => (line === null ? [] : [{ path, line }]));
    return html`<li>
      ${icon("check", "c-pass")}
      <span class="grow"
        >${permission(use)}
        ${
          lines.length
            ? html`<span class="sub"
                >${t("answer.needed")}
                ${lines.slice(0, MAX_LINES).map(({ path, line }) => this.#place(path, line))}</span
              >`
            : nothing
        }</span
      >${riskBadge(use.risk)}
    </li>`;
  }

  #place(path: string, line: number) {
    const at = { line, column: 1 };
    return html`<button
      class="link"
      @click=${() => this.emit("hp-open-source", { path, range: { start: at, end: at } })}
    >
      ${t("answer.line", { file: shortName(path), line })}
    </button> `;
  }

  #code(path: string, text: string) {
    const name = t("app.scrolls", { name: shortName(path) });
    return html`<details class="code">
      <summary>
        ${icon("cr", "tw s")}<span class="mono strong">${shortName(path)}</span
        ><span class="meta end">${t("run.lines", { n: text.split("\n").length })}</span>
      </summary>
      <pre class="mono scroll" tabindex="0" role="group" aria-label=${name}>${text}</pre>
      <p class="acts">
        <button class="btn s" @click=${() => this.emit("hp-act", { id: "source" })}>
          ${icon("pen", "s")}<span>${t("answer.edit")}</span>
        </button>
      </p>
    </details>`;
  }
}

const other = ({ model }: AnswerView) =>
  html`<p class="call info" role="note">${t("answer.other", { model })}</p>`;

const shortName = (path: string): string => path.split("/").at(-1) ?? path;

/** The class of an element that is the row; other columns are named by the script. */
const heading = (title: string): string => (title === "type" ? t("answer.class") : title);

/** What is missing does not keep a column of numbers from being one. */
const isNumber = (value: Cell | undefined): boolean => typeof value === "number" || value === null;
const none = () => html`<span class="quiet">${t("dock.not_given")}</span>`;
