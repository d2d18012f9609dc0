/** The script pages: the list, or one script with its texts, its panel and its drawer. It draws a `ScriptPageView`. */
import {
  badges,
  buttons,
  detailed,
  format,
  ground,
  type HpElement,
  type IconName,
  icon,
  refusal,
  type TextKey,
  t,
} from "@holdpoint/elements";
import "@holdpoint/elements/run/run";
import "@holdpoint/elements/script/compare";
import "@holdpoint/elements/script/drawer";
import "@holdpoint/elements/script/file-tabs";
import "@holdpoint/elements/script/files";
import "@holdpoint/elements/script/preview-errors";
import "@holdpoint/elements/script/proposal";
import "@holdpoint/elements/script/tools";
import "@holdpoint/elements/script/two-versions";
import "@holdpoint/elements/shell/asking";
import { placesOf } from "@holdpoint/elements/diff/view";
import { count } from "@holdpoint/elements/review/verdict";
import type { ScriptView } from "@holdpoint/elements/script/view";
import { html, nothing } from "lit";
import { customElement } from "lit/decorators.js";
import { bar } from "../../bar.styles.js";
import { PageElement, type PageKey } from "../../page-element.js";
import { pageLinksStyle } from "../../page-links.js";
import { frame } from "../../panes.styles.js";
import { layout } from "./page.styles.js";
import type { ScriptPageView, ScriptPane } from "./page-view.js";

/** The drawer's width: script-tool.md §11. */
const CHAT = { min: 280, max: 360 };
const panes: { id: ScriptPane; mark: IconName }[] = [
  { id: "code", mark: "code" },
  { id: "run", mark: "play" },
  { id: "panel", mark: "diff" },
  { id: "chat", mark: "chat" },
];

@customElement("hp-scripts-page")
export class ScriptsPage extends PageElement<ScriptPageView> {
  static override styles = [ground, buttons, badges, bar, frame, layout, pageLinksStyle];

  protected override get state(): string {
    return this.view.signIn ? "sign-in" : (this.view.script?.state ?? "list");
  }

  override render() {
    const { view } = this;
    if (view.signIn) return html`${this.#top(view)}${this.signIn(view.signIn)}`;
    return html`${this.#top(view)}
      <div>
        ${this.offline(t("script.offline.text"), t("script.offline.ask"))}${this.problem()}${
          view.script ? this.#applied(view.script) : nothing
        }
      </div>
      ${view.script ? this.#script(view, view.script) : this.#list(view)}
      ${view.script?.state === "ready" ? this.#tabs(view, view.script) : html`<div></div>`}
      ${this.menu()}${this.toast()}${
        view.ask ? html`<hp-asking .view=${view.ask}></hp-asking>` : nothing
      }`;
  }

  #top(view: ScriptPageView) {
    const document = view.script?.title ? this.#doc(view.script) : nothing;
    return this.bar("scripts", document, this.budget(view.budgetOpen, "budget"));
  }

  #doc(script: ScriptView) {
    const { state } = script.saved;
    const ready = script.state === "ready";
    const open = ready && (state === "unsaved" || state === "offline");
    return html`<div class="doc">
      ${icon("code")}<span class="strong trunc" translate="no" title=${script.title}>${script.title}</span>${
        ready ? this.#saved(script.saved) : nothing
      }${open ? this.#save() : nothing}${ready ? this.#more(script) : nothing}
    </div>`;
  }

  /** What can be done to the script as a whole. */
  #more({ tool_id, title }: ScriptView) {
    return html`<button
      class="btn quiet s icon"
      aria-haspopup="menu"
      data-testid="hp-script-more"
      aria-label=${t("script.tools.more", { title })}
      @click=${(event: Event) =>
        this.emit("hp-tool-menu", { tool_id, title, anchor: event.currentTarget })}
    >
      ${icon("more")}
    </button>`;
  }

  #saved({ state, at }: ScriptView["saved"]) {
    if (state === "saving")
      return html`<span class="badge plain"
        >${icon("spin", "s spin")}<span>${t("script.saving")}</span></span
      >`;
    if (state !== "saved")
      return html`<span class="badge hold"
        >${icon("clock", "s")}<span>${t(`script.${state}`)}</span></span
      >`;
    const time = at === null ? null : format.when(at, this.view.now);
    const words = time === null ? t("script.saved.never") : t("script.saved", { time });
    return html`<span class="badge plain">${words}</span>`;
  }

  #save() {
    return html`<button
      class="btn s save"
      data-testid="hp-save"
      ?disabled=${this.view.offline}
      title=${t("script.save.label")}
      @click=${() => this.emit("hp-save")}
    >
      ${t("script.save")}
    </button>`;
  }

  #applied({ applied }: ScriptView) {
    if (!applied) return nothing;
    return html`<section
      class="applied"
      data-testid="hp-applied"
      aria-label=${t("script.applied.label")}
    >
      <p class="flex wrap">
        <span class="mini-stamp"
          >${icon("mark", "s")}<span>${t("script.applied.stamp")}</span
          ><span class="mono">${applied.print}</span></span
        ><span
          >${t("script.applied.text", {
            places: t("script.places", { n: applied.places }),
            files: t("script.files.n", { n: applied.files }),
            time: format.time(applied.at),
          })}</span
        >
      </p>
      <span class="flex wrap"
        ><button
          class="btn s"
          ?disabled=${!this.view.script?.undo.on}
          @click=${() => this.emit("hp-step", { step: "undo" })}
        >
          ${icon("undo", "s")}<span>${t("script.applied.undo")}</span></button
        >${
          applied.change
            ? html`<button class="btn s quiet" @click=${() => this.emit("hp-show-change")}>
                ${t("script.applied.show")}
              </button>`
            : nothing
        }<button
          class="btn s quiet icon"
          aria-label=${t("app.close")}
          @click=${() => this.emit("hp-applied-close")}
        >
          ${icon("cross")}
        </button></span
      >
    </section>`;
  }

  #list(view: ScriptPageView) {
    return html`<main class="app solo" id="main" tabindex="-1">
      <h1 class="vh">${t("script.page")}</h1>
      ${
        view.tools
          ? html`<hp-tools
              .view=${view.tools}
              tabindex="0"
              role="group"
              aria-label=${t("app.scrolls", { name: t("script.page") })}
            ></hp-tools>`
          : nothing
      }
    </main>`;
  }

  #script(view: ScriptPageView, script: ScriptView) {
    if (script.state !== "ready") return this.#away(view, script);
    const rail = script.drawer === null && view.pane !== "chat";
    return html`<main
      class="app ${rail ? "rail" : ""}"
      id="main"
      tabindex="-1"
      data-pane=${view.pane}
      style="--c-chat:${view.chatWidth}px"
    >
      <h1 class="vh" translate="no">${script.title}</h1>
      <section class="panel mid" data-f6 aria-label=${t("script.pane")}>
        <hp-file-tabs .view=${script}></hp-file-tabs>
        <hp-files
          .view=${script}
          .editors=${view.editors}
          ?hidden=${(script.front === "panel" && script.panel !== null) || script.run !== null}
        ></hp-files
        >${script.front === "panel" ? this.#panel(script) : nothing}${
          script.run ? html`<hp-run .view=${script.run}></hp-run>` : nothing
        }
      </section>
      ${rail ? this.#rail() : this.#side(view, script)}
      <p class="live" role="status" aria-live="polite">${this.#said(script)}</p>
    </main>`;
  }

  /** The drawer while it is closed. */
  #rail() {
    return html`<div></div>
      <section class="panel side railed" data-f6 aria-label=${t("script.chat")}>
        <button
          class="btn quiet icon"
          data-testid="hp-drawer-open"
          aria-label=${t("script.chat.open")}
          @click=${() => this.emit("hp-drawer", { drawer: "chat" })}
        >
          ${icon("chat")}
        </button>
      </section>`;
  }

  #side(view: ScriptPageView, { drawer, versions, chat }: ScriptView) {
    return html`<hp-separator
        trailing
        .pane=${t("script.pane.chat.width")}
        .width=${view.chatWidth}
        .min=${CHAT.min}
        .max=${CHAT.max}
        @hp-width=${(event: CustomEvent<{ width: number }>) =>
          this.emit("hp-resize", { width: event.detail.width })}
      ></hp-separator>
      <section
        class="panel side"
        data-f6
        data-testid="hp-drawer"
        aria-label=${t(drawer === "history" ? "script.versions" : "script.chat")}
      >
        <hp-drawer
          .view=${chat}
          .versions=${drawer === "history" ? versions : null}
        ></hp-drawer>
      </section>`;
  }

  /** In the place of a script: it comes, it failed, or there is none. */
  #away(view: ScriptPageView, script: ScriptView) {
    return html`<main class="app solo" id="main" tabindex="-1">
      <h1 class="vh">${t("script.page")}</h1>
      <div class="panel state">
        ${
          script.state === "loading"
            ? html`<p class="meta late">${icon("spin", "s spin")} ${t("script.loading")}</p>`
            : this.#failed(view, script)
        }
      </div>
    </main>`;
  }

  #failed(view: ScriptPageView, script: ScriptView) {
    const failed = script.state === "failed";
    return html`<section class="sheet" role="alert">
      <h2>${t(script.state === "missing" ? "script.missing" : "script.failed")}</h2>
      <p>${why(view, script)}</p>
      <p class="flex wrap">
        ${failed ? this.#again() : nothing}${
          failed && script.problem
            ? html`<hp-copy .text=${detailed(script.problem)}></hp-copy>`
            : nothing
        }<a
          class="btn s"
          href="/scripts"
          @click=${(event: Event) => {
            event.preventDefault();
            this.emit("hp-open-list");
          }}
          >${t("script.back")}</a
        >
      </p>
    </section>`;
  }

  #again() {
    return html`<button class="btn primary s" @click=${() => this.emit("hp-again")}>
      ${icon("again", "s")}<span>${t("offline.again")}</span>
    </button>`;
  }

  #panel(script: ScriptView) {
    if (script.panel === "proposal" && script.proposal)
      return html`<hp-proposal data-testid="hp-proposal" .view=${script.proposal}></hp-proposal>`;
    if (script.panel === "error" && script.failed)
      return html`<hp-preview-errors
        data-testid="hp-proposal"
        .view=${script.failed}
      ></hp-preview-errors>`;
    if (script.panel === "compare" && script.compare)
      return html`<hp-compare .view=${script.compare}></hp-compare>`;
    if (script.panel === "versions" && script.two)
      return html`<hp-two-versions .view=${script.two}></hp-two-versions>`;
    return nothing;
  }

  /** Steps, not tokens: what a person who does not look has to hear. */
  #said(script: ScriptView): string {
    const { proposal, applied, chat } = script;
    if (chat.running) return t("script.live.writing");
    if (applied)
      return t("script.live.applied", {
        places: t("script.places", { n: applied.places }),
        files: t("script.files.n", { n: applied.files }),
      });
    if (proposal?.stale) return t("script.live.stale");
    if (script.panel === "proposal" && proposal)
      return t("script.live.proposal", {
        verdict: t(`review.verdict.${proposal.preview.verdict}`),
        count: count(proposal.files.length, placesOf(proposal.files)),
      });
    return "";
  }

  #tabs({ pane }: ScriptPageView, script: ScriptView) {
    const { drawer, panel } = script;
    const waits = panel === "proposal" || panel === "versions";
    const tabs = panes.map(({ id, mark }) => ({
      id,
      mark: id === "chat" && drawer === "history" ? ("history" as const) : mark,
      label: t(paneName(id, script)),
      off: id === "panel" && panel === null,
      waits: id === "panel" && waits,
    }));
    return this.tabs(tabs, pane);
  }

  /** Mod Enter focuses the signature, or Run; Mod S saves; Mod Z undoes outside of fields. */
  protected override pressed(event: KeyboardEvent, { mod, key, typing }: PageKey): void {
    if (this.view.ask) return;
    if (event.key === "Enter" && mod)
      this.renderRoot
        .querySelector<HTMLElementTagNameMap["hp-proposal" | "hp-run"]>("hp-proposal, hp-run")
        ?.focusMain();
    if (key === "s" && mod && !event.defaultPrevented) {
      event.preventDefault();
      this.emit("hp-save");
    }
    if (key === "z" && mod && !typing && !event.defaultPrevented) {
      event.preventDefault();
      this.emit("hp-step", { step: event.shiftKey ? "redo" : "undo" });
    }
  }

  show(path: string, hunk: string | null): void {
    this.renderRoot.querySelector("hp-proposal")?.show(path, hunk);
  }

  focusChat(): void {
    this.renderRoot.querySelector<HTMLElement>("hp-drawer")?.focus();
  }

  /** After an ask the proposal has the focus; never its signature. */
  focusPanel(): void {
    const panel = this.renderRoot.querySelector<HpElement>(
      "hp-proposal, hp-preview-errors, hp-compare, hp-two-versions",
    );
    void panel?.updateComplete.then(() => panel.focusHeading());
  }

  protected override lost(): void {
    if (this.view.script?.state === "ready") this.focusTabs();
    else this.skip();
  }

  focusRun(): void {
    const run = this.renderRoot.querySelector<HpElement>("hp-run");
    void run?.updateComplete.then(() => run.focusHeading());
  }

  focusTabs(): void {
    this.renderRoot.querySelector("hp-file-tabs")?.focusTab();
  }
}

/** Why there is no script to show, in words. */
function why({ offline }: ScriptPageView, { state, problem }: ScriptView): string {
  if (state === "missing") return t("script.missing.text");
  if (offline) return t("script.failed.offline");
  return problem ? refusal(problem) : "";
}

function paneName(id: ScriptPane, { drawer, panel }: ScriptView): TextKey {
  if (id === "code") return "script.pane.code";
  if (id === "run") return "script.run.tab";
  if (id === "chat") return drawer === "history" ? "script.versions" : "script.pane.chat";
  if (panel === "versions") return "script.two";
  return panel === "compare" ? "script.tab.compare.short" : "script.pane.panel";
}

declare global {
  interface HTMLElementTagNameMap {
    "hp-scripts-page": ScriptsPage;
    "hp-proposal": import("@holdpoint/elements/script/proposal").Proposal;
    "hp-drawer": import("@holdpoint/elements/script/drawer").Drawer;
    "hp-file-tabs": import("@holdpoint/elements/script/file-tabs").FileTabs;
  }
}
