/**
 * The change column: whether the check passed, which files change and what they touch. Always in view; it says so too
 * when nothing is proposed. UI.md §12 "Workbench, wide".
 */
import { html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { HpElement } from "../../base/element.js";
import { integer, listed } from "../../base/format.js";
import { icon } from "../../base/icons.js";
import { heads, sheets } from "../../base/sheets.js";
import { badges, buttons, ground } from "../../base/styles.js";
import { visible } from "../../base/unseen.js";
import { t } from "../../text/index.js";
import { styles } from "./change.styles.js";
import type { ChangeColumn, FileRow, ImpactView } from "./view.js";

@customElement("hp-wb-change")
export class WorkbenchChange extends HpElement {
  static override styles = [ground, buttons, badges, heads, sheets, styles];
  @property({ attribute: false }) view!: ChangeColumn;

  protected override get state(): string {
    return this.view.check;
  }

  override render() {
    const { view } = this;
    return html`<div class="p-head">
        <h2>${t("wb.change")}</h2>
        <span class="meta">${proposal(view)}</span>
      </div>
      <div
        class="p-body scroll"
        tabindex="0"
        role="group"
        aria-label=${t("app.scrolls", { name: t("wb.change") })}
      >
        <div class="chipset" data-testid="wb-validation">${check(view)}</div>
        ${view.unavailable ? unavailable() : nothing}${this.#files(view)}
        <div data-testid="wb-impact">
          <div class="group-h">
            <h3>${t("wb.impact")}</h3>
            ${
              view.impact
                ? html`<span class="end">${t("wb.objects", { n: view.impact.objects })}</span>`
                : nothing
            }
          </div>
          ${
            view.impact
              ? impact(view.impact)
              : html`<p class="meta none">${t("wb.impact.none")}</p>`
          }
        </div>
      </div>`;
  }

  #files({ files, selected }: ChangeColumn) {
    const sum = (of: "added" | "deleted") => files.reduce((n, file) => n + file[of], 0);
    return html`<div class="group-h">
        <h3>${t("wb.files")}</h3>
        ${
          files.length
            ? html`<span class="end"
                >${t("wb.files.n", { n: files.length })}${t("app.comma")}${lines(sum("added"), sum("deleted"))}</span
              >`
            : nothing
        }
      </div>
      ${
        files.length
          ? html`<ul class="files">
              ${files.map((file) => this.#file(file, file.file === selected))}
            </ul>`
          : html`<p class="meta none">${t("wb.files.none")}</p>`
      }`;
  }

  #file(row: FileRow, current: boolean) {
    return html`<li data-testid="wb-file" data-letter=${row.letter} data-path=${row.file}>
      <button
        class="wf"
        aria-current=${current ? "true" : "false"}
        @click=${() => this.emit("hp-show-file", { path: row.file })}
      >
        <span class="l ${row.letter}" title=${t(`wb.letter.${row.letter}`)}>${row.letter}</span
        ><span class="nm trunc"
          ><span class="vh">${t(`wb.letter.${row.letter}`)}: </span
          ><span translate="no">${visible(row.name)}</span></span
        ><span class="pm">${lines(row.added, row.deleted)}</span
        ><span class="sub" translate="no">${visible(row.file)}</span>${
          row.unsaid ? flag(t("wb.unsaid")) : nothing
        }${row.different ? flag(t("wb.different")) : nothing}
      </button>
    </li>`;
  }
}

function proposal({ proposal, check }: ChangeColumn): string {
  if (check === "running") return t("wb.proposal.running");
  return proposal === null ? t("wb.proposal.none") : t("wb.proposal", { n: proposal });
}

function check({ check, errors, warnings }: ChangeColumn) {
  if (check === "none") return html`<span class="badge plain">${t("wb.check.none")}</span>`;
  if (check === "running")
    return html`<span class="badge run"
      >${icon("spin", "s spin")}<span>${t("wb.check.running")}</span></span
    >`;
  return html`${
    check === "passed"
      ? html`<span class="badge pass">${icon("ok", "s")}<span>${t("wb.check.passed")}</span></span>`
      : html`<span class="badge fail"
          >${icon("bad", "s")}<span>${t("wb.check.failed", { n: errors })}</span></span
        >`
  }${warnings ? flag(t("wb.warnings", { n: warnings })) : nothing}`;
}

const unavailable = () =>
  html`<p class="meta none" data-testid="wb-preview-unavailable">${t("wb.unavailable")}</p>`;

const flag = (words: string) =>
  html`<span class="fl"
    ><span class="badge hold">${icon("med", "s")}<span>${words}</span></span></span
  >`;

const lines = (added: number, deleted: number) =>
  html`<span class="c-pass">+${integer(added)}</span>
    <span class=${deleted ? "c-fail" : "quiet"}>−${integer(deleted)}</span>`;

function impact({ risks, kinds, affected }: ImpactView) {
  return html`${risks.length ? html`<div class="chipset">${risks.map(flag)}</div>` : nothing}
    <dl class="kv">
      ${kinds.map(
        ({ type, names }) =>
          html`<div>
            <dt>${t(`wb.kind.${type}`, { n: names.length })}</dt>
            <dd translate="no">${visible(listed(names))}</dd>
          </div>`,
      )}
    </dl>
    ${
      affected.length
        ? html`<div class="group-h"><h4>${t("wb.affected")}</h4></div>
            <ul class="rows">
              ${affected.map(
                ({ name, where, why, href }) =>
                  html`<li>
                    ${icon("med", "c-hold")}
                    <div>
                      <p>
                        ${
                          href
                            ? html`<a href=${href} translate="no">${visible(name)}</a>`
                            : html`<span translate="no">${visible(name)}</span>`
                        }
                        <span class="quiet" translate="no">${visible(where)}</span>
                      </p>
                      <p class="sub">${why}</p>
                    </div>
                  </li>`,
              )}
            </ul>`
        : nothing
    }`;
}

declare global {
  interface HTMLElementTagNameMap {
    "hp-wb-change": WorkbenchChange;
  }
}
