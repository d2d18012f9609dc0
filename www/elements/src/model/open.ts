/**
 * Opening a model: progress, not an IFC file, cut off, partly read. The old model stays until a new one is ready. UI.md
 * §3, §7.
 */

import type { ModelFacts, ModelOpenError, ModelProblem, OpenProgress } from "@holdpoint/core/types";
import { css, html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { bytes, elapsed, integer, listed, minutes, percent } from "../base/format.js";
import { icon } from "../base/icons.js";
import { prose, sentence } from "../base/prose.js";
import { calls, meters, sheets } from "../base/sheets.js";
import { badges, buttons, ground } from "../base/styles.js";
import "../shell/copy.js";
import { styles as rails } from "../change/run-timeline.styles.js";
import { styles as findings } from "../findings/findings.styles.js";
import { has, t } from "../text/index.js";
import { detailed } from "../text/refusal.js";
import { said } from "../text/said.js";

export type OpenView =
  | { state: "opening"; name: string; progress: OpenProgress | null; ms: number }
  | { state: "failed"; name: string; error: ModelOpenError }
  | { state: "partly"; facts: ModelFacts };

const stages = ["header", "elements", "storeys"] as const;
/** What is packed is unpacked first. */
const packed = ["unpack", ...stages] as const;
type Stage = (typeof packed)[number];
/** From here on a file may be more than a tab holds, in bytes. */
const LARGE = 600_000_000;
/** Models of a packed file that are named. */
const MAX_NAMES = 4;
/** Problems that are listed; the rest is counted. */
const MAX_PROBLEMS = 50;

const own = css`
  .opening { padding: var(--s-6); background: var(--canvas); height: 100%; }
  .opening > * { max-width: 600px; }
  .called {
    padding: var(--s-6);
    border-bottom: 1px solid var(--line-2);
    background: var(--canvas);
    max-height: 60cqb;
    overflow: auto;
  }
  .called > * { max-width: 680px; }
  .big-n {
    font-size: var(--t-figure);
    line-height: var(--l-figure);
    font-weight: var(--w-strong);
    letter-spacing: -.02em;
  }
  .progress.tall { height: 8px; }
  .op > li { grid-template-columns: 16px 76px minmax(0, 1fr) auto; }
  .base { align-items: baseline; }
  .last { border-top: 1px solid var(--line); justify-content: space-between; }
  .partly, .partly > .s-h { border-color: var(--hold-line); }
  .partly > .s-h { background: var(--hold-tint); }
  .list { border-top: 1px solid var(--line-2); max-height: 220px; }
  .finding { border-color: var(--line-2); background: var(--surface); margin: var(--s-3) 0 0; }
  .finding > .at { border-top: 0; border-bottom: 1px solid var(--line); }
  @media (max-width: 767px) {
    .opening, .called { padding: var(--s-4); }
    .tb { grid-template-columns: repeat(3, minmax(0, 1fr)); }
  }
`;

@customElement("hp-open")
export class Open extends HpElement {
  static override styles = [ground, buttons, badges, sheets, calls, meters, findings, rails, own];
  @property({ attribute: false }) view: OpenView | null = null;
  /** The model that is open meanwhile. */
  @property() current = "";

  protected override get state(): string {
    return this.view?.state ?? "none";
  }

  override render() {
    const view = this.view;
    if (!view) return nothing;
    if (view.state === "opening") return this.#opening(view);
    return view.state === "failed" ? this.#failed(view) : this.#partly(view.facts);
  }

  #opening(view: Extract<OpenView, { state: "opening" }>) {
    const progress = view.progress;
    const share = progress && progress.total > 0 ? Math.min(1, progress.read / progress.total) : 0;
    const list: readonly Stage[] = progress?.stage === "unpack" ? packed : stages;
    const stage = progress?.stage ?? "header";
    const at = list.indexOf(stage);
    const read = stage === "unpack" ? "open.unpacking" : "open.read";
    return html`<div
      class="opening scroll"
      tabindex="0"
      role="group"
      aria-label=${t("app.scrolls", { name: t("open.progress", { name: view.name }) })}
    >
      <section class="sheet" aria-labelledby="h">
        <div class="s-h">
          <h3 id="h">${t("open.title", { name: view.name })}</h3>
          <span class="end meta">${minutes(view.ms)}</span>
        </div>
        <div class="s-b stack">
          <div class="flex base">
            <span class="big-n">${percent(share)}</span
            ><span class="meta"
              >${
                progress
                  ? t(read, { read: bytes(progress.read), total: bytes(progress.total) })
                  : ""
              }</span
            >
          </div>
          <div
            class="progress tall"
            role="progressbar"
            aria-label=${t("open.progress", { name: view.name })}
            aria-valuemin="0"
            aria-valuemax="100"
            aria-valuenow=${Math.round(share * 100)}
          >
            <i style="width:${share * 100}%"></i>
          </div>
        </div>
        <ol class="steps op">
          ${list.map((name, i) => this.#stage(name, i, at, progress))}
        </ol>
        ${
          (progress?.total ?? 0) > LARGE
            ? html`<p class="s-b flex">${icon("info", "s")} ${t("open.large")}</p>`
            : nothing
        }
        <div class="s-b flex wrap last">
          <span class="meta grow"
            >${this.current ? t("open.stays", { name: this.current }) : t("open.none_open")}</span
          ><button class="btn" data-testid="hp-open-cancel" @click=${() => this.emit("hp-stop")}>
            ${icon("cross", "s")}<span>${t("open.cancel")}</span>
          </button>
        </div>
      </section>
      <p class="vh" role="status">
        ${t("open.status", {
          percent: percent(Math.floor(share * 10) / 10),
          stage: t(`open.stage.${stage}`),
        })}
      </p>
    </div>`;
  }

  #stage(name: Stage, i: number, at: number, progress: OpenProgress | null) {
    const words = stageWords(name, progress);
    const what = html`<span class="what">${t(`open.stage.${name}`)}</span>`;
    if (i > at)
      return html`<li class="na">
        ${icon("idle", "c-off")}${what}<span class="c-off">${t("open.not_yet")}</span
        ><span class="t"></span>
      </li>`;
    const mark = i === at ? icon("spin", "c-run spin") : icon("ok", "c-pass");
    return html`<li class=${i === at ? "run" : "ok"}>
      ${mark}${what}<span>${words || (i === at ? soFar(progress) : "")}</span><span class="t"></span>
    </li>`;
  }

  #failed({ name, error }: Extract<OpenView, { state: "failed" }>) {
    const reason = error.details?.reason;
    const cut =
      reason === "cut" || reason === "truncated" || reason === "unterminated" || reason === "end";
    const other = reason === "header" || reason === "not_ifc" ? "open.bad" : "open.failed";
    const title = t(cut ? "open.cut" : other, { name });
    const line = error.details?.line;
    const excerpt = error.details?.excerpt;
    return html`<div class="called">
      <section class="call fail" aria-labelledby="h" role="alert">
        <h3 id="h">${title}</h3>
        <dl class="w3">
          <dt>${t("word.what")}</dt>
          <dd>${prose(why(error))}</dd>
          <dt>${t("word.kept")}</dt>
          <dd>${this.current ? t("open.kept", { name: this.current }) : t("open.kept.none")}</dd>
          ${
            cut
              ? html`<dt>${t("word.helps")}</dt>
                  <dd>${t("open.cut.helps")}</dd>`
              : nothing
          }
        </dl>
        ${
          excerpt && line !== undefined
            ? html`<div class="finding">
                <p class="at">
                  <span class="trunc">${name}</span><span>${t("open.line", { n: line })}</span>
                </p>
                <pre
                  class="scroll"
                  tabindex="0"
                  role="group"
                  aria-label=${t("open.end", { line })}
                ><span class="ln">${line} </span>${excerpt}</pre>
              </div>`
            : nothing
        }
        <div class="flex wrap acts-c">
          <button class="btn s primary" @click=${() => this.emit("hp-open-file")}>
            ${icon("file", "s")}<span>${t("open.another")}</span></button
          ><button class="btn s" @click=${() => this.emit("hp-open-sample")}>
            ${t("open.sample")}
          </button>
          <hp-copy .text=${detailed(error)}></hp-copy>${
            this.current
              ? html`<button
                  class="btn quiet s icon"
                  aria-label=${t("app.close")}
                  @click=${() => this.emit("hp-close")}
                >
                  ${icon("cross", "s")}
                </button>`
              : nothing
          }
        </div>
      </section>
    </div>`;
  }

  #partly(facts: ModelFacts) {
    const title = t("open.partly", { n: facts.problems.length });
    return html`<div class="called">
      <p class="vh" role="status">${title}</p>
      <section class="sheet partly" aria-labelledby="h">
        <div class="s-h">
          <h3 id="h">${title}</h3>
          <span class="end flex"
            ><hp-copy
              .text=${facts.problems.map((one) => `${one.line ?? ""} ${detailed(one)}`).join("\n")}
            ></hp-copy>
            <button
              class="btn quiet s icon"
              aria-label=${t("open.partly.close")}
              @click=${() => this.emit("hp-close")}
            >
              ${icon("cross", "s")}
            </button></span
          >
        </div>
        <dl class="tb">
          <div>
            <dt>${t("open.schema")}</dt>
            <dd>${facts.schema}</dd>
          </div>
          <div>
            <dt>${t("open.elements")}</dt>
            <dd>${integer(facts.elements)}</dd>
          </div>
          <div>
            <dt>${t("open.in")}</dt>
            <dd>${elapsed(facts.opened_ms)}</dd>
          </div>
        </dl>
        <div class="list scroll" tabindex="0" role="group" aria-label=${title}>
          <ul class="rows">
            ${facts.problems.slice(0, MAX_PROBLEMS).map((one) => this.#problem(one))}${
              facts.problems.length > MAX_PROBLEMS
                ? html`<li class="meta">
                    ${t("model.more", { n: facts.problems.length - MAX_PROBLEMS })}
                  </li>`
                : nothing
            }
          </ul>
        </div>
      </section>
    </div>`;
  }

  #problem(one: ModelProblem) {
    const id = one.express_id;
    return html`<li>
      ${icon("med", "c-hold")}
      <div class="grow">
        ${prose(sentence(said(one)))}${
          one.line === undefined
            ? nothing
            : html`<div class="sub">${t("open.line", { n: one.line })}</div>`
        }
      </div>
      ${
        id === undefined
          ? nothing
          : html`<button class="btn quiet s" @click=${() => this.emit("hp-select", { ids: [id] })}>
              ${t("open.show")}
            </button>`
      }
    </li>`;
  }
}

/** What is wrong with a file that was not even begun, with what helps; else what its reader says. */
function why(error: ModelOpenError): string {
  const { reason = "", names = [], size = 0, limit = 0 } = error.details ?? {};
  const key = `open.why.${reason}`;
  if (!has(key)) return sentence(said(error));
  const shown = names.slice(0, MAX_NAMES);
  const all =
    names.length > MAX_NAMES ? [...shown, t("model.more", { n: names.length - MAX_NAMES })] : shown;
  return t(key, {
    n: names.length,
    names: listed(all),
    size: bytes(size),
    limit: bytes(limit),
  });
}

/** What the header says of the file, while it is read. */
const stageWords = (name: Stage, progress: OpenProgress | null): string =>
  name === "header" ? (progress?.header ?? "") : "";

function soFar(progress: OpenProgress | null): string {
  if (progress?.lines === undefined) return "";
  return t("open.so_far", { lines: progress.lines, elements: progress.elements ?? 0 });
}
