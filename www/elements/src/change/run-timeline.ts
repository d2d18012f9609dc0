/** The attempts of one run, newest last. States, events and keys: UI.md §3, §5. */

import type {
  AttemptId,
  AttemptView,
  Finding,
  PartialFile,
  RunView,
  StepName,
  StepStatus,
} from "@holdpoint/core/types";
import { html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { HpElement } from "../base/element.js";
import { elapsed, integer, minutes } from "../base/format.js";
import { type IconName, icon } from "../base/icons.js";
import { prose } from "../base/prose.js";
import { meters, sheets } from "../base/sheets.js";
import { badges, ground } from "../base/styles.js";
import { badge } from "../review/badges.js";
import { type TextKey, t } from "../text/index.js";
import { said } from "../text/said.js";
import { styles } from "./run-timeline.styles.js";
import "../findings/findings.js";
import { found } from "../findings/view.js";
import { isScript } from "./view.js";

/** `TOTAL_WALL_MS`. */
export const TOTAL_WALL_MS = 360_000;

const marks: Record<StepStatus, { icon: IconName; look: string; row: string }> = {
  passed: { icon: "ok", look: "c-pass", row: "ok" },
  failed: { icon: "bad", look: "c-fail", row: "bad" },
  running: { icon: "spin", look: "c-run spin", row: "run" },
  "not-run": { icon: "skip", look: "c-off", row: "na" },
};

@customElement("hp-run-timeline")
export class RunTimeline extends HpElement {
  static override styles = [ground, badges, sheets, meters, styles];
  @property({ attribute: false }) run?: RunView;
  @property({ attribute: false }) testing: { done: number; total: number } | null = null;
  /** The files of the running attempt as they come. */
  @property({ attribute: false }) writing: readonly PartialFile[] = [];
  /** Now, from the page's clock; the element reads none. */
  @property({ type: Number }) now = 0;
  /** What the person opened or closed; the rest follows the run. */
  @state() private toggled = new Map<AttemptId, boolean>();

  protected override get state(): string {
    const run = this.run;
    if (!run) return "empty";
    if (run.state === "cancelled") return "stopped";
    return run.state === "failed" ? "failed" : "running";
  }

  override render() {
    const run = this.run;
    if (!run) return nothing;
    const model = run.attempts.filter((attempt) => attempt.number !== "hand").length;
    const live = run.state === "generating" || run.state === "testing";
    const head = live
      ? t("run.attempt_of", { n: model, of: run.attempts_max })
      : t("run.attempts_of", { n: model, of: run.attempts_max });
    return html`<section class="sheet" aria-labelledby="h">
      <div class="s-h">
        <h3 id="h">${t(isScript(run) && live ? "answer.running" : "run.title")}</h3>
        ${model ? html`<span class="meta">${head}</span>` : nothing}
        <span class="end meta"
          >${t("run.time_of", {
            time: minutes(this.#spent(run)),
            total: minutes(TOTAL_WALL_MS),
          })}</span
        >
      </div>
      <div @keydown=${this.#keys}>
        ${repeat(
          run.attempts,
          (attempt) => `${attempt.number}-${attempt.started_at}`,
          (attempt, i) => this.#attempt(run, attempt, i),
        )}
      </div>
    </section>`;
  }

  get #script(): boolean {
    return isScript(this.run ?? null);
  }

  #spent(run: RunView): number {
    if (run.total_deadline_at !== null)
      return Math.max(0, TOTAL_WALL_MS - (run.total_deadline_at - this.now));
    return run.attempts.reduce((sum, attempt) => sum + (attempt.duration_ms ?? 0), 0);
  }

  #open(run: RunView, attempt: AttemptView, i: number): boolean {
    const chosen = this.toggled.get(attempt.number);
    if (chosen !== undefined) return chosen;
    if (attempt.verdict === "running") return true;
    if (run.state === "failed" && run.best) return attempt.best;
    const failed = run.attempts.findLastIndex(
      (other) => other.verdict !== "running" && other.verdict !== "passed",
    );
    return i === failed;
  }

  #attempt(run: RunView, attempt: AttemptView, i: number) {
    const errors = attempt.findings.filter((finding) => finding.severity === "error");
    const time =
      attempt.duration_ms ??
      (attempt.verdict === "running" && this.now ? this.now - attempt.started_at : null);
    return html`<details
      class="try"
      data-attempt=${attempt.number}
      .open=${this.#open(run, attempt, i)}
      @toggle=${(event: Event) => this.#toggle(attempt, event, run, i)}
    >
      <summary>
        ${icon("cr", "tw s")}
        <span class="name"
          >${called(attempt)}</span
        >
        ${attempt.best && run.state === "failed" ? badge("run", "flag", t("run.best")) : nothing}
        ${this.#verdict(attempt, errors.length)}
        <span class="end">${time === null ? nothing : minutes(time)}</span>
        ${cause(errors)}
      </summary>
      <ol class="steps">
        ${attempt.steps.map((step) => this.#step(attempt, step.step, step.status))}
      </ol>
    </details>`;
  }

  #verdict(attempt: AttemptView, errors: number) {
    const failed = attempt.tests.filter((test) => !test.ok).length;
    switch (attempt.verdict) {
      case "passed":
        return badge("pass", "ok", t("run.passed"));
      case "reply-failed":
        return badge("fail", "bad", t("run.reply_errors", { n: errors }));
      case "check-failed":
        return badge("fail", "bad", t("run.check_errors", { n: errors }));
      case "tests-failed":
        if (attempt.purpose === "test") return badge("pass", "test", t("wrong.fails"));
        return badge(
          "fail",
          "bad",
          this.#script
            ? t("answer.step.failed")
            : t("run.tests_failed", { n: failed, of: attempt.tests.length }),
        );
      case "timed-out":
      case "stopped":
        return badge("plain", "stop", t("run.stopped"));
      case "running": {
        const running = attempt.steps.find((step) => step.status === "running")?.step ?? "write";
        return badge("run", "spin", t(doing(this.run ?? null, running)));
      }
    }
  }

  #step(attempt: AttemptView, step: StepName, status: StepStatus) {
    const mark = marks[status];
    const mine = attempt.findings.filter(
      (finding) =>
        stepOf(finding.stage) === step && (status === "failed" || finding.severity !== "info"),
    );
    const test = this.#script ? "answer.step" : "road.test";
    const name = { write: "road.write", check: "road.check", test } as const;
    return html`<li class=${mark.row}>
      ${icon(mark.icon, mark.look)}<span class="what">${t(name[step])}</span>
      <span class=${status === "not-run" ? "c-off" : ""}
        >${status === "not-run" ? t("run.not_run") : this.#result(attempt, step, status)}</span
      >
      <span class="t"
        >${step === "test" && status !== "not-run" ? testTime(attempt) : nothing}</span
      >
      ${
        mine.length && status === "failed"
          ? html`<div class="more stack">
              <hp-findings look="full" .findings=${mine.map(found)}></hp-findings>
            </div>`
          : nothing
      }
      ${step === "write" && status !== "not-run" ? this.#files(attempt, status) : nothing}
      ${
        step === "test" && status === "running" && this.testing
          ? this.#progress(this.testing)
          : nothing
      }
    </li>`;
  }

  #result(attempt: AttemptView, step: StepName, status: StepStatus) {
    if (step === "write") {
      const added = sum(attempt.changed.map((file) => file.added));
      const deleted = sum(attempt.changed.map((file) => file.deleted));
      if (status === "running") return t("run.writing");
      if (attempt.changed.length === 0) return t("run.no_files");
      if (deleted === 0 && attempt.number === 0)
        return t("run.files_new", { n: attempt.changed.length, lines: added });
      return t("run.files_changed", { n: attempt.changed.length });
    }
    if (step === "check") {
      if (status === "running") return t("run.checking");
      const errors = attempt.findings.filter(
        (finding) => finding.severity === "error" && stepOf(finding.stage) === "check",
      ).length;
      const mended = attempt.autofixes.length;
      return html`${errors ? t("run.errors", { n: errors }) : t("run.no_findings")}${
        mended ? html` <span class="quiet">· ${t("run.mended", { n: mended })}</span>` : nothing
      }`;
    }
    if (this.#script && status !== "running")
      return t(status === "passed" ? "answer.step.done" : "answer.step.failed");
    if (status === "running")
      return this.testing
        ? t("run.tests_so_far", { n: this.testing.done, of: this.testing.total })
        : t(doing(this.run ?? null, "test"));
    return t("run.tests_pass", {
      n: attempt.tests.filter((test) => test.ok).length,
      of: attempt.tests.length,
    });
  }

  /** The files that are written, or were: their names and how much of them, and no code. */
  #files(attempt: AttemptView, status: StepStatus) {
    const files: readonly [string, string][] =
      status === "running"
        ? this.writing.map(({ path, lines }) => [
            path,
            lines === null ? "" : t("run.lines", { n: lines }),
          ])
        : attempt.changed.map(({ path, added, deleted }) => [
            path,
            `+${integer(added)} −${integer(deleted)}`,
          ]);
    if (!files.length) return nothing;
    return html`<ul class="more files">
      ${files.map(
        ([path, size]) =>
          html`<li><span class="mono trunc">${path}</span><span class="quiet num">${size}</span></li>`,
      )}
    </ul>`;
  }

  #progress({ done, total }: { done: number; total: number }) {
    const share = total ? Math.round((done / total) * 100) : 0;
    return html`<div class="more">
      <div
        class="progress"
        role="progressbar"
        aria-label=${t("run.tests")}
        aria-valuemin="0"
        aria-valuemax=${total}
        aria-valuenow=${done}
      >
        <i style="width:${share}%"></i>
      </div>
    </div>`;
  }

  #toggle(attempt: AttemptView, event: Event, run: RunView, i: number): void {
    const open = (event.currentTarget as HTMLDetailsElement).open;
    if (open === this.#open(run, attempt, i)) return;
    this.toggled = new Map(this.toggled).set(attempt.number, open);
  }

  /** ↑ ↓ go through the attempts, ← → close and open the one in focus. */
  #keys(event: KeyboardEvent): void {
    const all = [...this.renderRoot.querySelectorAll("summary")];
    const at = all.indexOf(event.target as HTMLElement);
    if (at < 0) return;
    const details = all[at]?.parentElement as HTMLDetailsElement | null;
    switch (event.key) {
      case "ArrowDown":
        all[at + 1]?.focus();
        break;
      case "ArrowUp":
        all[at - 1]?.focus();
        break;
      case "ArrowLeft":
        if (details) details.open = false;
        break;
      case "ArrowRight":
        if (details) details.open = true;
        break;
      default:
        return;
    }
    event.preventDefault();
  }
}

/** What a run does at a step. */
export function doing(run: RunView | null, step: StepName): TextKey {
  const test = isScript(run) ? "answer.step.running" : "run.testing";
  return ({ write: "run.writing", check: "run.checking", test } as const)[step];
}

/** The first error in words, and how many more there are. */
function cause([first, ...more]: Finding[]) {
  if (!first) return nothing;
  const text = first.test ?? said(first);
  const n = more.length;
  const words = n ? t("run.and_more", { text: text.replace(/\.$/, ""), n }) : text;
  return html`<span class="cause">${prose(words)}</span>`;
}

const sum = (all: number[]): number => all.reduce((a, b) => a + b, 0);
const stages = { reply: "write", check: "check", plan: "check", tests: "test" } as const;
const stepOf = (stage: keyof typeof stages): StepName => stages[stage];

function testTime(attempt: AttemptView) {
  const times = attempt.tests.map((test) => test.ms).filter((ms) => ms !== undefined);
  return times.length ? elapsed(sum(times)) : nothing;
}

function called({ number, purpose }: AttemptView): string {
  if (number === "hand") return t("run.hand");
  return purpose === "test" ? t("wrong.attempt") : t("run.attempt", { n: number + 1 });
}
