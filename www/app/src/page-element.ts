/**
 * The base of all pages: bar, sign-in, tabs of a narrow page, what lies over it, looks on the document, F6, and where
 * the skip link leads. UI.md §2, §8.
 */
import { detailed, focused, HpElement, type IconName, icon, refusal, t } from "@holdpoint/elements";
import { moreAfter } from "@holdpoint/elements/shell/ask-more";
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { property } from "lit/decorators.js";
import { BarFit } from "./bar-fit.js";
import { pageLinks } from "./page-links.js";
import { type PageName, saidIn } from "./pages.js";
import { cyclePanes } from "./panes.js";
import type { ShellView } from "./shell-view.js";

/** A key that was pressed somewhere on the page. */
export interface PageKey {
  mod: boolean;
  key: string;
  typing: boolean;
}

/** A pane of a narrow page, in the bar at its foot. */
export interface Tab {
  id: string;
  mark: IconName;
  label: string;
  off?: boolean;
  /** Something in it waits for a signature. */
  waits?: boolean;
}

type Part = TemplateResult | typeof nothing;

export abstract class PageElement<View extends ShellView> extends HpElement {
  @property({ attribute: false }) view!: View;

  /** Keys of this page; F6 is answered already. */
  protected abstract pressed(event: KeyboardEvent, key: PageKey): void;

  protected closed(event: Event, what: string): void {
    event.stopPropagation();
    this.emit("hp-dismiss", { what });
  }

  /** The bar above the page. Alone with the sign-in it has only what helps to read it. */
  protected bar(page: PageName, document: Part, ends: Part, look = "", wide = false) {
    const alone = this.view.signIn !== null;
    this.#page = page;
    return html`<header class="top ${look}" lang=${this.view.language}>
      <a class="brand" href="/" aria-label=${t("app.start")}
        >${icon("mark")}<span>${t("app.name")}</span></a
      >
      ${alone ? nothing : html`${pageLinks(page)}${document}`}
      <div class="end">${alone ? nothing : ends}${this.personal(alone, wide)}</div>
    </header>`;
  }

  /** In the place of everything else, while nobody is signed in. */
  protected signIn(view: NonNullable<ShellView["signIn"]>) {
    if ("question" in view) return html`<hp-question .view=${view.question}></hp-question>`;
    const { reason, refused, sending } = view;
    return html`<hp-sign-in
      .reason=${reason}
      .refused=${refused}
      ?sending=${sending}
    ></hp-sign-in>`;
  }

  protected budget(open: boolean, what: string) {
    return html`<hp-budget
      .indicator=${this.view.indicator}
      .now=${this.view.now}
      ?open=${open}
      @hp-close=${(event: Event) => this.closed(event, what)}
    ></hp-budget>`;
  }

  /** The panes of a narrow page. */
  protected tabs(tabs: readonly Tab[], current: string) {
    return html`<nav class="tabs-n" aria-label=${t("app.panes")}>
      ${tabs.map(
        ({ id, mark, label, off = false, waits = false }) =>
          html`<button
            aria-current=${current === id ? "page" : "false"}
            ?disabled=${off}
            @click=${() => this.emit("hp-pane", { pane: id })}
          >
            ${icon(mark)}<span>${label}</span>${
              waits
                ? html`<span class="dot" aria-hidden="true"></span
                    ><span class="vh">${t("app.waits")}</span>`
                : nothing
            }
          </button>`,
      )}
    </nav>`;
  }

  protected menu() {
    const { menu } = this.view;
    if (!menu) return nothing;
    // Named, so that it lies in a part of the page.
    return html`<section class="over" aria-label=${menu.label}>
      <hp-menu
        .items=${menu.items}
        .label=${menu.label}
        .anchor=${menu.anchor}
        .at=${menu.at ?? null}
        @hp-close=${(event: Event) => this.closed(event, "menu")}
      ></hp-menu>
    </section>`;
  }

  protected toast() {
    const { toast } = this.view;
    return html`<hp-toast
      .text=${toast?.text ?? ""}
      .sub=${toast?.sub ?? ""}
      ?undo=${toast?.undo ?? false}
      @hp-close=${(event: Event) => this.closed(event, "toast")}
    ></hp-toast>`;
  }

  /** There is no network: what stays possible, and what of asking. */
  protected offline(text: string, also: string) {
    if (!this.view.offline) return nothing;
    return html`<hp-notice
      mark="off"
      .heading=${t("offline.title")}
      .text=${text}
      .also=${also}
      .action=${t("offline.again")}
    ></hp-notice>`;
  }

  /** What was wanted and not done. */
  protected problem() {
    const { problem } = this.view;
    if (!problem) return nothing;
    return html`<hp-notice
      look="fail"
      mark="bad"
      closes
      data-testid="hp-problem"
      .heading=${t(problem.heading, { name: problem.name })}
      .also=${refusal(problem.error)}
      .more=${moreAfter(problem.error)}
      .details=${detailed(problem.error)}
      @hp-close=${(event: Event) => this.closed(event, "problem")}
    ></hp-notice>`;
  }

  /**
   * Density, theme, language, account. Alone on the page (sign-in) only what helps to read it; `wide` hides the
   * language in a medium bar.
   */
  protected personal(alone: boolean, wide = false) {
    const { density, language, menu } = this.view;
    const hidden = wide ? "hide-n hide-m" : "hide-n";
    return html`<button
        class="btn quiet icon personal hide-n hide-m"
        aria-label=${t("app.density", { density: t(`app.density.${density}`) })}
        @click=${() => this.emit("hp-density")}
      >
        ${icon("rows")}
      </button>
      <button
        class="btn quiet icon personal hide-n"
        aria-label=${t("app.theme")}
        @click=${() => this.emit("hp-theme")}
      >
        ${icon("sun")}
      </button>
      <button
        class="btn quiet ${alone ? "" : `personal ${hidden}`}"
        data-testid="hp-language"
        aria-label=${t("app.language.is", {
          code: language.toUpperCase(),
          name: t(`app.language.${language}`),
        })}
        @click=${() => this.emit("hp-language")}
      >
        ${language.toUpperCase()}
      </button>
      ${
        alone
          ? nothing
          : html`<button
              class="btn quiet icon"
              aria-haspopup="menu"
              aria-expanded=${menu !== null}
              aria-label=${t("app.account")}
              @click=${(event: Event) => this.emit("hp-account", { anchor: event.currentTarget })}
            >
              <span class="initials" aria-hidden="true">${icon("user", "s")}</span>
            </button>`
      }`;
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    // The elements inside draw after the page does.
    const had = this.#had;
    requestAnimationFrame(() => this.#held(had));
    this.#fit.follow(this.renderRoot.querySelector<HTMLElement>(".top"));
    const root = document.documentElement;
    if (this.view.theme === "system") delete root.dataset.theme;
    else root.dataset.theme = this.view.theme;
    root.dataset.density = this.view.density;
    const { language, signIn } = this.view;
    root.lang = signIn ? language : saidIn(this.#page, language);
  }

  readonly #fit = new BarFit();

  /** Which page the bar was drawn for. */
  #page: PageName = "model";

  /** What had the focus before this drawing. */
  #had: Element | null = null;

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    this.#had = focused();
  }

  /** What had the focus may go, or be hidden, with what is drawn next: then it is not left on nothing. */
  #held(had: Element | null): void {
    if (!had || had === document.body || (had.isConnected && had.checkVisibility())) return;
    const now = focused();
    if (now === had || now === document.body) this.lost();
  }

  /** Where the focus goes when what had it is gone. */
  protected lost(): void {
    this.skip();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("keydown", this.#keys);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("keydown", this.#keys);
    this.#fit.end();
  }

  #keys = (event: KeyboardEvent): void => {
    const typing = event
      .composedPath()
      .some(
        (node) =>
          node instanceof HTMLElement &&
          (node.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(node.tagName)),
      );
    if (event.key === "F6") {
      event.preventDefault();
      cyclePanes(
        this.renderRoot as ShadowRoot,
        this.shadowRoot?.activeElement ?? null,
        event.shiftKey ? -1 : 1,
      );
    }
    this.pressed(event, {
      mod: event.ctrlKey || event.metaKey,
      key: event.key.toLowerCase(),
      typing,
    });
  };

  /** Where the skip link of the document leads. */
  skip(): void {
    this.renderRoot.querySelector<HTMLElement>("#main")?.focus();
  }
}
