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
}

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
    return failed ? "failed" : gate === "none" ? (done ? "done" : "now") : gate;
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

  #step(step: Step, i: number, at: number) {
    const { gate, failed, done } = this.view;
    const isNow = i === at;
    const isDone = i < at || (isNow && done && !failed);
    const look = isNow && failed ? "now bad" : isDone ? "done" : isNow ? "now" : "";
    const mark = isNow && failed ? icon("cross") : isDone ? icon("check") : nothing;
    const word = isDone ? "approved" : isNow && gate !== "none" ? gate : null;
    return html`<li class=${look} aria-current=${isNow ? "step" : nothing}>
      <span class="n">${mark}</span><span class="word">${t(`road.${step}`)}</span>
      ${
        gated.includes(step)
          ? html`<span class="gate ${isNow && gate === "waits" ? "wait" : ""}"></span
              ><span class="vh">${word ? t(`road.gate.${word}`) : t("road.gate")}</span>`
          : nothing
      }
    </li>`;
  }
}
