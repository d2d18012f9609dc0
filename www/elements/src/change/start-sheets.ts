/**
 * The sheets before anything is written: empty, words, making the plan, the plan, over budget, a model that did not
 * answer.
 */
import { html, nothing, type TemplateResult } from "lit";
import { amount, time } from "../base/format.js";
import { type IconName, icon } from "../base/icons.js";
import { prose } from "../base/prose.js";
import { moreAfter, moreRow } from "../shell/ask-more.js";
import "../shell/copy.js";
import type { ConversationView } from "../talk/view.js";
import { has, t } from "../text/index.js";
import { detailed, refusal } from "../text/refusal.js";
import { said as worded } from "../text/said.js";
import { shortfallOf, waysOn } from "./shortfall.js";
import type { ChangeView } from "./view.js";

export type Emit = (type: string, detail?: unknown) => void;

const examples: { icon: IconName; text: "empty.ex1" | "empty.ex2" | "empty.ex3" }[] = [
  { icon: "table", text: "empty.ex1" },
  { icon: "button", text: "empty.ex2" },
  { icon: "palette", text: "empty.ex3" },
];

/** `fill` puts an example into the composer. */
export function emptySheet(fill: (text: string) => void): TemplateResult {
  const gate = (name: "plan" | "review") =>
    html`<div>
      <dt><span class="g1" aria-hidden="true"></span>${t(`road.${name}`)}</dt>
      <dd>${t(`empty.gate.${name}`)}</dd>
    </div>`;
  return html`<div class="stack far">
    <div class="stack tight">
      <h3 class="title">${t("empty.title")}</h3>
      <p class="soft">${t("empty.text")}</p>
    </div>
    <section class="stack tight" aria-labelledby="h-ex">
      <h4 id="h-ex" class="meta strong lbl">${t("empty.try")}</h4>
      <ul class="sheet rows ex">
        ${examples.map(
          (one) =>
            html`<li>
              <button class="ex-b" @click=${() => fill(t(one.text))}>
                ${icon(one.icon)}<span
                  ><span class="strong">${t(one.text)}</span><br /><span class="sub"
                    >${t(`${one.text}.sub`)}</span
                  ></span
                >${icon("cr", "go")}
              </button>
            </li>`,
        )}
      </ul>
      <p class="meta">
        <a href="#examples">${t("examples.link")}</a>
      </p>
    </section>
    <section class="stack tight" aria-labelledby="h-how">
      <h4 id="h-how" class="meta strong lbl">${t("empty.gates")}</h4>
      <dl class="gates">${gate("plan")}${gate("review")}</dl>
    </section>
  </div>`;
}

/** A change that goes on in another tab. */
export function elsewhereSheet(view: ChangeView, emit: Emit): TemplateResult {
  return html`<div class="stack">
    <section class="call info" aria-labelledby="h-el">
      <h3 id="h-el">${t("elsewhere.title", { n: view.elsewhere ?? 0 })}</h3>
      <p>${t("elsewhere.text")}</p>
      <div class="flex wrap acts-c">
        <button class="btn s primary" @click=${() => emit("hp-act", { id: "here" })}>
          ${t("elsewhere.here")}
        </button>
      </div>
    </section>
  </div>`;
}

export function said(view: ChangeView): TemplateResult | typeof nothing {
  const run = view.run;
  if (!run?.request) return nothing;
  return html`<div class="said you">
    <p class="who">
      <span class="strong">${t("said.you")}</span
      >${run.asked_at === null ? nothing : html`<time>${time(run.asked_at)}</time>`}
    </p>
    <p>${run.request}</p>
  </div>`;
}

export function wordsSheet(view: ChangeView): TemplateResult {
  return html`<div class="stack wide">
    <hp-conversation .view=${conversation(view)}></hp-conversation>
  </div>`;
}

function conversation({ turns, run, offline, now }: ChangeView): ConversationView {
  return {
    ...{ turns, offline, now },
    state: "ready",
    problem: null,
    outcome: null,
    running: null,
    examples: [],
    intro: null,
    note: null,
    beside: false,
    live: true,
    // Words of a run stay with it.
    clearable: run === null,
  };
}

export function planningSheet(view: ChangeView): TemplateResult {
  return html`<div class="stack">
    ${said(view)}
    <section class="sheet" aria-labelledby="h-w">
      <div class="s-h">
        ${icon("spin", "spin c-run")}
        <h3 id="h-w">${t("wait.title")}</h3>
      </div>
      <p class="s-b small">${t("wait.text", { model: view.answering })}</p>
    </section>
  </div>`;
}

export function problemSheet(view: ChangeView, emit: Emit): TemplateResult {
  const problem = view.problem;
  if (!problem) return html``;
  const wait = Math.max(0, Math.ceil((view.waits - view.now) / 1_000));
  return html`<div class="stack">
    ${said(view)}
    <section class="call fail" role="alert" aria-labelledby="h-p">
      <h3 id="h-p">
        ${t(problem.code === "TESTS_NOT_RUN" ? "problem.title.tests" : "problem.title")}
      </h3>
      <dl class="w3">
        <dt>${t("word.what")}</dt>
        <dd>${prose(refusal(problem))}</dd>
        <dt>${t("word.kept")}</dt>
        <dd>${t("problem.kept")}</dd>
        ${moreRow(moreAfter(problem))}
      </dl>
      <div class="flex wrap acts-c">
        <button
          class="btn s ${wait ? "" : "primary"}"
          data-testid="hp-again"
          ?disabled=${wait > 0}
          aria-describedby=${wait ? "wait" : nothing}
          @click=${() => emit("hp-act", { id: "again" })}
        >
          ${icon("again", "s")}<span>${t("problem.again")}</span></button
        >${
          wait
            ? html`<span class="meta" id="wait" aria-live="off"
                >${t("problem.wait", { n: wait })}</span
              >`
            : nothing
        }<hp-copy .text=${detailed(problem)}></hp-copy>
      </div>
    </section>
    ${
      view.run?.attempts.length
        ? html`<hp-run-timeline .run=${view.run} .now=${view.now}></hp-run-timeline>`
        : nothing
    }
  </div>`;
}

export function planSheet(view: ChangeView, emit: Emit): TemplateResult {
  return html`<div class="stack">
    ${said(view)}${wished(view, emit)}${notices(view)}
    <hp-plan-card
      .view=${view.run?.plan ?? undefined}
      .proposed=${view.proposed}
      .planned=${view.planned}
    ></hp-plan-card>
    <hp-cost .quote=${view.quote} .purse=${view.purse}></hp-cost>
  </div>`;
}

/** Standing wishes went with the request. */
function wished(view: ChangeView, emit: Emit): TemplateResult | typeof nothing {
  if (!view.wished) return nothing;
  return html`<p class="meta">
    ${t("wishes.with")}
    <button class="link" @click=${() => emit("hp-act", { id: "wishes" })}>${t("wishes.see")}</button>
  </p>`;
}

export function overBudgetSheet(view: ChangeView, emit: Emit): TemplateResult {
  const { quote, purse } = view;
  const currency = purse?.currency ?? "";
  const need = amount(
    quote ? { tokens: quote.tokens.max, cost: quote.cost.max } : { tokens: 0, cost: 0 },
    currency,
  );
  const left = purse ? amount(purse.left, currency) : "";
  const limit = purse ? amount(purse.limit, currency) : "";
  const period = `period.${purse?.period ?? "total"}`;
  const short = shortfallOf(view);
  return html`<div class="stack">
    ${said(view)}
    <section class="call fail" aria-labelledby="h-ob" role="alert">
      <h3 id="h-ob">${t("over.title")}</h3>
      <dl class="w3">
        <dt>${t("over.needed")}</dt>
        <dd><span class="strong">${need}</span> ${t("over.needed.text")}</dd>
        ${
          purse
            ? html`<dt>${t("over.left")}</dt>
                <dd>
                  <span class="strong">${left}</span>
                  ${t("over.left.text", { limit, period: has(period) ? t(period) : "" })}
                </dd>`
            : nothing
        }
        <dt>${t("over.kept")}</dt>
        <dd>${t("over.kept.text")}</dd>
        ${short ? waysOn(short, view.now) : nothing}
      </dl>
      <div class="flex wrap acts-c">
        <button class="btn s" @click=${() => emit("hp-act", { id: "adjust" })}>
          ${t("over.smaller")}
        </button>
      </div>
    </section>
    <hp-plan-card
      .view=${view.run?.plan ?? undefined}
      .proposed=${view.proposed}
      .planned=${view.planned}
    ></hp-plan-card>
  </div>`;
}

/** Facts that the run has to tell, and words that the model said beside its work. */
export function notices(view: ChangeView): TemplateResult | typeof nothing {
  const last = view.run?.notices.at(-1);
  if (!last) return nothing;
  return html`<p class="meta">${icon("info", "s")} ${worded({ ...last, message: last.text })}</p>`;
}
