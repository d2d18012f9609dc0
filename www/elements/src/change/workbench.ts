/**
 * The change column: head, road, sheet, foot. It draws one `ChangeView`; the host acts on its events. UI.md §2, §5, §6.
 */
import { html, nothing } from "lit";
import { customElement, property, query } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { focused } from "../base/focused.js";
import { icon } from "../base/icons.js";
import { calls, heads, sheets, tables } from "../base/sheets.js";
import { badges, buttons, ground } from "../base/styles.js";
import type { Approval } from "../review/approval.js";
import { t } from "../text/index.js";
import { answerSheet, promoteSheet } from "./answer-sheet.js";
import { driftSheet } from "./drift-sheet.js";
import { cancelledSheet, errorSheet, reviewSheet, runningSheet } from "./end-sheets.js";
import { composerFoot, FINDING, foot } from "./foot.js";
import { historySheet } from "./history-sheet.js";
import { installedSheet } from "./installed-sheet.js";
import type { LogView } from "./log-view.js";
import type { PlanCard } from "./plan-card.js";
import { doing } from "./run-timeline.js";
import {
  elsewhereSheet,
  emptySheet,
  overBudgetSheet,
  planningSheet,
  planSheet,
  problemSheet,
  wordsSheet,
} from "./start-sheets.js";
import { type ChangeState, type ChangeView, changeState, isScript, road } from "./view.js";
import { styles } from "./workbench.styles.js";
import "../review/approval.js";
import "../review/review.js";
import "./answer.js";
import "./cost.js";
import "./log.js";
import "../diff/diff.js";
import "../talk/composer.js";
import type { Composer } from "../talk/composer.js";
import "../talk/conversation.js";
import "./plan-card.js";
import "./promote.js";
import "./road.js";
import "./run-timeline.js";
import "./source.js";
import "./stamp.js";
import "./versions.js";
import "./wishes.js";
import "./wrong.js";

/** Elements of the sheet that have its first heading inside. */
const FOCUSED = ["hp-plan-card", "hp-answer", "hp-promote", "hp-wrong", "hp-wishes"]
  .map((name) => `.wb-body > .stack > ${name}`)
  .join(",");
/** How near to its end the sheet counts as read to the end, in px. */
const AT_BOTTOM = 24;
/** Height of head and road, in px. */
const HEAD_AND_ROAD = 84;

@customElement("hp-workbench")
export class Workbench extends HpElement {
  static override styles = [ground, buttons, badges, sheets, calls, tables, heads, styles];
  @property({ attribute: false }) view?: ChangeView;
  @property({ type: Boolean }) adjusting = false;
  @query(".wb-body") private body!: HTMLElement | null;
  private shownState: ChangeState | null = null;
  private follow = false;
  private merged = false;
  /** The sheet of this state comes later than the state: its heading waits, as long as this has the focus. */
  private owed: Element | null = null;

  protected override get state(): string {
    return this.view ? changeState(this.view) : "empty";
  }

  override render() {
    const view = this.view;
    if (!view) return nothing;
    const state = changeState(view);
    return html`<div
      class="col"
      @hp-fill=${(event: CustomEvent<{ text: string }>) => this.#fill(event.detail.text)}
      @hp-act=${(event: CustomEvent<{ id: string }>) => this.#act(event)}
      @hp-clear=${() => this.renderRoot.querySelector<Composer>("hp-composer")?.focus()}
    >
      <div class="scr" @scroll=${this.#scrolled}>
        ${this.#head(view, state)}
        ${withoutRoad(view, state) ? nothing : html`<hp-road .view=${road(view, state)}></hp-road>`}
        <div
          class="p-body scroll wb-body ${state === "source" ? "bare" : ""}"
          tabindex="0"
          role="group"
          aria-label=${t("app.scrolls", { name: t("change.body") })}
          @scroll=${this.#read}
        >
          ${this.#sheet(view, state)}
        </div>
      </div>
      <div class="p-foot">${this.#foot(view, state)}</div>
      <p class="vh" role="status" aria-live="polite">${announcement(view, state)}</p>
    </div>`;
  }

  #head(view: ChangeView, state: ChangeState) {
    const fresh = view.run === null || view.run.state === "idle";
    const [title, below] = titled(view, state, fresh);
    return html`<div class="p-head">
      <h2 id="h-wb">${title}</h2>
      ${below ? html`<span class="meta trunc">${below}</span>` : nothing}
      ${
        state === "source" && view.source && changed(view.source)
          ? html`<span class="badge plain"
              >${icon("pen", "s")}<span>${t("change.edited")}</span></span
            >`
          : nothing
      }
      <div class="end">
        <button
          class="btn quiet s icon"
          aria-label=${t("change.history")}
          aria-pressed=${state === "history"}
          @click=${() => this.emit("hp-act", { id: "history" })}
        >
          ${icon("history")}
        </button>
        <button
          class="btn quiet s icon"
          aria-label=${t("change.new")}
          @click=${() => this.emit("hp-act", { id: "new" })}
        >
          ${icon("plus")}
        </button>
        <button
          class="btn quiet s icon hide-n"
          aria-label=${t("change.widen")}
          @click=${() => this.emit("hp-act", { id: "widen" })}
        >
          ${icon("wide")}
        </button>
      </div>
    </div>`;
  }

  #sheet(view: ChangeView, state: ChangeState) {
    const emit = (type: string, detail?: unknown) => this.emit(type, detail);
    switch (state) {
      case "empty":
        return emptySheet((text) => this.#fill(text));
      case "words":
        return wordsSheet(view);
      case "elsewhere":
        return elsewhereSheet(view, emit);
      case "planning":
        return planningSheet(view);
      case "problem":
        return problemSheet(view, emit);
      case "plan":
        return html`${before(view)}${planSheet(view, emit)}`;
      case "overbudget":
        return overBudgetSheet(view, emit);
      case "running":
        return runningSheet(view);
      case "review":
      case "confirm":
      case "moved":
      case "stale":
        return reviewSheet(view, state, emit);
      case "answered":
        return answerSheet(view);
      case "promote":
        return promoteSheet(view);
      case "wrong":
        return html`<div class="stack"><hp-wrong .view=${view.wrong}></hp-wrong></div>`;
      case "error":
        return errorSheet(view, emit, (text) => this.#fill(text));
      case "cancelled":
        return cancelledSheet(view, (text) => this.#fill(text));
      case "installed":
      case "notstored":
        return installedSheet(view, state, emit);
      case "source":
        return view.source ? sourceSheet(view.source) : nothing;
      case "history":
        return view.history ? historySheet(view.history, view.chosen, emit) : nothing;
      case "wishes":
        return html`<div class="stack"><hp-wishes .view=${view.wishes}></hp-wishes></div>`;
      case "drift":
        return view.drift ? driftSheet(view.drift, emit) : nothing;
    }
  }

  #foot(view: ChangeView, state: ChangeState) {
    const composer = composerFoot(view, state, this.adjusting);
    if (composer)
      return html`<hp-composer .view=${composer}
        >${composer.mode === "adjust" ? this.#cancel() : nothing}</hp-composer
      >`;
    const signature = foot(view, state);
    return signature ? html`<hp-approval .view=${signature}></hp-approval>` : nothing;
  }

  /** Leaves the words for the plan. */
  #cancel() {
    return html`<button
      class="btn s quiet"
      type="button"
      @click=${() => this.emit("hp-act", { id: "back" })}
    >
      ${t("app.cancel")}
    </button>`;
  }

  protected override updated(changed: Map<PropertyKey, unknown>): void {
    super.updated(changed);
    const state = this.view ? changeState(this.view) : "empty";
    if (this.shownState !== null && this.shownState !== state) this.#moved(this.shownState, state);
    else if (this.owed) void this.#focusSheet(this.owed);
    else if (this.follow && this.body) this.body.scrollTop = this.body.scrollHeight;
    this.shownState = state;
    if (changed.has("adjusting") && this.adjusting) void this.#focusWords();
  }

  /**
   * After ask the plan's heading; when the run ends the review's heading or the callout. Never the signature itself.
   */
  #moved(before: ChangeState, state: ChangeState): void {
    if (this.body) this.body.scrollTop = 0;
    this.owed = null;
    const mine: ChangeState[] = [
      "plan",
      "overbudget",
      "running",
      "review",
      "confirm",
      "error",
      "installed",
      "notstored",
      "words",
      "answered",
      "promote",
      "wrong",
      "wishes",
      "moved",
      "stale",
      "drift",
    ];
    // What had the focus may be gone with the sheet before: then it is not left on nothing.
    if (!mine.includes(state) && focused() !== document.body) return;
    if (this.#byItself(before, state) && this.#elsewhere()) return;
    if (before === "source" || before === "history" || this.#writesElsewhere()) return;
    if (
      (state === "confirm" && before === "review") ||
      (state === "review" && before === "confirm")
    )
      return;
    void this.#focusSheet(focused());
  }

  /** Whether nobody did anything for it: a change came back with the page, or what was signed is stored now. */
  #byItself(before: ChangeState, state: ChangeState): boolean {
    const returned = this.view?.restored && (before === "empty" || before === "words");
    return returned || (before === "notstored" && state === "installed");
  }

  /** What has the focus in another pane. */
  #elsewhere(): HTMLElement | null {
    const at = focused();
    const other = at instanceof HTMLElement && at !== document.body && !within(this, at);
    return other ? at : null;
  }

  /** Whether a person writes there: nothing takes that from them. */
  #writesElsewhere(): boolean {
    const at = this.#elsewhere();
    return at !== null && (at.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(at.tagName));
  }

  /** Whoever left `had` for another pane while the sheet was drawn stays there. */
  async #focusSheet(had: Element | null): Promise<void> {
    const inner = this.renderRoot.querySelector<HpElement>(FOCUSED);
    await inner?.updateComplete;
    if (focused() !== had && this.#elsewhere()) {
      this.owed = null;
      return;
    }
    const heading = this.renderRoot.querySelector<HTMLElement>(
      ".wb-body [role=alert] h3, .wb-body h3",
    );
    if (!heading && inner) return inner.focusHeading();
    const target = heading ?? this.renderRoot.querySelector<HTMLElement>("#h-wb");
    const comes =
      heading === null && this.renderRoot.querySelector(".wb-body")?.childElementCount === 0;
    this.owed = comes ? had : null;
    if (!target) return;
    target.tabIndex = -1;
    target.focus({ preventScroll: true });
  }

  /** Who asked for other words writes them next. */
  async #focusWords(): Promise<void> {
    await this.updateComplete;
    const composer = this.renderRoot.querySelector<Composer>("hp-composer");
    await composer?.updateComplete;
    composer?.focus();
  }

  /** Asked when a person scrolls and not before each drawing: that would lay out the whole page each time. */
  #read(event: Event): void {
    const body = event.currentTarget as HTMLElement;
    this.follow =
      body.scrollHeight - body.scrollTop - body.clientHeight < AT_BOTTOM && body.scrollTop > 0;
  }

  /** Narrow: once head and road have left with the text, the host's bar says where this is. */
  #scrolled(event: Event): void {
    const merged = (event.currentTarget as HTMLElement).scrollTop > HEAD_AND_ROAD;
    if (merged === this.merged) return;
    this.merged = merged;
    this.emit("hp-merged", { merged });
  }

  /** What the column does itself; everything else is its host's. */
  #act(event: CustomEvent<{ id: string }>): void {
    if (event.detail.id !== FINDING) return;
    event.stopPropagation();
    this.renderRoot.querySelector<PlanCard>("hp-plan-card")?.showFinding();
  }

  /** Puts a request into the composer; it is not sent. */
  #fill(text: string): void {
    this.renderRoot.querySelector<Composer>("hp-composer")?.fill(text);
  }

  /** Mod Enter brings focus to the signing button and never presses it. */
  focusMain(): void {
    this.renderRoot.querySelector<Approval>("hp-approval")?.focusMain();
  }
}

/** A list, or a script, is on no road. */
const withoutRoad = ({ run, wrong }: ChangeView, state: ChangeState): boolean =>
  ["history", "drift", "wishes"].includes(state) ||
  (state === "wrong" && wrong?.of !== undefined) ||
  isScript(run);

/** What the head says: a script is no numbered change. */
function titled(view: ChangeView, state: ChangeState, fresh: boolean): [string, string] {
  const { run, number, title, history, drift, wrong } = view;
  if (state === "history")
    return [t("change.history"), t("history.count", { n: history?.changes.length ?? 0 })];
  if (state === "wishes") return [t("wishes.title"), ""];
  if (state === "wrong" && wrong?.of) return [t("wrong.head"), wrong.of.name];
  if (state === "drift") return [t("drift.head"), t("drift.sub", { n: drift?.lines.length ?? 0 })];
  if (fresh) return [t("change.new"), ""];
  if (!isScript(run)) return [t("change.number", { n: number }), title];
  if (state === "words") return [t("answer.words"), ""];
  return [t("answer.head"), run?.state === "answered" ? t("answer.sub") : ""];
}

const sourceSheet = (source: NonNullable<ChangeView["source"]>) =>
  html`<hp-source
    .base=${source.base}
    .files=${source.files}
    .check=${source.check}
    .checkedAt=${source.checkedAt}
    .at=${source.at}
  ></hp-source>`;

/** What the change goes on from, above its plan. */
const before = ({ log }: ChangeView) =>
  log && log.changes.length > 1
    ? html`<hp-change-log class="before" .view=${earlier(log)}></hp-change-log>`
    : nothing;

/** The changes before this one: its own words and its plan stand below. */
function earlier(log: LogView): LogView {
  const changes = log.changes.map((change, i) =>
    i === log.changes.length - 1 ? { ...change, entries: [] } : change,
  );
  return { ...log, changes };
}

/** Whether an element stands below another, through shadow roots. */
function within(host: Element, at: Element): boolean {
  for (
    let node: Node | null = at;
    node;
    node = node.parentNode ?? (node instanceof ShadowRoot ? node.host : null)
  )
    if (node === host) return true;
  return false;
}

const changed = (source: NonNullable<ChangeView["source"]>): boolean =>
  Object.keys(source.files).some((path) => source.files[path] !== source.base[path]);

/** What became of a permission that was unticked. */
function announcedGrants({ grants }: ChangeView): string {
  if (grants?.running) return t("review.closed.testing");
  const test = Object.values(grants?.needing ?? {}).at(-1);
  return test === undefined ? "" : t("review.needed.test", { name: test });
}

/** Steps, not tokens: what the live region says. */
function announcement(view: ChangeView, state: ChangeState): string {
  if (state === "running") {
    const attempt = view.run?.attempts.at(-1);
    const at = attempt?.steps.find((step) => step.status === "running")?.step ?? "write";
    const step = t(doing(view.run, at));
    return attempt?.number === "hand"
      ? t("run.status.hand", { step })
      : t("run.status", {
          n: Number(attempt?.number ?? 0) + 1,
          of: view.run?.attempts_max ?? 0,
          step,
        });
  }
  if (state === "planning") return t("wait.title");
  if (state === "plan") return t("road.label", { step: t("road.plan") });
  const grants = announcedGrants(view);
  if (grants && (state === "review" || state === "confirm")) return grants;
  if (state === "review") return t("road.label", { step: t("road.review") });
  return "";
}
