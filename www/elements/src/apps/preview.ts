/**
 * An app as it runs, in a frame of another origin: device widths, the place behind `#`, load again, open beside.
 *
 * What is shown stays until something else is there to be shown. Invariant: the frame is loaded anew when `shown` names
 * something else or a person asks for it, and never because an address was made anew. UI.md §13 `hp-preview`.
 */
import { html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { keyed } from "lit/directives/keyed.js";
import { HpElement } from "../base/element.js";
import { entry } from "../base/entry.js";
import { type IconName, icon } from "../base/icons.js";
import { prose } from "../base/prose.js";
import { calls } from "../base/sheets.js";
import { badges, buttons, forms, ground } from "../base/styles.js";
import { t } from "../text/index.js";
import { refusal } from "../text/refusal.js";
import { styles } from "./preview.styles.js";
import type { Device, PreviewView, RuntimeError } from "./view.js";

/** What the app in the frame may do: all of a page, in an origin of its own, without moving this one. */
const SANDBOX = "allow-scripts allow-same-origin allow-forms allow-modals allow-downloads";
const devices: readonly { id: Device; mark: IconName }[] = [
  { id: "phone", mark: "phone" },
  { id: "tablet", mark: "tablet" },
  { id: "full", mark: "desktop" },
];

@customElement("hp-preview")
export class Preview extends HpElement {
  static override styles = [ground, buttons, badges, forms, calls, styles];
  @property({ attribute: false }) view!: PreviewView;
  /** Counts how often a person asked for it anew. */
  @state() private loads = 0;
  /** Errors that do not go into the request. */
  @state() private left: ReadonlySet<string> = new Set();
  /** What is in the frame, and the place that it was opened at. */
  #frame: { shown: string; address: string; src: string } | null = null;
  /** The place that the app in the frame is at, as far as it is known. */
  #place = "#/";

  protected override get state(): string {
    return this.view.state;
  }

  protected override willUpdate(): void {
    const { shown, address, route } = this.view;
    if (address === null) this.#frame = null;
    else if (this.#frame?.shown !== shown) this.#open(shown, address);
    else if (route !== this.#place) this.#go(route);
  }

  protected override updated(changed: Map<PropertyKey, unknown>): void {
    super.updated(changed);
    const before = changed.get("view") as PreviewView | undefined;
    if ((before?.picking ?? false) !== (this.view.picking ?? false)) this.#point();
  }

  /** The app tells which element is clicked next, or goes on as it is. */
  #point(): void {
    this.#tell({ kind: "pick", on: this.view.picking === true });
  }

  #open(shown: string, address: string): void {
    const { route } = this.view;
    this.#frame = { shown, address, src: placed(address, route) };
    this.#place = route;
  }

  /** The place behind `#` is the app's own: to go there loads nothing. */
  #go(hash: string): void {
    this.#place = hash;
    this.#tell({ kind: "route", hash });
  }

  #tell(message: object): void {
    const { address } = this.#frame ?? {};
    if (address)
      this.#window?.postMessage({ holdpoint: "console", ...message }, new URL(address).origin);
  }

  get #window(): Window | null {
    return this.renderRoot.querySelector("iframe")?.contentWindow ?? null;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("message", this.#told);
    addEventListener("keydown", this.#leave, true);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("message", this.#told);
    removeEventListener("keydown", this.#leave, true);
  }

  /** Esc ends choosing an element, and nothing else with it. */
  readonly #leave = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || !this.view.picking) return;
    event.stopPropagation();
    this.emit("hp-picking", { on: false });
  };

  /** What the app in the frame tells is its own data: it is shown as text, and never followed. */
  readonly #told = (event: MessageEvent<unknown>): void => {
    const { src } = this.#frame ?? {};
    if (!src || event.source === null || event.source !== this.#window) return;
    if (event.origin !== new URL(src).origin) return;
    const said = saidBy(event.data);
    // What was loaded anew does not know that somebody chooses.
    if (said?.kind === "place" && this.view.picking) this.#point();
    if (said?.kind === "picked" && this.view.picking) this.emit("hp-pick", said.element);
    if (said?.kind === "place") {
      const path = said.hash || "#/";
      if (path === this.#place) return;
      this.#place = path;
      this.emit("hp-route", { path });
    }
    if (said?.kind === "error") this.emit("hp-runtime-error", said.error);
    if (said?.kind === "storage") this.emit("hp-no-storage");
    if (said?.kind === "left" && this.view.picking) this.emit("hp-picking", { on: false });
  };

  override render() {
    const { view } = this;
    return html`<div class="bar" role="toolbar" aria-label=${t("apps.preview.tools")}>
        ${this.#select(view)}<span class="seg" role="group" aria-label=${t("apps.preview.width")}
          >${devices.map(
            ({ id, mark }) =>
              html`<button
                aria-pressed=${view.device === id}
                aria-label=${t(`apps.preview.${id}`)}
                title=${t(`apps.preview.${id}`)}
                @click=${() => this.emit("hp-device", { device: id })}
              >
                ${icon(mark)}
              </button>`,
          )}</span
        ><input
          class="input route mono"
          aria-label=${t("apps.preview.route")}
          spellcheck="false"
          .value=${entry(view.route)}
          @change=${this.#route}
        /><button
          class="btn quiet icon s"
          aria-label=${t("apps.preview.again")}
          title=${t("apps.preview.again")}
          ?disabled=${view.address === null}
          @click=${this.#again}
        >
          ${icon("again")}</button
        >${this.#beside(view)}
      </div>
      <div class="frame ${view.device}">${this.#shown(view)}</div>
      ${
        view.picking
          ? html`<p class="line meta" role="status">${icon("pick", "s c-run")} ${t("apps.point.now")}</p>`
          : nothing
      }${view.storage ? nothing : this.#unkept(view)}${view.errors.length ? this.#errors(view) : nothing}`;
  }

  /** Points at an element of the app, to talk about it. */
  #select({ picking, address }: PreviewView) {
    if (picking === null) return nothing;
    return html`<button
      class="btn s"
      data-testid="hp-select-element"
      aria-pressed=${picking}
      ?disabled=${address === null}
      @click=${() => this.emit("hp-picking", { on: !picking })}
    >
      ${icon("pick", "s")}<span>${t("apps.point")}</span>
    </button>`;
  }

  /** Loaded anew with the newest address, at the place where it is. */
  #again(): void {
    const { shown, address } = this.view;
    if (address !== null) this.#open(shown, address);
    this.loads += 1;
    this.emit("hp-preview-again");
  }

  #beside({ address, route }: PreviewView) {
    if (address === null) return nothing;
    return html`<a
      class="btn quiet icon s"
      href=${placed(address, route)}
      target="_blank"
      rel="noopener noreferrer"
      aria-label=${t("apps.preview.beside")}
      title=${t("apps.preview.beside")}
      >${icon("ext")}</a
    >`;
  }

  #shown(view: PreviewView) {
    if (!this.#frame) return this.#none(view);
    const { shown, src } = this.#frame;
    const dim = view.state === "result-building" ? "dim" : "";
    return keyed(
      `${shown} ${this.loads}`,
      html`<iframe
        class=${dim}
        data-testid="hp-preview-frame"
        data-shown=${shown}
        title=${t("apps.preview.title")}
        sandbox=${SANDBOX}
        referrerpolicy="no-referrer"
        src=${src}
      ></iframe>`,
    );
  }

  /** The browser keeps nothing for the frame: what the app throws for that is no fault of it. */
  #unkept({ address, route }: PreviewView) {
    return html`<section class="call hold errs" role="status" data-testid="hp-no-storage">
      <h3>${t("apps.storage")}</h3>
      <p>${t("apps.storage.text")}</p>
      <div class="flex wrap acts-c">
        ${
          address === null
            ? nothing
            : html`<a
                class="btn s"
                href=${placed(address, route)}
                target="_blank"
                rel="noopener noreferrer"
                >${icon("ext", "s")}<span>${t("apps.preview.beside")}</span></a
              >`
        }<button
          class="btn s quiet"
          data-testid="hp-storage-seen"
          @click=${() => this.emit("hp-storage-seen")}
        >
          ${t("apps.storage.seen")}
        </button>
      </div>
    </section>`;
  }

  #errors({ errors, undo }: PreviewView) {
    const ticked = errors.filter((one) => !this.left.has(keyOf(one)));
    return html`<section class="call fail errs" role="alert" data-testid="hp-runtime-errors">
      <h3>${t("apps.stopped", { n: errors.length })}</h3>
      <ul>
        ${errors.map(
          (one) =>
            html`<li data-testid="hp-error-item">
              <input
                class="check"
                type="checkbox"
                .checked=${!this.left.has(keyOf(one))}
                aria-label=${t("apps.stopped.tick", { message: one.message })}
                @change=${() => this.#tick(keyOf(one))}
              /><span
                ><span>${one.message}</span
                ><span class="sub meta mono"
                  >${this.#placeOf(one)}${one.count > 1 ? html` × ${one.count}` : nothing}</span
                ></span
              >
            </li>`,
        )}
      </ul>
      <div class="flex wrap acts-c">
        <button
          class="btn s"
          data-testid="hp-ask-errors"
          ?disabled=${!ticked.length}
          @click=${() => this.emit("hp-ask-errors", { errors: ticked })}
        >
          ${icon("chat", "s")}<span>${t("apps.stopped.ask", { n: ticked.length })}</span></button
        >${
          undo?.on
            ? html`<button class="btn s" @click=${() => this.emit("hp-step", { step: "undo" })}>
                ${icon("undo", "s")}<span>${t("apps.undo.free")}</span>
              </button>`
            : nothing
        }
      </div>
    </section>`;
  }

  /** Its source, which is opened; else the place in what was built. */
  #placeOf({ asset, line, source }: RuntimeError) {
    if (!source) return asset ? `${asset.split("/").at(-1)}:${line}` : nothing;
    const at = { line: source.line, column: 1 };
    return html`<button
      class="link mono"
      data-testid="hp-error-source"
      @click=${() => this.emit("hp-open-source", { path: source.path, range: { start: at, end: at } })}
    >
      ${source.path}:${source.line}
    </button>`;
  }

  #tick(key: string): void {
    const left = new Set(this.left);
    if (!left.delete(key)) left.add(key);
    this.left = left;
  }

  #none({ state, problem, draft }: PreviewView) {
    if (problem)
      return html`<section class="call hold none" role="status">
        <h3>${t("apps.preview.closed")}</h3>
        <p>${prose(refusal(problem))}</p>
      </section>`;
    if (state === "result-none")
      return html`<p class="none meta">${icon("idle", "s")} ${t("apps.preview.no_result")}</p>`;
    const failed = state === "failed";
    const busy = state === "building" || state === "result-building";
    return html`<p class="none meta">
      ${icon(busy ? "spin" : "idle", busy ? "s spin" : "s")}
      ${failed ? t("apps.preview.failed", { n: String(draft) }) : nothing}${
        busy ? t("apps.preview.building") : nothing
      }${failed || busy ? nothing : t("apps.preview.none")}
    </p>`;
  }

  #route(event: Event): void {
    const { value } = event.target as HTMLInputElement;
    const path = value.trim().replace(/^#?\/?/, "#/");
    this.emit("hp-route", { path });
  }
}

/** What is read of an app, at most: it can say anything. */
const MOST_CHARS = 300;

/** What is read of an element, at most: more is not what was pointed at. */
const MOST_OF_ELEMENT = 200;

type Said =
  | { kind: "place"; hash: string }
  | { kind: "storage" | "left" }
  | { kind: "error"; error: RuntimeError }
  | { kind: "picked"; element: { tag: string; text: string; classes: string } };

const keyOf = ({ message, asset, line }: RuntimeError): string => `${asset}:${line} ${message}`;

/** A message of a preview; null where it is none, whoever sent it. */
function saidBy(data: unknown): Said | null {
  if (typeof data !== "object" || data === null) return null;
  const said = data as Record<string, unknown>;
  const text = (name: string): string => {
    const value = said[name];
    return typeof value === "string" ? value.slice(0, MOST_CHARS) : "";
  };
  const number = (name: string): number => Number(said[name]) || 0;
  if (said.holdpoint !== "preview") return null;
  if (said.kind === "place") return { kind: "place", hash: text("hash") };
  if (said.kind === "storage" || said.kind === "left") return { kind: said.kind };
  if (said.kind === "picked") {
    const of = (name: string): string => text(name).slice(0, MOST_OF_ELEMENT);
    return {
      kind: "picked",
      element: { tag: of("tag"), text: of("text"), classes: of("classes") },
    };
  }
  if (said.kind !== "error") return null;
  const place = { line: number("line"), column: number("column"), count: number("count") };
  return { kind: "error", error: { message: text("message"), asset: text("asset"), ...place } };
}

const placed = (address: string, route: string): string =>
  route === "#/" ? address : `${address}${route}`;

declare global {
  interface HTMLElementTagNameMap {
    "hp-preview": Preview;
  }
}
