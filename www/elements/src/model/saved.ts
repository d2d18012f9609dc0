/** Filters that a person named, as a row of chips: chosen again, renamed, removed. UI.md §11. */
import type { FilterSet, SavedFilter } from "@holdpoint/core/types";
import { css, html, nothing } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { icon } from "../base/icons.js";
import { buttons, forms, ground } from "../base/styles.js";
import { t } from "../text/index.js";
import { chips } from "./elements.styles.js";

/** Longest name of a filter, in characters. */
const LONGEST = 60;

/** What a person wants of the saved filters. */
export type SavedAsk =
  | { act: "save"; name: string; filter: FilterSet }
  | { act: "rename"; id: string; name: string }
  | { act: "remove"; id: string };

const own = css`
  :host { display: block; }
  .chips { padding: var(--s-4) var(--s-5) 0; }
  form { display: contents; }
  .input { width: min(240px, 100%); min-height: var(--target); }
  @container (max-width: 560px) { .chips { padding-block: 0 var(--s-4); } }
  .icon { min-width: var(--target); min-height: var(--target); }
`;

@customElement("hp-saved")
export class Saved extends HpElement {
  static override styles = [ground, buttons, forms, chips, own];
  @property({ attribute: false }) saved: SavedFilter[] = [];
  /** What narrows now; null: nothing does. */
  @property({ attribute: false }) now: FilterSet | null = null;
  /** The filter that gets another name, "" for a new one; null: none. */
  @property({ attribute: false }) naming: string | null = null;
  @state() private isFresh = false;
  @query("input") private field!: HTMLInputElement | null;

  protected override get state(): string {
    if (this.naming !== null) return "naming";
    return this.saved.length ? "ready" : "empty";
  }

  override render() {
    if (this.saved.length === 0 && this.naming === null) return nothing;
    return html`<div class="chips" role="group" aria-label=${t("saved.title")}>
      <span class="meta" aria-hidden="true">${t("saved.title")}</span>${this.saved.map((one) =>
        this.naming === one.id ? this.#form(one.name) : this.#chip(one),
      )}${this.naming === "" ? this.#form("") : nothing}
    </div>`;
  }

  #chip(one: SavedFilter) {
    const { id, name } = one;
    const on = this.now !== null && sameFilter(one, this.now);
    const edit = (label: string, mark: "pen" | "trash", act: () => void) => html`<button
      class="btn quiet s icon"
      aria-label=${label}
      title=${label}
      @click=${act}
    >
      ${icon(mark, "s")}
    </button>`;
    return html`<button
        class="chip"
        aria-pressed=${on}
        data-filter=${id}
        @click=${() => this.#use(on ? none(one) : one)}
      >
        ${on ? icon("check", "s") : nothing}<span>${name}</span></button
      >${
        on
          ? html`${edit(t("saved.rename", { name }), "pen", () => this.#name(id))}${edit(
              t("saved.remove", { name }),
              "trash",
              () => this.#ask({ act: "remove", id }),
            )}`
          : nothing
      }`;
  }

  #form(name: string) {
    return html`<form
      @submit=${(event: Event) => this.#done(event)}
      @keydown=${(event: KeyboardEvent) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        this.#end();
      }}
    >
      <input
        class="input"
        maxlength=${LONGEST}
        aria-label=${t("saved.name")}
        placeholder=${t("saved.name")}
        .value=${name}
        required
      /><button class="btn s" data-testid="hp-filter-named">${t("saved.keep")}</button
      ><button class="btn quiet s" type="button" @click=${() => this.#end()}>
        ${t("saved.cancel")}
      </button>
    </form>`;
  }

  /** Asks for the name of what narrows now. */
  begin(): void {
    this.#name("");
  }

  #name(id: string): void {
    this.naming = id;
    this.isFresh = true;
  }

  protected override updated(): void {
    if (!this.isFresh || !this.field) return;
    this.isFresh = false;
    this.field.focus();
    this.field.select();
  }

  #done(event: Event): void {
    event.preventDefault();
    const name = this.field?.value.trim() ?? "";
    if (name === "") return;
    if (this.naming) this.#ask({ act: "rename", id: this.naming, name });
    else if (this.now) this.#ask({ act: "save", name, filter: this.now });
    this.#end();
  }

  #use(filter: FilterSet): void {
    this.emit("hp-use-filter", filter);
  }

  #ask(ask: SavedAsk): void {
    this.emit("hp-saved", ask);
  }

  #end(): void {
    this.naming = null;
  }
}

/** Nothing narrows, in the same columns. */
const none = ({ columns }: FilterSet): FilterSet => ({
  ...{ text: "", filters: [], types: [], storeys: [], columns },
});

/** Whether they leave the same; columns may differ, and so may the order in which filters were set. */
function sameFilter(a: FilterSet, b: FilterSet): boolean {
  const of = ({ text, filters, types, storeys }: FilterSet): string =>
    JSON.stringify([
      text,
      filters.map((one) => JSON.stringify(one)).sort(),
      types,
      [...storeys].sort(),
    ]);
  return of(a) === of(b);
}

declare global {
  interface HTMLElementTagNameMap {
    "hp-saved": Saved;
  }
}
