/** The sheets of a request that was answered once: what came of it, and the tool that it becomes. */
import { html, type TemplateResult } from "lit";
import { amount } from "../base/format.js";
import type { AnswerView } from "./answer.js";
import { said } from "./start-sheets.js";
import type { ChangeView } from "./view.js";

export function answerSheet(view: ChangeView): TemplateResult {
  return html`<div class="stack">${said(view)}<hp-answer .view=${answerOf(view)}></hp-answer></div>`;
}

function answerOf({ run, gateway, purse, model }: ChangeView): AnswerView | undefined {
  const [test] = run?.tests ?? [];
  if (!run || !test?.answer) return undefined;
  const spent = gateway && { tokens: gateway.spent_tokens, cost: gateway.spent_cost };
  return {
    answer: test.answer,
    ms: test.ms ?? null,
    model: test.model ?? "",
    stands: test.model === model,
    uses: run.capabilities,
    files: run.files,
    spent: spent ? amount(spent, purse?.currency ?? "") : "",
  };
}

export const promoteSheet = (view: ChangeView): TemplateResult =>
  html`<div class="stack">${said(view)}<hp-promote .view=${view.promoting ?? undefined}></hp-promote></div>`;
