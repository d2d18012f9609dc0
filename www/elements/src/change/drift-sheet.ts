/** The sheet of what a new SDK did: what is switched off, what needs a new version, what works as before. UI.md §11. */
import { html, nothing, type TemplateResult } from "lit";
import { decimal, time } from "../base/format.js";
import { icon } from "../base/icons.js";
import { type TextKey, t } from "../text/index.js";
import { said } from "../text/said.js";
import {
  breaking,
  type DriftAct,
  type DriftCause,
  type DriftLine,
  type DriftOutcome,
  type DriftView,
} from "./drift-view.js";
import type { Emit } from "./start-sheets.js";

export function driftSheet(view: DriftView, emit: Emit): TemplateResult {
  const { sdk, at, ms } = view;
  const part = (label: TextKey, outcomes: DriftOutcome[]) => {
    const lines = view.lines.filter(({ outcome }) => outcomes.includes(outcome));
    if (!lines.length) return nothing;
    return html`<div class="lab"><h4>${t(label)}</h4><span>${lines.length}</span></div>
      <ul class="rows">
        ${lines.map((line) => row(view, line, emit))}
      </ul>`;
  };
  return html`<div class="stack">
    <section class="sheet drift" aria-labelledby="h-dr" data-testid="hp-drift">
      <div class="s-h">
        <h3 id="h-dr">${t("drift.title", { sdk })}</h3>
        <span class="end meta"
          >${t("drift.tried", { time: time(at), s: decimal(Math.round(ms / 100) / 10) })}</span
        >
      </div>
      ${part("drift.off", ["broken"])}${part("drift.need", ["range_only"])}${part("drift.work", [
        "ok",
        "unknown",
      ])}
    </section>
  </div>`;
}

function row(view: DriftView, line: DriftLine, emit: Emit): TemplateResult {
  switch (line.outcome) {
    case "broken":
      return broken(view, line, emit);
    case "range_only":
      return html`<li>
        ${icon("ok", "c-pass")}<span class="grow"
          ><span class="strong">${line.name}</span>
          <span class="meta">${line.version}${line.next ? ` → ${line.next}` : ""}</span><br />${t(
            "drift.range",
            {
              sdk: view.sdk,
              range: line.range,
            },
          )}<br /><span class="sub">${t("drift.range.sub", { n: line.tests })}</span></span
        >${button(line, "review", emit, "btn s")}
      </li>`;
    case "unknown":
      return html`<li>
        ${icon("low", "c-off")}<span class="grow"
          >${head(line)}<br />${t("drift.unknown")}</span
        >${button(line, "test", emit, "btn s quiet")}
      </li>`;
    case "ok":
      return html`<li>
        ${icon("ok", "c-pass")}<span class="grow"
          >${head(line)}<br />${t("drift.pass", { n: line.passed, of: line.tests })}</span
        >
      </li>`;
  }
}

const head = ({ name, version }: DriftLine) =>
  html`<span class="strong">${name}</span> <span class="meta">${version}</span>`;

function broken(view: DriftView, line: DriftLine, emit: Emit): TemplateResult {
  const causes = breaking(line);
  const key = causes.length ? "drift.tweak" : "drift.broken";
  return html`<li>
      ${icon("bad", "c-fail")}<span class="grow"
        >${head(line)}<br />${t(key, { sdk: view.sdk })} ${why(line)}</span
      >
    </li>
    <li class="below">
      ${causes.map((one) => cause(line, one, emit))}
      <div class="flex wrap">
        ${button(line, "repair", emit, "btn s primary", view.offline)}${button(line, "edit", emit, "btn s")}${
          line.left ? nothing : button(line, "leave", emit, "btn s")
        }${button(line, "remove", emit, "btn s quiet danger")}
      </div>
      <p class="meta">${t(line.left ? "drift.left" : "drift.promise")}</p>
    </li>`;
}

/** What fails, in a sentence. */
function why({ finding, passed, tests }: DriftLine): string {
  if (finding) return said(finding);
  return tests ? t("drift.fails", { n: tests - passed, of: tests }) : t("drift.untested");
}

/** What changed, and each place that it touches. */
function cause({ id }: DriftLine, { entry, sites }: DriftCause, emit: Emit): TemplateResult {
  const members = entry.members.map((one) => html`<code>${one}</code> `);
  return html`<div class="cause">
    <p class="what">
      <span class="badge plain">${entry.version}</span> ${members}${entry.summary} ${entry.migration}
    </p>
    ${sites.map(({ path, range, pointer }) => {
      const at = range ? t("finding.at", { ...range.start }) : (pointer ?? "");
      const open = (event: Event): void => {
        event.preventDefault();
        emit("hp-drift", { id, act: "edit", path, ...(range ? { range } : {}) });
      };
      return html`<p class="at">
        <button class="link" @click=${open}>${path}</button><span>${at}</span>
      </p>`;
    })}
  </div>`;
}

function button(
  { id, name, most }: DriftLine,
  act: DriftAct,
  emit: Emit,
  look: string,
  off = false,
): TemplateResult {
  const sum = act === "repair" && most;
  return html`<button
    class=${look}
    ?disabled=${off}
    data-testid="hp-drift-${act}"
    aria-label="${t(`drift.${act}`)}${sum ? ` ${t("drift.most", { most })}` : ""}, ${name}"
    @click=${() => emit("hp-drift", { id, act })}
  >
    <span>${t(`drift.${act}`)}</span>${sum ? html` <span class="fp sum">${t("drift.most", { most })}</span>` : nothing}
  </button>`;
}
