/** The sheet of an installed change: stamp, where it is, and all that led to it. */

import { html, nothing, type TemplateResult } from "lit";
import { amount, fingerprint, time } from "../base/format.js";
import { icon } from "../base/icons.js";
import { t } from "../text/index.js";
import { refusal } from "../text/refusal.js";
import type { Emit } from "./start-sheets.js";
import type { ChangeState, ChangeView, WaitReason } from "./view.js";

type Installed = NonNullable<ChangeView["installed"]>;

/** So long the stamp is fresh, in ms. */
const FRESH_MS = 2_000;

export function installedSheet(view: ChangeView, state: ChangeState, emit: Emit): TemplateResult {
  const { installed } = view;
  if (!installed) return html``;
  return html`<div class="stack far">
    ${state === "notstored" ? onDevice(installed) : nothing}
    <section class="sheet">${done(view, installed, emit)}${facts(view, installed)}</section>
    ${view.log ? html`<hp-change-log .view=${view.log}></hp-change-log>` : nothing}
  </div>`;
}

/** It runs, and only this device has it. */
function onDevice({ at, waits = null }: Installed): TemplateResult {
  return html`<section class="call info" aria-labelledby="h-ns">
    <h3 id="h-ns">${t("installed.device.title")}</h3>
    <dl class="w3">
      <dt>${t("word.what")}</dt>
      <dd>${happened(waits?.reason ?? "offline", time(at))}</dd>
      <dt>${t("word.kept")}</dt>
      <dd>${t("installed.device.kept")}</dd>
      <dt>${t("word.next")}</dt>
      <dd>
        ${
          waits && waits.reason !== "offline"
            ? t(`waiting.${waits.reason}`, { error: refusal(waits.error) })
            : t("installed.device.next")
        }
      </dd>
    </dl>
  </section>`;
}

function happened(reason: WaitReason, at: string): string {
  if (reason === "undecided") return t("installed.device.undecided");
  return t(reason === "offline" ? "installed.device.what" : "installed.device.sent", { time: at });
}

function done(view: ChangeView, installed: Installed, emit: Emit): TemplateResult {
  const { record, name, place, stored, at, print } = installed;
  const where = { name, version: record.version, place: t(`installed.place.${place}`) };
  const waits = html`<span class="badge plain start"
    >${icon("clock", "s")}<span>${t("installed.stored")}</span></span
  >`;
  return html`<div class="s-b done">
    <hp-stamp
      .at=${at}
      .print=${fingerprint(print)}
      .change=${view.number}
      ?dashed=${!stored}
      ?fresh=${view.now - at < FRESH_MS}
    ></hp-stamp>
    <div class="grow stack tight">
      <div role="status"><h3 class="head">${t("installed.title")}</h3></div>
      ${stored ? nothing : waits}
      <p>${t("installed.where", where)}</p>
      <p class="meta">${t("installed.step_back")}</p>
      <div class="flex wrap acts-c">
        <button
          class="btn s"
          data-testid="hp-undo"
          @click=${() => emit("hp-undo", { id: record.id })}
        >
          ${icon("undo", "s")}<span>${t("installed.undo")}</span>
        </button>
      </div>
    </div>
  </div>`;
}

function facts({ gateway, purse }: ChangeView, { print, at }: Installed): TemplateResult {
  const spent = gateway && { tokens: gateway.spent_tokens, cost: gateway.spent_cost };
  return html`<dl class="tb line">
    <div>
      <dt>${t("installed.by")}</dt>
      <dd>${you(at)}</dd>
    </div>
    <div>
      <dt>${t("review.fingerprint")}</dt>
      <dd class="mono">${fingerprint(print)}</dd>
    </div>
    <div class="last">
      <dt>${t("installed.cost")}</dt>
      <dd>${spent ? amount(spent, purse?.currency ?? "") : "–"}</dd>
    </div>
  </dl>`;
}

const you = (at: number | null): string =>
  at === null ? "–" : t("installed.you", { time: time(at) });
