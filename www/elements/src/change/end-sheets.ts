/** The sheets after approval: running, review, failure, cancelled. */

import type { AttemptId, Plan, Review, RunView } from "@holdpoint/core/types";
import { html, nothing, type TemplateResult } from "lit";
import { amount, fingerprint, time } from "../base/format.js";
import { icon } from "../base/icons.js";
import { prose } from "../base/prose.js";
import { conforms, difference, differences } from "../review/conforms.js";
import { type GrantView, leftOut } from "../review/grants.js";
import type { ReviewView } from "../review/view.js";
import { t } from "../text/index.js";
import { refusal } from "../text/refusal.js";
import { said as worded } from "../text/said.js";
import { versionSaid } from "./compare.js";
import { missing, roomAgain, shortfallOf, waysOn } from "./shortfall.js";
import { type Emit, notices, said } from "./start-sheets.js";
import { named, shownLetter } from "./versions-view.js";
import { type ChangeState, type ChangeView, cancelledAs, failedAs, isScript } from "./view.js";

export function runningSheet(view: ChangeView): TemplateResult {
  return html`<div class="stack">
    ${isScript(view.run) ? said(view) : planLine(view)}
    <hp-run-timeline
      .run=${view.run ?? undefined}
      .testing=${view.testing}
      .writing=${view.writing}
      .now=${view.now}
    ></hp-run-timeline>
    ${stays(view)}
    ${notices(view)}<hp-cost .run=${view.gateway} .purse=${view.purse}></hp-cost>
  </div>`;
}

/** What was written before stays, and is named while something else is written. */
function stays({ run }: ChangeView): TemplateResult | typeof nothing {
  if (!run?.versions.length) return nothing;
  return html`<p class="meta">
    ${icon("fork", "s")} ${t("versions.stays", { names: run.versions.map(named).join(" · ") })}
  </p>`;
}

/** Versions to choose from: in review where there are several, else what there is. */
function versions(view: ChangeView, kept: boolean): TemplateResult | typeof nothing {
  const { run } = view;
  if (!run || run.versions.length < (kept ? 1 : 2)) return nothing;
  return html`<hp-versions
    ?kept=${kept}
    ?busy=${view.sending || (!kept && !view.settled)}
    .view=${{ ...view.versionFacts, ...versionsOf(run), currency: view.purse?.currency ?? "" }}
  ></hp-versions>`;
}

const versionsOf = ({ versions, plan, attempts_max }: RunView) => ({
  versions,
  plan,
  attempts_max,
});

/** Each difference from the plan, by name. */
function unlike(view: ChangeView, review: Review): TemplateResult | typeof nothing {
  const plan = approvedPlan(view);
  const found = plan ? differences(review.diagnostics) : [];
  if (!found.length) return nothing;
  return html`<section class="call hold" aria-labelledby="h-un">
    <h3 id="h-un">${t("conforms.title")}</h3>
    <ul class="pts">
      ${found.map(
        (finding) => html`<li>${difference(finding, { plan, manifest: view.manifest })}</li>`,
      )}
    </ul>
  </section>`;
}

const approvedPlan = ({ run }: ChangeView): Plan | null =>
  run?.plan?.approved ? run.plan.plan : null;

/** The approved plan in one line; it opens. */
function planLine(view: ChangeView): TemplateResult | typeof nothing {
  const plan = view.run?.plan;
  if (!plan || isScript(view.run)) return nothing;
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
      <hp-plan-card
        closed
        .view=${plan}
        .proposed=${view.proposed}
        .planned=${view.planned}
      ></hp-plan-card>
    </div>
  </details>`;
}

/** Who wants what stops on the open model says so. */
function stopsHere({ trial }: ChangeView, emit: Emit): TemplateResult | typeof nothing {
  if (trial?.state !== "stopped") return nothing;
  return html`<section class="call hold" aria-labelledby="h-st">
    <h3 id="h-st">${t("preview.accept.title")}</h3>
    <div class="flex">
      <input
        class="check"
        type="checkbox"
        id="stops"
        .checked=${trial.accepted}
        @change=${() => emit("hp-preview", { act: "accept" })}
      /><label for="stops">${t("preview.accept", { model: trial.model })}</label>
    </div>
  </section>`;
}

export function reviewSheet(view: ChangeView, state: ChangeState, emit: Emit): TemplateResult {
  const run = view.run;
  const review = view.review;
  if (!run || !review) return html``;
  return html`<div class="stack">
    ${stale(view, state)}${versions(view, false)}${block(view, review)}${unlike(view, review)}
    ${stopsHere(view, emit)}
    <hp-review .view=${reviewOf(view, run, review)}></hp-review>
    ${facts(view, run)}${runLine(view, run)}
  </div>`;
}

function reviewOf(view: ChangeView, run: RunView, review: Review): ReviewView {
  const { grants, typed, accepted, approved } = view;
  const id = review.confirmation === "type" ? (view.manifest?.id ?? "") : "";
  const upgrade = review.base_hash !== null;
  const letter = shownLetter(run.versions);
  const plan = approvedPlan(view);
  const asPlanned = plan !== null && differences(review.diagnostics).length === 0;
  const planned = asPlanned ? t("conforms.nothing") : conforms(review.diagnostics, plan);
  return {
    confirm: null,
    permissions: grants ? { grants, typed, id, upgrade, planned, letter } : null,
    tests: {
      tests: grants?.tests ?? run.tests,
      weakened: review.weakened_tests,
      accepted,
      approved,
      note: ran(view, run, grants),
      running: grants?.running ?? null,
    },
    notes: [],
    repaired: false,
    findings: [],
    change: {
      files: review.diff.files,
      heading: t("review.change"),
      layout: "split",
      stale: [],
      taken: null,
    },
    busy: false,
  };
}

/** What the tests ran for. */
function ran({ brought }: ChangeView, run: RunView, grants: GrantView | null): string {
  if (grants && leftOut(grants)) return t("review.tests.less");
  if (brought === "script") return "";
  if (run.attempt === "hand" && brought) return t("review.tests.brought");
  if (run.attempt === "hand") return t("review.tests.hand");
  return t("review.tests.run", { n: Number(run.attempt ?? 0) + 1, of: run.attempts_max });
}

function stale(view: ChangeView, state: ChangeState): TemplateResult | typeof nothing {
  if (state !== "moved" && state !== "stale") return nothing;
  const moved = state === "moved";
  const { refusal: refused = null } = view;
  const kept = moved ? t("moved.kept") : t("review.stale.kept");
  const base = moved
    ? { title: t("moved.title"), what: t("moved.what") }
    : { title: t("review.stale.title"), what: t("review.stale.text") };
  const words = refused ? { title: t("refused.title"), what: refusal(refused) } : base;
  return html`<section class="call hold" role="alert" aria-labelledby="h-mv">
    <h3 id="h-mv">${words.title}</h3>
    <dl class="w3">
      <dt>${t("word.what")}</dt>
      <dd>${words.what}</dd>
      <dt>${t("word.kept")}</dt>
      <dd>${kept}</dd>
    </dl>
  </section>`;
}

function block(view: ChangeView, review: Review): TemplateResult {
  const run = view.run;
  const version = view.manifest?.version ?? "";
  const to = versionSaid(view.baseVersion, version, review);
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
        <dd class="mono">${view.print ? fingerprint(view.print) : ""}</dd>
      </div>
      <div class="last">
        <dt>${t("review.plan")}</dt>
        <dd>
          ${
            approved === null
              ? t(`review.plan.${view.brought ?? "none"}`)
              : t("review.plan.approved", { time: time(approved) })
          }
        </dd>
        <dd class="soft small">${conforms(review.diagnostics, approvedPlan(view))}</dd>
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
          ${view.brought === "script" ? t("review.promoted", { request: run.request }) : repaired(repairs)}
        </div>
      </li>
      ${
        fixes.length
          ? html`<li>
              ${icon("pen", "c-off")}
              <div class="grow">
                ${t("review.mended", { n: fixes.length })}${fixes.map(
                  (fix) => html`<div class="sub">${fix.path}: ${worded(fix)}</div>`,
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

const repaired = (n: number): string => (n ? t("review.repaired", { n }) : t("review.first"));

/** The attempts in one line; it opens. */
function runLine(view: ChangeView, run: RunView): TemplateResult | typeof nothing {
  if (run.attempts.length === 0 || view.brought === "script") return nothing;
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

export function errorSheet(
  view: ChangeView,
  emit: Emit,
  fill: (text: string) => void,
): TemplateResult {
  const run = view.run;
  if (!run?.reason) return html``;
  const tried = run.attempts.filter((attempt) => attempt.number !== "hand").length;
  const spent = cost(view);
  const short = shortfallOf(view);
  const currency = view.purse?.currency ?? "";
  const over = short?.fits ? "over.title.fits" : "over.title";
  const title = short && !run.attempts.length ? t(over) : t(failedAs(run), { n: tried });
  return html`<div class="stack">
    ${said(view)}
    <section class="call fail" role="alert" aria-labelledby="h-er">
      <h3 id="h-er">${title}</h3>
      <dl class="w3">
        <dt>${t("word.what")}</dt>
        <dd>${short ? missing(short, currency) : prose(failure(view, run))}</dd>
        <dt>${t("word.kept")}</dt>
        <dd>${kept(run.reason === "hand" ? "hand" : (run.best?.attempt ?? null))}</dd>
        ${spent === nothing ? nothing : spentLine(spent)}
        ${short ? waysOn(short, view.now) : nothing}
      </dl>
      ${waysOut(view, run, emit, fill)}
    </section>
    ${others(view, run)}${attempts(view)}
  </div>`;
}

/**
 * What went wrong, in words: those of a model that wrote no file, else the first error of the attempt that is told of:
 * a hand edit that ended the run, else the best one.
 */
function failure({ problem }: ChangeView, run: RunView): string {
  if (run.reason === "tokens") return problem ? refusal(problem) : t("failed.used");
  const words = run.replies.at(-1)?.text;
  if (words && Object.keys(run.files).length === 0) return t("failed.said", { text: words });
  const told = run.reason === "hand" ? "hand" : (run.best?.attempt ?? run.attempt);
  // Each hand edit is an attempt of that name: the last one counts.
  const worst = run.attempts.findLast(({ number }) => number === told) ?? run.attempts.at(-1);
  const finding = worst?.findings.find((one) => one.severity === "error");
  if (!finding) return t("failed.unknown");
  const message = worded(finding);
  return finding.test ? `${finding.test}: ${message}` : message;
}

const spentLine = (spent: TemplateResult) =>
  html`<dt>${t("word.cost")}</dt>
    <dd>${spent}</dd>`;

/** What else was written: the one that is told of stands above. */
function others(view: ChangeView, run: RunView): TemplateResult | typeof nothing {
  const more = run.versions.some((one) => !one.shown && one.ok);
  return more || run.versions.length > 1 ? versions(view, true) : nothing;
}

function waysOut(
  view: ChangeView,
  run: RunView,
  emit: Emit,
  fill: (text: string) => void,
): TemplateResult {
  const act = (id: string) => () => emit("hp-act", { id });
  const source = html`<button class="btn primary s" @click=${act("source")}>
    ${icon("code", "s")}<span>${t("failed.source")}</span>
  </button>`;
  const script = isScript(run);
  const again = () =>
    roomAgain(view)
      ? html`<button class="btn s" @click=${act("retry")} ?disabled=${view.offline}>
            ${icon("again", "s")}<span>${t(script ? "answer.ask_again" : "failed.again")}</span>
          </button>
          ${script ? planned : nothing}`
      : html`<button class="btn s" @click=${() => fill(run.request)}>
          ${icon("pen", "s")}<span>${t("over.less")}</span>
        </button>`;
  const planned = html`<button class="btn s" @click=${act("plan")} ?disabled=${view.offline}>
    ${icon("fork", "s")}<span>${t("answer.plan")}</span>
  </button>`;
  return html`<div class="flex wrap acts-c">
    ${Object.keys(run.files).length ? source : nothing}${view.brought ? nothing : again()}
    <button class="btn s quiet danger" data-testid="hp-discard" @click=${act("discard")}>
      ${t("failed.discard")}
    </button>
  </div>`;
}

function attempts({ run, now }: ChangeView): TemplateResult | typeof nothing {
  if (!run?.attempts.length) return nothing;
  return html`<hp-run-timeline .run=${run} .now=${now}></hp-run-timeline>`;
}

function kept(best: AttemptId | null): string {
  if (best === null) return t("failed.kept.none");
  return best === "hand" ? t("failed.kept.hand") : t("failed.kept.best", { n: best + 1 });
}

export function cancelledSheet(view: ChangeView, fill: (text: string) => void): TemplateResult {
  const { run } = view;
  const request = run?.request;
  const spent = cost(view);
  const how = run ? cancelledAs(run) : "cancelled.title";
  return html`<div class="stack">
    ${said(view)}
    <section class="call info" aria-labelledby="h-c">
      <h3 id="h-c">${t(how)}</h3>
      <p>${t(how === "cancelled.plan" ? "cancelled.text.plan" : "cancelled.text")}</p>
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
    ${versions(view, true)}${attempts(view)}
  </div>`;
}
