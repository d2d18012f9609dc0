/**
 * The commands of the page, searched by words: Mod K opens them, arrows choose, Enter does, Esc closes. The focus goes
 * back to where it was. UI.md §11.
 */
import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { focused } from "../base/focused.js";
import { type IconName, icon } from "../base/icons.js";
import { ground } from "../base/styles.js";
import { marked } from "../model/find.js";
import { list } from "../model/find.styles.js";
import { t } from "../text/index.js";

export interface PaletteItem {
  id: string;
  label: string;
  icon: IconName;
  /** What it is about, or whose it is. */
  sub?: string;
  /** Its keys, as people read them. */
  keys?: string;
}

/** Items under a heading. `of` is what a prefix asks for: `>` commands, `#` elements, `:` properties. */
export interface PaletteGroup {
  title: string;
  of: "commands" | "elements" | "properties" | "ask";
  items: PaletteItem[];
}

const PREFIX: Record<string, PaletteGroup["of"]> = {
  ">": "commands",
  "#": "elements",
  ":": "properties",
};
/** Commands of a group that are listed. */
const MOST = 40;

const own = css`
  :host { position: fixed; inset: 0; z-index: var(--z-dialog); }
  .scrim { position: absolute; inset: 0; background: rgb(8 16 14 / .28); }
  .pal {
    position: relative;
    display: flex;
    flex-direction: column;
    width: min(640px, 100vw - 16px);
    max-height: min(560px, 100vh - 32px);
    margin: min(84px, 6vh) auto 0;
    overflow: hidden;
    background: var(--raised);
    box-shadow: var(--e-2);
    border-radius: var(--r-3);
  }
  .in {
    display: flex;
    align-items: center;
    gap: var(--s-4);
    padding: var(--s-2) var(--s-5);
    border-bottom: 1px solid var(--line-2);
  }
  .in .i { color: var(--text-2); }
  input {
    flex: 1;
    min-width: 0;
    min-height: 40px;
    border: 0;
    outline: 0;
    background: none;
    font-size: var(--t-body);
  }
  input:focus-visible { outline: 0; }
  .in:focus-within { box-shadow: inset 0 0 0 2px var(--focus); border-radius: var(--r-3) var(--r-3) 0 0; }
  #list { flex: 1; min-height: 0; overflow: auto; overscroll-behavior: contain; padding-bottom: var(--s-3); }
  .none { padding: var(--pad); }
  kbd {
    font: inherit;
    font-size: var(--t-meta);
    padding: 0 var(--s-3);
    border: 1px solid var(--line-2);
    border-radius: var(--r-1);
  }
`;

@customElement("hp-palette")
export class Palette extends HpElement {
  static override styles = [ground, list, own];
  /** Commands, which are searched here. */
  @property({ attribute: false }) groups: PaletteGroup[] = [];
  /** What else fits the words: elements, properties. */
  @property({ attribute: false }) more: (words: string) => PaletteGroup[] = () => [];
  @property() words = "";
  @state() private at = 0;
  @query("input") private field!: HTMLInputElement | null;
  /** What had the focus before. */
  private opener: Element | null = null;

  private listed: PaletteGroup[] = [];

  protected override get state(): string {
    return this.listed.length ? "open" : "none";
  }

  protected override willUpdate(): void {
    this.listed = this.#shown();
  }

  override connectedCallback(): void {
    this.opener = focused();
    super.connectedCallback();
  }

  protected override firstUpdated(): void {
    this.field?.focus();
  }

  override render() {
    const groups = this.listed;
    const items = groups.flatMap((group) => group.items);
    let i = 0;
    return html`<div class="scrim" @click=${() => this.#close()}></div>
      <div
        class="pal"
        role="dialog"
        aria-modal="true"
        aria-label=${t("palette.title")}
        @keydown=${(event: KeyboardEvent) => this.#keys(event, items)}
      >
        <div class="in">
          ${icon("search")}<input
            type="text"
            role="combobox"
            autocomplete="off"
            spellcheck="false"
            aria-label=${t("palette.label")}
            placeholder=${t("palette.label")}
            aria-expanded="true"
            aria-controls="list"
            aria-autocomplete="list"
            aria-activedescendant=${items[this.at] ? `o${this.at}` : nothing}
            .value=${this.words}
            @input=${(event: Event) => {
              this.words = (event.target as HTMLInputElement).value;
              this.at = 0;
            }}
          />
        </div>
        <div id="list" role="listbox" aria-label=${t("palette.results")}>
          ${groups.map(
            (group) => html`<div role="group" aria-label=${group.title}>
              <div class="head" role="presentation" aria-hidden="true">${group.title}</div>
              ${group.items.map((item) => this.#item(item, i++))}
            </div>`,
          )}
        </div>
        ${items.length ? nothing : html`<p class="meta none" role="status">${t("palette.none")}</p>`}
        <p class="hint meta"><span>${t("palette.prefixes")}</span><span>${t("palette.keys")}</span></p>
      </div>`;
  }

  #item(item: PaletteItem, i: number): TemplateResult {
    return html`<div
      id="o${i}"
      role="option"
      class="line"
      data-id=${item.id}
      aria-selected=${i === this.at}
      @mousedown=${(event: Event) => event.preventDefault()}
      @click=${() => this.#choose(item)}
    >
      ${icon(item.icon)}<span class="trunc"
        >${marked(item.label, this.#asked().words)}
        ${item.sub ? html`<span class="quiet">${item.sub}</span>` : nothing}</span
      >${item.keys ? html`<kbd>${item.keys}</kbd>` : html`<span></span>`}
    </div>`;
  }

  /** The words, and what a prefix before them asks for. */
  #asked(): { words: string; of: PaletteGroup["of"] | null } {
    const of = PREFIX[this.words.trimStart().charAt(0)] ?? null;
    const words = of ? this.words.trimStart().slice(1) : this.words;
    return { words: words.trim(), of };
  }

  #shown(): PaletteGroup[] {
    const { words, of } = this.#asked();
    const all = words.toLowerCase().split(/\s+/);
    const fits = ({ label, sub = "" }: PaletteItem): boolean => {
      const text = `${label} ${sub}`.toLowerCase();
      return all.every((word) => text.includes(word));
    };
    const commands = this.groups.map((group) => ({
      ...group,
      items: group.items.filter(fits).slice(0, MOST),
    }));
    return [...commands, ...this.more(words)].filter(
      (group) => group.items.length > 0 && (of === null || group.of === of),
    );
  }

  #keys(event: KeyboardEvent, items: PaletteItem[]): void {
    const last = items.length - 1;
    const to = {
      ArrowDown: this.at < last ? this.at + 1 : 0,
      ArrowUp: this.at > 0 ? this.at - 1 : last,
      PageDown: Math.min(last, this.at + 8),
      PageUp: Math.max(0, this.at - 8),
    }[event.key];
    const item = items[this.at];
    if (to !== undefined) this.#go(Math.max(0, to));
    else if (event.key === "Enter" && item && !event.isComposing) this.#choose(item);
    else if (event.key === "Escape" || (event.key === "k" && (event.ctrlKey || event.metaKey)))
      this.#close();
    // The field is the one place for the keyboard here.
    else if (event.key !== "Tab") {
      event.stopPropagation();
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  #go(at: number): void {
    this.at = at;
    void this.updateComplete.then(() =>
      this.renderRoot.querySelector(`#o${at}`)?.scrollIntoView({ block: "nearest" }),
    );
  }

  /** The focus is back before the command is heard: a command may move it. */
  #choose({ id }: PaletteItem): void {
    this.#close();
    this.emit("hp-command", { id });
  }

  #close(): void {
    if (this.opener instanceof HTMLElement) this.opener.focus();
    this.emit("hp-close");
  }
}
