/**
 * The versions of a script and its checkpoints; one chosen is compared with now, two ticked with each other. UI.md §3
 * `hp-history`.
 */
import { css, html, nothing } from "lit";
import { customElement, property, query } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { HpElement } from "../base/element.js";
import { date, dateTime, day, sameDay, time, when } from "../base/format.js";
import { type IconName, icon } from "../base/icons.js";
import { calls } from "../base/sheets.js";
import { buttons, forms, ground } from "../base/styles.js";
import { unread } from "../shell/unread.js";
import { has, t } from "../text/index.js";
import { drawer } from "./drawer.styles.js";
import { versionName } from "./version-name.js";
import type { VersionLine, VersionsView } from "./view.js";

const own = css`
  .keep {
    display: flex;
    gap: var(--s-4);
    padding: var(--s-4) var(--pad);
    border-bottom: 1px solid var(--line);
    flex: none;
  }
  .keep .btn { white-space: nowrap; }
  .keep + .meta { padding: var(--s-2) var(--pad); }
  .group-h {
    display: flex;
    padding: var(--s-3) var(--pad);
    background: var(--sunken);
    border-bottom: 1px solid var(--line);
    font-size: var(--t-meta);
    line-height: var(--l-meta);
    font-weight: var(--w-strong);
    color: var(--text-2);
  }
  .revs > li + li { border-top: 1px solid var(--line); }
  .sel { background: var(--selected); box-shadow: inset 2px 0 0 var(--action-fill); }
  .rv {
    display: grid;
    grid-template-columns: 46px 16px minmax(0, 1fr);
    gap: var(--s-4);
    width: 100%;
    text-align: start;
    border: 0;
    background: none;
    padding: var(--s-4) var(--pad);
    font-size: var(--t-small);
    line-height: var(--l-small);
    cursor: pointer;
  }
  .rv:hover { background: var(--hover); }
  .rv:focus-visible { outline-offset: -2px; }
  .rt { color: var(--text-3); font-size: var(--t-meta); white-space: nowrap; }
  .rv .i { margin-top: 1px; }
  .rw { display: grid; gap: var(--s-1); justify-items: start; overflow-wrap: anywhere; }
  .sub { color: var(--text-2); font-size: var(--t-meta); line-height: var(--l-meta); }
  .sel .rt { color: var(--text-2); }
  .revs > li { display: grid; grid-template-columns: auto minmax(0, 1fr); }
  .revs .check { margin: calc(var(--s-4) + 2px) 0 0 var(--pad); }
  .fp {
    font: var(--t-meta)/var(--l-meta) var(--mono);
    border: 1px solid var(--line-control);
    border-radius: var(--r-2);
    padding: 0 var(--s-3);
  }
  .pad { padding: var(--pad); }
  .more { margin: var(--s-4) var(--pad); }
  .two { padding: var(--s-4) var(--pad); display: grid; gap: var(--s-2); }
`;

const marks: Record<string, { mark: IconName; look: string }> = {
  apply: { mark: "check", look: "c-pass" },
  hand: { mark: "pen", look: "c-off" },
  undo: { mark: "undo", look: "c-off" },
  redo: { mark: "redo", look: "c-off" },
  restore: { mark: "history", look: "c-off" },
  create: { mark: "plus", look: "c-off" },
};

@customElement("hp-revisions")
export class Revisions extends HpElement {
  static override styles = [ground, buttons, forms, calls, drawer, own];
  @property({ attribute: false }) view!: VersionsView;
  @query("#name") private name!: HTMLInputElement;

  protected override get state(): string {
    return this.view.state === "ready" && !this.view.lines.length ? "empty" : this.view.state;
  }

  override render() {
    const { view } = this;
    const today = view.lines.filter((line) => sameDay(line.at, view.now));
    const before = view.lines.filter((line) => !sameDay(line.at, view.now));
    const revisions = view.lines.filter((line) => line.kind === "revision").length;
    return html`<div class="p-head">
        <h2>${t("script.versions")}</h2>
        <span class="meta trunc"
          >${view.state === "ready" ? t("script.versions.count", { n: revisions }) : nothing}</span
        >
        <div class="end">
          <button
            class="btn quiet s icon"
            aria-label=${t("script.versions.back")}
            @click=${() => this.emit("hp-drawer", { drawer: "chat" })}
          >
            ${icon("cross")}
          </button>
        </div>
      </div>
      ${this.#checkpoint()}
      <div class="body" tabindex="0" role="group" aria-label=${t("script.versions.scrolls")}>
        ${this.#instead()}
        ${this.#group(t("script.versions.today", { date: date(view.now) }), today)}
        ${this.#group(t("script.versions.before"), before)} ${view.more ? this.#more() : nothing}
      </div>
      ${view.ticked.length ? this.#foot() : nothing}`;
  }

  /** The field in which the version of now gets a name. */
  #checkpoint() {
    const { keeping, offline } = this.view;
    const off = keeping || offline;
    const why = t(offline ? "script.versions.offline" : "script.versions.keep.off");
    return html`<form class="keep" @submit=${this.#keep}>
        <label class="vh" for="name">${t("script.versions.name")}</label
        ><input
          class="input"
          id="name"
          data-testid="hp-checkpoint-name"
          maxlength="200"
          placeholder=${t("script.versions.name")}
        /><button
          class="btn s"
          data-testid="hp-checkpoint"
          ?disabled=${off}
          aria-describedby=${off ? "keep-why" : nothing}
        >
          ${t("script.versions.keep")}
        </button>
      </form>
      ${off ? html`<p class="meta" id="keep-why">${why}</p>` : nothing}`;
  }

  /** In the place of the list: it comes, it failed, or there is none. */
  #instead() {
    const { state, offline, problem, lines } = this.view;
    if (state === "loading")
      return html`<p class="meta pad late">
        ${icon("spin", "s spin")} ${t("script.versions.loading")}
      </p>`;
    if (state === "failed") {
      const again = () => this.emit("hp-versions-again");
      return html`<div class="pad">
        ${
          offline
            ? html`<p class="meta">${t("script.versions.offline")}</p>`
            : unread("script.versions.failed", problem, again)
        }
      </div>`;
    }
    return lines.length ? nothing : html`<p class="meta pad">${t("script.versions.none")}</p>`;
  }

  #group(title: string, lines: VersionLine[]) {
    if (!lines.length) return nothing;
    return html`<h3 class="group-h">${title}</h3>
      ${this.#list(lines)}`;
  }

  #more() {
    return html`<button class="btn s more" @click=${() => this.emit("hp-more-versions")}>
      ${t("script.versions.more")}
    </button>`;
  }

  #foot() {
    const { lines, ticked, offline, now } = this.view;
    const [older, newer] = lines
      .filter((line) => ticked.includes(line.id))
      .sort((a, b) => a.at - b.at)
      .map((line) => versionName(line, now));
    const one = newer === undefined ? t("script.versions.one") : "";
    const why = offline ? t("script.versions.offline") : one;
    return html`<div class="foot two">
      <button
        class="btn ${why ? "" : "primary"}"
        data-testid="hp-compare"
        ?disabled=${why !== ""}
        aria-describedby=${why ? "two-why" : nothing}
        @click=${() => this.emit("hp-compare", { ids: ticked })}
      >
        ${icon("diff", "s")}<span
          >${
            newer === undefined
              ? t("script.versions.compare")
              : t("script.versions.compare.two", { from: older ?? "", to: newer })
          }</span
        ></button
      >${why ? html`<p class="meta" id="two-why">${why}</p>` : nothing}
    </div>`;
  }

  #list(lines: VersionLine[]) {
    return html`<ol class="revs">
      ${repeat(
        lines,
        (line) => line.id,
        (line) => this.#line(line),
      )}
    </ol>`;
  }

  #line(line: VersionLine) {
    const chosen = this.view.chosen === line.id;
    const checkpoint = line.kind === "checkpoint";
    const { mark, look } = checkpoint
      ? { mark: "flag" as const, look: line.auto ? "c-off" : "c-run" }
      : (marks[line.cause] ?? { mark: "file" as const, look: "c-off" });
    const title = titleOf(line);
    const sub = checkpoint
      ? t(line.auto ? "script.version.auto" : "script.version.checkpoint.by")
      : t("script.version.by");
    const ticked = this.view.ticked.includes(line.id);
    return html`<li class=${chosen || ticked ? "sel" : ""}>
      ${
        this.view.lines.length > 1
          ? html`<input
              class="check"
              type="checkbox"
              data-tick=${line.id}
              .checked=${ticked}
              aria-label=${t("script.versions.tick", { title, time: when(line.at, this.view.now) })}
              @change=${() => this.#tick(line.id)}
            />`
          : html`<span></span>`
      }<button
        class="rv"
        aria-pressed=${chosen}
        data-version=${line.id}
        title=${dateTime(line.at)}
        @click=${() => this.emit("hp-version", { id: line.id })}
      >
        <span class="rt">${sameDay(line.at, this.view.now) ? time(line.at) : day(line.at)}</span
        >${icon(mark, look)}<span class="rw"
          ><span class="strong">${title}</span><span class="sub">${sub}</span>${
            line.files.length ? html`<span class="sub">${line.files.join(", ")}</span>` : nothing
          }${line.print ? html`<span class="fp">${line.print}</span>` : nothing}</span
        >
      </button>
    </li>`;
  }

  /** Two at most: a third takes the place of the first. */
  #tick(id: string): void {
    const { ticked } = this.view;
    this.emit("hp-chosen", {
      ids: ticked.includes(id) ? ticked.filter((other) => other !== id) : [...ticked.slice(-1), id],
    });
  }

  #keep(event: Event): void {
    event.preventDefault();
    const title = this.name.value.trim();
    if (!title) {
      this.name.focus();
      return;
    }
    this.emit("hp-keep", { title });
    this.name.value = "";
  }
}

function titleOf({ kind, auto, title, cause }: VersionLine): string {
  if (kind === "checkpoint") return auto ? t("script.version.checkpoint") : title;
  const key = `script.version.${cause}`;
  return has(key) ? t(key) : cause;
}
