/**
 * The search of the table: words, and filters as tokens, with what a text may mean offered below it. UI.md §11.
 *
 * Words narrow as they are typed; a filter is added by Enter. A combobox with a list.
 */
import type { Found, ModelQuery, Suggestions, ValueFilter } from "@holdpoint/core/types";
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { icon } from "../base/icons.js";
import { forms, ground } from "../base/styles.js";
import { t } from "../text/index.js";
import { columnName, filterSays, filterText, setName, valueOrNone } from "./columns-said.js";
import { styles } from "./find.styles.js";

/** A line of the list. */
type Option =
  | { kind: "property"; name: string; set: string; count: number }
  | { kind: "value"; filter: ValueFilter; n: number }
  | { kind: "contains"; n: number };

@customElement("hp-find")
export class Find extends HpElement {
  static override styles = [ground, forms, styles];
  @property() text = "";
  @property({ attribute: false }) filters: ValueFilter[] = [];
  @property({ attribute: false }) found: Found | null = null;
  /** Rows of the model. */
  @property({ type: Number }) of = 0;
  /** Begins with the list open: for pictures. */
  @property({ type: Boolean }) open = false;
  @state() private at = -1;
  @query("input") private field!: HTMLInputElement | null;

  protected override get state(): string {
    if (!this.open || this.text.trim() === "") return this.filters.length ? "filtered" : "idle";
    return this.#suggestions() ? "open" : "reading";
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("text")) this.at = -1;
    this.at = Math.min(this.at, this.#options().length - 1);
  }

  override render() {
    const open = this.open && this.text.trim() !== "";
    const options = open ? this.#options() : [];
    return html`<div
      class="box"
      @focusout=${(event: FocusEvent) => this.#left(event)}
      @keydown=${this.#keys}
    >
      <div class="field" @click=${() => this.field?.focus()}>
        ${icon("search", "s")}${this.filters.map((one, i) => this.#token(one, i))}<input
          type="search"
          role="combobox"
          autocomplete="off"
          aria-label=${t("model.search")}
          placeholder=${this.filters.length ? "" : t("model.search")}
          aria-expanded=${open}
          aria-controls="list"
          aria-autocomplete="list"
          aria-activedescendant=${this.at >= 0 ? `o${this.at}` : nothing}
          .value=${this.text}
          @focus=${() => (this.open = true)}
          @input=${(event: Event) => this.#type((event.target as HTMLInputElement).value)}
        />
      </div>
      <div class="pop" ?hidden=${!open}>
        <div id="list" role="listbox" aria-label=${t("find.list")}>
          ${options.map((one, i) => html`${this.#heading(options, i)}${this.#option(one, i)}`)}
        </div>
        ${
          open && !this.#suggestions()
            ? html`<p class="meta wait late">${icon("spin", "s spin")} ${t("find.reading")}</p>`
            : nothing
        }
        <p class="hint meta"><span>${t("find.ops")}</span><span>${t("find.keys")}</span></p>
      </div>
    </div>`;
  }

  #token(filter: ValueFilter, i: number): TemplateResult {
    const { how, what } = filterSays(filter);
    return html`<span class="tok"
      ><span class="trunc"
        >${columnName(filter)} ${how} <b>${what}</b></span
      ><button
        aria-label=${t("find.remove", { filter: filterText(filter) })}
        @click=${(event: Event) => {
          event.stopPropagation();
          this.#narrow({ filters: this.filters.filter((_, at) => at !== i) });
          this.field?.focus();
        }}
      >
        ${icon("cross", "s")}
      </button></span
    >`;
  }

  /** What the answer to these words and filters says; null while it is on its way. */
  #suggestions(): Suggestions | null {
    const { found } = this;
    return found && found.query.text === this.text && found.query.filters === this.filters
      ? found.suggestions
      : null;
  }

  /** While an answer is on its way the last one stays, where it was about the same filters. */
  #options(): Option[] {
    const { found } = this;
    const told =
      this.#suggestions() ?? (found?.query.filters === this.filters && found?.suggestions);
    if (!told) return [];
    const text = this.text.trim();
    return [
      ...told.properties.map((one): Option => ({ kind: "property", ...one })),
      ...told.values.map((one): Option => ({ kind: "value", ...one })),
      ...(text ? [{ kind: "contains" as const, n: told.contains }] : []),
    ];
  }

  #heading(options: Option[], i: number) {
    const part = (one: Option | undefined) => (one?.kind === "property" ? "properties" : "values");
    const own = part(options[i]);
    if (i > 0 && part(options[i - 1]) === own) return nothing;
    return html`<div class="head" role="presentation">${t(`find.${own}`)}</div>`;
  }

  #option(one: Option, i: number): TemplateResult {
    const [mark, words, count] = this.#line(one);
    return html`<div
      id="o${i}"
      role="option"
      class="line"
      aria-selected=${i === this.at}
      @mousedown=${(event: Event) => event.preventDefault()}
      @click=${() => this.#choose(one)}
    >
      ${icon(mark)}<span class="trunc">${words}</span><span class="n">${count}</span>
    </div>`;
  }

  #line(one: Option): ["rows" | "search", TemplateResult, string] {
    if (one.kind === "property")
      return [
        "rows",
        html`${marked(one.name, this.text)} <span class="quiet">${setName(one)}</span>`,
        t("find.of", { n: one.count, of: this.of }),
      ];
    if (one.kind === "contains")
      return [
        "search",
        html`${t("find.contains", { text: this.text.trim() })}
          <span class="quiet">${t("find.anywhere")}</span>`,
        t("find.elements", { n: one.n }),
      ];
    const { filter, n } = one;
    const name = html`<span class="quiet">${columnName(filter)}</span>`;
    const { how, what } = filterSays(filter);
    const words =
      filter.op === "="
        ? html`${marked(valueOrNone(filter.value), this.text)} ${name}`
        : html`${columnName(filter)} ${how || t("find.is")} <b>${what}</b>`;
    return ["search", words, t("find.elements", { n })];
  }

  #type(text: string): void {
    this.open = true;
    this.#narrow({ text });
  }

  /** A property asks for its value next; a value is a filter; words narrow already. */
  #choose(one: Option): void {
    this.at = -1;
    if (one.kind === "property") {
      const known = one.set === "*" || one.set === "" ? one.name : `${one.set}.${one.name}`;
      this.#narrow({ text: `${known} = ` });
    } else if (one.kind === "value")
      this.#narrow({ text: "", filters: [...this.filters, one.filter] });
    else this.open = false;
  }

  #narrow(change: { text?: string; filters?: ValueFilter[] }): void {
    this.emit<ModelQuery>("hp-narrow", { text: this.text, filters: this.filters, ...change });
  }

  #left(event: FocusEvent): void {
    const to = event.relatedTarget;
    if (!(to instanceof Node && this.renderRoot.contains(to))) this.open = false;
  }

  #keys(event: KeyboardEvent): void {
    if (event.target !== this.field) return;
    const options = this.open && this.text.trim() !== "" ? this.#options() : [];
    const { key } = event;
    if (key === "ArrowDown" || key === "ArrowUp") {
      this.open = true;
      const n = options.length + 1;
      // One place of the circle is the text itself.
      this.at = ((this.at + 1 + (key === "ArrowDown" ? 1 : n - 1)) % n) - 1;
      void this.updateComplete.then(() =>
        this.renderRoot
          .querySelector(".line[aria-selected=true]")
          ?.scrollIntoView({ block: "nearest" }),
      );
    } else if (key === "Enter") this.#enter(options);
    else if (key === "Escape" && this.open && this.text.trim() !== "") this.open = false;
    else if (key === "Escape" && this.text !== "") this.#narrow({ text: "" });
    else if (key === "Backspace" && this.text === "" && this.filters.length)
      this.#narrow({ filters: this.filters.slice(0, -1) });
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Without a choice, what was typed as a filter is one. */
  #enter(options: Option[]): void {
    const chosen = options[this.at];
    const typed = /[=≠<>≤≥]/.test(this.text) && this.#suggestions()?.values[0];
    if (chosen) this.#choose(chosen);
    else if (typed) this.#choose({ kind: "value", ...typed });
    else this.open = false;
  }

  override focus(): void {
    this.field?.focus();
  }
}

/** The part of a name that was searched for. */
export function marked(name: string, text: string): TemplateResult | string {
  const words = text.trim().toLowerCase();
  const at = words ? name.toLowerCase().indexOf(words) : -1;
  if (at < 0) return name;
  const end = at + words.length;
  return html`${name.slice(0, at)}<mark>${name.slice(at, end)}</mark>${name.slice(end)}`;
}
