/**
 * What comes after a node: its exits, which of them is the default, and the condition of each in words and as a rule.
 *
 * Emits every change; it keeps only text that is no rule yet. Spec: crew-package.md §3 (edges). UI.md §12 "Editor".
 */
import {
  COMPARISONS,
  type ComparisonSign,
  comparison,
  comparisonRule,
  formula,
  type GraphEdge,
  literal,
  literalText,
  record,
} from "@holdpoint/core/crew";
import { css, html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import { repeat } from "lit/directives/repeat.js";
import { HpElement } from "../base/element.js";
import { entry } from "../base/entry.js";
import { icon } from "../base/icons.js";
import { refocus } from "../base/refocus.js";
import { buttons, forms, ground } from "../base/styles.js";
import { t } from "../text/index.js";
import { fields } from "./crew.styles.js";
import { findingLine } from "./finding-line.js";
import type { NodeStep } from "./view.js";

const own = css`
  .exits { display: grid; gap: var(--s-3); }
  .exits > li {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr) minmax(0, 1fr) auto;
    gap: var(--s-2) var(--s-3);
    align-items: center;
  }
  .input, .select { min-height: 28px; width: 100%; }
  .exits .lone { grid-column: 2 / 4; }
  details, .told { grid-column: 2 / -1; min-width: 0; }
  summary {
    display: flex;
    align-items: baseline;
    gap: var(--s-3);
    list-style: none;
    cursor: pointer;
    color: var(--text-2);
    font-size: var(--t-meta);
    line-height: var(--l-meta);
    min-height: 24px;
    padding-block: 3px;
  }
  summary::-webkit-details-marker { display: none; }
  summary .i { transition: rotate var(--m-2) var(--ease); flex: none; translate: 0 2px; }
  [open] > summary .i { rotate: 90deg; }
  summary > span:not(.is):first-of-type { flex: none; }
  summary .is { overflow-wrap: anywhere; color: var(--text); }
  .cond {
    display: grid;
    gap: var(--s-3);
    padding: var(--s-2) 0 var(--s-4) var(--s-4);
    border-inline-start: 1px solid var(--line-2);
    font-size: var(--t-meta);
    line-height: var(--l-meta);
  }
  .cond label { color: var(--text-2); display: grid; gap: var(--s-1); }
  .rule { display: grid; grid-template-columns: minmax(0, 1fr) 92px minmax(0, 1fr); gap: var(--s-2); }
  fieldset { border: 0; margin: 0; padding: 0; min-width: 0; }
  legend { padding: 0; margin-bottom: var(--s-1); color: var(--text-2); }
  textarea.input { min-height: 64px; padding-block: var(--s-3); resize: vertical; }
  @media (pointer: coarse) { summary { min-height: var(--target); align-items: center; } }
`;

type Exit = NodeStep["exits"][number];

@customElement("hp-crew-exits")
export class CrewExits extends HpElement {
  static override styles = [ground, buttons, forms, fields, own];
  @property({ attribute: false }) view!: NodeStep;
  /** Rules that are written as JSON, by the place of their edge; the text while it is no rule. */
  @state() private written = new Map<number, string | null>();
  /** Conditions that are unfolded, by the place of their edge. */
  readonly #unfolded = new Set<number>();

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    super.willUpdate(changed as never);
    const was = changed.get("view") as NodeStep | undefined;
    if (was && was.nodeId !== this.view.nodeId) {
      this.written = new Map();
      this.#unfolded.clear();
    }
    // What is found is not hidden when it is found; it stays unfolded when it is right.
    const known = was?.nodeId === this.view.nodeId ? was : null;
    for (const { n } of this.view.exits)
      if (foundAt(this.view, n).length && !(known && foundAt(known, n).length))
        this.#unfolded.add(n);
  }

  override render() {
    const { exits, others, nodeId, type } = this.view;
    const several = exits.length > 1;
    return html`${exits.length || type === "end" ? nothing : html`<p class="ro quiet">${t("crew.node.then.none")}</p>`}
      <ul class="exits">
        ${repeat(
          exits,
          (one) => one.n,
          (one) => this.#exit(one, several),
        )}
      </ul>
      ${
        others.length
          ? html`<p class="ro">
              <select
                class="select"
                data-testid="hp-connect"
                aria-label=${t("crew.node.exit.add")}
                @change=${(event: Event) => {
                  const field = event.target as HTMLSelectElement;
                  if (field.value) this.emit("hp-connect", { from: nodeId, to: field.value });
                  field.value = "";
                }}
              >
                <option value="">${t("crew.node.exit.add")} …</option>
                ${others.map((one) => html`<option value=${one.id}>${one.title}</option>`)}
              </select>
            </p>`
          : nothing
      }`;
  }

  #exit(exit: Exit, several: boolean) {
    const { n, edge, title } = exit;
    const conditional = several || edge.conditionText || edge.conditionExpr;
    return html`<li data-exit=${n}>
      ${several ? this.#choice(exit) : html`<span class="quiet" aria-hidden="true">→</span>`}${this.#to(
        exit,
        several,
      )}<button
        class="btn quiet s icon"
        type="button"
        aria-label=${t("crew.node.exit.remove", { label: several ? edge.label : title })}
        @click=${() => this.#remove(n)}
      >
        ${icon("cross")}
      </button>
      ${conditional ? this.#condition(exit) : nothing}${this.#told(n)}
    </li>`;
  }

  #choice({ n, edge, title }: Exit) {
    return html`<input
        class="radio"
        type="radio"
        name="default"
        aria-label=${t("crew.node.exit.default", { label: edge.label })}
        .checked=${live(edge.isDefault === true)}
        @change=${() => this.emit("hp-exit-default", { n })}
      /><input
        class="input"
        translate="no"
        aria-label=${t("crew.node.exit.label", { name: title })}
        .value=${entry(edge.label)}
        @change=${(event: Event) =>
          this.#change(n, { label: (event.target as HTMLInputElement).value.trim() || edge.label })}
      />`;
  }

  #to({ n, edge, title }: Exit, several: boolean) {
    const others = this.view.others.filter((one) => one.id !== edge.to);
    return html`<select
      class="select ${several ? "" : "lone"}"
      translate="no"
      aria-label=${t("crew.node.exit.to", { label: edge.label })}
      @change=${(event: Event) => this.#change(n, { to: (event.target as HTMLSelectElement).value })}
    >
      ${[{ id: edge.to, title }, ...others].map(
        (one) =>
          html`<option value=${one.id} ?selected=${one.id === edge.to}>${one.title}</option>`,
      )}
    </select>`;
  }

  // ── the condition ──────────────────────────────────────────────────────────────────────────────────────────────

  #condition(exit: Exit) {
    const { n, edge } = exit;
    const said = edge.conditionText || (edge.conditionExpr ? formula(edge.conditionExpr) : "");
    const of = t("crew.node.exit.of", { label: edge.label });
    const none = t(edge.isDefault ? "crew.node.exit.otherwise" : "crew.node.exit.free");
    return html`<details data-testid="hp-condition" 
      ?open=${this.#unfolded.has(n)}
      @toggle=${(event: Event) => {
        if ((event.target as HTMLDetailsElement).open) this.#unfolded.add(n);
        else this.#unfolded.delete(n);
      }}
    >
      <summary>
        ${icon("cr", "s")}<span>${t("crew.node.condition")} </span
        ><span class=${said ? "is" : ""} translate=${said ? "no" : nothing}>${said || none}</span
        ><span class="vh">, ${of}</span>
      </summary>
      <div class="cond">
        <label
          >${t("crew.node.condition.words")}<input
            class="input"
            data-testid="hp-condition-words"
            .value=${entry(edge.conditionText ?? "")}
            @change=${(event: Event) => {
              const text = (event.target as HTMLInputElement).value.trim();
              this.#change(n, { conditionText: text || undefined });
            }}
          /></label>
        ${this.#rule(exit)}
      </div>
    </details>`;
  }

  /** As fields where it compares a variable with a value, or is not there; else as it is written. */
  #rule(exit: Exit) {
    const { n, edge } = exit;
    const simple = edge.conditionExpr === undefined || comparison(edge.conditionExpr) !== null;
    return this.written.has(n) || !simple ? this.#json(exit, simple) : this.#comparison(exit);
  }

  #comparison({ n, edge }: Exit) {
    const now = comparison(edge.conditionExpr);
    const write = (event: Event): void => {
      const field = (name: string): string => {
        const set = (event.target as HTMLElement).closest("fieldset");
        return set?.querySelector<HTMLInputElement>(`[name=${name}]`)?.value.trim() ?? "";
      };
      const [variable, value] = [field("variable"), field("value")];
      const sign = field("sign") as ComparisonSign;
      const rule = variable && comparisonRule({ variable, sign, value: literal(value) });
      this.#change(n, { conditionExpr: rule || undefined });
    };
    return html`<fieldset>
        <legend>${t("crew.node.condition.rule")}</legend>
        <div class="rule">
          <input
            class="input mono"
            name="variable"
            list="variables"
            autocomplete="off"
            placeholder=${t("crew.node.condition.variable")}
            aria-label=${t("crew.node.condition.variable")}
            .value=${entry(now?.variable ?? "")}
            @change=${write}
          /><select
            class="select"
            name="sign"
            aria-label=${t("crew.node.condition.sign")}
            @change=${write}
          >
            ${COMPARISONS.map(
              (sign) =>
                html`<option value=${sign} ?selected=${sign === (now?.sign ?? "==")}>
                  ${t(`crew.sign.${SIGNS[sign]}`)}
                </option>`,
            )}</select
          ><input
            class="input mono"
            name="value"
            autocomplete="off"
            placeholder=${t("crew.node.condition.value")}
            aria-label=${t("crew.node.condition.value")}
            .value=${entry(now ? literalText(now.value) : "")}
            @change=${write}
          />
        </div>
        <datalist id="variables">
          ${this.view.variables.map((one) => html`<option value=${one}></option>`)}
        </datalist>
      </fieldset>
      <button class="link" type="button" @click=${() => this.#write(n, null)}>
        ${t("crew.node.condition.json")}
      </button>`;
  }

  #json({ n, edge }: Exit, simple: boolean) {
    const broken = this.written.get(n) ?? null;
    const stands = edge.conditionExpr ? JSON.stringify(edge.conditionExpr) : "";
    return html`<label
        >${t("crew.node.condition.logic")}<textarea
          class="input mono"
          spellcheck="false"
          data-testid="hp-condition-json"
          aria-invalid=${broken !== null}
          aria-describedby=${broken === null ? nothing : `broken-${n}`}
          .value=${entry(broken ?? stands)}
          @change=${(event: Event) => this.#read(n, (event.target as HTMLTextAreaElement).value)}
        ></textarea></label
      >${
        broken === null
          ? nothing
          : html`<p class="msg bad" id="broken-${n}">
              ${icon("bad", "s")}<span>${t("crew.node.condition.broken")}</span>
            </p>`
      }${
        simple
          ? html`<button class="link" type="button" @click=${() => this.#write(n)}>
              ${t("crew.node.condition.fields")}
            </button>`
          : nothing
      }`;
  }

  #read(n: number, text: string): void {
    const rule = rules(text);
    this.#write(n, rule === null ? text : null);
    if (rule !== null) this.#change(n, { conditionExpr: rule });
  }

  /** The rule is written as JSON from now on; without a text it is not. */
  #write(n: number, text?: string | null): void {
    const next = new Map(this.written);
    if (text === undefined) next.delete(n);
    else next.set(n, text);
    this.written = next;
  }

  #told(n: number) {
    const own = foundAt(this.view, n);
    return own.length
      ? html`<div class="told">${own.map((one) => findingLine(one))}</div>`
      : nothing;
  }

  #remove(n: number): void {
    this.emit("hp-exit-remove", { n });
    refocus(this, () => this.renderRoot.querySelector<HTMLElement>('[data-testid="hp-connect"]'));
  }

  #change(n: number, change: { [K in keyof GraphEdge]?: GraphEdge[K] | undefined }): void {
    this.emit("hp-exit", { n, change });
  }
}

/** Findings of an edge. */
const foundAt = ({ findings }: NodeStep, n: number) =>
  findings.filter((one) => one.pointer?.startsWith(`/edges/${n}/`));

/** The words of the signs, as keys of texts. */
const SIGNS = {
  "==": "is",
  "!=": "not",
  ">": "over",
  ">=": "least",
  "<": "under",
  "<=": "most",
} as const satisfies Record<ComparisonSign, string>;

/** A rule that was written: none for an empty text, null for what is no object. */
function rules(text: string): Record<string, unknown> | undefined | null {
  return text.trim() === "" ? undefined : record(text);
}

declare global {
  interface HTMLElementTagNameMap {
    "hp-crew-exits": CrewExits;
  }
}
