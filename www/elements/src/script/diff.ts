/**
 * Current against proposed, file by file: folds, changed words, side by side or in one column, and a choice for each
 * place. Both texts are those of the preview. With focus inside: J and K places, T take, L leave, U layout. UI.md §3.
 */

import type { Accept, EngineHunk } from "@holdpoint/core/editor";
import { html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { classMap } from "lit/directives/class-map.js";
import { repeat } from "lit/directives/repeat.js";
import {
  lookOf,
  type Pair,
  pairs,
  type Row,
  rows,
  sign,
  start,
  words,
} from "../base/diff-lines.js";
import { HpElement } from "../base/element.js";
import { grammarOf } from "../base/highlight.js";
import { icon } from "../base/icons.js";
import { badges, buttons, ground } from "../base/styles.js";
import { styles as diffStyles } from "../change/diff-review.styles.js";
import { t } from "../text/index.js";
import { styles } from "./diff.styles.js";
import { type ProposedFile, places, type Reason } from "./view.js";

/** Lines of a place that are shown at once; the rest comes when somebody wants it. */
const MAX_LINES = 300;

/** What can be said about a place: taken or left, mine or theirs, or nothing. */
export type Choosing = "take" | "mine" | "none";

@customElement("hp-diff")
export class Diff extends HpElement {
  static override styles = [ground, buttons, badges, diffStyles, styles];
  @property({ attribute: false }) files: readonly ProposedFile[] = [];
  @property() choosing: Choosing = "take";
  /** The places that are taken; the others are left. */
  @property({ attribute: false }) taken: Accept = {};
  /** Of two versions: mine (`true`) or theirs, as far as it is decided. */
  @property({ attribute: false }) decided: Record<string, Record<string, boolean>> = {};
  /** What places have to say: the badge beside their number. */
  @property({ attribute: false }) reasons: readonly Reason[] = [];
  @property({ attribute: false }) stale: readonly string[] = [];
  @property() left = "";
  @property() right = "";
  @property() layout: "split" | "uni" = "split";
  @property({ type: Boolean }) disabled = false;
  @state() private folded: ReadonlySet<string> = new Set();
  @state() private open: ReadonlySet<string> = new Set();

  #chosen(path: string, hunk: string): boolean | undefined {
    return this.choosing === "take"
      ? (this.taken[path]?.includes(hunk) ?? false)
      : this.decided[path]?.[hunk];
  }

  protected override get state(): string {
    return this.files.length ? "shown" : "empty";
  }

  override render() {
    let before = 0;
    const of = places(this.files);
    return html`<div
      class="all"
      data-testid="hp-diff"
      ?data-stale=${this.stale.length > 0}
      ?data-uni=${this.layout === "uni"}
      @keydown=${this.#keys}
    >
      ${repeat(
        this.files,
        (file) => file.path,
        (file) => {
          const first = before;
          before += file.diff.hunks.length;
          return this.#file(file, first, of);
        },
      )}
    </div>`;
  }

  #file(file: ProposedFile, first: number, of: number) {
    const { added, deleted } = file.diff.stats;
    const shut = this.folded.has(file.path);
    return html`<section
      class="diffbox"
      data-testid="hp-diff-file"
      data-path=${file.path}
      aria-label=${file.path}
    >
      <div class="diff-h">
        <button
          class="fold-b"
          aria-expanded=${!shut}
          aria-label=${t("script.diff.file", { path: file.path })}
          @click=${() => this.#fold(file.path)}
        >
          ${icon(shut ? "cr" : "cd", "s")}</button
        ><span class="path">${file.path}</span
        ><span class="meta"
          ><span class="c-pass">+${added}</span>
          <span class=${deleted ? "c-fail" : ""}>−${deleted}</span></span
        >
        ${
          this.stale.includes(file.path)
            ? html`<span class="badge hold"
                >${icon("clock", "s")}<span>${t("script.diff.changed")}</span></span
              >`
            : nothing
        }
      </div>
      ${
        shut
          ? nothing
          : html`<div class="cols" aria-hidden="true">
                <span>${this.left || t("script.now")}</span
                ><span>${this.right || t("script.proposed.column")}</span>
              </div>
              ${file.diff.hunks.map(
                (hunk, i) =>
                  html`${this.#between(file, i)}${this.#hunk(file, hunk, first + i + 1, of)}`,
              )}${this.#between(file, file.diff.hunks.length)}`
      }
    </section>`;
  }

  #hunk(file: ProposedFile, hunk: EngineHunk, n: number, of: number) {
    const chosen = this.#chosen(file.path, hunk.id);
    const to = hunk.old_start + Math.max(0, hunk.old_count - 1);
    const words = this.reasons
      .filter((one) => one.path === file.path && one.hunk === hunk.id && one.short)
      .map((one) => one.short);
    return html`<div
      class=${classMap({ hunk: true, rejected: this.choosing === "take" && chosen === false })}
      data-hunk=${hunk.id}
      tabindex="0"
      role="group"
      aria-label=${t("script.place", { n, of })}
    >
      <div class="hunk-h">
        <span class="strong">${t("script.place", { n, of })}</span
        ><span
          >${t("script.lines", {
            n: Math.max(1, hunk.old_count),
            from: String(hunk.old_start),
            to: String(to),
          })}</span
        >
        ${words.map(
          (word) => html`<span class="badge hold">${icon("med", "s")}<span>${word}</span></span>`,
        )}${this.#choice(file, hunk, n, chosen)}
      </div>
      ${this.#lines(file, hunk, n)}
    </div>`;
  }

  #choice(file: ProposedFile, hunk: EngineHunk, n: number, chosen: boolean | undefined) {
    if (this.choosing === "none") return nothing;
    const say = (take: boolean) => this.emit("hp-hunk", { path: file.path, id: hunk.id, take });
    const yes = html`<button
      aria-pressed=${chosen === true}
      ?disabled=${this.disabled}
      data-testid="hp-take"
      @click=${() => say(true)}
    >
      ${chosen === true ? icon("check", "s") : nothing}<span
        >${t(this.choosing === "take" ? "script.take" : "script.two.mine")}</span
      >
    </button>`;
    const no = html`<button
      class=${this.choosing === "take" ? "no" : ""}
      aria-pressed=${chosen === false}
      ?disabled=${this.disabled}
      data-testid="hp-leave"
      @click=${() => say(false)}
    >
      ${chosen === false ? icon(this.choosing === "take" ? "cross" : "check", "s") : nothing}<span
        >${t(this.choosing === "take" ? "script.leave" : "script.two.theirs")}</span
      >
    </button>`;
    return html`<span class="end seg" role="group" aria-label=${t("script.place.short", { n })}
      >${this.choosing === "take" ? html`${yes}${no}` : html`${no}${yes}`}</span
    >`;
  }

  /** The lines between two places, folded until somebody wants them. */
  #between(file: ProposedFile, i: number) {
    const [before, behind] = [file.diff.hunks[i - 1], file.diff.hunks[i]];
    const lines = file.before.split("\n");
    const from = before ? start(before, "old") + before.old_count : 1;
    const last = lines.at(-1) === "" ? lines.length - 1 : lines.length;
    const to = behind ? start(behind, "old") - 1 : last;
    const n = to - from + 1;
    if (n <= 0) return nothing;
    // Where the file begins or ends nothing is between places.
    if (!before || !behind) return nothing;
    const key = `${file.path} ${i}`;
    if (!this.open.has(key))
      return html`<button
        class="fold-line"
        aria-expanded="false"
        @click=${() => (this.open = new Set([...this.open, key]))}
      >
        ${t("script.fold", { n })}
      </button>`;
    const shift = start(before, "new") + before.new_count - from;
    const kept = lines.slice(from - 1, to).map(
      (text, k): Row => ({
        old: from + k,
        now: from + k + shift,
        line: { kind: "context", text: text.replace(/\r$/, ""), eol: "lf" },
      }),
    );
    return html`${this.#table(
      file,
      kept.map((row) => ({ left: row, right: row })),
      t("script.fold", { n }),
    )}${this.#column(file, kept, t("script.fold", { n }))}`;
  }

  /** Both layouts of a place; the width decides which one is seen. */
  #lines(file: ProposedFile, hunk: EngineHunk, n: number) {
    const key = `${file.path} ${hunk.id}`;
    const all = rows(hunk);
    const shown = this.open.has(key) ? all : all.slice(0, MAX_LINES);
    const rest = all.length - shown.length;
    return html`${this.#table(
      file,
      pairs(shown),
      t("script.diff.split", { n, path: file.path }),
    )}${this.#column(file, shown, t("script.diff.uni", { n, path: file.path }))}
    ${
      rest
        ? html`<button
            class="fold-line"
            aria-expanded="false"
            @click=${() => (this.open = new Set([...this.open, key]))}
          >
            ${t("script.more.lines", { n: rest })}
          </button>`
        : nothing
    }`;
  }

  #table(file: ProposedFile, all: Pair[], caption: string) {
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
        <td class="code ${look}">${words(row.line, grammarOf(file.path))}</td>`;
    };
    return html`<table class="diff split">
      <caption class="vh">
        ${caption}
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
        ${all.map(
          (pair) =>
            html`<tr>
              ${cell(pair.left, "left")}${cell(pair.right, "right")}
            </tr>`,
        )}
      </tbody>
    </table>`;
  }

  #column(file: ProposedFile, all: Row[], caption: string) {
    return html`<table class="diff uni">
      <caption class="vh">
        ${caption}
      </caption>
      <colgroup>
        <col class="w-ln" />
        <col class="w-ln" />
        <col class="w-sg" />
        <col />
      </colgroup>
      <tbody>
        ${all.map(
          (row) =>
            html`<tr class=${lookOf(row.line)}>
              <td class="ln">${row.old ?? ""}</td>
              <td class="ln">${row.now ?? ""}</td>
              <td class="sg">${sign(row.line)}</td>
              <td class="code">${words(row.line, grammarOf(file.path))}</td>
            </tr>`,
        )}
      </tbody>
    </table>`;
  }

  #fold(path: string): void {
    const next = new Set(this.folded);
    if (!next.delete(path)) next.add(path);
    this.folded = next;
  }

  #keys(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const key = event.key.toLowerCase();
    const all = [...this.renderRoot.querySelectorAll<HTMLElement>(".hunk")];
    const here =
      (this.shadowRoot?.activeElement as HTMLElement | null)?.closest<HTMLElement>(".hunk") ?? null;
    const at = here ? all.indexOf(here) : -1;
    if (key === "u") this.emit("hp-layout", { layout: this.layout === "uni" ? "split" : "uni" });
    else if (key === "j") all[Math.min(all.length - 1, at + 1)]?.focus();
    else if (key === "k") all[Math.max(0, at - 1)]?.focus();
    else if ((key === "t" || key === "l") && here && this.choosing !== "none" && !this.disabled)
      this.emit("hp-hunk", {
        path: here.closest<HTMLElement>("[data-path]")?.dataset.path,
        id: here.dataset.hunk,
        take: key === "t",
      });
    else return;
    event.preventDefault();
  }

  /** Brings a place into view and gives it focus. */
  show(path: string, hunk: string | null): void {
    const box = this.renderRoot.querySelector(`[data-path="${path}"]`);
    const place =
      (hunk
        ? [...(box?.querySelectorAll<HTMLElement>(".hunk") ?? [])].find(
            (one) => one.dataset.hunk === hunk,
          )
        : null) ?? box?.querySelector<HTMLElement>(".hunk");
    place?.scrollIntoView({ block: "center" });
    place?.focus({ preventScroll: true });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "hp-diff": Diff;
  }
}
