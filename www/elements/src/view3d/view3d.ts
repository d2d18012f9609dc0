/**
 * The model in three dimensions. What draws it is loaded with the first one of these, and given back when it leaves.
 *
 * One of these draws one model. It shows a `View3d` and tells what a person does: `hp-select {ids}`, `hp-view3d
 * {act}`, and `hp-no-webgl` where the browser cannot draw it.
 */
import { html, nothing, type PropertyValues } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { buttons, ground } from "../base/styles.js";
import { t } from "../text/index.js";
import { measureBox, measured, sectionBox } from "./boxes.js";
import { command } from "./keys.js";
import { progress } from "./progress.js";
import type { Section, Spot, Theme, View } from "./scene.js";
import { type Point, snapped } from "./snap.js";
import { along, type Tool, type ToolState, tools } from "./tools.js";
import type { ContextSlot, View3d, View3dAct } from "./view.js";
import { styles } from "./view3d.styles.js";

/** Pixels by which a pointer may move and still clicks. */
const CLICK_PX = 4;
const FIRST_SECTION: Section = { axis: "z", share: 0.6, flipped: false };

@customElement("hp-view3d")
export class View3dElement extends HpElement {
  static override styles = [ground, buttons, styles];
  @property({ attribute: false }) view!: View3d;
  @query("canvas") private canvas!: HTMLCanvasElement;
  @state() private tool: ToolState = { drag: "orbit", section: false, measure: false, at: 0 };
  @state() private cut: Section = FIRST_SECTION;
  @state() private points: readonly Point[] = [];
  @state() private lost = false;
  private scene: View | null = null;
  /** Batches that the scene has. */
  private taken = 0;
  /** What the look was made of. */
  private dressed: readonly unknown[] = [];
  /** The last flight that was made. */
  private flown: View3d["flight"] = null;
  /** Whether a person has looked around: until then everything is kept in sight. */
  private moved = false;
  private down: Spot | null = null;
  private readonly sizes = new ResizeObserver(() => this.#resize());
  private readonly looks = new MutationObserver(() => this.#paint());
  private readonly dark = matchMedia("(prefers-color-scheme: dark)");

  protected override get state(): string {
    if (this.lost) return "lost";
    return this.scene ? this.view.state : "loading";
  }

  /** Pictures so far: it draws when something changed and never else. */
  get frames(): number {
    return this.scene?.frames ?? 0;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.sizes.observe(this);
    this.looks.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    this.dark.addEventListener("change", this.#paint);
    void this.updateComplete.then(() => this.#begin());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.sizes.disconnect();
    this.looks.disconnect();
    this.dark.removeEventListener("change", this.#paint);
    this.#end();
  }

  override render() {
    const { view, tool } = this;
    return html`<canvas
        tabindex="0"
        role="application"
        aria-label=${t("view.canvas")}
        aria-describedby="keys"
        @keydown=${this.#keys}
        @pointerdown=${this.#pointerDown}
        @pointerup=${this.#pointerUp}
        @contextmenu=${this.#byKey}
        @dblclick=${() => this.#fit()}
      ></canvas>
      <p id="keys" class="vh">${t("view.canvas.keys")} ${t("view.keys")}</p>
      <div class="cross" aria-hidden="true"></div>
      ${
        this.scene && tool.measure
          ? measured(this.points, view.unit, (at) => this.scene?.spot(at) ?? null)
          : nothing
      }
      <div
        class="tools"
        role="toolbar"
        aria-orientation="vertical"
        aria-label=${t("view.tools")}
        @keydown=${this.#alongTools}
      >
        ${tools(view, tool, (one) => this.#use(one))}
      </div>
      ${this.#box()}
      <div class="foot">
        ${this.lost ? html`<p class="tag" role="status">${t("view.lost")}</p>` : nothing}
        ${progress(
          view,
          (act) => this.#act(act),
          (id) => this.#select([id]),
        )}
        <p class="tag" role="status">${this.#picked()}</p>
      </div>`;
  }

  #picked() {
    const { picked } = this.view;
    if (!picked) return nothing;
    return html`<span class="strong">${picked.name}</span>${picked.more ? ` · ${picked.more}` : nothing}`;
  }

  #box() {
    const { view, tool, cut, scene } = this;
    if (tool.measure) return measureBox(this.points, view, () => this.#measure(false));
    if (!tool.section || !scene) return nothing;
    const k = { x: 0, y: 1, z: 2 }[cut.axis];
    const at = scene.level(cut) + (view.origin[k] ?? 0);
    return sectionBox(cut, at, view.unit, (section) => this.#section(section));
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    this.#feed();
  }

  // ── the scene ──────────────────────────────────────────────────────────────────────────────────────────────────

  async #begin(): Promise<void> {
    const { View: Scene } = await import("./scene.js");
    if (!this.isConnected || this.scene) return;
    try {
      this.scene = new Scene(
        this.canvas,
        this.#theme(),
        () => this.#drawn(),
        (gone) => {
          this.lost = gone;
        },
      );
    } catch {
      this.emit("hp-no-webgl");
      return;
    }
    this.scene.eye.controls.addEventListener("start", () => {
      this.moved = true;
    });
    this.#resize();
    this.requestUpdate();
  }

  #end(): void {
    this.scene?.dispose();
    this.scene = null;
    this.taken = 0;
    this.dressed = [];
    this.moved = false;
    this.points = [];
    this.tool = { ...this.tool, section: false, measure: false };
  }

  /** Gives the scene what came since, and how it looks now. */
  #feed(): void {
    const { view, scene } = this;
    if (!scene) return;
    const fresh = this.taken < view.count;
    this.#dress(scene);
    for (; this.taken < view.count; this.taken += 1) {
      const batch = view.batches[this.taken];
      if (batch) scene.add(batch);
    }
    if (fresh && !this.moved) scene.fit(null);
    if (fresh && this.tool.section) scene.section(this.cut);
    if (view.flight === this.flown || view.state !== "done") return;
    this.flown = view.flight;
    this.moved = true;
    scene.fit(view.flight);
  }

  /**
   * Brings the elements into their look, where it is another one than before: batches come often, looks change
   * rarely.
   */
  #dress(scene: View): void {
    const { selected, hidden, ghosted, glass, paint } = this.view;
    const now = [selected, hidden, ghosted, glass, paint];
    if (now.every((one, i) => one === this.dressed[i])) return;
    this.dressed = now;
    scene.look({ selected: new Set(selected), hidden, ghosted, glass, paint });
  }

  #drawn(): void {
    if (this.tool.measure && this.points.length > 0) this.requestUpdate();
  }

  #resize(): void {
    const { clientWidth, clientHeight } = this;
    if (clientWidth > 0 && clientHeight > 0) this.scene?.resize(clientWidth, clientHeight);
    if (!this.moved) this.scene?.fit(null);
  }

  readonly #paint = (): void => this.scene?.paint(this.#theme());

  /** Tokens as colours: what `light-dark()` comes to here. */
  #theme(): Theme {
    const probe = document.createElement("i");
    this.renderRoot.append(probe);
    const of = (token: string): string => {
      probe.style.color = `var(${token})`;
      return getComputedStyle(probe).color;
    };
    const theme = {
      mass: of("--mass-top"),
      edge: of("--mass-edge"),
      glass: of("--glass"),
      pick: of("--pick-left"),
      pickEdge: of("--action"),
    };
    probe.remove();
    return theme;
  }

  // ── what a person does ─────────────────────────────────────────────────────────────────────────────────────────

  #select(ids: number[]): void {
    this.emit("hp-select", { ids });
  }

  #act(act: View3dAct): void {
    this.emit("hp-view3d", { act });
  }

  #fit(): void {
    const { selected } = this.view;
    this.moved = true;
    this.scene?.fit(selected.length > 0 ? selected : null);
  }

  #use(tool: Tool): void {
    if (tool === "fit") this.#fit();
    else if (tool === "section") this.#section(this.tool.section ? null : this.cut);
    else if (tool === "measure") this.#measure(!this.tool.measure);
    else if (tool === "orbit" || tool === "pan") {
      this.tool = { ...this.tool, drag: tool };
      this.scene?.eye.drag(tool);
    } else this.#act(tool);
  }

  #section(section: Section | null): void {
    this.tool = { ...this.tool, section: section !== null, measure: false };
    if (section) this.cut = section;
    this.scene?.section(section);
  }

  #measure(on: boolean): void {
    this.tool = { ...this.tool, measure: on };
    this.points = [];
  }

  readonly #pointerDown = (event: PointerEvent): void => {
    this.down = [event.offsetX, event.offsetY];
  };

  readonly #pointerUp = (event: PointerEvent): void => {
    const { down } = this;
    const at: Spot = [event.offsetX, event.offsetY];
    this.down = null;
    if (!down || Math.hypot(at[0] - down[0], at[1] - down[1]) > CLICK_PX) return;
    if (event.button === 2) this.#context(at, event);
    else if (event.button === 0) this.#pick(at, event.shiftKey || event.ctrlKey || event.metaKey);
  };

  #pick(at: Spot, more: boolean): void {
    const hit = this.scene?.pick(at) ?? null;
    if (this.tool.measure) {
      if (!hit) return;
      const point = snapped(hit, at, (place) => this.scene?.spot(place) ?? null);
      this.points = this.points.length === 1 ? [...this.points, point] : [point];
      return;
    }
    const { selected } = this.view;
    const id = hit?.part.id;
    if (id === undefined) {
      if (!more && selected.length > 0) this.#select([]);
    } else if (!more) this.#select([id]);
    else if (selected.includes(id)) this.#select(selected.filter((other) => other !== id));
    else this.#select([...selected, id]);
  }

  /** What a menu is asked for is selected first, where it is not; beside all elements it is the drawing's own. */
  #context(at: Spot, event: MouseEvent): void {
    const id = this.scene?.pick(at)?.part.id;
    if (id !== undefined && !this.view.selected.includes(id)) this.#select([id]);
    this.#offer(id === undefined ? "contextMenu.canvas" : "contextMenu.entity", event);
  }

  /** By keyboard a menu is asked for what is selected. */
  readonly #byKey = (event: MouseEvent): void => {
    if (event.button === 2) return;
    this.#offer(this.view.selected.length ? "contextMenu.entity" : "contextMenu.canvas", event);
  };

  #offer(slot: ContextSlot, event: MouseEvent): void {
    this.emit("hp-context", { slot, event, anchor: this });
  }

  readonly #keys = (event: KeyboardEvent): void => {
    const { canvas, scene } = this;
    if (!scene) return;
    const step = command(event);
    if (step === null) {
      this.key(event);
      return;
    }
    event.preventDefault();
    if (step === "pick") {
      this.#pick([canvas.clientWidth / 2, canvas.clientHeight / 2], event.shiftKey);
      return;
    }
    this.moved = true;
    step(scene.eye);
  };

  /** The keys that also work beside the drawing, as in the table: F, I, H, S, M, Esc. */
  key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const { selected } = this.view;
    const key = event.key.toLowerCase();
    if (key === "escape") {
      if (this.tool.measure) this.#measure(false);
      else if (this.tool.section) this.#section(null);
      else if (selected.length > 0) this.#select([]);
      else return;
    } else if (key === "f") this.#fit();
    else if (key === "s") this.#use("section");
    else if (key === "m") this.#use("measure");
    else if (key === "i" && selected.length > 0) this.#act("isolate");
    else if (key === "h" && selected.length > 0) this.#act("hide");
    else return;
    event.preventDefault();
  }

  readonly #alongTools = (event: KeyboardEvent): void => {
    const all = [...this.renderRoot.querySelectorAll<HTMLElement>("[data-tool]")];
    const to = along(event.key, this.tool.at, all.length);
    if (to === undefined) return;
    event.preventDefault();
    this.tool = { ...this.tool, at: to };
    all[to]?.focus();
  };
}

declare global {
  interface HTMLElementTagNameMap {
    "hp-view3d": View3dElement;
  }
}
