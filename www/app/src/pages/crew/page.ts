/** The crew pages: packages, one package, or one of its parts. It draws a `CrewPageView`. */
import {
  badges,
  buttons,
  detailed,
  ground,
  type HpElement,
  icon,
  refusal,
  t,
} from "@holdpoint/elements";
import "@holdpoint/elements/crew/agent";
import "@holdpoint/elements/crew/asset";
import "@holdpoint/elements/crew/compare";
import "@holdpoint/elements/crew/package";
import "@holdpoint/elements/crew/packages";
import "@holdpoint/elements/crew/workflow";
import "@holdpoint/elements/shell/asking";
import "@holdpoint/elements/shell/budget";
import "@holdpoint/elements/shell/copy";
import "@holdpoint/elements/shell/menu";
import "@holdpoint/elements/shell/notice";
import "@holdpoint/elements/shell/sign-in";
import "@holdpoint/elements/shell/toast";
import type { AskView } from "@holdpoint/elements/shell/asking";
import { html, nothing } from "lit";
import { customElement, state } from "lit/decorators.js";
import { bar } from "../../bar.styles.js";
import { PageElement, type PageKey } from "../../page-element.js";
import { pageLinksStyle } from "../../page-links.js";
import { frame } from "../../panes.styles.js";
import { layout } from "./page.styles.js";
import type { AwayView, CrewBody, CrewPageView, CrewPane } from "./page-view.js";

/** Below this the editor of a workflow shows one pane at a time. */
const NARROW = "(max-width: 979px)";

@customElement("hp-crew-page")
export class CrewPage extends PageElement<CrewPageView> {
  static override styles = [ground, buttons, badges, bar, frame, layout, pageLinksStyle];
  @state() private narrow = false;
  #narrow = matchMedia(NARROW);

  protected override get state(): string {
    return this.view.signIn ? "sign-in" : this.view.body.is;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#narrow.addEventListener("change", this.#fold);
    this.#fold();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#narrow.removeEventListener("change", this.#fold);
  }

  #fold = (): void => {
    this.narrow = this.#narrow.matches;
  };

  override render() {
    const { view } = this;
    const top = this.bar("crew", this.#document(), this.budget(view.budgetOpen, "budget"));
    if (view.signIn) return html`${top}${this.signIn(view.signIn)}`;
    const tabs = view.body.is === "workflow" && this.narrow;
    return html`${top}
      <div>${this.offline(t("crew.offline.text"), t("crew.offline.ask"))}${this.problem()}</div>
      <main class="app" id="main" tabindex="-1">
        ${this.#body(view.body)}
        <p class="live" role="status" aria-live="polite">${view.live}</p>
      </main>
      ${tabs ? this.#tabs(view.pane) : html`<div></div>`}${this.menu()}${this.toast()}${this.#ask(view.ask)}`;
  }

  #document() {
    const { document } = this.view;
    if (!document) return nothing;
    return html`<div class="doc">
      ${icon("crew")}<span class="strong trunc" translate="no" title=${document.name}>${document.name}</span>${
        document.version
          ? html`<span class="badge plain hide-n">${document.version}</span>`
          : nothing
      }
    </div>`;
  }

  #body(body: CrewBody) {
    if (body.is === "packages")
      return html`<hp-crew-packages
        .view=${body.view}
        tabindex="0"
        role="group"
        aria-label=${t("app.scrolls", { name: t("crew.title") })}
      ></hp-crew-packages>`;
    if (body.is === "package") return html`<hp-crew-package .view=${body.view}></hp-crew-package>`;
    if (body.is === "agent") return html`<hp-crew-agent .view=${body.view}></hp-crew-agent>`;
    if (body.is === "asset") return html`<hp-crew-asset .view=${body.view}></hp-crew-asset>`;
    if (body.is === "compare") return html`<hp-crew-compare .view=${body.view}></hp-crew-compare>`;
    if (body.is === "workflow")
      return html`<hp-crew-workflow
        .view=${body.view}
        .pane=${this.view.pane}
        ?narrow=${this.narrow}
      ></hp-crew-workflow>`;
    return this.#away(body.view);
  }

  #away({ state: now, problem, back }: AwayView) {
    if (now === "loading")
      return html`<div class="away">
        <p class="meta late">${icon("spin", "s spin")} ${t("crew.loading")}</p>
      </div>`;
    const heading = {
      missing: "crew.missing",
      part: "crew.missing.part",
      failed: "crew.failed",
    } as const;
    return html`<div class="away">
      <section class="sheet" role="alert">
        <h1 class="vh">${t("crew.page")}</h1>
        <h2>${t(heading[now])}</h2>
        <p>${this.#why(now, problem)}</p>
        <p class="flex wrap">
          ${
            now === "failed"
              ? html`<button class="btn primary s" @click=${() => this.emit("hp-again")}>
                  ${icon("again", "s")}<span>${t("offline.again")}</span>
                </button>`
              : nothing
          }${now === "failed" && problem ? html`<hp-copy .text=${detailed(problem)}></hp-copy>` : nothing}${
            back
              ? html`<a class="btn s" href=${back.href} @click=${(event: Event) => this.#go(event, back.href)}
                  >${t("crew.back.package", { name: back.name })}</a
                >`
              : nothing
          }<a class="btn s" href="/crew" @click=${(event: Event) => this.#go(event, "/crew")}
            >${t("crew.back")}</a
          >
        </p>
      </section>
    </div>`;
  }

  #go(event: Event, href: string): void {
    event.preventDefault();
    this.emit("hp-go", { href });
  }

  #why(now: AwayView["state"], problem: AwayView["problem"]): string {
    if (now === "missing") return t("crew.missing.text");
    if (now === "part") return t("crew.missing.part.text");
    if (this.view.offline) return t("crew.failed.offline");
    return problem ? refusal(problem) : "";
  }

  #tabs(pane: CrewPane) {
    return this.tabs(
      [
        { id: "list", mark: "table", label: t("crew.list.view") },
        { id: "graph", mark: "crew", label: t("crew.graph") },
        { id: "step", mark: "pen", label: t("crew.step.pane") },
      ],
      pane,
    );
  }

  // ── one question ───────────────────────────────────────────────────────────────────────────────────────────────

  #ask(ask: AskView | null) {
    return ask ? html`<hp-asking .view=${ask}></hp-asking>` : nothing;
  }

  // ── keys and focus ─────────────────────────────────────────────────────────────────────────────────────────────

  /** Mod S saves; Mod Z takes a step back, outside of fields. */
  protected override pressed(event: KeyboardEvent, { mod, key, typing }: PageKey): void {
    if (!mod || event.defaultPrevented || this.view.ask) return;
    if (key === "s") {
      event.preventDefault();
      this.emit("hp-save");
    }
    if (key === "z" && !typing) {
      event.preventDefault();
      this.emit("hp-step", { step: event.shiftKey ? "redo" : "undo" });
    }
  }

  /** Into the fields of the step that was opened. */
  focusStep(): void {
    void this.#workflow((element) => element.focusStep());
  }

  focusNode(id: string): void {
    void this.#workflow((element) => element.focusNode(id));
  }

  async #workflow(
    act: (element: HTMLElementTagNameMap["hp-crew-workflow"]) => void,
  ): Promise<void> {
    const element = this.renderRoot.querySelector("hp-crew-workflow");
    await (element as HpElement | null)?.updateComplete;
    if (element) act(element);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "hp-crew-page": CrewPage;
  }
}
