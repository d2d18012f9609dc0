/** The seven steps with their two hold points. States: done, now, waits, closed, failed. UI.md §3. */
import { html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { icon } from "../base/icons.js";
import { ground } from "../base/styles.js";
import { t } from "../text/index.js";
import { styles } from "./road.styles.js";

export const steps = ["ask", "plan", "write", "check", "test", "review", "installed"] as const;
export type Step = (typeof steps)[number];

/** Where the change stands: its step, whether a gate waits there, and whether the step failed. */
export interface RoadView {
  now: Step;
  gate: "waits" | "closed" | "none";
  failed: boolean;
  done: boolean;
  /** It came past the plan without one: nobody approved anything there. */
  unplanned?: boolean;
}

/** Marks of a step by its look. */
const marks = { "now bad": icon("cross"), done: icon("check"), now: nothing, "": nothing };
const gated: readonly Step[] = ["plan", "review"];

@customElement("hp-road")
export class Road extends HpElement {
  static override styles = [ground, styles];
  @property({ attribute: false }) view: RoadView = {
    now: "ask",
    gate: "none",
    failed: false,
    done: false,
  };

  protected override get state(): string {
    const { failed, gate, done } = this.view;
    if (failed) return "failed";
    if (gate !== "none") return gate;
    return done ? "done" : "now";
  }

  override render() {
    const at = steps.indexOf(this.view.now);
    return html`<ol
      class="road"
      aria-label=${t("road.label", { step: t(`road.${this.view.now}`) })}
    >
      ${steps.map((step, i) => this.#step(step, i, at))}
    </ol>`;
  }

  #look(i: number, at: number): keyof typeof marks {
    const { failed, done, unplanned } = this.view;
    if (unplanned && steps[i] === "plan" && i < at) return "";
    if (i === at && failed) return "now bad";
    if (i < at || (i === at && done)) return "done";
    return i === at ? "now" : "";
  }

  #step(step: Step, i: number, at: number) {
    const { gate, unplanned } = this.view;
    const isNow = i === at;
    const look = this.#look(i, at);
    const waits = isNow && gate !== "none" ? gate : null;
    const passed = unplanned && step === "plan" && i < at ? "unplanned" : waits;
    const word = look === "done" ? "approved" : passed;
    return html`<li class=${look} aria-current=${isNow ? "step" : nothing}>
      <span class="n">${marks[look]}</span><span class="word">${t(`road.${step}`)}</span>
      ${
        gated.includes(step)
          ? html`<span class="gate ${isNow && gate === "waits" ? "wait" : ""}"></span
              ><span class="vh">${word ? t(`road.gate.${word}`) : t("road.gate")}</span>`
          : nothing
      }
    </li>`;
  }
}
