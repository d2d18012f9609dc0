/**
 * A package: its parts as tables, the ways through it, its versions; the check always in view. UI.md §12 "Package".
 */
import { css, html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { integer, time } from "../base/format.js";
import { icon } from "../base/icons.js";
import { prose } from "../base/prose.js";
import { sheets } from "../base/sheets.js";
import { badges, buttons, forms, ground } from "../base/styles.js";
import { turned } from "../base/tabs.js";
import "../history/history.js";
import { t } from "../text/index.js";
import { checkedBadge } from "./checked.js";
import "./contents.js";
import { column, scrolling, statusBar } from "./crew.styles.js";
import { going } from "./going.js";
import { pathsOf } from "./paths.js";
import { stepButton } from "./steps.js";
import type { PackageView, PartFinding } from "./view.js";

type Tab = PackageView["tab"];
const TABS: readonly Tab[] = ["contents", "paths", "versions"];

const own = css`
  .tabs {
    display: flex;
    gap: var(--s-2);
    border-bottom: 1px solid var(--line-2);
    overflow-x: auto;
    scrollbar-width: none;
  }
  .tabs [role="tab"] {
    border: 0;
    background: none;
    min-height: 38px;
    padding: 0 var(--s-4);
    font-size: var(--t-small);
    font-weight: var(--w-medium);
    color: var(--text-2);
    border-block: 2px solid transparent;
    cursor: pointer;
    white-space: nowrap;
    display: inline-flex;
    align-items: center;
    gap: var(--s-3);
  }
  .tabs [aria-selected="true"] { color: var(--text); border-bottom-color: var(--action-fill); }
  .tabs [role="tab"]:focus-visible { outline-offset: -3px; }
  .tabs .n { color: var(--text-3); font-weight: var(--w-normal); }
  .tabrow { display: flex; align-items: end; gap: var(--s-5); flex-wrap: wrap; }
  .tabrow .tabs { flex: 1; }
  .box { position: relative; width: 260px; margin-bottom: var(--s-3); }
  .box .i { position: absolute; left: 8px; top: 50%; translate: 0 -50%; color: var(--text-3); }
  .box .input { padding-inline-start: 28px; min-height: 30px; }
  .fx > li { padding-block: var(--s-4); }
  .fx .sub { display: block; }
  .fx p + p { margin-top: var(--s-1); }
  .fx .grow { overflow-wrap: anywhere; }
  .s-h .end { margin-inline-start: auto; }
  hp-history { display: block; }
  .versions { max-width: 720px; }
  @media (max-width: 767px) {
    .hide-n { display: none; }
    .box { width: 100%; }
  }
`;

@customElement("hp-crew-package")
export class CrewPackage extends HpElement {
  static override styles = [
    ground,
    buttons,
    badges,
    forms,
    sheets,
    scrolling,
    column,
    statusBar,
    own,
  ];
  @property({ attribute: false }) view!: PackageView;

  protected override get state(): string {
    return this.view.tab;
  }

  override render() {
    const { name, tab } = this.view;
    return html`<div
        class="all scroll"
        tabindex="0"
        role="group"
        aria-label=${t("app.scrolls", { name })}
      >
        <div class="in">
          ${this.#head()}${this.#tabs()}
          <div id="panel" role="tabpanel" aria-labelledby="tab-${tab}">${this.#panel()}</div>
        </div>
      </div>
      ${this.#foot()}`;
  }

  #head() {
    const { name, version, revision, saved, proposal, undo, redo, id } = this.view;
    const compare = `/crew/${encodeURIComponent(id)}/versions`;
    return html`<div class="head">
      <div>
        <h1 translate="no">${name}</h1>
        <p class="meta">
          ${version ? html`<span class="mono">${version}</span> · ` : nothing}${
            saved || t("crew.version.n", { n: revision })
          }
        </p>
      </div>
      <div class="flex end wrap">
        ${proposal ? html`<a class="btn" href=${proposal}>${t("crew.proposal")}</a>` : nothing}<a
          class="btn"
          href=${compare}
          @click=${(event: MouseEvent) => going(event, compare, this)}
          >${t("crew.compare")}</a
        ><span class="flex"
          >${stepButton(this, "undo", undo)}${stepButton(this, "redo", redo)}<button
          class="btn quiet icon"
          data-testid="hp-package-more"
          aria-haspopup="menu"
          aria-label=${t("crew.package.more")}
          @click=${(event: Event) =>
            this.emit("hp-package-menu", { id, anchor: event.currentTarget })}
        >
          ${icon("more")}
        </button></span>
      </div>
    </div>`;
  }

  #tabs() {
    const { tab } = this.view;
    return html`<div class="tabrow">
      <div class="tabs" role="tablist" aria-label=${t("crew.tabs")} @keydown=${this.#tabKeys}>
        ${TABS.map(
          (one) =>
            html`<button
              id="tab-${one}"
              role="tab"
              data-testid="hp-tab-${one}"
              aria-selected=${one === tab}
              aria-controls="panel"
              tabindex=${one === tab ? 0 : -1}
              @click=${() => this.emit("hp-tab", { tab: one })}
            >
              <span>${t(`crew.tab.${one}`)}</span>${this.#number(one)}
            </button>`,
        )}
      </div>
      <div class="box">
        ${icon("search", "s")}<input
          class="input"
          type="search"
          data-testid="hp-search"
          aria-label=${t("crew.search")}
          placeholder=${t("crew.search")}
          maxlength="200"
          .value=${this.view.search?.words ?? ""}
          @input=${(event: Event) =>
            this.emit("hp-search", { words: (event.target as HTMLInputElement).value })}
        />
      </div>
    </div>`;
  }

  /** How many paths lead through all workflows, and how many versions there are. */
  #number(tab: Tab) {
    const { paths, revision } = this.view;
    if (tab === "versions") return html`<span class="n">${integer(revision)}</span>`;
    if (tab !== "paths" || !paths || paths.state !== "ready") return nothing;
    const { workflows } = paths;
    const count = workflows.reduce((sum, one) => sum + one.count, 0);
    return html`<span class="n">${pathsOf({ count, complete: workflows.every(({ complete }) => complete) })}</span>`;
  }

  #tabKeys(event: KeyboardEvent): void {
    const to = turned(event.key, TABS.indexOf(this.view.tab), TABS.length);
    if (to === null) return;
    event.preventDefault();
    const tab = TABS[to];
    this.emit("hp-tab", { tab });
    void this.updateComplete.then(() =>
      requestAnimationFrame(() =>
        this.renderRoot.querySelector<HTMLElement>(`#tab-${tab}`)?.focus(),
      ),
    );
  }

  #panel() {
    const { tab, search, paths, versions, contents, now } = this.view;
    if (search) return this.#found(search);
    if (tab === "paths")
      return paths ? html`<hp-crew-paths .view=${paths}></hp-crew-paths>` : nothing;
    if (tab === "versions")
      return versions
        ? html`<section class="sheet versions"><hp-history .view=${versions}></hp-history></section>`
        : nothing;
    return html`<div class="two first">
      <hp-crew-contents .view=${contents} .now=${now}></hp-crew-contents>
      <div class="side">${this.#findings()}</div>
    </div>`;
  }

  #found({ words, state, hits, truncated }: NonNullable<PackageView["search"]>) {
    if (state === "searching")
      return html`<p class="meta late" role="status">${icon("spin", "s spin")} ${t("crew.searching")}</p>`;
    return html`<section class="sheet" aria-label=${t("crew.search")} role="status">
      <div class="s-h"><h2>${t("crew.search.count", { n: hits.length })}</h2></div>
      ${hits.length ? nothing : html`<p class="none">${t("crew.search.none", { words })}</p>`}
      <ul class="rows fx">
        ${hits.map(
          ({ place, line, text, href }) =>
            html`<li>
              <div class="grow">
                <p>
                  <a href=${href} @click=${(event: MouseEvent) => going(event, href, this)}
                    ><span translate="no">${place}</span></a
                  >
                  <span class="quiet">${t("crew.search.line", { n: line })}</span>
                </p>
                <p class="sub mono" translate="no">${text}</p>
              </div>
            </li>`,
        )}
      </ul>
      ${truncated ? html`<p class="none">${t("crew.search.more")}</p>` : nothing}
    </section>`;
  }

  #findings() {
    const { errors, warnings, findings, state } = this.view.check;
    const counts = t("crew.findings.counts", {
      errors: t("crew.errors", { n: errors }),
      warnings: t("crew.warnings", { n: warnings }),
    });
    return html`<section class="sheet" aria-labelledby="h-fi" data-testid="hp-findings">
      <div class="s-h">
        <h2 id="h-fi">${t("crew.findings")}</h2>
        <span class="end meta">${state === "ready" ? counts : nothing}</span>
      </div>
      ${
        findings.length
          ? html`<ul class="rows fx">
              ${findings.map((one) => this.#finding(one))}
            </ul>`
          : html`<p class="none">${t(findingsNone(state))}</p>`
      }
    </section>`;
  }

  #finding({ found, place, href, hint }: PartFinding) {
    const bad = found.severity === "error";
    return html`<li data-code=${found.code}>
      ${icon(bad ? "bad" : "med", bad ? "c-fail" : "c-hold")}
      <div class="grow">
        <p>${prose(found.text)}</p>
        ${
          place && href
            ? html`<p class="sub">
                <a href=${href} @click=${(event: MouseEvent) => going(event, href, this)}
                  ><span translate="no">${place}</span></a
                >
              </p>`
            : html`<p class="sub" translate="no">${found.place}</p>`
        }${hint ? html`<p class="sub">${prose(hint)}</p>` : nothing}
      </div>
    </li>`;
  }

  #foot() {
    const { check, exporting, unsaved } = this.view;
    const off = check.state === "ready" && check.errors > 0;
    return html`<div class="p-foot statusbar">
      ${checkedBadge(check)}<span role="status">${this.#told()}</span>
      <span class="end"
        ><button class="btn hide-n" @click=${() => this.emit("hp-check-again")}>
          ${t("crew.check.again")}</button
        ><button
          class="btn"
          data-testid="hp-export"
          ?disabled=${off || exporting || check.state !== "ready"}
          aria-describedby=${off || unsaved ? "export-why" : nothing}
          @click=${() => this.emit("hp-export")}
        >
          ${icon(exporting ? "spin" : "down", exporting ? "s spin" : "s")}<span
            >${t("crew.export")}</span
          >
        </button></span
      >
    </div>`;
  }

  /** Why the export is off; else what the check says beside its badge. */
  #told() {
    const { check, unsaved } = this.view;
    if (check.state === "trapped") return t("crew.check.trapped");
    if (check.state === "checking") return nothing;
    if (check.errors)
      return html`<span id="export-why">${t("crew.export.off", { n: check.errors })}</span>`;
    const checked = t("crew.checked", {
      time: time(check.at),
      ms: Math.max(1, Math.round(check.ms)),
    });
    return html`<span class=${check.warnings ? "" : "hide-n"}>${check.warnings ? t("crew.no_errors") : nothing}</span>
      <span class="hide-n meta">${checked}</span>${
        unsaved
          ? html` <span class="meta" id="export-why">${t("crew.export.unsaved")}</span>`
          : nothing
      }`;
  }
}

const findingsNone = (state: PackageView["check"]["state"]) => {
  if (state === "trapped") return "crew.check.trapped";
  return state === "checking" ? "crew.checking" : "crew.findings.none";
};

declare global {
  interface HTMLElementTagNameMap {
    "hp-crew-package": CrewPackage;
  }
}
