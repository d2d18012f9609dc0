/** The sheet of what was there before: the installed extensions, and the changes; or what differs of two of them. */
import { html, type TemplateResult } from "lit";
import { dateTime, fingerprint, when } from "../base/format.js";
import { icon } from "../base/icons.js";
import { compared } from "../history/compared.js";
import "../history/history.js";
import type { EntriesView, Entry } from "../history/view.js";
import { t } from "../text/index.js";
import { switchedOff } from "../text/said.js";
import { type ChangeLine, comparable, type HistoryView } from "./compare.js";
import type { Emit } from "./start-sheets.js";

export function historySheet(
  view: HistoryView,
  chosen: readonly string[],
  emit: Emit,
): TemplateResult {
  if (view.compared) return difference(view.compared);
  if (view.told)
    return html`<div class="stack far">
      <hp-change-log .view=${view.told.log}></hp-change-log>
    </div>`;
  return html`<div class="stack far">
    <section class="stack tight" aria-labelledby="h-hx">
      <h3 id="h-hx" class="meta strong lbl">${t("history.extensions")}</h3>
      ${
        view.extensions.length
          ? html`<ul class="sheet rows">
              ${view.extensions.map((one) => extension(one, emit))}
            </ul>`
          : html`<p class="meta">${t("history.none")}</p>`
      }
    </section>
    <section class="stack tight" aria-labelledby="h-hc">
      <h3 id="h-hc" class="meta strong lbl">${t("history.changes")}</h3>
      <hp-history boxed .view=${entries(view, chosen)}></hp-history>
    </section>
  </div>`;
}

const difference = ({
  pair: { from, to },
  files,
}: NonNullable<HistoryView["compared"]>): TemplateResult =>
  compared({
    files,
    equal: 0,
    heading: t("history.compared", { from, to }),
    left: from,
    right: to,
    layout: "split",
    same: "history.same",
  });

function extension({ record, name, stored }: HistoryView["extensions"][number], emit: Emit) {
  const action = record.enabled ? "disable" : "enable";
  const reason = switchedOff(record);
  const off = reason ? t("ext.off.why", { reason }) : t("ext.off");
  const facts = [record.version, stored ? "" : t("ext.stored"), record.enabled ? "" : off];
  return html`<li class=${record.enabled ? "" : "c-off"}>
    ${icon("panel", "c-off")}<span class="grow"
      ><span class="strong">${name}</span><br /><span class="sub"
        >${facts.filter(Boolean).join(" · ")}</span
      ></span
    >
    <span class="fp-chip hide-n">${fingerprint(record.content_hash)}</span>
    <button
      class="btn quiet s"
      @click=${() => emit("hp-extension", { id: record.id, action })}
    >
      ${t(`ext.${action}`)}
    </button>
  </li>`;
}

function entries(view: HistoryView, chosen: readonly string[]): EntriesView {
  return {
    state: "ready",
    problem: null,
    offline: false,
    groups: [{ title: "", entries: view.changes.map((change) => entry(view, change)) }],
    note: "history.note",
    none: "history.no_changes",
    more: false,
    chosen: null,
    ticked: chosen,
    keep: null,
    compare: null,
  };
}

function entry({ changes, now }: HistoryView, change: ChangeLine): Entry {
  const at = when(change.at, now);
  return {
    id: change.id,
    lead: change.number ? String(change.number) : "",
    mark: null,
    title: change.title,
    subs: [change.sub],
    signature: change.signed
      ? t("history.signed", { when: at })
      : `${at} · ${t("history.unsigned")}`,
    signed: change.signed,
    print: change.result_hash ? fingerprint(change.result_hash) : "",
    tick: comparable(changes, change) ? t("history.tick", { n: change.number }) : "",
    row: false,
    undo: change.undo,
    blocked: change.blocked ?? "",
    full: dateTime(change.at),
  };
}
