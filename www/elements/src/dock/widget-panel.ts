/** A dock panel drawn from the widget DSL. States: ready, running, failed, off with the reason. UI.md §3. */

import type { ElementRef, ErrorShape, Json, SandboxFailure } from "@holdpoint/core/types";
import { html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { fingerprint } from "../base/format.js";
import { icon } from "../base/icons.js";
import { prose } from "../base/prose.js";
import { calls, heads, meters, sheets, tables } from "../base/sheets.js";
import { badges, buttons, forms, ground } from "../base/styles.js";
import "../shell/copy.js";
import { t } from "../text/index.js";
import { detailed } from "../text/refusal.js";
import { said, switchedOff } from "../text/said.js";
import { type Path, parse, write } from "./binding.js";
import type { Node } from "./nodes.js";
import { panelEnds } from "./panel-ends.js";
import { picked } from "./pick.js";
import {
  type PreviewAsk,
  previewBadge,
  previewEnds,
  previewFoot,
  previewLog,
  previewOffers,
  previewPanels,
  previewStopped,
  previewTitle,
  type Tried,
} from "./preview.js";
import { draw, type PanelHost } from "./render.js";
import { styles } from "./widget-panel.styles.js";

export interface PanelView {
  extension: string;
  dock: string;
  /** Where the page has it: `dock.left`, `dock.right` or `dock.bottom`. */
  slot: string;
  title: string;
  version: string;
  hash: string;
  stored: boolean;
  enabled: boolean;
  reason?: string;
  off?: ErrorShape;
  widget: Node;
  state: Json | undefined;
  busy: boolean;
  /** What its data waits for; nothing where it has come, or where it needs none. */
  waits?: "working" | "model" | "failed";
  failure: SandboxFailure | null;
  /** It is off because the open model is too large for it: the next one is tried. */
  rests?: boolean;
  /** A person points at what is wrong in it. */
  picks?: boolean;
  /** It is tried before it is signed: nothing of it is installed. */
  tried?: Tried;
}

const offTitles = {
  TIMEOUT: "dock.off.time",
  NEVER_SETTLED: "dock.off.time",
  FUEL: "dock.off.time",
  MEMORY: "dock.off.memory",
  STACK: "dock.off.stack",
} as const;

@customElement("hp-widget-panel")
export class WidgetPanel extends HpElement {
  static override styles = [
    ground,
    buttons,
    badges,
    forms,
    sheets,
    calls,
    tables,
    meters,
    heads,
    styles,
  ];
  @property({ attribute: false }) view?: PanelView;
  /** What is selected, for entity pickers. */
  @property({ attribute: false }) selection: ElementRef[] = [];
  /** It is one of several in its dock, whose tabs name it. */
  @property({ type: Boolean }) tabbed = false;
  @state() private tabs: ReadonlyMap<string, string> = new Map();
  /** The state with what fields wrote. */
  @state() private local: Json | undefined = undefined;
  /** What fields wrote while the data was on its way: an answer that did not know of it does not undo it. */
  private pending: { path: Path; value: Json }[] = [];
  /** Whether a state has come from outside yet. */
  private fed = false;

  protected override get state(): string {
    const view = this.view;
    if (!view) return "empty";
    if (!view.enabled) return "off";
    if (view.busy) return "running";
    return view.failure ? "failed" : "ready";
  }

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    const before = changed.get("view") as PanelView | undefined;
    if (!changed.has("view")) return;
    const other = before?.dock !== this.view?.dock;
    const emptied = before?.state !== undefined && this.view?.state === undefined;
    if (other) this.tabs = new Map();
    if (other || emptied) {
      this.fed = false;
      this.local = undefined;
    }
    if (other || emptied || (this.fed && this.view?.busy && !before?.busy)) this.pending = [];
    if (
      this.view?.state !== undefined &&
      (other || this.view.state !== before?.state) &&
      this.view.state !== this.local
    )
      this.#take(this.view);
  }

  /** A state from outside. What was written since it was asked for is written into it again, and told to the host. */
  #take(view: PanelView): void {
    this.fed = true;
    this.local = this.pending.reduce<Json | undefined>(
      (at, one) => write(at, one.path, one.value),
      view.state,
    );
    if (this.pending.length) this.emit("hp-dock-state", { dock: view.dock, state: this.local });
    if (!view.busy) this.pending = [];
  }

  override render() {
    const view = this.view;
    if (!view)
      return html`<div class="none">
        <p class="meta">${t("dock.empty")}</p>
        <button
          class="btn"
          aria-haspopup="dialog"
          @click=${(event: Event) =>
            this.emit("hp-popover", { kind: "extensions", anchor: event.currentTarget })}
        >
          ${icon("panel", "s")}<span>${t("app.extensions")}</span>
        </button>
      </div>`;
    return html`<div class="panel ${view.tried ? "prev" : ""} ${view.tried?.version ? "of-two" : ""}">
      ${this.tabbed ? html`<h2 class="vh">${view.title}</h2>` : this.#head(view)}
      ${
        view.tried
          ? html`${view.tried.version ? nothing : html`<p class="pv-n">${t("preview.note")}</p>`}
              ${previewPanels(view.tried, this.#try)}`
          : nothing
      }
      <div
        class="p-body scroll"
        tabindex="0"
        role="group"
        aria-label=${t("app.scrolls", { name: view.title })}
      >
        ${view.enabled ? this.#widget(view) : this.#off(view)}${
          view.tried ? previewLog(view.tried) : nothing
        }
      </div>
      ${this.#foot(view)}
    </div>`;
  }

  #head(view: PanelView) {
    return html`<div class="p-head">
      <h2>${view.tried ? previewTitle(view.title, view.tried) : view.title}</h2>
      ${view.tried ? previewBadge(view.tried) : nothing}${
        view.enabled
          ? nothing
          : html`<span class="badge fail">${icon("bad", "s")}<span>${t("ext.off")}</span></span>`
      }
      <div class="end">
        ${view.tried ? previewEnds(this.#try) : panelEnds(view, this.#tell)}${
          view.tried?.version
            ? html`<span class="fp-chip">${fingerprint(view.hash)}</span>`
            : nothing
        }
      </div>
    </div>`;
  }

  readonly #tell = (type: string, detail: unknown): void => this.emit(type, detail);

  /** What a person asks of a preview. */
  readonly #try = (ask: PreviewAsk): void =>
    this.emit("hp-preview", { ...ask, dock: this.view?.dock });

  #foot(view: PanelView) {
    if (view.tried?.version) return previewFoot(view.tried, view.tried.version.files);
    if (view.tried)
      return html`<div class="p-foot meta">
        <span>${t("preview.version", { version: view.version })}</span
        ><span class="fp-chip">${fingerprint(view.hash)}</span>
      </div>`;
    return html`      <div class="p-foot meta">
        <span>${t("ext.version", { version: view.version })}</span
        ><span class="flex"
          >${
            view.stored
              ? nothing
              : html`<span class="badge plain"
                  >${icon("clock", "s")}<span>${t("ext.stored")}</span></span
                >`
          }<span class="fp-chip">${fingerprint(view.hash)}</span></span
        >
      </div>`;
  }

  #widget(view: PanelView) {
    const { tried, failure } = view;
    if (tried && failure)
      return html`<div class="widget">${previewStopped(tried, failure, this.#try)}</div>`;
    return html`<div
      class="widget ${view.picks ? "picks" : ""}"
      aria-busy=${view.busy}
      @click=${{ handleEvent: this.#pick, capture: true }}
    >
      ${
        view.failure
          ? html`<section class="call fail" role="alert">
              <h3>${t("dock.failed")}</h3>
              <p>${prose(said(view.failure))}</p>
              <div class="flex"><hp-copy .text=${detailed(view.failure)}></hp-copy></div>
            </section>`
          : nothing
      }
      ${view.picks ? html`<p class="flex meta">${icon("flag", "s")}${t("wrong.panel")}</p>` : nothing}${
        view.waits
          ? html`<p role="status">${t(`dock.waits.${view.waits}`)}</p>`
          : draw(view.widget, this.#host(view))
      }${tried ? previewOffers(tried, this.#try) : nothing}
    </div>`;
  }

  /** Where a person says what is wrong, a click points at a value and does nothing else. */
  readonly #pick = (event: Event): void => {
    if (!this.view?.picks) return;
    const [at] = event.composedPath();
    const what = at instanceof Element && picked(at, event.currentTarget as Element);
    if (!what) return;
    event.stopPropagation();
    event.preventDefault();
    this.emit("hp-pick", { ...what, where: what.where || this.view.title });
  };

  /** A preview counts once it stands before a person's eyes, with what it came to. */
  protected override updated(changed: Map<PropertyKey, unknown>): void {
    super.updated(changed);
    const { view } = this;
    if (view?.tried && !view.busy && view.tried.ms !== null && this.checkVisibility())
      this.emit("hp-seen", { print: view.hash, panel: view.tried.panel });
  }

  #off(view: PanelView) {
    const code = view.failure?.code ?? "";
    const key = code in offTitles ? offTitles[code as keyof typeof offTitles] : "dock.off.other";
    return html`<div class="widget">
      <section class="call fail" role="alert">
        <h3>${t(key)}</h3>
        <dl class="w3">
          <dt>${t("word.what")}</dt>
          <dd>${prose(view.failure ? said(view.failure) : switchedOff(view))}</dd>
          <dt>${t("word.kept")}</dt>
          <dd>${t(view.rests ? "dock.off.rests" : "dock.off.kept")}</dd>
        </dl>
        <div class="flex wrap acts-c">
          <button
            class="btn s primary"
            @click=${() => this.emit("hp-extension", { id: view.extension, action: "source" })}
          >
            ${icon("code", "s")}<span>${t("dock.off.source")}</span>
          </button>
          <button
            class="btn s"
            @click=${() => this.emit("hp-extension", { id: view.extension, action: "enable" })}
          >
            ${t("dock.off.on")}
          </button>
          <button
            class="btn s quiet danger"
            @click=${() => this.emit("hp-extension", { id: view.extension, action: "remove" })}
          >
            ${t("ext.remove")}</button
          >${view.failure ? html`<hp-copy .text=${detailed(view.failure)}></hp-copy>` : nothing}
        </div>
      </section>
    </div>`;
  }

  #host(view: PanelView): PanelHost {
    return {
      state: this.local,
      busy: view.busy,
      tab: (key) => this.tabs.get(key),
      setTab: (key, id) => (this.tabs = new Map(this.tabs).set(key, id)),
      command: (id, args) => {
        // The person is done with the fields: what the command makes of them counts.
        if (!view.busy) this.pending = [];
        this.emit("hp-command", { extension: view.extension, dock: view.dock, id, args });
      },
      entity: (value) => this.emit("hp-entity", { value }),
      save: (ask) =>
        this.emit("hp-export", { ...ask, table: () => ({ ...ask.table(), name: view.title }) }),
      selection: () => this.selection.map((ref) => ({ ...ref })),
      write: (binding, value, changeCommand) => {
        const path = parse(binding);
        if (!path) return;
        if (view.busy || !this.fed || this.pending.length)
          this.pending = [
            ...this.pending.filter((one) => String(one.path) !== String(path)),
            { path, value },
          ];
        this.local = write(this.local, path, value);
        this.emit("hp-dock-state", { dock: view.dock, state: this.local });
        if (changeCommand)
          this.emit("hp-command", {
            extension: view.extension,
            dock: view.dock,
            id: changeCommand,
            args: { value },
          });
      },
    };
  }
}
