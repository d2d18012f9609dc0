/** The sheets after approval: running, review, failure, installed, cancelled. */

import type { AttemptId, RunView } from "@holdpoint/core/types";
import { html, nothing, type TemplateResult } from "lit";
import { amount, fingerprint, time } from "../base/format.js";
import { icon } from "../base/icons.js";
import { prose } from "../base/prose.js";
import { t } from "../text/index.js";
import { spoken } from "../text/spoken.js";
import { MAX_ATTEMPTS } from "./run-timeline.js";
import { type Emit, notices, said } from "./start-sheets.js";
import type { ChangeState, ChangeView } from "./view.js";

export function runningSheet(view: ChangeView): TemplateResult {
  return html`<div class="stack">
    ${planLine(view)}
    <hp-run-timeline
      .run=${view.run ?? undefined}
      .testing=${view.testing}
      .now=${view.now}
    ></hp-run-timeline>
    ${notices(view)}<hp-cost .run=${view.gateway} .purse=${view.purse}></hp-cost>
  </div>`;
}

/** The approved plan in one line; it opens. */
function planLine(view: ChangeView): TemplateResult | typeof nothing {
  const plan = view.run?.plan;
  if (!plan) return nothing;
  const at = view.run?.approved_at ?? null;
  return html`<details class="sheet fold">
    <summary>
      ${icon("cr", "tw s")}<span class="strong">${t("plan.title")}</span
      ><span class="trunc soft small">${plan.plan.summary}</span>
      ${
        at === null
          ? nothing
          : html`<span class="badge pass end"
              >${icon("check", "s")}<span>${t("plan.approved", { time: time(at) })}</span></span
            >`
      }
    </summary>
    <div class="inner">
      <hp-plan-card closed .view=${plan} .proposed=${view.proposed}></hp-plan-card>
    </div>
  </details>`;
}

export function reviewSheet(view: ChangeView, state: ChangeState): TemplateResult {
  const run = view.run;
  const review = view.review;
  if (!run || !review) return html``;
  const attempt =
    run.attempt === "hand"
      ? t("review.tests.hand")
      : t("review.tests.run", { n: Number(run.attempt ?? 0) + 1, of: MAX_ATTEMPTS });
  return html`<div class="stack">
    ${stale(state)}${block(view)}
    <hp-capability-review
      .capabilities=${run.capabilities}
      .granted=${view.granted}
      .typed=${view.typed}
      .confirm=${review.confirmation === "type" ? (view.manifest?.id ?? "") : ""}
      ?upgrade=${review.base_hash !== null}
    ></hp-capability-review>
    <hp-test-list
      .tests=${run.tests}
      .weakened=${review.weakened_tests}
      .accepted=${view.accepted}
      .note=${attempt}
    ></hp-test-list>
    <hp-diff-review .files=${review.diff.files}></hp-diff-review>
    ${facts(view, run)}${runLine(view, run)}
  </div>`;
}

function stale(state: ChangeState): TemplateResult | typeof nothing {
  if (state !== "moved" && state !== "stale") return nothing;
  const moved = state === "moved";
  return html`<section class="call hold" role="alert" aria-labelledby="h-mv">
    <h3 id="h-mv">${moved ? t("moved.title") : t("review.stale.title")}</h3>
    <dl class="w3">
      <dt>${t("word.what")}</dt>
      <dd>${moved ? t("moved.what") : t("review.stale.text")}</dd>
      <dt>${t("word.kept")}</dt>
      <dd>${moved ? t("moved.kept") : t("review.stale.kept")}</dd>
    </dl>
  </section>`;
}

function block(view: ChangeView): TemplateResult {
  const run = view.run;
  const version = view.manifest?.version ?? "";
  const to = view.baseVersion
    ? t("review.version.change", { from: view.baseVersion, to: version })
    : t("review.version.new", { to: version });
  const approved = run?.approved_at ?? null;
  return html`<section class="sheet" aria-label=${t("review.block")}>
    <dl class="tb">
      <div class="whole">
        <dt>${t("review.extension")}</dt>
        <dd class="head">${view.manifest?.name ?? view.title}</dd>
        <dd class="soft small">${view.manifest?.description ?? ""}</dd>
      </div>
      <div>
        <dt>${t("review.version")}</dt>
        <dd>${to}</dd>
      </div>
      <div>
        <dt>${t("review.fingerprint")}</dt>
        <dd class="mono">${view.review ? fingerprint(view.review.result_hash) : ""}</dd>
      </div>
      <div class="last">
        <dt>${t("review.plan")}</dt>
        <dd>
          ${
            approved === null
              ? t("review.plan.none")
              : t("review.plan.approved", { time: time(approved) })
          }
        </dd>
      </div>
    </dl>
  </section>`;
}

function facts(view: ChangeView, run: RunView): TemplateResult {
  const repairs = run.attempts.filter(
    (attempt) => attempt.number !== "hand" && attempt.verdict !== "passed",
  ).length;
  const fixes = run.attempts.find((attempt) => attempt.number === run.attempt)?.autofixes ?? [];
  return html`<section class="sheet" aria-label=${t("review.facts")}>
    <ul class="rows">
      <li>
        ${icon("history", "c-off")}
        <div class="grow">
          ${repairs ? t("review.repaired", { n: repairs }) : t("review.first")}
        </div>
      </li>
      ${
        fixes.length
          ? html`<li>
              ${icon("pen", "c-off")}
              <div class="grow">
                ${t("review.mended", { n: fixes.length })}${fixes.map(
                  (fix) => html`<div class="sub">${fix.path}: ${spoken(fix.message)}</div>`,
                )}
              </div>
            </li>`
          : nothing
      }
      ${
        cost(view) === nothing
          ? nothing
          : html`<li>${icon("coin", "c-off")}<span class="grow">${cost(view)}</span></li>`
      }
    </ul>
  </section>`;
}

/** The attempts in one line; it opens. */
function runLine(view: ChangeView, run: RunView): TemplateResult | typeof nothing {
  if (run.attempts.length === 0) return nothing;
  return html`<details class="sheet fold">
    <summary>${icon("cr", "tw s")}<span class="strong">${t("review.show_run")}</span></summary>
    <div class="inner"><hp-run-timeline .run=${run} .now=${view.now}></hp-run-timeline></div>
  </details>`;
}

/** "Spent 61,000 tokens of 470,000 tokens held. 409,000 tokens came back." */
function cost(view: ChangeView): TemplateResult | typeof nothing {
  const run = view.gateway;
  if (!run) return nothing;
  const currency = view.purse?.currency ?? "";
  const spent = amount({ tokens: run.spent_tokens, cost: run.spent_cost }, currency);
  const back = amount({ tokens: run.returned_tokens, cost: run.returned_cost }, currency);
  return html`${t("cost.end", { spent, held: amount(run, currency) })}
    <span class="strong">${t("cost.back", { back })}</span>`;
}

export function errorSheet(view: ChangeView, emit: Emit): TemplateResult {
  const run = view.run;
  if (!run?.reason) return html``;
  const tried = run.attempts.filter((attempt) => attempt.number !== "hand").length;
  const worst =
    run.attempts.find((attempt) => attempt.number === (run.best?.attempt ?? run.attempt)) ??
    run.attempts.at(-1);
  const finding = worst?.findings.find((one) => one.severity === "error");
  const words = run.replies.at(-1)?.text;
  const has = Object.keys(run.files).length > 0;
  // A model that wrote no file said why in words.
  const inWords = !has && words ? t("failed.said", { text: words }) : null;
  const what =
    inWords ??
    (finding
      ? finding.test
        ? `${finding.test}: ${spoken(finding.message)}`
        : spoken(finding.message)
      : t("failed.unknown"));
  const spent = cost(view);
  return html`<div class="stack">
    ${said(view)}
    <section class="call fail" role="alert" aria-labelledby="h-er">
      <h3 id="h-er">${t(`failed.${run.reason}`, { n: tried })}</h3>
      <dl class="w3">
        <dt>${t("word.what")}</dt>
        <dd>${prose(what)}</dd>
        <dt>${t("word.kept")}</dt>
        <dd>${kept(run.best?.attempt ?? null)}</dd>
        ${
          spent === nothing
            ? nothing
            : html`<dt>${t("word.cost")}</dt>
                <dd>${spent}</dd>`
        }
      </dl>
      <div class="flex wrap acts-c">
        ${
          has
            ? html`<button class="btn primary s" @click=${() => emit("hp-act", { id: "source" })}>
                ${icon("code", "s")}<span>${t("failed.source")}</span>
              </button>`
            : nothing
        }
        <button
          class="btn s"
          @click=${() => emit("hp-act", { id: "retry" })}
          ?disabled=${view.offline}
        >
          ${icon("again", "s")}<span>${t("failed.again")}</span>
        </button>
        <button
          class="btn s quiet danger"
          data-testid="hp-discard"
          @click=${() => emit("hp-act", { id: "discard" })}
        >
          ${t("failed.discard")}
        </button>
      </div>
    </section>
    ${
      run.attempts.length
        ? html`<hp-run-timeline .run=${run} .now=${view.now}></hp-run-timeline>`
        : nothing
    }
  </div>`;
}

function kept(best: AttemptId | null): string {
  if (best === null) return t("failed.kept.none");
  return best === "hand" ? t("failed.kept.hand") : t("failed.kept.best", { n: best + 1 });
}

export function cancelledSheet(view: ChangeView, fill: (text: string) => void): TemplateResult {
  const request = view.run?.request;
  const spent = cost(view);
  return html`<div class="stack">
    ${said(view)}
    <section class="call info" aria-labelledby="h-c">
      <h3 id="h-c">${t("cancelled.title")}</h3>
      <p>${t("cancelled.text")}</p>
      ${spent === nothing ? nothing : html`<p>${spent}</p>`}
      ${
        request
          ? html`<div class="flex wrap acts-c">
              <button class="btn s" @click=${() => fill(request)}>
                ${icon("again", "s")}<span>${t("cancelled.again")}</span>
              </button>
            </div>`
          : nothing
      }
    </section>
    ${
      view.run?.attempts.length
        ? html`<hp-run-timeline .run=${view.run} .now=${view.now}></hp-run-timeline>`
        : nothing
    }
  </div>`;
}

export function installedSheet(view: ChangeView, state: ChangeState, emit: Emit): TemplateResult {
  const { installed, run } = view;
  if (!installed || !run) return html``;
  const print = fingerprint(installed.record.content_hash);
  const you = t("installed.you", { time: time(installed.at) });
  const priced = view.gateway
    ? amount(
        { tokens: view.gateway.spent_tokens, cost: view.gateway.spent_cost },
        view.purse?.currency ?? "",
      )
    : "–";
  return html`<div class="stack far">
    ${
      state === "notstored"
        ? html`<section class="call info" aria-labelledby="h-ns">
            <h3 id="h-ns">${t("installed.device.title")}</h3>
            <dl class="w3">
              <dt>${t("word.what")}</dt>
              <dd>${t("installed.device.what", { time: time(installed.at) })}</dd>
              <dt>${t("word.kept")}</dt>
              <dd>${t("installed.device.kept")}</dd>
              <dt>${t("word.next")}</dt>
              <dd>${t("installed.device.next")}</dd>
            </dl>
          </section>`
        : nothing
    }
    <section class="sheet">
      <div class="s-b done">
        <hp-stamp
          .at=${installed.at}
          .print=${print}
          .change=${view.number}
          ?dashed=${!installed.stored}
          ?fresh=${view.now - installed.at < 2_000}
        ></hp-stamp>
        <div class="grow stack tight">
          <div role="status"><h3 class="head">${t("installed.title")}</h3></div>
          ${
            installed.stored
              ? nothing
              : html`<span class="badge plain start"
                  >${icon("clock", "s")}<span>${t("installed.stored")}</span></span
                >`
          }
          <p>
            ${t("installed.where", {
              name: installed.name,
              version: installed.record.version,
              place: t(`installed.place.${installed.place}`),
            })}
          </p>
          <p class="meta">${t("installed.step_back")}</p>
          <div class="flex wrap acts-c">
            <button
              class="btn s"
              data-testid="hp-undo"
              @click=${() => emit("hp-undo", { id: installed.record.id })}
            >
              ${icon("undo", "s")}<span>${t("installed.undo")}</span>
            </button>
          </div>
        </div>
      </div>
      <dl class="tb line">
        <div>
          <dt>${t("installed.by")}</dt>
          <dd>${you}</dd>
        </div>
        <div>
          <dt>${t("review.fingerprint")}</dt>
          <dd class="mono">${print}</dd>
        </div>
        <div class="last">
          <dt>${t("installed.cost")}</dt>
          <dd>${priced}</dd>
        </div>
      </dl>
    </section>
    ${steps(view, run)}
  </div>`;
}

function steps(view: ChangeView, run: RunView): TemplateResult {
  const plan = run.plan?.plan;
  const row = (
    name: "plan" | "write" | "check" | "test" | "review",
    result: string,
    signed: string,
    green = false,
  ) =>
    html`<tr>
      <th scope="row">${t(`road.${name}`)}</th>
      <td>${result}</td>
      <td class="nowrap ${green ? "c-pass" : "quiet"}">${signed}</td>
    </tr>`;
  const you = (at: number | null) => (at === null ? "–" : t("installed.you", { time: time(at) }));
  const stats =
    view.review?.diff.files.reduce((sum, file) => sum + (file.diff?.stats.added ?? 0), 0) ?? 0;
  return html`<section class="stack tight" aria-labelledby="h-log">
    <h4 id="h-log" class="meta strong lbl">${t("installed.sheet", { n: view.number })}</h4>
    <table class="t sheet-t">
      <caption class="vh">
        ${t("installed.sheet.caption", { n: view.number })}
      </caption>
      <thead>
        <tr>
          <th scope="col">${t("installed.step")}</th>
          <th scope="col">${t("installed.result")}</th>
          <th scope="col">${t("installed.signed")}</th>
        </tr>
      </thead>
      <tbody>
        ${
          plan
            ? row(
                "plan",
                `${t("installed.parts", { n: plan.contributions.length })}, ${t("installed.permissions", { n: plan.capabilities.length })}`,
                you(run.approved_at),
                true,
              )
            : nothing
        }
        ${row("write", t("installed.attempts", { n: run.attempts.length }), "–")}
        ${row("check", t("run.no_findings"), "–")}
        ${row(
          "test",
          t("review.tests.of", {
            n: run.tests.filter((test) => test.ok).length,
            of: run.tests.length,
          }),
          "–",
        )}
        ${row(
          "review",
          t("installed.files", {
            files: t("review.files", { n: Object.keys(run.files).length }),
            added: stats,
          }),
          you(view.installed?.at ?? null),
          true,
        )}
      </tbody>
    </table>
  </section>`;
}
