/**
 * Runs a script: what it asks for, what came of it, and the foot that starts and stops. Beside a proposal both texts
 * run on the same input. States: idle, loading, running.
 */
import { RUN_LIMITS } from "@holdpoint/core/python-run";
import { html, nothing, type PropertyValues } from "lit";
import { customElement, property } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { HpElement } from "../base/element.js";
import { bytes, elapsed } from "../base/format.js";
import { icon } from "../base/icons.js";
import { keepFocus } from "../base/refocus.js";
import { calls, heads, sheets } from "../base/sheets.js";
import { badges, buttons, ground } from "../base/styles.js";
import "../review/approval.js";
import type { Approval, FootView } from "../review/approval.js";
import { t } from "../text/index.js";
import "./fields.js";
import "./result.js";
import { styles } from "./run.styles.js";
import { megabytes, type RunExample, type RunView, seconds } from "./view.js";

@customElement("hp-run")
export class Run extends HpElement {
  static override styles = [ground, badges, buttons, heads, sheets, calls, styles];
  @property({ attribute: false }) view!: RunView;

  constructor() {
    super();
    keepFocus(this);
  }

  protected override get state(): string {
    return this.view.phase;
  }

  /** Somebody is on the button that runs or stops. */
  #atFoot = false;

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    this.#atFoot = this.shadowRoot?.activeElement?.localName === "hp-approval";
  }

  /** Stop stands where Run was, and Run where Stop was, also for the focus. */
  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    const before = changed.get("view") as RunView | undefined;
    const another = before && (before.phase === "idle") !== (this.view.phase === "idle");
    if (this.#atFoot && another) this.focusMain();
  }

  /** The button that runs or stops; focus alone presses nothing. */
  focusMain(): void {
    const foot = this.renderRoot.querySelector<Approval>("hp-approval");
    void foot?.updateComplete.then(() => foot.focusMain());
  }

  override render() {
    const { view } = this;
    return html`${this.#head()}
      <div class="body" tabindex="0" role="group" aria-label=${t("script.run.scrolls")}>
        <div class="asks stack">
          <hp-run-fields .view=${view} @hp-run-start=${this.#submitted}></hp-run-fields
          >${this.#examples()}
        </div>
        <div class="stack came">${this.#results()}</div>
      </div>
      ${this.#foot()}
      <p class="vh" role="status" aria-live="polite">${this.#said()}</p>`;
  }

  #head() {
    const { view } = this;
    const way = (which: RunView["which"]) =>
      html`<button
        aria-pressed=${view.which === which}
        ?disabled=${view.phase !== "idle"}
        @click=${() => this.emit("hp-run-which", { which })}
      >
        ${t(`script.run.which.${which}`)}
      </button>`;
    return html`<div class="p-head">
      <h2>${t("script.run.title")}</h2>
      ${
        view.proposed
          ? html`<span class="seg" role="group" aria-label=${t("script.run.which")}
                >${way("now")}${way("proposed")}${way("both")}</span
              ><span class="fp-chip hide-n">${view.proposed.print}</span>`
          : nothing
      }
    </div>`;
  }

  #results() {
    const { view } = this;
    const two = view.columns.length > 1;
    if (view.away)
      return html`<section class="call fail" role="alert" data-testid="hp-run-away" aria-labelledby="h-aw">
        <h3 id="h-aw">${t("script.run.away")}</h3>
        <p>${t("script.run.away.text")}</p>
        <div><hp-copy .text=${view.away}></hp-copy></div>
      </section>`;
    if (!view.columns.length)
      return html`<div class="none">
        <h3>${t("script.run.nothing.title")}</h3>
        <p>${t("script.run.nothing.text")}</p>
      </div>`;
    return html`${
      two && view.same !== null
        ? html`<p class="flex" data-testid="hp-run-same">
              ${icon(view.same ? "ok" : "diff", view.same ? "c-pass" : "c-hold")}<span
                >${t(view.same ? "script.run.same" : "script.run.differ")}</span
              >
            </p>`
        : nothing
    }
      <div class="cols ${two ? "two" : ""}">
        ${repeat(
          view.columns,
          ({ side }) => side,
          (column) =>
            html`<hp-run-result
              data-side=${column.side}
              .view=${column}
              ?beside=${two || column.side === "proposed"}
            ></hp-run-result>`,
        )}
      </div>
      ${
        view.keeps
          ? html`<div>
              <button class="btn s" data-testid="hp-run-keep" @click=${() => this.emit("hp-run-keep")}>
                ${icon("flag", "s")}<span>${t("script.run.example.keep")}</span>
              </button>
            </div>`
          : nothing
      }`;
  }

  #examples() {
    const { examples } = this.view;
    if (!examples.length) return nothing;
    return html`<section class="sheet" aria-labelledby="h-ex" data-testid="hp-run-examples">
      <div class="s-h"><h3 id="h-ex">${t("script.run.examples")}</h3></div>
      <ul class="rows ex-l">
        ${examples.map((one) => this.#example(one))}
      </ul>
      <p class="s-b meta">${t("script.run.examples.text")}</p>
    </section>`;
  }

  #example({ id, title, state }: RunExample) {
    const look = { kept: "plain", runs: "run", same: "pass", differs: "hold" }[state];
    const mark = ({ kept: "flag", runs: "spin", same: "ok", differs: "diff" } as const)[state];
    return html`<li>
      <button
        class="link trunc"
        title=${t("script.run.example.use")}
        @click=${() => this.emit("hp-run-example-use", { id })}
      >
        ${title}</button
      ><span class="badge ${look} end" data-testid="hp-run-example-state"
        >${icon(mark, mark === "spin" ? "s spin" : "s")}<span
          >${t(`script.run.example.state.${state}`)}</span
        ></span
      ><button
        class="btn quiet s icon"
        aria-label=${t("script.run.example.remove", { name: title })}
        @click=${() => this.emit("hp-run-example-off", { id })}
      >
        ${icon("cross", "s")}
      </button>
    </li>`;
  }

  #foot() {
    const { view } = this;
    const share = view.load.of ? Math.min(1, view.load.here / view.load.of) : 0;
    return html`<div class="foot">
      ${
        view.phase === "loading" && !view.load.done
          ? html`<div
              class="progress"
              role="progressbar"
              aria-label=${t("script.run.foot.loading", this.#sizes())}
              aria-valuenow=${Math.round(share * 100)}
            >
              <i style="width:${share * 100}%"></i>
            </div>`
          : nothing
      }
      <hp-approval
        bar
        .view=${this.#footView()}
        @hp-act=${(event: CustomEvent<{ id: string }>) => {
          event.stopPropagation();
          this.#act(event.detail.id);
        }}
      ></hp-approval>
    </div>`;
  }

  /** Enter in a field is Run. */
  #submitted(event: Event): void {
    event.stopPropagation();
    this.#act("hp-run-start");
  }

  #act(id: string): void {
    this.emit(id);
    // What is in the way is drawn by the answer to that.
    if (id === "hp-run-start")
      void Promise.resolve()
        .then(() => this.updateComplete)
        .then(() => this.#started());
  }

  /** To the fault that is in the way; where the result lies below the forms, to the result. */
  async #started(): Promise<void> {
    const fields = this.renderRoot.querySelector("hp-run-fields");
    await fields?.updateComplete;
    if (this.view.faults) return fields?.focusFault();
    const came = this.renderRoot.querySelector(".came");
    const below =
      came && fields && came.getBoundingClientRect().top > fields.getBoundingClientRect().top + 1;
    if (below) came.scrollIntoView({ block: "start" });
  }

  #sizes() {
    const { here, of } = this.view.load;
    return { here: bytes(here), size: bytes(of) };
  }

  #footView(): FootView {
    const { view } = this;
    if (view.phase !== "idle") {
      const main = {
        id: "hp-run-stop",
        label: t("script.run.stop"),
        icon: "stop",
        look: "plain",
      } as const;
      return {
        state: "plain",
        reason: this.#going(),
        reasonIcon: "spin",
        reasonLook: "spin",
        main: { ...main, testid: "hp-run-stop" },
      };
    }
    const again =
      view.columns.length > 0 && !view.moved ? "script.run.start.again" : "script.run.start";
    return {
      state: "plain",
      reason: this.#ready(),
      reasonIcon: view.faults ? "bad" : "info",
      reasonLook: view.faults ? "c-fail" : "",
      main: {
        id: "hp-run-start",
        label: t(view.which === "both" ? "script.run.start.both" : again),
        icon: "play",
        look: "primary",
        testid: "hp-run-start",
      },
    };
  }

  #going(): string {
    const { phase, load, since, now } = this.view;
    if (phase === "running" && since)
      return t("script.run.foot.running", { time: elapsed(Math.max(0, now - since)) });
    return load.done ? t("script.run.foot.starting") : t("script.run.foot.loading", this.#sizes());
  }

  #ready(): string {
    const { view } = this;
    if (view.faults) return t("script.run.foot.faults", { n: view.faults });
    if (view.moved && view.columns.length) return t("script.run.foot.moved");
    if (!view.load.done) return t("script.run.foot.first", { size: bytes(view.load.of) });
    return t("script.run.foot.ready", {
      time: seconds(RUN_LIMITS.wallMs),
      memory: megabytes(RUN_LIMITS.memoryBytes),
    });
  }

  #said(): string {
    const { phase, columns, since } = this.view;
    if (phase !== "idle") return since ? t("script.run.live.running") : "";
    const ended = columns.find(({ state }) => state !== "done");
    if (ended && ended.state !== "waits")
      return t("script.run.live.ended", {
        state: t(`script.run.state.${ended.state}`, { time: elapsed(ended.ms) }),
      });
    return columns.length ? t("script.run.live.done") : "";
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "hp-run": Run;
  }
}
