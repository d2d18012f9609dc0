/** The bar of an app: what is drafted and built, what is live, and its parts. UI.md §13 `hp-app-bar`. */
import { css, html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { icon } from "../base/icons.js";
import { badges, buttons, ground } from "../base/styles.js";
import { t } from "../text/index.js";
import { buildBadge } from "./badge.js";
import type { AppBarView, AppPart } from "./view.js";

const parts: readonly AppPart[] = [
  "workspace",
  "versions",
  "publish",
  "settings",
  "services",
  "export",
];

const own = css`
  .bar {
    display: flex;
    align-items: center;
    gap: var(--s-3) var(--s-5);
    flex-wrap: wrap;
    min-height: 46px;
    padding: var(--s-2) var(--s-5);
    background: var(--surface);
    border-bottom: 1px solid var(--line-2);
  }
  h1 {
    font-size: var(--t-head);
    line-height: var(--l-head);
    font-weight: var(--w-strong);
    overflow-wrap: anywhere;
  }
  .states { display: flex; align-items: center; gap: var(--s-3); flex-wrap: wrap; min-width: 0; }
  .live {
    display: inline-flex;
    align-items: center;
    gap: var(--s-2);
    font-size: var(--t-meta);
    line-height: var(--l-meta);
    min-height: var(--target);
    white-space: nowrap;
  }
  nav { margin-inline-start: auto; align-self: stretch; margin-block: calc(-1 * var(--s-2)); }
  nav ul { display: flex; height: 100%; }
  nav a {
    display: flex;
    align-items: center;
    gap: var(--s-3);
    height: 100%;
    padding: 0 var(--s-4);
    color: var(--text-2);
    text-decoration: none;
    font-size: var(--t-small);
    font-weight: var(--w-medium);
    border-block: 2px solid transparent;
    white-space: nowrap;
  }
  nav a:hover { color: var(--text); }
  nav a[aria-current="page"] { color: var(--text); border-bottom-color: var(--action-fill); }
  nav a:focus-visible { outline-offset: -4px; }
  .n { color: var(--text-3); font-weight: var(--w-normal); }
  @media (max-width: 767px) {
    nav {
      flex-basis: 100%;
      overflow-x: auto;
      margin: 0 calc(-1 * var(--s-4)) calc(-1 * var(--s-2));
      min-height: 38px;
    }
    nav a { min-height: 38px; }
  }
`;

@customElement("hp-app-bar")
export class AppBar extends HpElement {
  static override styles = [ground, buttons, badges, own];
  @property({ attribute: false }) view!: AppBarView;
  @property() href = "";

  protected override get state(): string {
    return this.view.part;
  }

  /** On a phone the parts are wider than the page: the one that is open is in sight. */
  protected override updated(changed: Map<PropertyKey, unknown>): void {
    super.updated(changed);
    const before = changed.get("view") as AppBarView | undefined;
    if (before?.part === this.view.part) return;
    const current = this.renderRoot.querySelector('[aria-current="page"]');
    current?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  override render() {
    const { name, draft, build, live } = this.view;
    return html`<div class="bar">
      <a class="btn quiet icon" href="/apps" aria-label=${t("apps.back")} @click=${this.#back}
        >${icon("back")}</a
      >
      <h1 translate="no">${name}</h1>
      <div class="states">
        <span class="badge plain" data-testid="hp-draft"
          >${t("apps.draft.n", { n: String(draft) })}</span
        ><button
          class="link"
          style="text-decoration:none"
          @click=${() => this.emit("hp-show-build")}
        >
          ${buildBadge(build)}<span class="vh">, ${t("apps.bar.build")}</span></button
        >${live ? liveLink(live) : html`<span class="badge plain">${t("apps.live.not")}</span>`}
      </div>
      <nav aria-label=${t("apps.parts")}>
        <ul>
          ${parts.map((part) => html`<li>${this.#part(part)}</li>`)}
        </ul>
      </nav>
    </div>`;
  }

  #part(part: AppPart) {
    const { versions } = this.view;
    const below = part === "workspace" ? "" : `/${part}`;
    return html`<a
      href="${this.href}${below}"
      data-testid="hp-part-${part}"
      aria-current=${this.view.part === part ? "page" : "false"}
      @click=${(event: MouseEvent) => this.#go(event, part)}
      >${t(`apps.part.${part}`)}${
        part === "versions" && versions !== null
          ? html` <span class="n">${versions}</span>`
          : nothing
      }</a
    >`;
  }

  #go(event: MouseEvent, part: AppPart): void {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    this.emit("hp-open", { part });
  }

  #back(event: MouseEvent): void {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    this.emit("hp-open-list");
  }
}

function liveLink({ number, address }: NonNullable<AppBarView["live"]>) {
  const words = number === null ? t("apps.live") : t("apps.live.n", { n: String(number) });
  return html`<a class="live" href=${address} target="_blank" rel="noopener noreferrer"
    >${icon("globe", "s")}<span>${words}</span></a
  >`;
}

declare global {
  interface HTMLElementTagNameMap {
    "hp-app-bar": AppBar;
  }
}
