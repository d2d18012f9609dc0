/**
 * The workbench: change, before and after, conversation; on a narrow page one of them and a bar of tabs. It draws a
 * `WorkbenchPageView`. Spec: ai-sessions.md §11; UI.md §12 "Workbench".
 */
import {
  badges,
  buttons,
  detailed,
  focused,
  format,
  ground,
  type IconName,
  icon,
  refusal,
  t,
} from "@holdpoint/elements";
import { prose } from "@holdpoint/elements/base/prose";
import "@holdpoint/elements/crew/workbench/change";
import "@holdpoint/elements/crew/workbench/confirm";
import { earlier } from "@holdpoint/elements/crew/workbench/earlier";
import "@holdpoint/elements/crew/workbench/head";
import "@holdpoint/elements/crew/workbench/middle";
import "@holdpoint/elements/crew/workbench/talk";
import type { BenchPane, BenchView, FaultView } from "@holdpoint/elements/crew/workbench/view";
import "@holdpoint/elements/review/approval";
import { html, nothing, type PropertyValues } from "lit";
import { customElement, query, state } from "lit/decorators.js";
import { bar } from "../../../bar.styles.js";
import { PageElement, type PageKey } from "../../../page-element.js";
import { pageLinksStyle } from "../../../page-links.js";
import { frame } from "../../../panes.styles.js";
import { layout } from "./page.styles.js";
import type { WorkbenchPageView } from "./page-view.js";

const panes: { id: BenchPane; mark: IconName }[] = [
  { id: "chat", mark: "chat" },
  { id: "change", mark: "diff" },
  { id: "ctx", mark: "panel" },
];

@customElement("hp-workbench-page")
export class WorkbenchPage extends PageElement<WorkbenchPageView> {
  static override styles = [ground, buttons, badges, bar, frame, layout, pageLinksStyle];
  /** The head has scrolled out of sight. */
  @state() private passed = false;
  @query("main.wb") private main!: HTMLElement | null;
  /** How far the panes of a narrow page were scrolled when they were left. */
  readonly #places = new Map<BenchPane, number>();

  protected override get state(): string {
    const { signIn, fault, bench } = this.view;
    if (signIn) return "sign-in";
    return fault ? "fault" : (bench?.state ?? "loading");
  }

  override render() {
    const { view } = this;
    const top = this.bar(
      "crew",
      this.#document(view),
      this.budget(view.budgetOpen, "budget"),
      this.passed ? "passed" : "",
    );
    if (view.signIn && !view.fault) return html`${top}${this.signIn(view.signIn)}`;
    return html`${top}
      <div>
        ${this.offline(t("wb.offline"), t("script.offline.ask"))}${this.problem()}${
          view.stamp ? stamp(view.stamp) : nothing
        }
      </div>
      ${this.#main(view)}${
        view.bench?.state === "ready" ? this.#tabs(view.bench) : html`<div></div>`
      }${this.#confirm(view)}${this.menu()}${this.toast()}`;
  }

  #confirm(view: WorkbenchPageView) {
    const asked = view.bench?.confirm;
    return asked ? html`<hp-wb-confirm .view=${asked}></hp-wb-confirm>` : nothing;
  }

  #document({ bench, fault }: WorkbenchPageView) {
    if (fault || !bench?.head.project) return nothing;
    if (this.passed)
      return html`<div class="doc"><span class="strong trunc" translate="no">${bench.head.name}</span></div>`;
    return html`<div class="doc">
      ${icon("crew")}<span class="strong trunc" translate="no">${bench.head.project}</span>${
        bench.head.version
          ? html`<span class="badge plain hide-n" translate="no">${bench.head.version}</span>`
          : nothing
      }
    </div>`;
  }

  #main(view: WorkbenchPageView) {
    const { bench, fault } = view;
    if (fault) return this.#fault(fault);
    if (bench?.state === "ready") return this.#bench(bench, view.pane);
    return html`<main class="away" id="main" tabindex="-1">
      <h1 class="vh">${t("wb.page")}</h1>
      ${
        bench?.state === "failed"
          ? this.#failed(bench)
          : html`<p class="meta late">${icon("spin", "s spin")} ${t("wb.opening")}</p>`
      }
    </main>`;
  }

  #fault({ what, back, label }: FaultView) {
    return html`<main class="away" id="main" tabindex="-1">
      <section class="card" role="alert" data-testid="wb-query-error" aria-labelledby="h-q">
        <h1 id="h-q">${t("wb.query")}</h1>
        <dl class="w3">
          <dt>${t("word.what")}</dt>
          <dd>${prose(what)}</dd>
          <dt>${t("word.kept")}</dt>
          <dd>${t("wb.query.kept")}</dd>
        </dl>
        <p class="flex wrap">
          <a class="btn s primary" href=${back} data-testid="wb-back">${label}</a
          ><a class="btn s" href="/crew">${t("wb.query.all")}</a>
        </p>
      </section>
    </main>`;
  }

  #failed({ problem, head }: BenchView) {
    return html`<section class="card" role="alert" data-testid="wb-unread" aria-labelledby="h-q">
      <h1 id="h-q">${t("wb.unread")}</h1>
      ${problem ? html`<p>${prose(refusal(problem))}</p>` : nothing}${
        problem?.hints?.length
          ? html`<ul class="hints">
              ${problem.hints.map((hint) => html`<li>${hint}</li>`)}
            </ul>`
          : nothing
      }
      <p class="flex wrap">
        <button class="btn s primary" @click=${() => this.emit("hp-open-again")}>
          ${icon("again", "s")}<span>${t("offline.again")}</span></button
        ><a class="btn s" href=${head.back} data-testid="wb-back">${t("wb.back")}</a>${
          problem ? html`<hp-copy .text=${detailed(problem)}></hp-copy>` : nothing
        }
      </p>
    </section>`;
  }

  #bench(bench: BenchView, pane: BenchPane) {
    return html`<main
      class="wb"
      id="main"
      tabindex="-1"
      data-pane=${pane}
      @scroll=${this.#scrolled}
      data-middle=${bench.middle.conflict || bench.middle.errors.length || bench.middle.applied ? "first" : ""}
    >
      <hp-wb-head .view=${bench.head}></hp-wb-head>
      <div class="wb-ch">
        <section class="panel" data-f6 data-testid="wb-preview" aria-label=${t("wb.change")}>
          <hp-wb-change .view=${bench.change}></hp-wb-change>
        </section>
        <section class="panel mid" data-f6 aria-label=${t(`wb.middle.${bench.middle.is}`)}>
          <hp-wb-middle .view=${bench.middle}></hp-wb-middle>
        </section>
        <div class="p-foot" data-testid="wb-apply-bar" data-f6>
          <hp-approval bar .view=${bench.foot}></hp-approval>
        </div>
      </div>
      <section class="panel aside" data-f6 aria-label=${t("wb.aside")}>
        <h2 class="vh">${t(pane === "ctx" ? "wb.tab.ctx" : "wb.tab.chat")}</h2>
        ${this.#asideTabs(pane, bench.head.name)}
        <hp-wb-talk
          id="pan"
          role="tabpanel"
          aria-label=${t(pane === "ctx" ? "wb.tab.ctx" : "wb.tab.chat")}
          .view=${bench.talk}
          .context=${bench.context}
          .front=${pane === "ctx" ? "ctx" : "chat"}
        ></hp-wb-talk>
      </section>
      <p class="live" role="status" aria-live="polite" data-testid="wb-live">${bench.said}</p>
    </main>`;
  }

  #asideTabs(pane: BenchPane, name: string) {
    const tab = (id: "chat" | "ctx") => {
      const on = (id === "ctx") === (pane === "ctx");
      return html`<button
        role="tab"
        id="tab-${id}"
        aria-controls="pan"
        aria-selected=${on}
        tabindex=${on ? 0 : -1}
        data-testid="wb-tab-${id}"
        @click=${() => this.emit("hp-pane", { pane: id })}
      >
        ${t(`wb.tab.${id}`)}
      </button>`;
    };
    return html`<div class="ptabs">
      <div role="tablist" aria-label=${t("wb.aside")} @keydown=${this.#turned}>
        ${tab("chat")}${tab("ctx")}
      </div>
      ${earlier(name, "end")}
    </div>`;
  }

  /** On a narrow page the head scrolls away: then the bar says what is talked about. */
  #scrolled = ({ currentTarget }: Event): void => {
    const main = currentTarget as HTMLElement;
    this.passed = main.scrollTop > (main.querySelector("hp-wb-head")?.clientHeight ?? 0);
  };

  protected override willUpdate(changed: PropertyValues<this>): void {
    super.willUpdate(changed);
    const before = changed.get("view")?.pane;
    if (before && before !== this.view.pane) this.#places.set(before, this.main?.scrollTop ?? 0);
  }

  /** On a narrow page the panes scroll in one place: each comes back as it was left. */
  protected override updated(changed: PropertyValues<this>): void {
    super.updated(changed);
    const before = changed.get("view")?.pane;
    const { pane } = this.view;
    if (!before || before === pane || !this.main) return;
    const { main } = this;
    const place = this.#places.get(pane);
    if (place !== undefined || pane !== "chat") main.scrollTop = place ?? 0;
    else main.scrollTop = main.scrollHeight;
  }

  #turned = (event: KeyboardEvent): void => {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    event.preventDefault();
    const next = this.view.pane === "ctx" ? "chat" : "ctx";
    this.emit("hp-pane", { pane: next });
    void this.updateComplete.then(() =>
      this.renderRoot.querySelector<HTMLElement>(`#tab-${next}`)?.focus(),
    );
  };

  #tabs({ foot, middle }: BenchView) {
    const waits = foot.state === "waits" || middle.conflict !== null;
    return this.tabs(
      panes.map(({ id, mark }) => ({
        id,
        mark,
        label: t(`wb.tab.${id}`),
        waits: id === "change" && waits,
      })),
      this.view.pane,
    );
  }

  /** Mod Enter focuses the signature and never presses it; Mod Z takes back what was applied, Shift brings it again. */
  protected override pressed(event: KeyboardEvent, { mod, key, typing }: PageKey): void {
    if (event.key === "Enter" && mod) this.renderRoot.querySelector("hp-approval")?.focusMain();
    const { stamp } = this.view;
    if (!stamp || !mod || key !== "z" || typing || event.shiftKey !== stamp.undone) return;
    event.preventDefault();
    this.emit("hp-act", { id: "undo" });
  }

  show(path: string): void {
    this.renderRoot.querySelector("hp-wb-middle")?.show(path);
  }

  focusChat(): void {
    this.renderRoot.querySelector<HTMLElement>("hp-wb-talk")?.focus();
  }

  fill(text: string): void {
    this.renderRoot.querySelector("hp-wb-talk")?.fill(text);
  }

  /** After an apply, or a conflict: what became of it. */
  focusMiddle(): void {
    void this.updateComplete.then(() =>
      this.renderRoot.querySelector("hp-wb-middle")?.focusResult(),
    );
  }

  /** What had the focus goes with a dialog: back to the signature that asked. */
  focusFoot(): void {
    if (focused() === document.body || !focused())
      this.renderRoot.querySelector("hp-approval")?.focusMain();
  }
}

const stamp = ({ print, changes, files, at, undone }: NonNullable<WorkbenchPageView["stamp"]>) =>
  html`<section class="applied" aria-label=${t("script.applied.label")}>
    <p class="flex wrap">
      <span class="mini-stamp"
        >${icon("mark", "s")}<span>${t(undone ? "wb.undone" : "script.applied.stamp")}</span
        ><span class="mono">${print}</span></span
      ><span
        >${t("wb.stamp", {
          changes: t("wb.changes", { n: changes }),
          files: t("wb.files.n", { n: files }),
          time: format.time(at),
        })}</span
      >
    </p>
  </section>`;

declare global {
  interface HTMLElementTagNameMap {
    "hp-workbench-page": WorkbenchPage;
    "hp-approval": import("@holdpoint/elements/review/approval").Approval;
  }
}
