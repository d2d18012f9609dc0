/**
 * The sheet of an extension as a conversation: requests, adjustments with what each changed in the plan, versions,
 * repairs and signatures along one line. Earlier changes are folded. UI.md §11.
 */
import { html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { amount, dateTime, fingerprint, time } from "../base/format.js";
import { icon } from "../base/icons.js";
import { prose } from "../base/prose.js";
import { sheets } from "../base/sheets.js";
import { badges, ground } from "../base/styles.js";
import { t } from "../text/index.js";
import { said } from "../text/said.js";
import { styles } from "./log.styles.js";
import {
  type Carried,
  type LogChange,
  type LogDiff,
  type LogRow,
  type LogView,
  logRows,
  NOTHING,
} from "./log-view.js";
import type { PlanRow } from "./plan-diff.js";

type Shown<K extends LogRow["is"]> = Extract<LogRow, { is: K }>;

@customElement("hp-change-log")
export class ChangeLog extends HpElement {
  static override styles = [ground, badges, sheets, styles];
  @property({ attribute: false }) view!: LogView;

  protected override get state(): string {
    return this.view.changes.length ? "log" : "empty";
  }

  override render() {
    const { changes, says } = this.view;
    let carried: Carried = NOTHING;
    const drawn = changes.map((change, i) => {
      const { rows, after } = logRows(change, carried, says);
      carried = after;
      return i < changes.length - 1
        ? folded(change, rows)
        : rows.map((row, at) =>
            entry(row, change.number, !change.signed && at === rows.length - 1),
          );
    });
    return html`<ol class="log" aria-label=${label(changes)}>${drawn}</ol>`;
  }
}

function label(changes: readonly LogChange[]): string {
  const [first, last] = [changes[0]?.number ?? 0, changes.at(-1)?.number ?? 0];
  return first === last
    ? t("log.sheet.one", { n: first })
    : t("log.sheet.many", { from: first, to: last });
}

/** An earlier change in one line; it opens. */
function folded(change: LogChange, rows: LogRow[]): TemplateResult {
  const { signed, number } = change;
  const ended = signed
    ? t("log.folded", { n: number, version: signed.version })
    : t("history.nth", { n: number });
  const at = signed?.at ?? change.entries[0]?.at ?? 0;
  return html`<li class=${signed ? "signed" : ""}>
    ${when(at)}<span class="dot" aria-hidden="true"></span>
    <details class="fold">
      <summary>
        ${icon("cr", "s tw")}<span>${ended}</span
        ><span class="meta">${t("log.entries", { n: rows.length })}</span>
      </summary>
      <ol class="log">${rows.map((row) => entry(row, number, false))}</ol>
    </details>
  </li>`;
}

const when = (at: number): TemplateResult =>
  html`<time title=${dateTime(at)} datetime=${new Date(at).toISOString()}>${time(at)}</time>`;

function entry(row: LogRow, number: number, now: boolean): TemplateResult {
  const mine =
    row.is === "asked" || row.is === "adjusted" || row.is === "edited" || row.is === "another";
  const signed = row.is === "signed" || (row.is === "plan" && row.approved !== null);
  return html`<li class="${mine ? "mine" : ""} ${signed ? "signed" : ""} ${now ? "now" : ""}">
    ${when(row.at)}<span class="dot" aria-hidden="true"></span>
    <div>${body(row, number)}</div>
  </li>`;
}

function body(row: LogRow, number: number): TemplateResult {
  switch (row.is) {
    case "asked": {
      const on = row.goesOn
        ? html`<span class="meta">${t("log.goes_on", { n: number })}</span>`
        : nothing;
      return html`<div class="k-h"><h3>${t("log.asked")}</h3>${on}</div>
        <p class="words">${row.words}</p>`;
    }
    case "adjusted":
      return html`<div class="k-h"><h3>${t("log.adjusted")}</h3></div>
        <p class="words">${row.words}</p>
        ${row.diff ? difference(row.diff) : nothing}`;
    case "edited":
      return html`<div class="k-h"><h3>${t("log.edited")}</h3></div>
        ${difference(row.diff)}`;
    case "plan":
      return plan(row);
    case "run":
      return run(row);
    case "another":
      return html`<div class="k-h"><h3>${t("log.another")}</h3></div>`;
    case "signed":
      return html`<div class="k-h">
          <h3>${t("log.reviewed")}</h3>
          ${stamped(t("log.installed"))}<span class="meta">${row.version}</span>
          <span class="end"><span class="fp-chip">${fingerprint(row.print)}</span></span>
        </div>
        <p class="meta lb">${t("log.granted", { n: row.granted })}</p>`;
  }
}

const stamped = (words: string): TemplateResult =>
  html`<span class="stampline">${icon("check", "s")}<span>${words}</span></span>`;

function plan({ number, plan: shown, rows, approved }: Shown<"plan">): TemplateResult {
  const facts = [
    t("installed.parts", { n: shown.contributions.length }),
    t("installed.permissions", { n: shown.capabilities.length }),
    t("log.tests", { n: shown.tests.length }),
  ].join(" · ");
  return html`<details class="fold">
    <summary>
      ${icon("cr", "s tw")}<span class="strong">${t("log.plan", { n: number })}</span>
      ${approved === null ? nothing : stamped(t("log.approved"))}
      <span class="meta">${facts}</span>
      ${approved === null ? nothing : html`<span class="end fp-chip">${fingerprint(approved)}</span>`}
    </summary>
    <ul class="pd lb">
      ${rows.map(planRow)}
    </ul>
  </details>`;
}

const signs = { add: "+", del: "−", eq: "" } as const;

const planRow = ({ sign, kind, parts }: PlanRow): TemplateResult =>
  html`<li class=${sign}>
    <span class="sn">${signs[sign]}</span><span class="w">${t(`log.row.${kind}`)}</span
    ><span>${parts.map(({ text, marked }) => (marked ? html`<mark>${text}</mark>` : text))}</span>
  </li>`;

/** What an adjustment changed in the plan. */
function difference({ rows, changed, added, removed, permissions }: LogDiff): TemplateResult {
  if (!rows.length) return html`<p class="meta lb">${t("log.same")}</p>`;
  const told = [
    changed ? t("log.rows.changed", { n: changed }) : "",
    added ? t("log.rows.added", { n: added }) : "",
    removed ? t("log.rows.removed", { n: removed }) : "",
    permissions ? "" : t("log.permissions.same"),
  ];
  return html`<ul class="pd lb">
      ${rows.map(planRow)}
    </ul>
    <p class="meta lb">${told.filter(Boolean).join(" · ")}</p>`;
}

function run({ attempts, ms, spent, brought = false }: Shown<"run">): TemplateResult {
  const facts = [
    t("installed.attempts", { n: attempts.length }),
    seconds(ms),
    spent ? t("log.spent", { amount: amount(spent, spent.currency) }) : "",
  ];
  return html`<div class="k-h">
      <h3>${t("log.run")}</h3>
      <span class="meta">${facts.filter(Boolean).join(" · ")}</span>
    </div>
    <ul class="rows sheet lb">
      ${attempts.map(
        (one, i) =>
          html`<li>
            ${icon(one.ok ? "ok" : "bad", one.ok ? "c-pass" : "c-fail")}<span class="grow"
              ><span class="strong">${brought && i === 0 ? t("log.brought") : named(one.number)}</span>
              ${prose(ended(one))}</span
            ><span class="meta">${seconds(one.ms)}</span>
          </li>`,
      )}
    </ul>`;
}

const seconds = (ms: number): string => t("log.seconds", { n: Math.round(ms / 100) / 10 });

function named(number: number | null): string {
  if (number === null) return t("log.hand");
  return t(number === 0 ? "log.attempt" : "log.repair", { n: number + 1 });
}

function ended({ finding, passed, tests }: Shown<"run">["attempts"][number]): string {
  if (!finding) return t("review.tests.of", { n: passed, of: tests });
  const what = said(finding);
  return finding.test === null
    ? t("log.check", { what })
    : t("log.test", { name: finding.test, what });
}

declare global {
  interface HTMLElementTagNameMap {
    "hp-change-log": ChangeLog;
  }
}
