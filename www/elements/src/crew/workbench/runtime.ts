/**
 * What a turn does, row by row: words first, the tool's name below, then time and calls against their bounds. A name
 * that is shown stays long enough to be read. UI.md §12 "wb-running".
 */
import type { TurnRuntime, TurnStep } from "@holdpoint/core/crew";
import { html } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { HpElement } from "../../base/element.js";
import { elapsed, minutes } from "../../base/format.js";
import { icon } from "../../base/icons.js";
import { ground } from "../../base/styles.js";
import { has, type TextKey, t } from "../../text/index.js";
import { DEADLINE_MS, MAX_CALLS, MAX_REPAIRS } from "./limits.js";
import { runtimeStyles } from "./runtime.styles.js";

/** So long a row that runs stays in front before the next one follows, in ms (ai-sessions.md §11). */
const READ_MS = 700;

@customElement("hp-wb-runtime")
export class WorkbenchRuntime extends HpElement {
  static override styles = [ground, runtimeStyles];
  @property({ attribute: false }) runtime!: TurnRuntime;
  @property({ type: Number }) since = 0;
  @property({ type: Number }) now = 0;
  /** What is shown: it follows what is known, a row at a time. */
  @state() private shown: TurnRuntime = { steps: [], phase: null, calls: 0, repairs: 0 };
  #until = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  protected override get state(): string {
    return this.shown.phase ?? "idle";
  }

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    if (changed.has("runtime")) this.#follow();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
  }

  /** The newest state at once, unless a name was put there a moment ago. */
  #follow(): void {
    clearTimeout(this.#timer);
    const wait = this.#until - Date.now();
    if (wait > 0) {
      this.#timer = setTimeout(() => this.#follow(), wait);
      return;
    }
    const before = this.shown.steps.at(-1)?.id;
    this.shown = this.runtime;
    const last = this.shown.steps.at(-1);
    if (last?.is === "tool" && last.id !== before) this.#stay();
  }

  /** Counted from when it could be seen: a busy page paints late. */
  #stay(): void {
    this.#until = Date.now() + READ_MS;
    void this.updateComplete.then(() =>
      requestAnimationFrame(() => {
        this.#until = Math.max(this.#until, Date.now() + READ_MS);
      }),
    );
  }

  override render() {
    const { steps, calls, repairs } = this.shown;
    const ran = Math.max(0, this.now - this.since);
    return html`<div class="rtm" data-testid="wb-runtime">
      <ol class="steps">
        ${steps.map((step) => this.#row(step, repairs, ran))}
      </ol>
      <p class="rt-f">
        <span>${t("wb.ran", { time: minutes(ran), most: minutes(DEADLINE_MS) })}</span
        ><span>${t("wb.calls", { n: Math.max(1, calls), most: MAX_CALLS })}</span>
      </p>
    </div>`;
  }

  #row(step: TurnStep, repairs: number, ran: number) {
    const { state, from, to, what } = step;
    return html`<li class=${state} data-tool=${what}>
      ${mark(state)}<span class="what">${words(step, repairs)}</span
      ><span class="t">${to === null ? minutes(ran - from) : elapsed(to - from)}</span
      ><span class="sub mono" translate="no">${step.is === "tool" ? what : t("wb.thinking")}</span>
    </li>`;
  }
}

function mark(state: TurnStep["state"]) {
  if (state === "running") return icon("spin", "c-run spin");
  return state === "ok" ? icon("ok", "c-pass") : icon("bad", "c-fail");
}

function words({ what, state, code }: TurnStep, repairs: number): string {
  if (what === "validation_repair") return t("wb.phase.repair", { n: repairs, most: MAX_REPAIRS });
  if (state === "failed") {
    const known = [`wb.tool.${what}.failed`, `wb.tool.failed.${code}`].find(has);
    if (known) return t(known as TextKey);
    return t(code.endsWith("_NOT_FOUND") ? "wb.tool.failed.none" : "wb.tool.failed");
  }
  const key = `wb.tool.${what}`;
  if (has(key)) return t(key);
  const phase = `wb.phase.${what}`;
  return has(phase) ? t(phase) : what;
}

declare global {
  interface HTMLElementTagNameMap {
    "hp-wb-runtime": WorkbenchRuntime;
  }
}
