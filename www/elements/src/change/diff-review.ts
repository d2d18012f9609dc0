/**
 * The change, file by file: folds, changed words, one column or side by side from 700 px of its own width. UI.md §3.
 */

import type { FileDiff, Hunk } from "@holdpoint/core/types";
import { html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { lookOf, pairs, type Row, rows, sign, start, words } from "../base/diff-lines.js";
import { HpElement } from "../base/element.js";
import { integer } from "../base/format.js";
import { icon } from "../base/icons.js";
import { sheets } from "../base/sheets.js";
import { badges, buttons, ground } from "../base/styles.js";
import { t } from "../text/index.js";
import { own } from "./diff-own.styles.js";
import { styles } from "./diff-review.styles.js";

@customElement("hp-diff-review")
export class DiffReview extends HpElement {
  static override styles = [ground, buttons, badges, sheets, styles, own];
  @property({ attribute: false }) files: FileDiff[] = [];
  /** What stands above the files; empty for "Change". */
  @property() heading = "";
  @state() private open: ReadonlySet<string> | null = null;
  @state() private narrow = false;

  protected override get state(): string {
    return this.files.length ? "shown" : "empty";
  }

  override render() {
    const added = this.files.reduce((sum, file) => sum + (file.diff?.stats.added ?? 0), 0);
    const deleted = this.files.reduce((sum, file) => sum + (file.diff?.stats.deleted ?? 0), 0);
    const sides = this.files.some(
      (file) => file.status === "modified" || file.status === "renamed",
    );
    return html`<section
      class="sheet"
      aria-labelledby="h"
      ?data-uni=${this.narrow}
      @keydown=${this.#keys}
    >
      <div class="s-h">
        <h3 id="h">${this.heading || t("review.change")}</h3>
        <span class="meta"
          >${t("review.files", { n: this.files.length })}
          <span class="c-pass">+${integer(added)}</span>
          <span class=${deleted ? "c-fail" : ""}>−${integer(deleted)}</span></span
        >
        ${sides ? this.#layout() : nothing}
      </div>
      ${this.files.map((file) => this.#file(file))}
    </section>`;
  }

  #layout() {
    return html`<span class="end seg wide" role="group" aria-label=${t("review.layout")}>
      <button aria-pressed=${!this.narrow} @click=${() => (this.narrow = false)}>
        ${t("review.layout.split")}
      </button>
      <button aria-pressed=${this.narrow} @click=${() => (this.narrow = true)}>
        ${t("review.layout.uni")}
      </button></span
    >`;
  }

  /** The first file with code is open; the rest fold, so that the whole is seen first. */
  #isOpen(file: FileDiff): boolean {
    if (this.open) return this.open.has(file.path);
    const first = this.files.find((other) => other.path.startsWith("src/")) ?? this.files[0];
    return file === first;
  }

  #file(file: FileDiff) {
    const { added, deleted } = file.diff?.stats ?? { added: 0, deleted: 0 };
    const status = t(`review.file.${file.status}`);
    return html`<details
      class="fold diff-f"
      .open=${this.#isOpen(file)}
      @toggle=${(event: Event) => this.#toggle(file, event)}
    >
      <summary>
        ${icon("cr", "tw s")}<span class="mono strong trunc">${file.path}</span
        >${file.status === "modified" ? nothing : html`<span class="badge plain">${status}</span>`}
        <span class="meta nowrap stats"
          >${added ? html`<span class="c-pass">+${integer(added)}</span>` : nothing}
          ${deleted ? html`<span class="c-fail">−${integer(deleted)}</span>` : nothing}</span
        >
      </summary>
      ${this.#isOpen(file) ? this.#hunks(file, status) : nothing}
    </details>`;
  }

  #hunks(file: FileDiff, status: string) {
    if (!file.diff) return html`<p class="help">${t("review.too_large")}</p>`;
    const hunks = file.diff.hunks;
    const both = file.status === "modified" || file.status === "renamed";
    return html`<div class="diffbody">
      ${
        both
          ? html`<div class="cols" aria-hidden="true">
              <span>${t("review.now")}</span><span>${t("review.proposed")}</span>
            </div>`
          : nothing
      }
      ${hunks.map(
        (hunk, i) =>
          html`<div
            class="hunk"
            tabindex=${both ? 0 : nothing}
            role=${both ? "group" : nothing}
            aria-label=${both ? t("review.place_of", { n: i + 1, of: hunks.length }) : nothing}
          >
            ${
              both
                ? html`<div class="hunk-h">
                    <span class="strong"
                      >${t("review.place_of", { n: i + 1, of: hunks.length })}</span
                    >${this.#fold(hunks, i)}
                  </div>`
                : nothing
            }
            ${both ? this.#split(file, hunk) : nothing}${this.#uni(file, hunk, status, both)}
          </div>`,
      )}
    </div>`;
  }

  /** How much between two places stays as it was. */
  #fold(hunks: Hunk[], i: number) {
    const before = hunks[i - 1];
    const hunk = hunks[i];
    if (!hunk) return nothing;
    const from = before ? start(before, "old") + before.old_count : 1;
    const n = start(hunk, "old") - from;
    return n > 0 ? html`<span>${t("review.fold", { n })}</span>` : nothing;
  }

  #uni(file: FileDiff, hunk: Hunk, status: string, both: boolean) {
    return html`<table class="diff ${both ? "uni" : "one"}">
      <caption class="vh">
        ${t("review.file.caption", { path: file.path, status })}
      </caption>
      <colgroup>
        ${both ? html`<col class="w-ln" />` : nothing}
        <col class="w-ln" />
        <col class="w-sg" />
        <col />
      </colgroup>
      <tbody>
        ${rows(hunk).map(
          (row) =>
            html`<tr class=${lookOf(row.line)}>
              ${both ? html`<td class="ln">${row.old ?? ""}</td>` : nothing}
              <td class="ln">${(both ? row.now : (row.now ?? row.old)) ?? ""}</td>
              <td class="sg">${sign(row.line)}</td>
              <td class="code">${words(row.line)}</td>
            </tr>`,
        )}
      </tbody>
    </table>`;
  }

  #split(file: FileDiff, hunk: Hunk) {
    const cell = (row: Row | null, side: "left" | "right") => {
      if (!row)
        return html`<td class="ln ${side === "right" ? "mid" : ""}"></td>
          <td class="sg none"></td>
          <td class="code none"></td>`;
      const look = lookOf(row.line);
      return html`<td class="ln ${side === "right" ? "mid" : ""}">
          ${side === "left" ? row.old : row.now}
        </td>
        <td class="sg ${look}">${sign(row.line)}</td>
        <td class="code ${look}">${words(row.line)}</td>`;
    };
    return html`<table class="diff split">
      <caption class="vh">
        ${t("review.file.caption", { path: file.path, status: t("review.layout.split") })}
      </caption>
      <colgroup>
        <col class="w-ln" />
        <col class="w-sg" />
        <col />
        <col class="w-ln" />
        <col class="w-sg" />
        <col />
      </colgroup>
      <tbody>
        ${pairs(rows(hunk)).map(
          (pair) =>
            html`<tr>
              ${cell(pair.left, "left")}${cell(pair.right, "right")}
            </tr>`,
        )}
      </tbody>
    </table>`;
  }

  #toggle(file: FileDiff, event: Event): void {
    const open = (event.currentTarget as HTMLDetailsElement).open;
    if (open === this.#isOpen(file)) return;
    const all = new Set(
      this.files.filter((other) => this.#isOpen(other)).map((other) => other.path),
    );
    if (open) all.add(file.path);
    else all.delete(file.path);
    this.open = all;
  }

  /** J and K go through the places, U changes the layout. */
  #keys(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const key = event.key.toLowerCase();
    if (key === "u") {
      this.narrow = !this.narrow;
      return;
    }
    if (key !== "j" && key !== "k") return;
    const places = [...this.renderRoot.querySelectorAll<HTMLElement>(".hunk[tabindex]")];
    const at = places.indexOf(this.shadowRoot?.activeElement as HTMLElement);
    (key === "j" ? places[at + 1] : places[Math.max(0, at - 1)])?.focus();
  }
}
