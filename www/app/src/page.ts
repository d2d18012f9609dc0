/** The page: bar, tree, table, dock, change; one pane with tabs on a narrow screen. It draws a `PageView`. UI.md §2. */
import {
  badges,
  buttons,
  changeState,
  format,
  ground,
  type IconName,
  icon,
  road,
  t,
  type Workbench,
} from "@holdpoint/elements";
import { steps } from "@holdpoint/elements/change/road";
import { html, nothing } from "lit";
import { customElement, state } from "lit/decorators.js";
import { pressed, type StatusText, writesNothing } from "./contributions.js";
import { bar, frame, layouts } from "./page.styles.js";
import { PageElement, type PageKey } from "./page-element.js";
import type { PageView, Pane } from "./page-view.js";
import { pageLinks, pageLinksStyle } from "./pages.js";

const TREE = { min: 200, max: 480 };
const DOCK = { min: 280, max: 640 };
const WORK = { min: 380, max: 900, plan: 440, review: 620, dock: 416 };
const REVIEWING = ["review", "confirm", "moved", "stale", "source", "history"];
const panes: { id: Pane; icon: IconName }[] = [
  { id: "tree", icon: "storey" },
  { id: "model", icon: "cube" },
  { id: "change", icon: "mark" },
  { id: "panels", icon: "panel" },
];

@customElement("hp-page")
export class Page extends PageElement<PageView> {
  static override styles = [ground, buttons, badges, frame, bar, layouts, pageLinksStyle];
  /** Narrow: head and road have left with the text; the bar says where you are. */
  @state() private merged = false;

  override render() {
    const view = this.view;
    if (view.signIn)
      return html`${this.#top(view, true)}<hp-sign-in
          .reason=${view.signIn.reason}
          .refused=${view.signIn.refused}
          ?sending=${view.signIn.sending}
        ></hp-sign-in>`;
    const name = view.model.facts?.name ?? t("app.name");
    const dock = view.panel !== null;
    return html`${this.#top(view, false)}
      <div>
        ${
          view.offline
            ? html`<hp-notice
                mark="off"
                .heading=${t("offline.title")}
                .text=${t("offline.text")}
                .also=${t("offline.ask")}
                .action=${t("offline.again")}
              ></hp-notice>`
            : nothing
        }${this.problem()}
      </div>
      <main
        id="main"
        tabindex="-1"
        class="app ${dock ? "with-dock" : ""}"
        data-pane=${view.pane}
        data-pair=${view.pair}
        style=${this.#columns(view)}
      >
        <h1 class="vh">${name}</h1>
        ${this.#left(view)}
        <hp-separator
          class="s1"
          .pane=${t("pane.tree")}
          .width=${view.widths.tree}
          .min=${TREE.min}
          .max=${TREE.max}
          @hp-width=${(event: CustomEvent<{ width: number }>) =>
            this.emit("hp-resize", { pane: "tree", width: event.detail.width })}
        ></hp-separator>
        ${this.#middle(view)}
        <hp-separator
          class="s2"
          trailing
          .pane=${t(dock ? "pane.panels" : "pane.change")}
          .width=${dock ? view.widths.dock : this.#work(view)}
          .min=${dock ? DOCK.min : WORK.min}
          .max=${dock ? DOCK.max : WORK.max}
          @hp-width=${(event: CustomEvent<{ width: number }>) =>
            this.emit("hp-resize", { pane: dock ? "dock" : "work", width: event.detail.width })}
        ></hp-separator>
        ${dock ? this.#pair(view) : nothing}
        <section
          class="panel dock"
          data-f6
          aria-label=${t("pane.panels")}
          ?hidden=${!dock && view.pane !== "panels"}
        >
          <hp-widget-panel
            .view=${view.panels.find((one) => one.dock === view.panel)}
            .selection=${view.model.selected}
          ></hp-widget-panel>
        </section>
        ${
          dock
            ? html`<hp-separator
                class="s3"
                trailing
                .pane=${t("pane.change")}
                .width=${this.#work(view)}
                .min=${WORK.min}
                .max=${WORK.max}
                @hp-width=${(event: CustomEvent<{ width: number }>) =>
                  this.emit("hp-resize", { pane: "work", width: event.detail.width })}
              ></hp-separator>`
            : nothing
        }
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
        ${
          view.menu
            ? html`<hp-menu
                .items=${view.menu.items}
                .label=${view.menu.label}
                .anchor=${view.menu.anchor}
                .at=${view.menu.at ?? null}
                @hp-close=${(event: Event) => this.closed(event, "menu")}
              ></hp-menu>`
            : nothing
        }
        ${
          view.popover?.kind === "extensions"
            ? html`<hp-extensions
                .items=${view.extensions}
                .anchor=${view.popover.anchor}
                @hp-close=${(event: Event) => this.closed(event, "popover")}
              ></hp-extensions>`
            : nothing
        }
        ${
          view.dropping
            ? html`<div class="drop" aria-hidden="true">
                <p>${icon("file")} ${t("open.drop")}</p>
              </div>`
            : nothing
        }
      </main>
      ${this.#tabs(view)}
      <hp-toast
        .text=${view.toast?.text ?? ""}
        .sub=${view.toast?.sub ?? ""}
        @hp-close=${(event: Event) => this.closed(event, "toast")}
      ></hp-toast>`;
  }

  #work(view: PageView): number {
    const state = changeState(view.change);
    if (view.widths.work !== null) return view.widths.work;
    if (view.wide || REVIEWING.includes(state)) return WORK.review;
    return view.panel !== null ? WORK.dock : WORK.plan;
  }

  #columns(view: PageView): string {
    return `--c-tree:${view.widths.tree}px;--c-dock:${view.widths.dock}px;--c-work:${this.#work(view)}px`;
  }

  #top(view: PageView, alone: boolean) {
    const facts = view.model.facts;
    const merged = this.merged && view.pane === "change";
    return html`<header class="top ${merged ? "is-merged" : ""}">
      <a class="brand" href="/" aria-label=${t("app.start")}
        >${icon("mark")}<span>${t("app.name")}</span></a
      >
      ${
        alone
          ? nothing
          : html`${pageLinks("model")}
              <div class="doc">
                ${icon("cube")}<span class="strong trunc">${facts?.name ?? ""}</span
                >${facts ? html`<span class="badge plain hide-n">${facts.schema}</span>` : nothing}
              </div>
              ${merged ? this.#mini(view) : nothing}`
      }
      <div class="end">
        ${
          alone
            ? nothing
            : html` ${
                view.answering
                  ? html`<span
                        class="meta hide-m answers"
                        title=${t("app.answers", { model: view.answering.model })}
                        >${t("app.answers", { model: view.answering.model })}</span
                      >`
                  : nothing
              }
                <hp-budget
                  .indicator=${view.indicator}
                  .now=${view.now}
                  ?open=${view.popover?.kind === "budget"}
                  @hp-close=${(event: Event) => this.closed(event, "popover")}
                ></hp-budget>
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
                </button>`
        }
        ${this.personal(alone, true)}
      </div>
    </header>`;
  }

  /** Change, small road and step, in the bar that keeps its height. */
  #mini(view: PageView) {
    const at = road(view.change, changeState(view.change));
    const now = steps.indexOf(at.now);
    return html`<div class="mg" aria-hidden="true">
      <span class="strong trunc">${t("change.number", { n: view.change.number })}</span
      ><span class="mini"
        >${steps.map(
          (step, i) =>
            html`<i
                class=${i < now || at.done ? "done" : i === now ? (at.failed ? "bad" : "now") : ""}
              ></i
              >${
                step === "plan" || step === "review"
                  ? html`<b
                      class=${
                        i < now || at.done ? "done" : i === now && at.gate === "waits" ? "wait" : ""
                      }
                    ></b>`
                  : nothing
              }`,
        )}</span
      ><span class="meta">${t(`road.${at.now}`)}</span>
    </div>`;
  }

  #left(view: PageView) {
    const model = view.model;
    const first = model.details[0];
    const alike =
      first !== undefined &&
      model.details.length === model.selected.length &&
      model.details.every((one) => one.type === first.type);
    const note =
      model.selected.length < 2
        ? (first?.type ?? "")
        : alike
          ? t("props.several", { n: model.selected.length, type: first.type })
          : t("props.mixed", { n: model.selected.length });
    return html`<section
        class="panel left ${view.drawer ? "drawer" : ""}"
        data-f6
        aria-label=${t("pane.tree")}
      >
        <div class="p-head">
          <h2>${t("tree.title")}</h2>
          <div class="end">
            <button
              class="btn quiet s icon"
              aria-label=${t("tree.filter")}
              aria-pressed=${view.filtering}
              @click=${() => this.emit("hp-filter-tree")}
            >
              ${icon("search")}</button
            ><button
              class="btn quiet s icon"
              aria-label=${t("tree.open")}
              @click=${() => this.emit("hp-open-file")}
            >
              ${icon("file")}
            </button>
            <button
              class="btn quiet s icon only-drawer"
              aria-label=${t("app.close")}
              @click=${() => this.emit("hp-drawer")}
            >
              ${icon("cross")}
            </button>
          </div>
        </div>
        <div class="half">
          <hp-tree
            .nodes=${model.tree}
            .selected=${model.selected}
            ?filtering=${view.filtering}
            .waiting=${model.facts ? "" : t("tree.wait")}
          ></hp-tree>
        </div>
        <div class="p-head second">
          <h2>${t("props.title")}</h2>
          <span class="meta end trunc">${note}</span>
        </div>
        <div
          class="half scroll"
          tabindex="0"
          role="group"
          aria-label=${t("app.scrolls", { name: t("props.title") })}
        >
          <hp-properties .elements=${model.details} .count=${model.selected.length}></hp-properties>
        </div>
      </section>
      ${
        view.drawer
          ? html`<div class="scrim" @click=${() => this.emit("hp-drawer")}></div>`
          : nothing
      }`;
  }

  #middle(view: PageView) {
    const { facts, rows } = view.model;
    const opening = view.opening?.state === "opening";
    return html`<section class="panel mid" data-f6 aria-labelledby="h-mid">
      <div class="p-head">
        <button
          class="btn s tree-b"
          aria-expanded=${view.drawer}
          @click=${() => this.emit("hp-drawer")}
        >
          ${icon("storey", "s")}<span>${t("pane.tree")}</span>
        </button>
        <h2 id="h-mid">${t("model.title")}</h2>
        ${
          view.commands.length
            ? html`<div
                class="cmds"
                role="toolbar"
                aria-label=${t("ext.toolbar")}
                @keydown=${this.#toolbar}
              >
                ${view.commands.map(
                  (one, i) =>
                    html`<button
                      class="btn s"
                      tabindex=${i === 0 ? 0 : -1}
                      ?disabled=${one.busy}
                      data-command=${one.command}
                      title=${one.keys || nothing}
                      @click=${() =>
                        this.emit("hp-command", { extension: one.extension, id: one.command })}
                    >
                      ${icon(one.busy ? "spin" : "button", one.busy ? "s spin" : "s")}<span
                        >${one.title}</span
                      >
                    </button>`,
                )}
              </div>`
            : nothing
        }
        <span class="meta end trunc"
          >${
            facts ? t("model.counts", { n: facts.elements, size: format.bytes(facts.size) }) : ""
          }</span
        >
      </div>
      ${
        view.opening
          ? html`<hp-open
              class=${opening ? "fills" : ""}
              .view=${view.opening}
              .current=${facts?.name ?? ""}
              @hp-close=${(event: Event) => {
                event.stopPropagation();
                this.emit("hp-dismiss", { what: "opening" });
              }}
            ></hp-open>`
          : nothing
      }
      ${
        opening || (!facts && !view.opening)
          ? nothing
          : html`<hp-elements
              .rows=${rows}
              .storeys=${facts?.storeys.map((one) => one.name).reverse() ?? []}
              .columns=${view.model.columns}
              .column=${view.model.column}
              .values=${view.model.values}
              .selected=${view.model.selected}
              .colouring=${view.model.colouring}
            ></hp-elements>`
      }
      ${
        view.status.length
          ? html`<div class="ext-status" role="group" aria-label=${t("ext.status")}>
              ${[false, true].map(
                (right) =>
                  html`<span class=${right ? "end" : ""}
                    >${view.status
                      .filter((one) => one.right === right)
                      .map((one) => this.#status(one))}</span
                  >`,
              )}
            </div>`
          : nothing
      }
    </section>`;
  }

  #status(one: StatusText) {
    const { command } = one;
    return command === null
      ? html`<span class="meta">${one.text}</span>`
      : html`<button
          class="btn quiet s"
          @click=${() => this.emit("hp-command", { extension: one.extension, id: command })}
        >
          ${one.text}
        </button>`;
  }

  #pair(view: PageView) {
    const title = view.panels.find((one) => one.dock === view.panel)?.title ?? t("pane.panels");
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
    const waits = road(view.change, changeState(view.change)).gate === "waits";
    return html`<nav class="tabs-n" aria-label=${t("app.panes")}>
      ${panes.map(
        (pane) =>
          html`<button
            aria-current=${view.pane === pane.id ? "page" : nothing}
            @click=${() => this.emit("hp-pane", { pane: pane.id })}
          >
            ${icon(pane.icon)}<span>${t(`pane.${pane.id}`)}</span>${
              pane.id === "change" && waits
                ? html`<span class="dot"></span><span class="vh">${t("app.waits")}</span>`
                : nothing
            }
          </button>`,
      )}
    </nav>`;
  }

  /** Mod Enter focuses the signing button; Mod Z undoes outside of fields. */
  protected override pressed(event: KeyboardEvent, { mod, key, typing }: PageKey): void {
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
      view.popover
    )
      return;
    const chord = pressed(event);
    const bound = chord === null ? undefined : view.keys.get(chord);
    if (chord === null || !bound || (typing && !writesNothing(chord))) return;
    event.preventDefault();
    this.emit("hp-command", { extension: bound.extension, id: bound.command });
  }

  #toolbar(event: KeyboardEvent): void {
    const all = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>("button")];
    const at = all.indexOf(event.target as HTMLElement);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    all[(to + all.length) % all.length]?.focus();
  }
}
