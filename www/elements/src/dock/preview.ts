/**
 * What stands around a panel that is tried before it is signed: what it did, what was held back, and why it stopped.
 * UI.md §5 "Preview", §11.
 */
import type { Json, SandboxFailure } from "@holdpoint/core/types";
import { html, nothing, type TemplateResult } from "lit";
import { icon } from "../base/icons.js";
import { prose } from "../base/prose.js";
import { seconds } from "../change/versions-view.js";
import "../findings/findings.js";
import type { Found } from "../findings/view.js";
import type { OfferKind } from "../shell/extensions.js";
import { t } from "../text/index.js";
import { said } from "../text/said.js";
import { shownAnswer } from "./answer.js";

/** One thing that a preview did; what would leave the page or stay on the device is held back. */
export type Did =
  | { is: "saved"; file: string; lines: number; text: string }
  | { is: "selected" | "coloured" | "stored" | "changed"; n: number }
  | { is: "told"; text: string }
  | { is: "asked"; host: string; method: string };

export interface Tried {
  did: Did[];
  /** How long the last call took; null until one ended. */
  ms: number | null;
  /** Where it stopped, in its own source. */
  stopped: Found | null;
  /** Tests that passed all the same. */
  passed: number;
  /** All of its panels, and the one that stands here. */
  panels: { id: string; title: string }[];
  panel: string;
  /** What no panel shows. */
  offers: { kind: Offered; id: string; title: string }[];
  /** What the last of them answered. */
  answer: { title: string; value: Json } | null;
  /** Where another version runs beside it: which one it is, whether it is the one that is signed, and its files. */
  version: { letter: string; shown: boolean; files: number } | null;
}

/** What a person can run in a preview. */
export type Offered = "command" | OfferKind;
/** What a person asks of a preview. */
export type PreviewAsk =
  | { act: "again" | "close" | "review" | "source" | "accept" }
  | { act: "panel"; id: string }
  | { act: "run"; kind: Offered; id: string };
export type Ask = (ask: PreviewAsk) => void;

export function previewBadge(tried: Tried): TemplateResult {
  return tried.stopped
    ? html`<span class="badge fail">${icon("bad", "s")}<span>${t("preview.stopped")}</span></span>`
    : html`<span class="badge hold">${icon("eye", "s")}<span>${t("preview.badge")}</span></span>`;
}

/** What it is called: by what it shows, or by its version. */
export const previewTitle = (title: string, { version }: Tried): string =>
  version ? t("versions.name", { letter: version.letter }) : title;

/** Run again, and close. */
export function previewEnds(ask: Ask): TemplateResult {
  return html`<button
      class="btn quiet s icon"
      aria-label=${t("preview.again")}
      @click=${() => ask({ act: "again" })}
    >
      ${icon("again")}</button
    ><button class="btn quiet s icon" aria-label=${t("preview.close")} @click=${() => ask({ act: "close" })}>
      ${icon("cross")}
    </button>`;
}

/** Why it stopped on this model, in place of what it would have shown. */
export function previewStopped(tried: Tried, failure: SandboxFailure, ask: Ask): TemplateResult {
  return html`<section class="call fail" role="alert">
      <h3>${t("preview.failed")}</h3>
      <dl class="w3">
        <dt>${t("word.what")}</dt>
        <dd>${prose(said(failure))}</dd>
        ${
          tried.passed
            ? html`<dt>${t("review.tests")}</dt>
                <dd>${t("preview.tests", { n: tried.passed })}</dd>`
            : nothing
        }
        <dt>${t("word.kept")}</dt>
        <dd>${t("preview.kept")}</dd>
      </dl>
    </section>
    ${
      tried.stopped?.path
        ? html`<hp-findings look="full" .findings=${[tried.stopped]}></hp-findings>`
        : nothing
    }
    <div class="flex wrap">
      <button class="btn s primary" @click=${() => ask({ act: "review" })}>
        <span>${t("preview.review")}</span>
      </button>
      ${
        // The source that opens is that of the version that is signed.
        tried.version?.shown === false
          ? nothing
          : html`<button class="btn s" @click=${() => ask({ act: "source" })}>
              ${t("review.source")}
            </button>`
      }
    </div>`;
}

/** Which of its panels stands here, where it has several. */
export function previewPanels({ panels, panel }: Tried, ask: Ask): TemplateResult | typeof nothing {
  if (panels.length < 2) return nothing;
  return html`<div class="seg" role="group" aria-label=${t("pane.panels")}>
    ${panels.map(
      ({ id, title }) =>
        html`<button aria-pressed=${id === panel} @click=${() => ask({ act: "panel", id })}>
          ${title}
        </button>`,
    )}
  </div>`;
}

/** What no panel shows, and what the last of it answered. */
export function previewOffers({ offers, answer }: Tried, ask: Ask): TemplateResult {
  return html`${offers.map(
    ({ kind, id, title }) =>
      html`<div>
        <button class="btn s" @click=${() => ask({ act: "run", kind, id })}>
          <span>${t("ext.run", { title })}</span>
        </button>
      </div>`,
  )}${
    answer && answer.value !== null
      ? html`<div class="answer" role="status">
          <p class="strong">${t("ext.answer", { title: answer.title })}</p>
          ${shownAnswer(answer.value, answer.title)}
        </div>`
      : nothing
  }`;
}

/** Of one of two versions: how long it took, and its files. */
export function previewFoot({ ms }: Tried, files: number): TemplateResult {
  const n = t("review.files", { n: files });
  return html`<div class="p-foot meta">
    <span>${t("preview.not_installed")}</span
    ><span>${ms === null ? n : t("preview.took", { time: seconds(ms), files: n })}</span>
  </div>`;
}

export function previewLog({ did, ms }: Tried): TemplateResult | typeof nothing {
  if (ms === null) return nothing;
  return html`<div class="pv-log" role="group" aria-labelledby="h-pvl">
    <div class="group-h" id="h-pvl">
      <span>${t("preview.did")}</span
      ><span class="end">${seconds(ms)}</span>
    </div>
    <ul class="rows">
      ${did.length ? did.map(row) : none()}
    </ul>
  </div>`;
}

const none = () =>
  html`<li class="c-off">${icon("dash")}<span class="grow">${t("preview.nothing")}</span></li>`;

function row(one: Did): TemplateResult {
  switch (one.is) {
    case "saved":
      return html`<li>
        ${icon("dash", "c-off")}
        <div class="grow">
          ${t("preview.held", { file: one.file })}
          <div class="sub">${t("preview.held.lines", { n: one.lines })}</div>
          <details>
            <summary class="link">${t("preview.show")}</summary>
            <pre class="scroll" tabindex="0" role="group" aria-label=${one.file}>${one.text}</pre>
          </details>
        </div>
      </li>`;
    case "told":
      return html`<li>${icon("check", "c-pass")}<span class="grow">${one.text}</span></li>`;
    case "asked":
      return html`<li>
        ${icon("dash", "c-off")}<span class="grow"
          >${t("preview.asked", { host: one.host, method: one.method })}</span
        >
      </li>`;
    case "stored":
    case "changed":
      return html`<li>
        ${icon("dash", "c-off")}<span class="grow">${t(`preview.${one.is}`, { n: one.n })}</span>
      </li>`;
    default:
      return html`<li>
        ${icon("check", "c-pass")}<span class="grow">${t(`preview.${one.is}`, { n: one.n })}</span>
      </li>`;
  }
}
