/** The tests with their results; approved ones that would be lost or changed want a tick. Enter opens one. UI.md §3. */

import type { TestResult, WeakenedTest } from "@holdpoint/core/types";
import { css, html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { dateTime, elapsed } from "../base/format.js";
import { icon } from "../base/icons.js";
import { prose, sentence } from "../base/prose.js";
import { sheets } from "../base/sheets.js";
import { badges, buttons, forms, ground } from "../base/styles.js";
import { has, t } from "../text/index.js";
import { weakening } from "../text/said.js";
import { badge } from "./badges.js";
import "../findings/findings.js";
import { found } from "../findings/view.js";

const own = css`
  hp-findings { margin-top: var(--s-3); }
  .weak { padding-top: var(--s-2); }
`;

/** What can be said of tests that ran, or that are not there. */
function passes(passed: number, of: number) {
  if (of === 0) return badge("plain", "skip", t("review.tests.none"));
  const all = passed === of;
  return badge(all ? "pass" : "fail", all ? "ok" : "bad", t("review.tests.of", { n: passed, of }));
}

const mark = (ok: boolean) => icon(ok ? "ok" : "bad", ok ? "c-pass" : "c-fail");

@customElement("hp-test-list")
export class TestList extends HpElement {
  static override styles = [ground, buttons, badges, forms, sheets, own];
  @property({ attribute: false }) tests: TestResult[] = [];
  @property({ attribute: false }) weakened: WeakenedTest[] = [];
  @property({ attribute: false }) accepted: string[] = [];
  /** When each was approved that stands installed, by its name; in ms. */
  @property({ attribute: false }) approved: Readonly<Record<string, number>> = {};
  /** What ran them: "attempt 3 of 5". */
  @property() note = "";
  /** They run again: what is listed is from before. */
  @property({ attribute: false }) running: { done: number; total: number } | null = null;

  protected override get state(): string {
    if (this.running) return "running";
    if (this.tests.some((test) => !test.ok)) return "failed";
    return this.weakened.some((weak) => !this.accepted.includes(weak.name)) ? "weakened" : "passed";
  }

  override render() {
    const passed = this.tests.filter((test) => test.ok).length;
    const times = this.tests.map((test) => test.ms).filter((ms) => ms !== undefined);
    const total = times.length ? ` · ${elapsed(times.reduce((a, b) => a + b, 0))}` : "";
    return html`<section class="sheet" aria-labelledby="h">
      <div class="s-h">
        <h3 id="h">${t("review.tests")}</h3>
        ${
          this.running
            ? badge(
                "run",
                "spin",
                t("review.testing", { n: this.running.done, of: this.running.total }),
              )
            : passes(passed, this.tests.length)
        }
        ${
          this.weakened.length
            ? badge("hold", "med", t("review.weak", { n: this.weakened.length }))
            : nothing
        }
        <span class="end meta">${this.note}${total}</span>
      </div>
      <ul class="rows">
        ${
          this.tests.length
            ? nothing
            : html`<li class="c-off">${icon("dash")}<span>${t("review.tests.promoted")}</span></li>`
        }
        ${this.tests.map((test) => this.#test(test))}${this.weakened
          .filter((weak) => !this.tests.some((test) => test.name === weak.name))
          .map((weak) => this.#weak(weak))}
      </ul>
    </section>`;
  }

  #test(test: TestResult) {
    const weak = this.weakened.find((other) => other.name === test.name);
    const key = `plan.fixture.${test.fixture ?? ""}`;
    return html`<li>
      ${this.running ? icon("dash", "c-off") : mark(test.ok)}
      <div class="grow">
        ${test.name}${
          test.fixture
            ? html`<div class="sub">
                ${t("plan.fixture.on", { fixture: has(key) ? t(key) : test.fixture })}
              </div>`
            : nothing
        }
        ${this.#approved(test.name)}
        ${
          test.ok
            ? nothing
            : html`<hp-findings look="full" .findings=${test.diagnostics.map(found)}></hp-findings>`
        }
        ${weak ? this.#tick(weak) : nothing}
      </div>
      ${
        test.ms === undefined ? nothing : html`<span class="meta nowrap">${elapsed(test.ms)}</span>`
      }
    </li>`;
  }

  #weak(weak: WeakenedTest) {
    return html`<li>
      ${icon("med", "c-hold")}
      <div class="grow">${weak.name}${this.#approved(weak.name)}${this.#tick(weak)}</div>
    </li>`;
  }

  /** Who approved the behaviour, and when; nothing of a test that is new. */
  #approved(name: string) {
    const at = this.approved[name];
    return at === undefined
      ? nothing
      : html`<div class="sub">${t("stamp.line.you", { when: dateTime(at) })}</div>`;
  }

  #tick(weak: WeakenedTest) {
    return html`<div class="sub">${prose(sentence(weakening(weak)))}</div>
      <label class="flex weak"
        ><input
          class="check"
          type="checkbox"
          .checked=${this.accepted.includes(weak.name)}
          @change=${() => this.emit("hp-accept-weak", { name: weak.name })}
        /><span class="strong"
          >${t(weak.args?.case === "CHANGED" ? "review.changed.tick" : "review.weak.tick")}</span
        ></label
      >`;
  }
}
