/** The pages of apps: the list, or one app with workspace, versions and what is live; drawn by `AppsPageView`. */
import { badges, buttons, detailed, ground, heads, icon, refusal, t } from "@holdpoint/elements";
import "@holdpoint/elements/apps/apps";
import "@holdpoint/elements/apps/bar";
import "@holdpoint/elements/apps/build";
import "@holdpoint/elements/apps/code";
import "@holdpoint/elements/apps/conflict";
import "@holdpoint/elements/apps/export";
import "@holdpoint/elements/apps/preview";
import "@holdpoint/elements/apps/publish";
import "@holdpoint/elements/apps/review";
import "@holdpoint/elements/apps/services";
import "@holdpoint/elements/apps/settings";
import "@holdpoint/elements/apps/talk";
import "@holdpoint/elements/apps/tree";
import "@holdpoint/elements/apps/versions";
import { html, nothing } from "lit";
import { customElement } from "lit/decorators.js";
import { bar } from "../../bar.styles.js";
import { PageElement, type PageKey, type Tab } from "../../page-element.js";
import { pageLinksStyle } from "../../page-links.js";
import { frame } from "../../panes.styles.js";
import { layout } from "./page.styles.js";
import type { AppPane, AppsPageView, OpenAppView, WorkspaceView } from "./page-view.js";

/** The width of the conversation, in pixels. */
const CHAT = { min: 320, max: 520 };

@customElement("hp-apps-page")
export class AppsPage extends PageElement<AppsPageView> {
  static override styles = [ground, buttons, badges, heads, bar, frame, layout, pageLinksStyle];

  protected override get state(): string {
    const { signIn, app, away } = this.view;
    if (signIn) return "sign-in";
    if (!app) return away?.state ?? "list";
    if (app.publish) return "publish";
    if (app.versions) return "versions";
    if (app.settings) return "settings";
    if (app.services) return "services";
    if (app.exporting) return "export";
    return app.work?.review ? "review" : "workspace";
  }

  override render() {
    const { view } = this;
    if (view.signIn) return html`${this.#top(view)}${this.signIn(view.signIn)}`;
    return html`${this.#top(view)}
      <div>${this.offline(t("apps.offline.text"), t("apps.offline.ask"))}${this.problem()}</div>
      ${this.#main(view)}${this.#tabs(view)}${this.menu()}${this.toast()}`;
  }

  #top(view: AppsPageView) {
    const name = view.app?.bar.name;
    const document = name
      ? html`<div class="doc">
          ${icon("app")}<span class="strong trunc" translate="no" title=${name}>${name}</span>
        </div>`
      : nothing;
    return this.bar("apps", document, this.budget(view.budgetOpen, "budget"));
  }

  #main({ list, app, away }: AppsPageView) {
    if (app) return this.#app(app);
    return html`<main class="app solo" id="main" tabindex="-1">
      <h1 class="vh">${t("apps.page")}</h1>
      ${
        list
          ? html`<hp-apps
              .view=${list}
              tabindex="0"
              role="group"
              aria-label=${t("app.scrolls", { name: t("apps.page") })}
            ></hp-apps>`
          : html`<div class="panel state">
              ${
                away?.state === "loading"
                  ? html`<p class="meta late">${icon("spin", "s spin")} ${t("apps.opening")}</p>`
                  : nothing
              }${away && away.state !== "loading" ? this.#failed(away) : nothing}
            </div>`
      }
    </main>`;
  }

  /** In the place of an app: it failed, or there is none. */
  #failed({ state, problem }: NonNullable<AppsPageView["away"]>) {
    const missing = state === "missing";
    const why = missing ? t("apps.missing.text") : problem && refusal(problem);
    return html`<section class="sheet" role="alert">
      <h2>${t(missing ? "apps.missing" : "apps.unread")}</h2>
      <p>${this.view.offline && !missing ? t("apps.unread.offline") : why}</p>
      <p class="flex wrap">
        ${
          missing
            ? nothing
            : html`<button class="btn primary s" @click=${() => this.emit("hp-again")}>
                ${icon("again", "s")}<span>${t("offline.again")}</span>
              </button>`
        }${problem && !missing ? html`<hp-copy .text=${detailed(problem)}></hp-copy>` : nothing}<a
          class="btn s"
          href="/apps"
          @click=${(event: Event) => {
            event.preventDefault();
            this.emit("hp-open-list");
          }}
          >${t("apps.back")}</a
        >
      </p>
    </section>`;
  }

  #app(app: OpenAppView) {
    const { work, versions, publish, settings, services, exporting } = app;
    return html`<main class="app solo one" id="main" tabindex="-1" data-pane=${this.view.pane}>
      <hp-app-bar .view=${app.bar} .href=${app.href} data-f6></hp-app-bar>
      ${work ? this.#work(work) : nothing}
      ${versions ? html`<hp-app-versions .view=${versions}></hp-app-versions>` : nothing}
      ${publish ? html`<hp-publish .view=${publish}></hp-publish>` : nothing}
      ${settings ? html`<hp-app-settings .view=${settings}></hp-app-settings>` : nothing}
      ${services ? html`<hp-app-services .view=${services}></hp-app-services>` : nothing}
      ${exporting ? html`<hp-app-export .view=${exporting}></hp-app-export>` : nothing}
      <p class="live" role="status" aria-live="polite">${work ? said(work) : nothing}</p>
    </main>`;
  }

  #work(work: WorkspaceView) {
    if (work.review) return this.#review(work);
    return html`<div class="ab ${work.conflict ? "met" : ""}" style="--c-chat:${this.view.chatWidth}px">
      <section class="panel tree" data-f6 aria-label=${t("apps.files")}>
        <hp-code-tree .view=${work.code}></hp-code-tree>
      </section>
      <section class="panel mid" data-f6 aria-label=${t("apps.middle")}>${this.#middle(work)}</section>
      <hp-separator
        trailing
        .pane=${t("apps.chat.width")}
        .width=${this.view.chatWidth}
        .min=${CHAT.min}
        .max=${CHAT.max}
        @hp-width=${(event: CustomEvent<{ width: number }>) =>
          this.emit("hp-resize", { width: event.detail.width })}
      ></hp-separator>
      ${this.#talk(work)}
    </div>`;
  }

  #talk({ talk }: WorkspaceView) {
    const { now, currency } = this.view;
    return html`<section class="panel chat" data-f6 aria-label=${t("apps.chat")}>
      <hp-app-talk .view=${talk} .now=${now} .currency=${currency}></hp-app-talk>
    </section>`;
  }

  /** The conversation is a rail beside a review; on a narrow page it is a pane. */
  #review(work: WorkspaceView) {
    const { pane } = this.view;
    return html`<div class="ab reviewing">
      <section class="panel rev">
        <hp-app-review
          .view=${work.review}
          .pane=${pane === "result" ? "result" : "change"}
        ></hp-app-review>
      </section>
      <section class="panel rail" data-f6 aria-label=${t("apps.chat")}>
        <button class="rail-b" @click=${() => this.emit("hp-review-close")}>
          ${icon("chat")}<span>${t("apps.chat")}</span>
        </button>
      </section>
    </div>`;
  }

  #middle(work: WorkspaceView) {
    if (work.conflict) return html`<hp-app-conflict .view=${work.conflict}></hp-app-conflict>`;
    const { front, preview, code, editors, build } = work;
    const n = preview.number;
    const kept = n !== null && n !== preview.draft ? t("apps.build.kept", { n: String(n) }) : "";
    return html`<h2 class="vh">${t("apps.middle")}</h2>
      ${this.#switch(work)}
      <hp-preview .view=${preview} ?hidden=${front !== "preview"}></hp-preview>
      <hp-code .view=${code} .editors=${editors} ?hidden=${front !== "code"}></hp-code>
      ${
        build
          ? html`<div class="under scroll" tabindex="0" role="group" aria-label=${t("apps.build.scrolls")}>
              <hp-build .view=${build} .kept=${kept} .undo=${work.undo}></hp-build>
            </div>`
          : nothing
      }`;
  }

  #switch({ front, shown, undo, redo }: WorkspaceView) {
    const fronts = [
      ["preview", "eye"],
      ["code", "code"],
    ] as const;
    const step = (name: "undo" | "redo", { on, reason }: WorkspaceView["undo"]) =>
      html`<button
        class="btn quiet icon s"
        data-testid="hp-${name}"
        aria-label=${t(`apps.${name}`)}
        title=${reason || t(`apps.${name}.free`)}
        ?disabled=${!on}
        @click=${() => this.emit("hp-step", { step: name })}
      >
        ${icon(name)}
      </button>`;
    return html`<div class="p-head sw">
      <span class="seg hide-n" role="group" aria-label=${t("apps.front")}
        >${fronts.map(
          ([name, mark]) =>
            html`<button
              aria-pressed=${front === name}
              data-testid="hp-front-${name}"
              @click=${() => this.emit("hp-front", { front: name })}
            >
              ${icon(mark, "s")}<span>${t(`apps.front.${name}`)}</span>
            </button>`,
        )}</span
      ><span class="meta trunc" data-testid="hp-shown">${shown}</span>
      <div class="end">${step("undo", undo)}${step("redo", redo)}</div>
    </div>`;
  }

  #tabs({ app, pane }: AppsPageView) {
    const work = app?.work;
    if (!work) return html`<div></div>`;
    const tab = (id: AppPane, mark: Tab["mark"], waits = false): Tab => ({
      ...{ id, mark, waits },
      label: t(`apps.pane.${id}`),
    });
    const tabs = work.review
      ? [tab("change", "diff", work.review.foot.state === "waits"), tab("result", "eye")]
      : [tab("chat", "chat"), tab("preview", "eye"), tab("code", "code", work.conflict !== null)];
    return this.tabs(tabs, pane);
  }

  /** Mod Enter focuses the signature; Mod S saves. */
  protected override pressed(event: KeyboardEvent, { mod, key }: PageKey): void {
    if (event.key === "Enter" && mod) {
      this.renderRoot.querySelector("hp-app-review")?.focusMain();
      this.renderRoot.querySelector("hp-publish")?.focusMain();
    }
    if (key === "s" && mod && !event.defaultPrevented && this.view.app?.work) {
      event.preventDefault();
      this.emit("hp-save");
    }
  }

  show(path: string, hunk: string | null): void {
    this.renderRoot.querySelector("hp-app-review")?.show(path, hunk);
  }

  /** Where a person goes on; never on a signature. */
  focusOn(where: "review" | "code" | "chat" | "workspace"): void {
    if (where === "chat") {
      this.renderRoot.querySelector("hp-app-talk")?.focus();
      return;
    }
    const name = { review: "hp-app-review", code: "hp-app-conflict", workspace: "hp-preview" }[
      where
    ];
    const element = this.renderRoot.querySelector<AppsPage>(name);
    void element?.updateComplete.then(() => element.focusHeading());
  }
}

/** Steps, not tokens: what a person who does not look has to hear. */
function said({ talk, review, preview, conflict }: WorkspaceView): string {
  if (conflict) return t("apps.conflict");
  if (review?.state === "ready") return t("apps.live.review", { n: review.files.length });
  if (talk.conversation.running) return t("apps.live.running");
  return preview.state === "building" ? t("apps.preview.building") : "";
}

declare global {
  interface HTMLElementTagNameMap {
    "hp-apps-page": AppsPage;
  }
}
