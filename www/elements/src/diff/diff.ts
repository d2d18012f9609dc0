/**
 * What changes, file by file: folds, changed words, side by side or in one column, a choice for each place. UI.md §3.
 *
 * With a `heading` all files stand in one sheet and the first with code is open; without one each has a box, and all
 * are, as long as they are not too much together. Long places and many of them are drawn in slices, so that the page
 * answers between. With focus inside: J and K changes, A accept, R reject, U layout.
 */

import type { Hunk } from "@holdpoint/core/types";
import { html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { classMap } from "lit/directives/class-map.js";
import { ref } from "lit/directives/ref.js";
import { repeat } from "lit/directives/repeat.js";
import { HpElement } from "../base/element.js";
import { integer } from "../base/format.js";
import { icon } from "../base/icons.js";
import { sheets } from "../base/sheets.js";
import { badges, buttons, ground } from "../base/styles.js";
import { visible } from "../base/unseen.js";
import { t } from "../text/index.js";
import { asked } from "./asks.js";
import { sheetStyles, styles } from "./diff.styles.js";
import { behind, gapBefore, linesOfGap } from "./folds.js";
import { start } from "./lines.js";
import { styles as lineStyles } from "./lines.styles.js";
import { both, type Drawing, SLICE_LINES, sliced } from "./slices.js";
import { column, split } from "./tables.js";
import {
  type Asking,
  type Choosing,
  DECIDES,
  type DiffFile,
  hasBoth,
  linesOf,
  placesOf,
  type Remark,
} from "./view.js";

/** Places of a file that are drawn at once; the next come when they are scrolled to. */
const SLICE_PLACES = 15;
/** Lines that a press brings, a slice in a frame. */
const PRESS_LINES = 3_000;
/** Lines that differ up to which boxes are open by themselves. */
const OPEN_LINES = 4_000;

@customElement("hp-diff")
export class Diff extends HpElement {
  static override styles = [ground, buttons, badges, sheets, lineStyles, styles, sheetStyles];
  @property({ attribute: false }) files: readonly DiffFile[] = [];
  /** What stands above all files. */
  @property() heading = "";
  @property() choosing: Choosing = "take";
  @property() asks: Asking = "";
  /** The places that are taken, by file; the others are left. */
  @property({ attribute: false }) taken: Readonly<Record<string, readonly string[]>> = {};
  /** Of two versions: mine (`true`) or theirs, as far as it is decided. */
  @property({ attribute: false }) decided: Record<string, Record<string, boolean>> = {};
  @property({ attribute: false }) reasons: readonly Remark[] = [];
  @property({ attribute: false }) stale: readonly string[] = [];
  @property() left = "";
  @property() right = "";
  @property() layout: "split" | "uni" = "split";
  @property({ type: Boolean }) disabled = false;
  /** Files that somebody opened or folded. */
  @state() private folds: ReadonlyMap<string, boolean> = new Map();
  /** Of what somebody unfolded: how many lines are drawn so far. */
  @state() private shown: ReadonlyMap<string, number> = new Map();
  /** Of files with many places: how many are drawn so far. */
  @state() private places: ReadonlyMap<string, number> = new Map();
  /** What is being unfolded, slice by slice. */
  readonly #growing = new Set<string>();
  /** The ways to further places, and who sees that one is in sight. */
  readonly #nexts = new Set<Element>();
  #seen: IntersectionObserver | null = null;

  protected override get state(): string {
    return this.files.length ? "shown" : "empty";
  }

  override render() {
    return this.heading ? this.#sheet() : this.#boxes();
  }

  #boxes() {
    let before = 0;
    const of = placesOf(this.files);
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
          before += file.diff?.hunks.length ?? 0;
          return this.#box(file, first, of);
        },
      )}
    </div>`;
  }

  #sheet() {
    const { added, deleted } = linesOf(this.files);
    return html`<section
      class="sheet"
      aria-labelledby="h"
      ?data-uni=${this.layout === "uni"}
      @keydown=${this.#keys}
    >
      <div class="s-h">
        <h3 id="h">${this.heading}</h3>
        <span class="meta"
          >${t("review.files", { n: this.files.length })}
          <span class="c-pass">+${integer(added)}</span>
          <span class=${deleted ? "c-fail" : ""}>−${integer(deleted)}</span></span
        >
        ${this.files.some(hasBoth) ? this.#switch() : nothing}
      </div>
      ${this.files.map((file) => this.#folding(file))}
    </section>`;
  }

  #switch() {
    return html`<span class="end seg wide" role="group" aria-label=${t("diff.layout")}>
      <button aria-pressed=${this.layout === "split"} @click=${() => this.#lay("split")}>
        ${t("diff.layout.split")}
      </button>
      <button aria-pressed=${this.layout === "uni"} @click=${() => this.#lay("uni")}>
        ${t("diff.layout.uni")}
      </button></span
    >`;
  }

  #box(file: DiffFile, first: number, of: number) {
    const { added, deleted } = linesOf([file]);
    const open = this.#isOpen(file);
    return html`<section
      class="diffbox"
      data-testid="hp-diff-file"
      data-path=${file.path}
      aria-label=${visible(file.path)}
    >
      <div class="diff-h">
        <button
          class="fold-b"
          aria-expanded=${open}
          aria-label=${t("diff.file.fold", { path: file.path })}
          @click=${() => this.#fold(file, !open)}
        >
          ${icon(open ? "cd" : "cr", "s")}</button
        ><span class="path">${visible(file.path)}</span>${this.#status(file)}<span class="meta"
          ><span class="c-pass">+${added}</span>
          <span class=${deleted ? "c-fail" : ""}>−${deleted}</span></span
        >
        ${
          this.stale.includes(file.path)
            ? html`<span class="badge hold"
                >${icon("clock", "s")}<span>${t("diff.changed")}</span></span
              >`
            : nothing
        }${this.#asks(file.path, null)}
      </div>
      ${open ? this.#places(file, first, of) : nothing}
    </section>`;
  }

  #folding(file: DiffFile) {
    const { added, deleted } = linesOf([file]);
    const open = this.#isOpen(file);
    return html`<details
      class="fold diff-f"
      data-path=${file.path}
      .open=${open}
      @toggle=${(event: Event) =>
        this.#fold(file, (event.currentTarget as HTMLDetailsElement).open)}
    >
      <summary>
        ${icon("cr", "tw s")}<span class="mono strong trunc">${visible(file.path)}</span
        >${this.#status(file)}
        <span class="meta nowrap stats"
          >${added ? html`<span class="c-pass">+${integer(added)}</span>` : nothing}
          ${deleted ? html`<span class="c-fail">−${integer(deleted)}</span>` : nothing}</span
        >
      </summary>
      ${
        open
          ? html`<div class="diffbody">
              ${this.#places(file, 0, file.diff?.hunks.length ?? 0)}
            </div>`
          : nothing
      }
    </details>`;
  }

  #status({ status = "modified" }: DiffFile) {
    return status === "modified"
      ? nothing
      : html`<span class="badge plain">${t(`diff.file.${status}`)}</span>`;
  }

  /** Places are counted from `first`, over all of `of`. */
  #places(file: DiffFile, first: number, of: number) {
    if (!file.diff) return html`<p class="help">${t("diff.too_large")}</p>`;
    const { hunks } = file.diff;
    if (!hasBoth(file)) {
      const said = t("diff.caption.one", {
        path: file.path,
        status: t(`diff.file.${file.status ?? "modified"}`),
      });
      return hunks.map(
        (hunk) =>
          html`<div class="hunk">
            ${this.#cut(file, hunk, (_, all) => column(file.path, all, said, false))}
          </div>`,
      );
    }
    const drawn = Math.min(hunks.length, this.places.get(file.path) ?? SLICE_PLACES);
    const rest = hunks.length - drawn;
    return html`<div class="cols" aria-hidden="true">
        <span>${this.left || t("diff.now")}</span><span>${this.right || t("diff.proposed")}</span>
      </div>
      ${hunks
        .slice(0, drawn)
        .map(
          (_, i) =>
            html`${this.#between(file, hunks, i)}${this.#hunk(file, hunks, i, first + i + 1, of)}`,
        )}${
        rest > 0 ? this.#next(file.path, drawn, rest) : this.#between(file, hunks, hunks.length)
      }`;
  }

  /** Further places come when this is seen, or pressed. */
  #next(path: string, drawn: number, n: number) {
    return html`<button
      class="fold-line"
      ${ref(this.#watch)}
      @click=${() => this.#draw(path, drawn + SLICE_PLACES)}
    >
      ${t("diff.more.places", { n })}
    </button>`;
  }

  #draw(path: string, places: number): void {
    this.places = new Map([...this.places, [path, places]]);
  }

  #hunk(file: DiffFile, hunks: readonly Hunk[], i: number, n: number, of: number) {
    const hunk = hunks[i] as Hunk;
    const chosen = this.#chosen(file.path, hunk.id);
    const words = this.reasons
      .filter((one) => one.path === file.path && one.hunk === hunk.id && one.short)
      .map((one) => one.short);
    return html`<div
      class=${classMap({ hunk: true, rejected: this.choosing === "take" && chosen === false })}
      data-hunk=${hunk.id}
      tabindex="0"
      role="group"
      aria-label=${t("diff.place", { n, of })}
    >
      <div class="hunk-h">
        <span class="strong">${t("diff.place", { n, of })}</span
        >${file.before === undefined ? this.#passed(hunks, i) : this.#where(hunk)}
        ${words.map(
          (word) => html`<span class="badge hold">${icon("med", "s")}<span>${word}</span></span>`,
        )}<span class="end acts"
          >${this.#asks(file.path, hunk.id)}${this.#choice(file, hunk, n, chosen)}</span
        >
      </div>
      ${this.#cut(
        file,
        hunk,
        (beside, below) =>
          html`${split(file.path, beside, t("diff.caption.split", { n, path: file.path }))}
          ${column(file.path, below, t("diff.caption.uni", { n, path: file.path }))}`,
      )}
    </div>`;
  }

  #where(hunk: Hunk) {
    const to = hunk.old_start + Math.max(0, hunk.old_count - 1);
    return html`<span
      >${t("diff.lines", {
        n: Math.max(1, hunk.old_count),
        from: String(hunk.old_start),
        to: String(to),
      })}</span
    >`;
  }

  /** How much before a place stays as it was, where its text is not there to be unfolded. */
  #passed(hunks: readonly Hunk[], i: number) {
    const n = start(hunks[i] as Hunk, "old") - behind(hunks[i - 1]);
    return n > 0 ? html`<span>${t("diff.passed", { n })}</span>` : nothing;
  }

  /** Goes to the request, where it is asked and what it costs is said. */
  #asks(path: string, id: string | null) {
    const tell = (name: string, detail: object) => this.emit(name, detail);
    return asked(this.asks, { path, id, off: this.disabled }, tell);
  }

  #chosen(path: string, hunk: string): boolean | undefined {
    return this.choosing === "take"
      ? (this.taken[path]?.includes(hunk) ?? false)
      : this.decided[path]?.[hunk];
  }

  #choice(file: DiffFile, hunk: Hunk, n: number, chosen: boolean | undefined) {
    if (this.choosing === "none") return nothing;
    const take = this.choosing === "take";
    const say = (yes: boolean) => this.emit("hp-hunk", { path: file.path, id: hunk.id, take: yes });
    const yes = html`<button
      aria-pressed=${chosen === true}
      ?disabled=${this.disabled}
      data-testid="hp-take"
      @click=${() => say(true)}
    >
      ${chosen === true ? icon("check", "s") : nothing}<span
        >${t(take ? "diff.take" : "diff.mine")}</span
      >
    </button>`;
    const no = html`<button
      class=${take ? "no" : ""}
      aria-pressed=${chosen === false}
      ?disabled=${this.disabled}
      data-testid="hp-leave"
      @click=${() => say(false)}
    >
      ${chosen === false ? icon(take ? "cross" : "check", "s") : nothing}<span
        >${t(take ? "diff.leave" : "diff.theirs")}</span
      >
    </button>`;
    return html`<span class="seg" role="group" aria-label=${t("diff.place.short", { n })}
      >${take ? html`${yes}${no}` : html`${no}${yes}`}</span
    >`;
  }

  /** The lines before the i-th place, folded until somebody wants them. */
  #between(file: DiffFile, hunks: readonly Hunk[], i: number) {
    const gap = gapBefore(file, hunks, i);
    if (!gap) return nothing;
    const n = gap.to - gap.from + 1;
    const key = `${file.path} ${i}`;
    const said = t(gap.stays ? "diff.stay" : "diff.fold", { n });
    const shown = this.shown.get(key);
    if (shown === undefined) return this.#more(key, said, SLICE_LINES, n, gap.stays);
    const all = (): Drawing => {
      const kept = linesOfGap(file, gap);
      return {
        pairs: kept.map((row) => ({ left: row, right: row })),
        rows: kept,
        drawn: (beside, below) =>
          html`${split(file.path, beside, said)}${column(file.path, below, said)}`,
      };
    };
    return this.#some(key, file, all, n, shown);
  }

  /** The first lines of a place, and a way to the rest. */
  #cut(file: DiffFile, hunk: Hunk, drawn: Drawing["drawn"]) {
    const key = `${file.path} ${hunk.id}`;
    const n = hunk.lines.length;
    const all = (): Drawing => ({ ...both(file, hunk), drawn });
    return this.#some(key, hunk, all, n, this.shown.get(key) ?? SLICE_LINES);
  }

  /** The lines that are drawn so far, and a way to the rest. */
  #some(key: string, of: object, all: () => Drawing, n: number, shown: number) {
    const rest = n - Math.min(n, shown);
    const more = rest > 0 && !this.#growing.has(key);
    return html`${sliced(of, all, Math.min(n, shown))}${
      more ? this.#more(key, t("diff.more", { n: rest }), shown + SLICE_LINES, n) : nothing
    }`;
  }

  #more(key: string, words: string, lines: number, all: number, stays = false) {
    return html`<button
      class="fold-line ${stays ? "stays" : ""}"
      aria-expanded="false"
      @click=${() => this.#unfold(key, lines, Math.min(all, lines + PRESS_LINES))}
    >
      ${stays ? icon("med", "s") : nothing}${words}
    </button>`;
  }

  /** A slice in a frame, until as many are there as were asked for. */
  #unfold(key: string, lines: number, goal: number): void {
    const over = lines >= goal || !this.isConnected;
    if (over) this.#growing.delete(key);
    else this.#growing.add(key);
    this.shown = new Map([...this.shown, [key, lines]]);
    if (!over) requestAnimationFrame(() => this.#unfold(key, lines + SLICE_LINES, goal));
  }

  protected override updated(changed: Map<PropertyKey, unknown>): void {
    super.updated(changed);
    if (changed.has("files")) this.#forget();
    this.#look();
  }

  /** Pressed as soon as it is scrolled to. */
  #watch = (next: Element | undefined): void => {
    if (!next) return;
    this.#seen ??= new IntersectionObserver((entries) => {
      for (const { isIntersecting, target } of entries)
        if (isIntersecting && target.isConnected) (target as HTMLElement).click();
    });
    this.#nexts.add(next);
    this.#seen.observe(next);
  };

  /** What is still in sight after more was drawn is pressed once more. */
  #look(): void {
    for (const next of this.#nexts) {
      this.#seen?.unobserve(next);
      if (next.isConnected) this.#seen?.observe(next);
      else this.#nexts.delete(next);
    }
  }

  /** What was unfolded of files that are not shown any more. */
  #forget(): void {
    const paths = new Set(this.files.map(({ path }) => path));
    if ([...this.places.keys()].some((path) => !paths.has(path))) this.places = new Map();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#seen?.disconnect();
  }

  #isOpen(file: DiffFile): boolean {
    const said = this.folds.get(file.path);
    if (said !== undefined) return said;
    if (!this.heading) return this.#early(file);
    // The whole is seen first: of a sheet only the first file with code is open.
    return file === (this.files.find(({ path }) => path.startsWith("src/")) ?? this.files[0]);
  }

  /** Boxes are open until they are too much together; the first always is. */
  #early(file: DiffFile): boolean {
    const before = this.files.slice(0, this.files.indexOf(file));
    const { added, deleted } = linesOf(before);
    return added + deleted < OPEN_LINES;
  }

  #fold(file: DiffFile, open: boolean): void {
    if (open !== this.#isOpen(file)) this.folds = new Map([...this.folds, [file.path, open]]);
  }

  #lay(layout: "split" | "uni"): void {
    this.layout = layout;
    this.emit("hp-layout", { layout });
  }

  #keys(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const key = event.key.toLowerCase();
    const all = [...this.renderRoot.querySelectorAll<HTMLElement>(".hunk[tabindex]")];
    const here = this.shadowRoot?.activeElement?.closest<HTMLElement>(".hunk") ?? null;
    const at = here ? all.indexOf(here) : -1;
    if (key === "u") this.#lay(this.layout === "uni" ? "split" : "uni");
    else if (key === "j") all[Math.min(all.length - 1, at + 1)]?.focus();
    else if (key === "k") all[Math.max(0, at - 1)]?.focus();
    else if (key in DECIDES && here && this.choosing !== "none" && !this.disabled)
      this.emit("hp-hunk", {
        path: here.closest<HTMLElement>("[data-path]")?.dataset.path,
        id: here.dataset.hunk,
        take: DECIDES[key],
      });
    else return;
    event.preventDefault();
  }

  /** Brings a place into view and gives it focus; a file that is folded is opened. */
  show(path: string, hunk: string | null): void {
    const file = this.files.find((one) => one.path === path);
    if (file) this.#fold(file, true);
    void this.updateComplete.then(() => this.#reveal(path, hunk));
  }

  #reveal(path: string, hunk: string | null): void {
    const box = this.renderRoot.querySelector(`[data-path="${CSS.escape(path)}"]`);
    const places = [...(box?.querySelectorAll<HTMLElement>(".hunk[tabindex]") ?? [])];
    const place = places.find((one) => one.dataset.hunk === hunk) ?? places[0];
    (place ?? box)?.scrollIntoView({ block: place ? "center" : "start" });
    place?.focus({ preventScroll: true });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "hp-diff": Diff;
  }
}
