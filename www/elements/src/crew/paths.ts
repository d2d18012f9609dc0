/**
 * The ways through a workflow: figures, what the flow of data shows, the longest way. States: walking, ready, failed.
 * UI.md §12 "Paths".
 */
import { css, html, nothing, type PropertyValues } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { integer } from "../base/format.js";
import { icon } from "../base/icons.js";
import { prose } from "../base/prose.js";
import { refocus } from "../base/refocus.js";
import { calls, sheets, tables } from "../base/sheets.js";
import { badges, buttons, ground } from "../base/styles.js";
import { t } from "../text/index.js";
import { refusal } from "../text/refusal.js";
import { chains, hops } from "./chain.js";
import { checkedBadge, checkedCell } from "./checked.js";
import { callHead, cards, column, partTables } from "./crew.styles.js";
import { going } from "./going.js";
import type { PathFinding, PathsView } from "./view.js";
import "./walk.js";

/** So many paths are shown before a person asks for the rest. */
const SHOWN = 10;

const own = css`
  :host { display: grid; gap: var(--s-6); grid-template-columns: minmax(0, 1fr); }
  .seg { flex-wrap: wrap; }
  .tb { grid-template-columns: repeat(auto-fit, minmax(140px, 1fr)); }
  .fc {
    display: grid;
    grid-template-columns: 20px minmax(0, 1fr) auto;
    gap: var(--s-2) var(--s-4);
    padding: var(--s-5);
    font-size: var(--t-small);
    line-height: var(--l-small);
  }
  .fc + .fc { border-top: 1px solid var(--line); }
  .fc h3 { font-size: var(--t-body); line-height: var(--l-body); font-weight: var(--w-strong); }
  .fc > dl { grid-column: 2; display: grid; grid-template-columns: auto 1fr; gap: var(--s-2) var(--s-5); }
  .fc dt { color: var(--text-2); }
  .fc > .i { margin-top: 2px; }
  .fc .acts { grid-column: 3; grid-row: 1 / 3; display: flex; gap: var(--s-3); align-self: start; }
  .s-h .end { margin-inline-start: auto; }
  .found { margin-inline-start: var(--s-2); }
  .ct .go { width: 1%; text-align: end; white-space: nowrap; }
  .rest { padding: var(--s-4) var(--s-5); border-top: 1px solid var(--line); }
  @media (max-width: 767px) {
    .fc { grid-template-columns: 20px minmax(0, 1fr); }
    .fc .acts { grid-column: 2; grid-row: auto; }
    .fc > dl { grid-template-columns: minmax(0, 1fr); gap: 0; }
    .fc dd { margin-bottom: var(--s-3); }
  }
`;

@customElement("hp-crew-paths")
export class CrewPaths extends HpElement {
  static override styles = [
    ground,
    buttons,
    badges,
    sheets,
    calls,
    callHead,
    tables,
    column,
    partTables,
    cards,
    chains,
    own,
  ];
  @property({ attribute: false }) view!: PathsView;
  @state() private whole = false;
  /** The path that is walked: whoever leaves it goes on from there. */
  #walked = -1;

  protected override get state(): string {
    return this.view.state;
  }

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    const { walk } = this.view;
    if (!walk && this.#walked >= 0) {
      const at = `[data-walk="${this.#walked}"]`;
      refocus(this, () => this.renderRoot.querySelector<HTMLElement>(at));
    }
    this.#walked = walk ? walk.path - 1 : -1;
  }

  override render() {
    const { workflows, chosen, state, problem, findings, walk } = this.view;
    if (walk) return html`<hp-crew-walk .view=${walk}></hp-crew-walk>`;
    if (!workflows.length) return html`<p class="none sheet">${t("crew.paths.none")}</p>`;
    return html`<div class="flex wrap">
        <span class="seg" role="group" aria-label=${t("crew.cmp.workflow")}
          >${workflows.map(
            (one) =>
              html`<button
                aria-pressed=${one.id === chosen}
                @click=${() => this.emit("hp-paths-of", { id: one.id })}
              >
                <span translate="no">${one.name}</span>
                <span class="quiet">${state === "ready" ? pathsOf(one) : nothing}</span>${
                  one.findings
                    ? html`<span class="c-hold found"
                        >${icon("med", "s")}<span aria-hidden="true">${integer(one.findings)}</span
                        ><span class="vh">${t("crew.warnings", { n: one.findings })}</span></span
                      >`
                    : nothing
                }
              </button>`,
          )}</span
        ><span class="meta">${t("crew.paths.lead")}</span>
      </div>
      ${
        state === "walking"
          ? html`<p class="meta late" role="status">${icon("spin", "s spin")} ${t("crew.paths.walking")}</p>`
          : nothing
      }
      ${
        state === "failed"
          ? html`<section class="call fail" role="alert">
              <h2>${t("crew.paths.failed")}</h2>
              <p>${problem ? prose(refusal(problem)) : nothing}</p>
            </section>`
          : nothing
      }
      ${state === "ready" ? html`${this.#figures()}${this.#findings(findings)}${this.#paths()}` : nothing}`;
  }

  #figures() {
    const { figures, name } = this.view;
    if (!figures) return nothing;
    const { count, complete, shortest, longest, ends, ms } = figures;
    const facts: [string, string][] = [
      [t("crew.paths.count"), t(complete ? "crew.paths.all" : "crew.paths.capped", { n: count })],
      [t("crew.paths.shortest"), t("crew.nodes.n", { n: shortest })],
      [t("crew.paths.longest"), t("crew.nodes.n", { n: longest })],
      [t("crew.paths.ends"), t("crew.paths.of", { n: ends, of: count })],
      [t("crew.paths.time"), t("crew.paths.ms", { n: Math.max(1, Math.round(ms)) })],
    ];
    return html`<section class="sheet" aria-label=${t("crew.paths.figures", { name })}>
      <dl class="tb">
        ${facts.map(([what, value]) => html`<div><dt>${what}</dt><dd>${value}</dd></div>`)}
      </dl>
    </section>`;
  }

  #findings(findings: readonly PathFinding[]) {
    const errors = findings.filter((one) => one.severity === "error").length;
    return html`<section class="sheet" aria-labelledby="h-pf">
      <div class="s-h">
        <h2 id="h-pf">${t("crew.findings")}</h2>
        ${findings.length ? checkedBadge({ errors, warnings: findings.length - errors }) : nothing}
      </div>
      ${
        findings.length
          ? findings.map((one, n) => this.#finding(one, n))
          : html`<p class="none">${t("crew.paths.findings.none")}</p>`
      }
    </section>`;
  }

  #finding({ code, severity, text, facts, way, href, improve }: PathFinding, n: number) {
    const bad = severity === "error";
    return html`<article class="fc" aria-labelledby="f-${n}" data-code=${code}>
      ${icon(bad ? "bad" : "med", bad ? "c-fail" : "c-hold")}
      <h3 id="f-${n}">${prose(text)}</h3>
      <dl>
        ${facts.map((fact) => html`<dt>${t(`crew.paths.${fact.what}`)}</dt><dd>${prose(fact.text)}</dd>`)}${
          way.length ? html`<dt>${t("crew.paths.way")}</dt><dd>${hops(way)}</dd>` : nothing
        }
      </dl>
      <div class="acts">
        ${
          href
            ? html`<a class="btn s" href=${href} @click=${(event: MouseEvent) => going(event, href, this)}
                >${t("crew.paths.show")}</a
              >`
            : nothing
        }${improve ? html`<a class="btn s" href=${improve}>${t("crew.improve")}</a>` : nothing}
      </div>
    </article>`;
  }

  #paths() {
    const { paths, name } = this.view;
    if (!paths.length) return html`<p class="none sheet">${t("crew.walk.none")}</p>`;
    const shown = this.whole ? paths : paths.slice(0, SHOWN);
    const rest = paths.length - shown.length;
    return html`<section class="sheet" aria-labelledby="h-pl">
      <div class="s-h">
        <h2 id="h-pl">${t("crew.tab.paths")}</h2>
        <span class="end meta">${t("crew.paths.order")}</span>
      </div>
      <table class="t ct cards">
        <caption class="vh">
          ${t("crew.paths.caption", { name })}
        </caption>
        <thead>
          <tr>
            <th scope="col">${t("crew.paths.path")}</th>
            <th scope="col">${t("crew.findings")}</th>
            <th scope="col">${t("crew.paths.length")}</th>
            <th scope="col"><span class="vh">${t("crew.walk.go")}</span></th>
          </tr>
        </thead>
        <tbody>
          ${shown.map(
            ({ way, findings }, n) =>
              html`<tr>
                <th scope="row">${hops(way)}</th>
                <td class="fd">${checkedCell({ errors: 0, warnings: findings })}</td>
                <td class="n">${t("crew.nodes.n", { n: way.length })}</td>
                <td class="go">
                  <button
                    class="btn s"
                    data-walk=${n}
                    aria-label=${t("crew.walk.go.of", { n: n + 1 })}
                    @click=${() => this.emit("hp-walk", { path: n })}
                  >
                    ${t("crew.walk.go")}
                  </button>
                </td>
              </tr>`,
          )}
        </tbody>
      </table>
      ${
        rest > 0
          ? html`<p class="rest">
              <button class="btn quiet s" @click=${() => (this.whole = true)}>
                ${t("crew.paths.more", { n: rest })}
              </button>
            </p>`
          : nothing
      }
    </section>`;
  }
}

/** How many paths there are: at least so many where not all were counted. */
export const pathsOf = ({ count, complete }: { count: number; complete: boolean }): string =>
  complete ? integer(count) : `${integer(count)}+`;

declare global {
  interface HTMLElementTagNameMap {
    "hp-crew-paths": CrewPaths;
  }
}
