/**
 * A menu: ⋯, account, extensions. Narrow: from the edge, over a scrim. Menu pattern; Esc closes and gives focus back.
 */
import { css, html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { type IconName, icon } from "../base/icons.js";
import { ground } from "../base/styles.js";

export type MenuItem =
  | {
      id: string;
      label: string;
      icon?: IconName;
      sub?: string;
      value?: string;
      danger?: boolean;
      off?: boolean;
      testid?: string;
      items?: MenuItem[];
    }
  | { heading: string; sub?: string }
  | "line";

const own = css`
  :host { position: fixed; inset: 0; z-index: var(--z-menu); }
  .scrim { position: absolute; inset: 0; }
  .menu {
    position: absolute;
    background: var(--raised);
    box-shadow: var(--e-2);
    border-radius: var(--r-3);
    padding: var(--s-3) 0;
    min-width: 264px;
    max-width: min(360px, 100vw - 16px);
    overflow: auto;
  }
  hr { border: 0; border-top: 1px solid var(--line); margin: var(--s-3) 0; }
  button {
    display: flex;
    align-items: center;
    gap: var(--s-5);
    width: 100%;
    min-height: var(--control);
    padding: var(--s-3) var(--s-6);
    border: 0;
    background: none;
    text-align: start;
    color: var(--text);
    font-size: var(--t-small);
    line-height: var(--l-small);
    cursor: pointer;
  }
  button:hover, button:focus-visible { background: var(--hover); }
  button:focus-visible { outline-offset: -2px; }
  button:disabled { color: var(--text-off); cursor: not-allowed; }
  .i { color: var(--text-2); }
  .danger, .danger .i { color: var(--fail); }
  .sub {
    display: block;
    color: var(--text-2);
    font-size: var(--t-meta);
    line-height: var(--l-meta);
  }
  .v { white-space: nowrap; margin-inline-start: auto; color: var(--text-2); font-size: var(--t-meta); }
  .m-h { padding: var(--s-3) var(--s-6); display: grid; font-size: var(--t-small); }
  @media (max-width: 767px) {
    .scrim { background: rgb(8 16 14 / .28); }
    .menu {
      left: 0 !important;
      right: 0 !important;
      top: auto !important;
      bottom: 0 !important;
      max-height: 80vh !important;
      max-width: none;
      border-radius: var(--r-3) var(--r-3) 0 0;
      padding-block: var(--s-4) var(--s-6);
    }
    button { min-height: 48px; }
  }
`;

@customElement("hp-menu")
export class Menu extends HpElement {
  static override styles = [ground, own];
  @property({ attribute: false }) items: MenuItem[] = [];
  @property() label = "";
  /** Where it opens; focus goes back to it. */
  @property({ attribute: false }) anchor: HTMLElement | null = null;
  /** Where the pointer asked for it. */
  @property({ attribute: false }) at: { x: number; y: number } | null = null;
  /** A submenu stands in the place of its menu. */
  @state() private inner: MenuItem[] | null = null;

  protected override get state(): string {
    return "open";
  }

  override render() {
    return html`<div class="scrim" @click=${() => this.#close()}></div>
      <div
        class="menu"
        role="menu"
        aria-label=${this.label}
        style=${this.#place()}
        @keydown=${this.#keys}
      >
        ${(this.inner ?? this.items).map((item) => this.#item(item))}
      </div>`;
  }

  #item(item: MenuItem) {
    if (item === "line") return html`<hr />`;
    if ("heading" in item)
      return html`<p class="m-h" role="presentation">
        <span class="strong">${item.heading}</span
        >${item.sub ? html`<span class="sub">${item.sub}</span>` : nothing}
      </p>`;
    return html`<button
      role="menuitem"
      tabindex="-1"
      class=${item.danger ? "danger" : ""}
      data-testid=${item.testid ?? nothing}
      aria-haspopup=${item.items ? "menu" : nothing}
      ?disabled=${item.off ?? false}
      @click=${() => (item.items ? this.#into(item.items) : this.#choose(item.id))}
    >
      ${item.icon ? icon(item.icon) : nothing}<span
        ><span>${item.label}</span
        >${item.sub ? html`<span class="sub">${item.sub}</span>` : nothing}</span
      >${item.value ? html`<span class="v">${item.value}</span>` : nothing}
    </button>`;
  }

  /** Under its anchor, or above it in the lower half; from the side of the window that it is nearer to. */
  #place(): string {
    const box = this.anchor?.getBoundingClientRect();
    if (this.at) return placed(this.at.y, this.at.y, this.at.x, this.at.x);
    if (!box) return "top:52px;right:8px";
    return placed(box.top - 4, box.bottom + 4, box.left, box.right);
  }

  protected override firstUpdated(): void {
    this.#all()[0]?.focus();
  }

  #all = (): HTMLElement[] => [
    ...this.renderRoot.querySelectorAll<HTMLElement>("button:not(:disabled)"),
  ];

  #keys(event: KeyboardEvent): void {
    const all = this.#all();
    const at = all.indexOf(this.shadowRoot?.activeElement as HTMLElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (to !== undefined) all[(to + all.length) % all.length]?.focus();
    else if (this.inner && (event.key === "Escape" || event.key === "ArrowLeft")) this.#into(null);
    else if (event.key === "Escape" || event.key === "Tab") this.#close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #into(items: MenuItem[] | null): void {
    this.inner = items;
    void this.updateComplete.then(() => this.#all()[0]?.focus());
  }

  #choose(id: string): void {
    this.#close();
    this.emit("hp-command", { id });
  }

  #close(): void {
    this.anchor?.focus();
    this.emit("hp-close");
  }
}

/** Air between a menu and the edge of the window, in px. */
const EDGE = 8;

/** Beside what it opens for, never beyond the edge: a menu is narrower than half of a window that is not narrow. */
function placed(above: number, below: number, left: number, right: number): string {
  const across =
    left + right < innerWidth
      ? `left:${Math.max(EDGE, left)}px`
      : `right:${Math.max(EDGE, innerWidth - right)}px`;
  return above > innerHeight / 2
    ? `bottom:${innerHeight - above}px;max-height:${above - EDGE}px;${across}`
    : `top:${below}px;max-height:${innerHeight - below - EDGE}px;${across}`;
}
