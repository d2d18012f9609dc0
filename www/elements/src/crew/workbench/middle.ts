/**
 * The middle of the workbench: before and after, with errors and a conflict above them; what is there now while nothing
 * is proposed; the result once something was applied. UI.md §12.
 */
import { html, nothing } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { HpElement } from "../../base/element.js";
import { listed } from "../../base/format.js";
import { icon } from "../../base/icons.js";
import { prose } from "../../base/prose.js";
import { calls, heads, sheets, tables } from "../../base/sheets.js";
import { badges, buttons, ground } from "../../base/styles.js";
import "../../diff/diff.js";
import { hasBoth } from "../../diff/view.js";
import "../../findings/findings.js";
import { t } from "../../text/index.js";
import "./graph-diff.js";
import { MAX_REPAIRS } from "./limits.js";
import { styles } from "./middle.styles.js";
import { now } from "./now.js";
import { applied, newer, savedRows } from "./result.js";
import type { ConflictView, MiddleView } from "./view.js";

@customElement("hp-wb-middle")
export class WorkbenchMiddle extends HpElement {
  static override styles = [ground, buttons, badges, heads, sheets, calls, tables, styles];
  @property({ attribute: false }) view!: MiddleView;
  @query(".p-body") private body!: HTMLElement | null;
  /** The workflow whose graphs are drawn. */
  @state() private drawn = "";
  /** The errors that were brought into sight. */
  #shown: MiddleView["errors"] = [];

  protected override get state(): string {
    const { is, conflict, errors } = this.view;
    if (is !== "diff") return is;
    if (conflict) return "conflict";
    return errors.length ? "failed" : "diff";
  }

  override render() {
    const { view } = this;
    const title = t(`wb.middle.${view.is}`);
    return html`<div class="p-head">
        <h2>${title}</h2>
        <span class="meta hide-n" translate="no">${view.title}</span>
        ${view.is === "diff" ? this.#graphs(view) : nothing}${
          view.is === "diff" && view.files.some(hasBoth) ? this.#switch(view.layout) : nothing
        }
      </div>
      <div
        class="p-body scroll"
        tabindex="0"
        role="group"
        aria-label=${t("app.scrolls", { name: title })}
      >
        ${view.is === "now" ? now(view.now) : this.#sheets(view)}
      </div>`;
  }

  /** A graph is read as a drawing, too. */
  #graphs({ graphs }: MiddleView) {
    return graphs.map(
      (pair) =>
        html`<button
          class="btn s quiet"
          data-testid="wb-as-graph"
          aria-expanded=${this.drawn === pair.name}
          @click=${() => this.#draw(this.drawn === pair.name ? "" : pair.name)}
        >
          ${icon("crew", "s")}<span
            >${graphs.length > 1 ? t("wb.graph.of", { name: pair.name }) : t("wb.graph")}</span
          >
        </button>`,
    );
  }

  #draw(name: string): void {
    this.drawn = name;
    this.body?.scrollTo({ top: 0 });
  }

  #switch(layout: MiddleView["layout"]) {
    const one = (name: MiddleView["layout"]) =>
      html`<button
        aria-pressed=${layout === name}
        @click=${() => this.emit("hp-layout", { layout: name })}
      >
        ${t(`diff.layout.${name}`)}
      </button>`;
    return html`<div class="end wide">
      <span class="seg" role="group" aria-label=${t("diff.layout")}>${one("split")}${one("uni")}</span>
    </div>`;
  }

  #sheets(view: MiddleView) {
    const drawn = view.graphs.find(({ name }) => name === this.drawn);
    return html`<div class="diff-b">
      ${view.errors.length ? errors(view) : nothing}${
        view.conflict ? this.#conflict(view.conflict) : nothing
      }${view.applied ? html`${newer(view.applied)}${applied(view.applied)}` : nothing}${
        drawn
          ? html`<hp-wb-graph-diff .pair=${drawn} @hp-close=${() => this.#draw("")}></hp-wb-graph-diff>`
          : nothing
      }${
        view.files.length
          ? html`<div data-testid="wb-diff">
              <hp-diff
                choosing="none"
                .files=${view.files}
                .layout=${view.layout}
                .left=${t("wb.before")}
                .right=${t("wb.after")}
              ></hp-diff>
            </div>`
          : nothing
      }
    </div>`;
  }

  #conflict({ objects, saved, files, same, before, after }: ConflictView) {
    const [newest] = saved;
    return html`<section
      class="call hold"
      data-testid="wb-conflict"
      role="alert"
      aria-labelledby="h-cf"
    >
      <h3 id="h-cf" tabindex="-1">${t("wb.conflict")}</h3>
      <dl class="w3">
        <dt>${t("word.what")}</dt>
        <dd>
          ${saved.length ? savedRows(saved, "wb.conflict.saved") : unknown(objects)}
        </dd>
        <dt>${t("wb.conflict.now")}</dt>
        <dd>
          ${t("wb.conflict.fresh")}
          ${
            files.length
              ? prose(
                  t("wb.conflict.differs", { n: files.length, names: listed(files.map(named)) }),
                )
              : nothing
          }
          ${same ? t("wb.conflict.same", { n: same }) : nothing}
        </dd>
        ${
          before === after
            ? nothing
            : html`<dt>${t("wb.print")}</dt>
                <dd><del class="mono">${before}</del> → <b class="mono strong">${after}</b></dd>`
        }
      </dl>
      ${
        files[0] === undefined && !newest
          ? nothing
          : html`<div class="flex wrap acts-c">
              ${
                files[0] === undefined
                  ? nothing
                  : html`<button
                      class="btn s"
                      @click=${() => this.emit("hp-show-file", { path: files[0] })}
                    >
                      ${t("wb.conflict.show")}
                    </button>`
              }${
                newest
                  ? html`<a class="btn s" href=${newest.href} data-testid="wb-saved"
                      >${t("wb.saved.show", { n: newest.version })}</a
                    >`
                  : nothing
              }
            </div>`
      }
    </section>`;
  }

  protected override updated(changed: Map<PropertyKey, unknown>): void {
    super.updated(changed);
    const { errors, conflict } = this.view;
    if (errors !== this.#shown && errors.length) {
      this.body?.scrollTo({ top: 0 });
      this.renderRoot.querySelector("hp-findings")?.showFirst();
    }
    this.#shown = errors;
    const before = changed.get("view") as MiddleView | undefined;
    if (conflict && before && !before.conflict) this.body?.scrollTo({ top: 0 });
  }

  /** What became of a signature has the focus: the conflict, or what was applied. */
  focusResult(): void {
    this.renderRoot.querySelector<HTMLElement>("#h-cf, #h-ap")?.focus();
  }

  /** Brings a file into sight. */
  show(path: string): void {
    this.renderRoot.querySelector("hp-diff")?.show(path, null);
  }
}

/** A file by its last name. */
const named = (path: string): string => `\`${path.slice(path.lastIndexOf("/") + 1)}\``;

const unknown = (objects: readonly string[]): string =>
  objects.length ? t("wb.conflict.what", { names: listed(objects) }) : t("wb.conflict.what.some");

function errors({ errors, repairs }: MiddleView) {
  return html`<section
    class="sheet"
    data-testid="wb-errors"
    role="alert"
    aria-labelledby="h-er"
  >
    <div class="s-h">
      <h3 id="h-er">${icon("bad", "s c-fail")} ${t("wb.errors", { n: errors.length })}</h3>
      ${repairs ? html`<span class="end meta">${t("wb.repairs", { n: repairs, most: MAX_REPAIRS })}</span>` : nothing}
    </div>
    <hp-findings look="coded" .findings=${errors}></hp-findings>
  </section>`;
}

declare global {
  interface HTMLElementTagNameMap {
    "hp-wb-middle": WorkbenchMiddle;
    "hp-findings": import("../../findings/findings.js").Findings;
  }
}
