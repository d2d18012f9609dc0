/**
 * Properties, quantities, materials, classes and type of the selection; of several elements their values with counts,
 * each a link that selects. With nothing selected: the file and its units. UI.md §3, §11.
 */

import type {
  CellValue,
  ElementDetail,
  ModelFacts,
  ModelUnit,
  PropertyGroup,
} from "@holdpoint/core/types";
import { html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { decimal, integer } from "../base/format.js";
import { breakable } from "../base/split.js";
import { ground } from "../base/styles.js";
import { t } from "../text/index.js";
import { cell } from "./columns-said.js";
import { numbered } from "./kinds.js";
import { type Merged, type MergedGroup, merged, read, type Shared } from "./merge.js";
import { type ModelLine, modelOf } from "./models.js";
import { styles } from "./properties.styles.js";

/** So many different values are listed; more are counted. */
const LISTED = 6;

/** What tells elements apart: that all differ is no news. */
const NAMES: ReadonlySet<string> = new Set(["name", "global_id", "tag"]);

@customElement("hp-properties")
export class Properties extends HpElement {
  static override styles = [ground, styles];
  @property({ attribute: false }) elements: ElementDetail[] = [];
  /** How many are selected in all; details come for the first ones. */
  @property({ type: Number }) count = 0;
  /** What is shown while nothing is selected. */
  @property({ attribute: false }) file: ModelFacts | null = null;
  @property({ attribute: false }) units: ModelUnit[] = [];
  /** The open models: of several it is said whose the elements are. */
  @property({ attribute: false }) models: ModelLine[] = [];
  private own: Merged[] = [];
  private groups: MergedGroup[] = [];

  protected override get state(): string {
    if (this.elements.length === 0) return "empty";
    return this.elements.length === 1 ? "one" : "several";
  }

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    if (!changed.has("elements") && !changed.has("models")) return;
    this.own = own(this.elements, this.models);
    this.groups = merged(this.elements);
  }

  override render() {
    const { elements } = this;
    if (elements.length === 0)
      return html`<p class="meta quiet none">${t("props.none")}</p>
        ${this.file ? this.#file(this.file) : nothing}`;
    return html`${
      this.count > elements.length
        ? html`<p class="meta none">${t("props.many", { n: elements.length })}</p>`
        : nothing
    }
      <dl class="kv">${this.own.map((one) => this.#row(one, t(`props.${one.name as OwnFact}`)))}</dl>
      ${this.groups.map((group) => this.#group(group))} ${this.#material()} ${this.#classes()}
      ${this.#documents()} ${this.#type()}`;
  }

  /** What the file is, and what it measures in. */
  #file({ name, schema, elements }: ModelFacts) {
    const units = this.units.map(
      ({ kind, symbol }) =>
        html`<div>
          <dt>${unitName(kind)}</dt>
          <dd>${symbol}</dd>
        </div>`,
    );
    return html`<h3 class="group-h">${t("props.file")}</h3>
      <dl class="kv">
        <div><dt>${t("props.name")}</dt><dd>${name}</dd></div>
        <div><dt>${t("props.schema")}</dt><dd>${schema}</dd></div>
        <div><dt>${t("props.elements")}</dt><dd>${integer(elements)}</dd></div>
      </dl>
      ${
        units.length
          ? html`<h3 class="group-h">${t("props.units")}</h3>
              <dl class="kv">${units}</dl>`
          : nothing
      }`;
  }

  #group({ name, values }: MergedGroup) {
    return html`<h3 class="group-h">${name}</h3>
      <dl class="kv">${values.map((one) => this.#row(one))}</dl>`;
  }

  #row(one: Merged, label?: string) {
    return html`<div>
      <dt>${breakable(label ?? one.name)}</dt>
      <dd>${this.#value(one)}</dd>
    </div>`;
  }

  #value(one: Merged): TemplateResult | string {
    const unit = one.unit ? ` ${one.unit}` : "";
    const { values, none, sum, range } = one;
    const [first] = values;
    if (!first) return html`<span class="quiet">${t("model.not_given")}</span>`;
    if (sum !== null)
      return html`${decimal(sum)}${unit} <span class="quiet">${t("props.in_all")}</span
        >${this.#none(none)}`;
    if (range) {
      const ends = { from: decimal(range.from), to: `${decimal(range.to)}${unit}` };
      return html`${t("props.range", ends)}${this.#none(none)}`;
    }
    if (values.length === 1 && none.length === 0)
      return html`<span class=${one.name === "global_id" ? "mono" : ""}
        >${said(first.value, unit)}</span
      >`;
    const unlike = NAMES.has(one.name) && values.every(({ ids }) => ids.length === 1);
    if (values.length > LISTED || unlike)
      return html`<span class="quiet">${t("props.different", { n: values.length })}</span
        >${this.#none(none)}`;
    const all = [
      ...values.map((value) => ({ ...value, text: said(value.value, unit), look: "" })),
      ...(none.length ? [{ value: null, ids: none, text: t("model.value.none"), look: "no" }] : []),
    ];
    return html`<span class="vals"
      >${all.map(
        (one, i) =>
          html`<span class="v"
            >${this.#link(one, one.text, one.look)}${i < all.length - 1 ? " ·" : nothing}</span
          >`,
      )}</span
    >`;
  }

  #none(ids: number[]) {
    if (!ids.length) return nothing;
    return html`\u00a0· ${this.#link({ value: null, ids }, t("model.value.none"), "no")}`;
  }

  #link({ ids }: Shared, value: string, look = "") {
    const text = t("props.times", { value, n: ids.length });
    return html`<button
      class="vlink ${look}"
      aria-label=${t("props.select", { text })}
      @click=${() => this.emit("hp-select", { ids })}
    >
      ${text}
    </button>`;
  }

  /** Layers where all elements are made of the same, else what they are made of. */
  #material() {
    const made = read("material", this.elements, (one) => one.material?.name ?? null);
    const [first] = this.elements;
    if (made.values.length === 0) return nothing;
    const layers = first?.material?.layers ?? [];
    const alike = this.elements.every((one) => same(one.material, first?.material));
    if (!alike || layers.length === 0) return this.#part(t("props.material"), [made]);
    const unit = first?.thickness_unit ? ` ${first.thickness_unit}` : "";
    const thick = layers.reduce((sum, one) => sum + (one.thickness ?? 0), 0);
    return html`<h3 class="group-h">
        ${t("props.material")}
        ${thick > 0 ? html`<span class="quiet">${decimal(thick)}${unit}</span>` : nothing}
      </h3>
      <dl class="kv">
        ${layers.map(
          ({ name, thickness }) =>
            html`<div>
              <dt>${name ?? t("model.not_given")}</dt>
              <dd>${thickness === null ? "" : `${decimal(thickness)}${unit}`}</dd>
            </div>`,
        )}
      </dl>`;
  }

  #part(title: string, lines: Merged[], label = title) {
    return html`<h3 class="group-h">${title}</h3>
      <dl class="kv">${lines.map((one) => this.#row(one, one.name === "material" ? label : one.name))}</dl>`;
  }

  /** A line for each system. */
  #classes() {
    const systems = new Set(
      this.elements.flatMap((one) => (one.classifications ?? []).map(({ system }) => system)),
    );
    if (systems.size === 0) return nothing;
    const lines = [...systems].map((system) =>
      read(system ?? t("props.classification"), this.elements, (one) => {
        const found = one.classifications?.filter((own) => own.system === system) ?? [];
        const texts = found.map(({ identification, name }) =>
          [identification, name].filter((part) => part).join(" · "),
        );
        return texts.join(", ") || null;
      }),
    );
    return this.#part(t("props.classification"), lines);
  }

  #documents() {
    const lines = this.elements.length === 1 ? (this.elements[0]?.documents ?? []) : [];
    if (lines.length === 0) return nothing;
    return html`<h3 class="group-h">${t("props.documents")}</h3>
      <dl class="kv">
        ${lines.map(
          ({ name, identification, location }) =>
            html`<div>
              <dt>${name ?? identification ?? ""}</dt>
              <dd>${location ?? identification ?? ""}</dd>
            </div>`,
        )}
      </dl>`;
  }

  /** The type that all of them have, with what stands in the type itself; closed, for its values stand above. */
  #type() {
    const [first] = this.elements;
    const type = first?.type_object;
    if (!type || this.elements.some((one) => one.type_object?.id !== type.id)) return nothing;
    if (!type.groups.length) return nothing;
    const name = type.name ?? numbered(type.id);
    return html`<details class="type">
      <summary class="group-h">${t("props.of_type", { name })}</summary>
      ${type.groups.map((group) => this.#plain(group))}
    </details>`;
  }

  #plain({ name, values }: PropertyGroup) {
    return html`<h3 class="group-h">${name}</h3>
      <dl class="kv">
        ${values.map(
          (one) =>
            html`<div>
              <dt>${breakable(one.name)}</dt>
              <dd>${said(one.value, one.unit ? ` ${one.unit}` : "")}</dd>
            </div>`,
        )}
      </dl>`;
  }
}

/** A unit stands behind numbers only. */
const said = (value: CellValue, unit: string): string =>
  typeof value === "number" ? `${cell(value)}${unit}` : cell(value);

type OwnFact =
  | "type"
  | "name"
  | "global_id"
  | "storey"
  | "model"
  | "element_type"
  | "description"
  | "object_type"
  | "tag";

/** What elements say of themselves: the first four always, others where one has them. */
function own(elements: readonly ElementDetail[], models: readonly ModelLine[]): Merged[] {
  const facts: [OwnFact, (element: ElementDetail) => CellValue][] = [
    ["type", (one) => one.type],
    ["name", (one) => one.name],
    ["global_id", (one) => one.global_id],
    ["storey", (one) => one.storey],
    ["model", ({ id }) => (models.length > 1 ? (modelOf(models, id)?.name ?? null) : null)],
    ["element_type", (one) => one.type_object?.name ?? null],
    ["description", (one) => one.description ?? null],
    ["object_type", (one) => one.object_type ?? null],
    ["tag", (one) => one.tag ?? null],
  ];
  const lines = facts.map(([name, value]) => read(name, elements, value));
  return lines.filter(({ values }, i) => values.length > 0 || i < 4);
}

const same = (a: ElementDetail["material"], b: ElementDetail["material"]): boolean =>
  JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

/** Units that have a word of ours. */
const UNITS = [
  ...(["LENGTHUNIT", "AREAUNIT", "VOLUMEUNIT", "MASSUNIT", "TIMEUNIT"] as const),
  ...(["PLANEANGLEUNIT", "THERMODYNAMICTEMPERATUREUNIT", "THERMALTRANSMITTANCEUNIT"] as const),
];

/** What a unit measures; another one as the file has it: `ELECTRICCURRENTUNIT`. */
function unitName(kind: string): string {
  const known = UNITS.find((one) => one === kind);
  if (known) return t(`unit.${known}`);
  const word = kind.replace(/UNIT$/, "").toLowerCase();
  return word.charAt(0).toUpperCase() + word.slice(1);
}
