/** The page: bar, tree, table, dock, change; one pane with tabs on a narrow screen. It draws a `PageView`. UI.md §2. */
import {
  badges,
  buttons,
  changeState,
  type Elements,
  ground,
  heads,
  type IconName,
  icon,
  refusal,
  road,
  t,
  type Workbench,
} from "@holdpoint/elements";
import { steps } from "@holdpoint/elements/change/road";
import { type DockView, PLACES } from "@holdpoint/elements/dock/open-panels";
import { html, nothing } from "lit";
import { customElement, state } from "lit/decorators.js";
import { bar } from "../../bar.styles.js";
import { PageElement, type PageKey } from "../../page-element.js";
import { pageLinksStyle } from "../../page-links.js";
import { frame } from "../../panes.styles.js";
import { type Arrangement, arranged } from "./arrangement.js";
import { pressed, shownKey, writesNothing } from "./contributions.js";
import { arrangedForCheck, changeRail, checksPane, focusFollows } from "./ids-page.js";
import { checked } from "./ids-page.styles.js";
import { columns, layouts } from "./page.styles.js";
import { modelPane, type Send, treePane } from "./page-model.js";
import { trialsPane } from "./page-trials.js";
import { sides } from "./page-trials.styles.js";
import type { PageView, Pane, Widths } from "./page-view.js";
import { paletteGroups, paletteMore } from "./palette.js";
import { noWebgl } from "./view3d-page.js";

/** Sizes of the panes that can be moved, in px. */
const BOUNDS = {
  tree: { min: 200, max: 480 },
  left: { min: 280, max: 640 },
  bottom: { min: 120, max: 640 },
  dock: { min: 280, max: 640 },
  work: { min: 380, max: 900 },
};
const NAMES = {
  tree: "pane.tree",
  left: "dock.tabs.left",
  bottom: "dock.tabs.bottom",
  dock: "dock.tabs.right",
  work: "pane.change",
} as const;
/** Widths of the change column until a person moves it, in px. */
const WORK = { plan: 440, review: 620, dock: 416, trying: 520 };
/** Below this width, in px, there is one pane. */
const NARROW = 768;
const MAC = /Mac|iP/.test(navigator.platform);
const REVIEWING = ["review", "confirm", "moved", "stale", "source", "history"];
const panes: { id: Pane; icon: IconName }[] = [
  { id: "tree", icon: "storey" },
  { id: "model", icon: "cube" },
  { id: "change", icon: "mark" },
  { id: "panels", icon: "panel" },
];

@customElement("hp-page")
export class Page extends PageElement<PageView> {
  static override styles = [
    ground,
    buttons,
    badges,
    heads,
    bar,
    frame,
    columns,
    layouts,
    sides,
    checked,
    pageLinksStyle,
  ];
  /** Narrow: head and road have left with the text; the bar says where you are. */
  @state() private merged = false;

  @state() private width = innerWidth;
  readonly #resized = (): void => {
    this.width = innerWidth;
  };

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("resize", this.#resized);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("resize", this.#resized);
  }

  protected override updated(changed: Map<PropertyKey, unknown>): void {
    super.updated(changed);
    if (changed.has("view"))
      focusFollows(this.renderRoot, changed.get("view") as PageView | undefined, this.view);
  }

  override render() {
    const { view } = this;
    if (view.signIn) return html`${this.#top(view)}${this.signIn(view.signIn)}`;
    if (view.examples) return this.#examples(view);
    const checks = Boolean(view.ids) && !isTrying(view);
    const panes = checks
      ? arrangedForCheck(view, this.width)
      : arranged(this.width, view, this.#work(view), isTrying(view));
    const [left, bottom, right] = PLACES.map((place) =>
      panes.docks.find((dock) => dock.place === place),
    );
    const docked = checks || panes.docks.length > 0;
    const two = view.trials.length > 0;
    return html`${this.#top(view)}
      <div>
        ${this.#away(view)}${this.#waiting(view)}${this.#drift(view)}${noWebgl(view, this.#send)}${this.problem()}
      </div>
      <main
        id="main"
        tabindex="-1"
        class="app ${docked ? "with-dock" : ""} ${two ? "with-sides" : ""}"
        data-pane=${view.pane}
        data-pair=${view.pair}
        ?data-rail=${panes.rail}
        ?data-shares=${panes.shares}
        ?data-checks=${checks}
        style=${this.#tracks(panes, bottom !== undefined)}
      >
        <h1 class="vh">${view.model.facts?.name ?? t("app.name")}</h1>
        ${panes.rail ? this.#rail() : nothing} ${treePane(view, this.#send)}
        ${this.#separator("s1", "tree")}
        ${left ? html`${this.#dock(view, left)} ${this.#separator("s2", "left")}` : nothing}
        ${modelPane(view, this.#send)} ${two ? trialsPane(view, this.#send) : nothing}
        ${bottom ? html`${this.#separator("s5", "bottom")} ${this.#dock(view, bottom)}` : nothing}
        ${right ? this.#separator("s3", "dock") : nothing}
        ${docked && !checks ? this.#pair(view, right) : nothing}
        ${checks ? html`${checksPane(view)} ${changeRail(view, this.#send)}` : nothing}
        ${right || !(docked || two) ? this.#dock(view, right) : nothing} ${this.#separator("s4", "work")}
        <section
          class="panel work"
          data-f6
          aria-label=${t("change.column", { n: view.change.number })}
        >
          <hp-workbench
            .view=${view.change}
            ?adjusting=${view.adjusting}
            @hp-merged=${(event: CustomEvent<{ merged: boolean }>) =>
              (this.merged = event.detail.merged)}
          ></hp-workbench>
        </section>
        ${this.#over(view)}
      </main>
      ${this.#tabs(view)}${this.toast()}`;
  }

  /** Without a network, what works; who never signed in cannot sign. */
  #away({ change }: PageView) {
    return this.offline(
      t(change.nobody ? "offline.text.nobody" : "offline.text"),
      t("offline.ask"),
    );
  }

  /** What was signed here and is not stored: why, and what a person can do. Offline, the notice above says why. */
  #waiting({ waiting = [], offline }: PageView) {
    const [first] = waiting;
    if (!first) return nothing;
    if (first.state) {
      const review = (event: Event): void => {
        event.stopPropagation();
        this.emit("hp-review-waiting", { id: first.id });
      };
      return html`<hp-notice
        mark="clock"
        stays
        data-testid="hp-waiting"
        .heading=${t(first.state === "taken" ? "waiting.title.taken" : "waiting.title", { n: waiting.length })}
        .also=${t(`waiting.${first.state}`, { name: first.name })}
        .action=${t("waiting.review")}
        @hp-again=${review}
      ></hp-notice>`;
    }
    const { waits } = first;
    if (offline || !waits || waits.reason === "offline") return nothing;
    return html`<hp-notice
      mark="clock"
      stays
      data-testid="hp-waiting"
      .heading=${t("waiting.title", { n: waiting.length })}
      .also=${t(`waiting.${waits.reason}`, { error: refusal(waits.error) })}
      .action=${t("waiting.again")}
    ></hp-notice>`;
  }

  /** What a new SDK did to what is installed. */
  #drift({ drift }: PageView) {
    if (!drift) return nothing;
    const tell = (type: string, detail?: object) => (event: Event) => {
      event.stopPropagation();
      this.emit(type, detail);
    };
    return html`<hp-notice
      mark="again"
      stays
      closes
      data-testid="hp-drift-notice"
      .heading=${drift.heading}
      .also=${drift.also}
      .action=${t("drift.notice.open")}
      @hp-again=${tell("hp-drift-sheet", { open: true })}
      @hp-close=${tell("hp-drift-close")}
    ></hp-notice>`;
  }

  /** In a preview the tree is a rail: the middle keeps its width. */
  #rail() {
    return html`<div class="rail">
      <button class="btn quiet s" @click=${() => this.emit("hp-drawer")}>
        ${icon("storey")}<span>${t("pane.tree")}</span>
      </button>
    </div>`;
  }

  #dock(view: PageView, dock: DockView | undefined) {
    const place = dock?.place ?? "right";
    return html`<section
      class="panel dock"
      data-f6
      data-place=${place}
      aria-label=${t(`dock.tabs.${place}`)}
      ?hidden=${!dock && view.pane !== "panels"}
    >
      <hp-dock .view=${dock} .selection=${view.visible}></hp-dock>
    </section>`;
  }

  /** The page of examples stands in place of the panes. */
  #examples(view: PageView) {
    return html`${this.#top(view)}
      <div>${this.#away(view)}${this.problem()}</div>
      <main id="main" tabindex="-1" class="solo">
        <h1 class="vh">${view.model.facts?.name ?? t("app.name")}</h1>
        <hp-examples .view=${view.examples}></hp-examples>
        ${this.#over(view)}
      </main>
      ${this.toast()}`;
  }

  /** What the parts of the page tell its host. */
  readonly #send: Send = (type, detail) => this.emit(type, detail);

  /** Between two panes: moves the width of the one that has a width of its own. */
  #separator(look: "s1" | "s2" | "s3" | "s4" | "s5", pane: keyof Widths) {
    const { widths } = this.view;
    const { min, max } = BOUNDS[pane];
    return html`<hp-separator
      class=${look}
      ?trailing=${pane !== "tree" && pane !== "left"}
      ?flat=${pane === "bottom"}
      .pane=${t(NAMES[pane])}
      .width=${pane === "work" ? this.#work(this.view) : widths[pane]}
      .min=${min}
      .max=${max}
      @hp-width=${(event: CustomEvent<{ width: number }>) =>
        this.emit("hp-resize", { pane, width: event.detail.width })}
    ></hp-separator>`;
  }

  /** The table of elements, while there is one. */
  get table(): Elements | null {
    return this.renderRoot.querySelector("hp-elements");
  }

  /** Asks for a file, as the button does. */
  emitOpen(beside = false): void {
    this.emit("hp-open-file", { beside });
  }

  #palette(view: PageView) {
    if (!view.palette) return nothing;
    return html`<hp-palette
      .groups=${paletteGroups(view, view.palette)}
      .more=${(words: string) => paletteMore(view.model, words)}
      @hp-close=${(event: Event) => this.closed(event, "commands")}
    ></hp-palette>`;
  }

  /** What opens over the panes. */
  #over(view: PageView) {
    const { popover, extensions, dropping } = view;
    return html`${this.menu()}${this.#palette(view)}${
      popover?.kind === "extensions"
        ? html`<hp-extensions
            .items=${extensions}
            .anchor=${popover.anchor}
            @hp-close=${(event: Event) => this.closed(event, "popover")}
          ></hp-extensions>`
        : nothing
    }${dropping ? dropZones(view.model.models.length > 0) : nothing}`;
  }

  #work(view: PageView): number {
    const state = changeState(view.change);
    if (isTrying(view)) return WORK.trying;
    if (view.widths.work !== null) return view.widths.work;
    if (view.wide || REVIEWING.includes(state)) return WORK.review;
    return view.panel !== null ? WORK.dock : WORK.plan;
  }

  #tracks({ tree, left, right, work }: Arrangement, bottom: boolean): string {
    const line = (size: number) => (size > 0 ? "1px" : "0px");
    const height = bottom ? `min(${this.view.widths.bottom}px, 60%)` : "0px";
    return `--c-tree:${tree}px;--c-left:${left}px;--l-left:${line(left)};--c-right:${right}px;--l-right:${line(
      right,
    )};--c-work:${work}px;--r-bottom:${height};--l-bottom:${bottom ? "8px" : "0px"}`;
  }

  #top(view: PageView) {
    const merged = this.merged && view.pane === "change" && this.width < NARROW;
    const document = html`${this.#document(view)}${merged ? this.#mini(view) : nothing}`;
    return this.bar("model", document, this.#ends(view), merged ? "is-merged" : "", true);
  }

  /** The model that is open. */
  #document({ model: { facts, models } }: PageView) {
    const shown = models.filter((one) => one.on).length;
    const several = models.length > 1;
    const name = several ? t("models.n", { n: models.length, shown }) : (facts?.name ?? "");
    const schema = several ? undefined : facts?.schema;
    return html`<div class="doc">
        ${icon("cube")}<span class="strong trunc" title=${name || nothing}>${name}</span
        >${schema ? html`<span class="badge plain hide-n">${schema}</span>` : nothing}
      </div>`;
  }

  /** Who answers, what is left, the extensions. */
  #ends(view: PageView) {
    return html`${view.answering ? answers(view.answering) : nothing}
      <button
        class="btn quiet hide-n"
        aria-haspopup="dialog"
        data-testid="hp-commands"
        @click=${() => this.emit("hp-palette")}
      >
        ${icon("search")}<span class="hide-m">${t("palette.title")}</span
        ><span class="vh only-m">${t("palette.title")}</span
        ><span class="kb hide-m">${shownKey("Ctrl+K", MAC)}</span>
      </button>
      ${this.budget(view.popover?.kind === "budget", "popover")}
      <button
        class="btn quiet hide-n ext"
        aria-haspopup="dialog"
        aria-expanded=${view.popover?.kind === "extensions"}
        data-testid="hp-extensions"
        @click=${(event: Event) =>
          this.emit("hp-popover", { kind: "extensions", anchor: event.currentTarget })}
      >
        ${icon("panel")}<span class="hide-m">${t("app.extensions")}</span
        ><span class="vh only-m">${t("app.extensions")}</span>
      </button>`;
  }

  /** Change, small road and step, in the bar that keeps its height. */
  #mini(view: PageView) {
    const at = road(view.change, changeState(view.change));
    const now = steps.indexOf(at.now);
    const here = at.failed ? "bad" : "now";
    const waits = at.gate === "waits" ? "wait" : "";
    const look = (i: number, current: string): string => {
      if (i < now || at.done) return "done";
      return i === now ? current : "";
    };
    return html`<div class="mg" aria-hidden="true">
      <span class="strong trunc">${t("change.number", { n: view.change.number })}</span
      ><span class="mini"
        >${steps.map((step, i) => {
          const gate = step === "plan" || step === "review";
          return html`<i class=${look(i, here)}></i>${
            gate ? html`<b class=${look(i, waits)}></b>` : nothing
          }`;
        })}</span
      ><span class="meta">${t(`road.${at.now}`)}</span>
    </div>`;
  }

  #pair(view: PageView, dock: DockView | undefined) {
    // The tabs of several stand below.
    const [only, ...more] = dock?.tabs ?? [];
    const title = only && !more.length ? only.title : t("pane.panels");
    const tab = (id: "dock" | "work", mark: IconName, label: string) =>
      html`<button
        role="tab"
        aria-selected=${view.pair === id}
        tabindex=${view.pair === id ? 0 : -1}
        @click=${() => this.emit("hp-pair", { pair: id })}
      >
        ${icon(mark, "s")}<span class="trunc">${label}</span>
      </button>`;
    return html`<div
      class="pair"
      role="tablist"
      aria-label="${t("pane.panels")}, ${t("pane.change")}"
      @keydown=${(event: KeyboardEvent) => {
        if (event.key === "ArrowLeft" || event.key === "ArrowRight")
          this.emit("hp-pair", { pair: view.pair === "dock" ? "work" : "dock" });
      }}
    >
      ${tab("dock", "panel", title)}${tab(
        "work",
        "mark",
        t("change.number", { n: view.change.number }),
      )}
    </div>`;
  }

  #tabs(view: PageView) {
    const gate = road(view.change, changeState(view.change)).gate === "waits";
    const tabs = panes.map((pane) => ({
      id: pane.id,
      mark: pane.icon,
      label: t(`pane.${pane.id}`),
      waits: gate && pane.id === "change",
    }));
    return this.tabs(tabs, view.pane);
  }

  /** Mod Enter focuses the signing button; Mod Z undoes outside of fields. */
  protected override pressed(event: KeyboardEvent, { mod, key, typing }: PageKey): void {
    if (key === "k" && mod && !event.shiftKey && !event.altKey && !this.view.signIn) {
      event.preventDefault();
      this.emit("hp-palette");
      return;
    }
    if (event.key === "Enter" && mod)
      this.renderRoot.querySelector<Workbench>("hp-workbench")?.focusMain();
    if (key === "z" && mod && !typing) this.emit(event.shiftKey ? "hp-redo-last" : "hp-undo-last");
    this.#extensionKey(event, typing);
  }

  /** Keys of extensions: what the page or a pane answered is theirs no more; in fields only what writes nothing. */
  #extensionKey(event: KeyboardEvent, typing: boolean): void {
    const { view } = this;
    if (
      event.defaultPrevented ||
      event.repeat ||
      event.isComposing ||
      event.getModifierState("AltGraph") ||
      view.signIn ||
      view.menu ||
      view.palette ||
      view.popover
    )
      return;
    const chord = pressed(event);
    const bound = chord === null ? undefined : view.keys.get(chord);
    if (chord === null || !bound || (typing && !writesNothing(chord))) return;
    event.preventDefault();
    this.emit("hp-command", { extension: bound.extension, id: bound.command });
  }
}

/** Where a dragged file is dropped: with a model that is open there are two places. */
function dropZones(open: boolean) {
  const zone = (place: string, mark: IconName, words: string) =>
    html`<p class="drop" data-drop=${place}>${icon(mark)} ${words}</p>`;
  return html`<div class="drops" aria-hidden="true">
    ${zone("place", "file", t(open ? "models.drop.place" : "open.drop"))}
    ${open ? zone("beside", "plus", t("models.drop.beside")) : nothing}
  </div>`;
}

/** Whether something is tried before it is signed. */
const isTrying = ({ trials, docks }: PageView): boolean =>
  trials.length > 0 || docks.some((dock) => dock.tabs.some((one) => one.tried));

function answers({ model, scripted }: NonNullable<PageView["answering"]>) {
  const words = t(scripted ? "app.answers.demo" : "app.answers", { model });
  return html`<span class="meta hide-m answers" title=${words}>${words}</span>`;
}

declare global {
  interface HTMLElementTagNameMap {
    "hp-page": Page;
  }
}
