/**
 * Two versions of a package as people read them: graph beside graph with the same places, and every difference in a
 * table by member. States: comparing, ready, failed. UI.md §12 "Compare".
 */
import { css, html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { icon } from "../base/icons.js";
import { prose } from "../base/prose.js";
import { calls, heads, tables } from "../base/sheets.js";
import { badges, buttons, forms, ground } from "../base/styles.js";
import { t } from "../text/index.js";
import { refusal } from "../text/refusal.js";
import { callHead, panes, viewBar } from "./crew.styles.js";
import { going } from "./going.js";
import "./graph.js";
import { NARROW_NODE, type Side, sides } from "./graph-sides.js";
import type { ComparedObject, CompareView } from "./view.js";

const own = css`
  .both { grid-template: minmax(0, 1fr) / minmax(0, 1fr) minmax(0, 1fr) 408px; }
  .rows { flex: 1; min-height: 0; overflow: auto; }
  .none { padding: var(--s-5) var(--pad); color: var(--text-2); font-size: var(--t-small); }
  table.mem :is(td, th) {
    padding: var(--s-3) 0 var(--s-3) var(--pad);
    vertical-align: top;
    height: auto;
    overflow-wrap: anywhere;
  }
  table.mem :is(td, th):last-child { padding-inline-end: var(--pad); }
  table.mem { table-layout: fixed; }
  table.mem thead th:first-child { width: 108px; }
  table.mem tbody th {
    text-align: start;
    font-weight: var(--w-normal);
    color: var(--text-2);
    width: 108px;
  }
  table.mem .ob th {
    background: var(--sunken);
    color: var(--text);
    font-weight: var(--w-strong);
    width: auto;
    border-top: 1px solid var(--line);
  }
  .ob .flex { justify-content: space-between; }
  .ob .flex > :first-child { min-width: 0; }
  del { background: var(--diff-del-word); text-decoration: none; }
  ins { background: var(--diff-add-word); text-decoration: none; }
  .added { color: var(--pass); }
  .removed { color: var(--fail); }
  .changed { color: var(--action); }
  .state { padding: var(--s-6); }
  @media (max-width: 1199px) {
    .both {
      grid-template: minmax(0, 1fr) 300px / minmax(0, 1fr) minmax(0, 1fr);
    }
    .both > .pane:last-child { grid-column: 1 / -1; }
  }
  @media (max-width: 979px) {
    :host { overflow: auto; }
    .both { flex: none; }
    .both > .pane:last-child { order: -1; }
    .both > .pane { flex: none; }
    hp-crew-graph { height: 620px; flex: none; }
  }
`;

@customElement("hp-crew-compare")
export class CrewCompare extends HpElement {
  static override styles = [
    ground,
    buttons,
    badges,
    forms,
    heads,
    tables,
    calls,
    callHead,
    viewBar,
    panes,
    own,
  ];
  @property({ attribute: false }) view!: CompareView;

  protected override get state(): string {
    return this.view.state;
  }

  override render() {
    const { state, problem } = this.view;
    return html`${this.#bar()}
      ${
        state === "comparing"
          ? html`<p class="none late" role="status">${icon("spin", "s spin")} ${t("crew.cmp.reading")}</p>`
          : nothing
      }${
        state === "failed"
          ? html`<div class="state">
              <section class="call fail" role="alert">
                <h2>${t("crew.problem.read")}</h2>
                <p>${problem ? prose(refusal(problem)) : nothing}</p>
              </section>
            </div>`
          : nothing
      }${state === "ready" ? this.#both() : nothing}`;
  }

  #bar() {
    const { left, right, counts, workflows, chosen, back, restoring, offline, state } = this.view;
    const ready = state === "ready";
    return html`<div class="vbar">
      <a class="crumb" href=${back.href} translate="no" @click=${(event: MouseEvent) => going(event, back.href, this)}
        >${back.name}</a
      ><span class="sep" aria-hidden="true"></span>
      <h1>${t("crew.cmp.title", { a: left.revision, b: right.revision })}</h1>
      <span class="meta">${ready ? t("crew.cmp.counts", counts) : nothing}</span>
      <div class="end">
        ${
          workflows.length
            ? html`<label class="meta" for="wf">${t("crew.cmp.workflow")}</label
                ><select
                  class="select"
                  id="wf"
                  @change=${(event: Event) =>
                    this.emit("hp-compare-of", { id: (event.target as HTMLSelectElement).value })}
                >
                  ${workflows.map(
                    (one) =>
                      html`<option value=${one.id} ?selected=${one.id === chosen}>
                        ${one.name}
                        (${one.changes ? t("crew.cmp.changes", { n: one.changes }) : t("crew.cmp.same")})
                      </option>`,
                  )}
                </select>`
            : nothing
        }<button
          class="btn"
          data-testid="hp-restore"
          ?disabled=${restoring || offline || !ready}
          @click=${() => this.emit("hp-restore-version", { revision: left.revision })}
        >
          ${restoring ? icon("spin", "s spin") : nothing}<span
            >${t("crew.restore", { n: left.revision })}</span
          >
        </button>
      </div>
    </div>`;
  }

  #both() {
    const { graphs, changed, left, right, objects } = this.view;
    const drawn = graphs ? sides(graphs.left, graphs.right, changed) : null;
    return html`<div class="both">
      ${drawn ? this.#side(left, drawn.left, "left") : nothing}${
        drawn ? this.#side(right, drawn.right, "right") : nothing
      }
      <section class="pane" data-f6 aria-labelledby="h-d">
        <div class="p-head">
          <h2 id="h-d">${t("crew.cmp.differs")}</h2>
          <span class="meta">${t("crew.cmp.objects", { n: objects.length })}</span>
        </div>
        <div
          class="rows scroll"
          tabindex="0"
          role="group"
          aria-label=${t("app.scrolls", { name: t("crew.cmp.differs") })}
        >
          ${objects.length ? this.#table() : html`<p class="none">${t("crew.cmp.none")}</p>`}
        </div>
      </section>
    </div>`;
  }

  #side(of: { revision: number; meta: string }, side: Side, which: "left" | "right") {
    const { workflows, chosen, agents } = this.view;
    const name = workflows.find((one) => one.id === chosen)?.name ?? "";
    return html`<section class="pane" data-f6 aria-labelledby="h-${which}">
      <div class="p-head">
        <h2 id="h-${which}">${t("crew.cmp.version", { n: of.revision })}</h2>
        <span class="meta">${of.meta}</span>
      </div>
      ${
        side.graph
          ? html`<hp-crew-graph
              still
              node-width=${NARROW_NODE}
              label=${t("crew.cmp.graph", { name, n: of.revision })}
              .graph=${side.graph}
              .agents=${agents[which]}
              .whole=${side.whole}
              .marks=${side.marks}
              .edgeMarks=${side.edgeMarks}
              .ghosts=${side.ghosts}
            ></hp-crew-graph>`
          : html`<p class="none">${t("crew.cmp.absent")}</p>`
      }
    </section>`;
  }

  #table() {
    const { left, right, objects } = this.view;
    return html`<table class="t mem">
      <caption class="vh">
        ${t("crew.cmp.caption")}
      </caption>
      <thead>
        <tr>
          <th scope="col">${t("crew.cmp.member")}</th>
          <th scope="col">${left.revision}</th>
          <th scope="col">${right.revision}</th>
        </tr>
      </thead>
      ${objects.map((one) => object(one))}
    </table>`;
  }
}

function object({ name, how, members }: ComparedObject) {
  return html`<tbody>
    <tr class="ob">
      <th colspan="3" scope="rowgroup">
        <span class="flex"
          ><span translate="no">${name}</span
          ><span class="meta strong ${how}">${t(`crew.cmp.${how}`)}</span></span
        >
      </th>
    </tr>
    ${members.map(
      ({ name: member, left, right, strong }) =>
        html`<tr>
          <th scope="row">${member}</th>
          <td>${cell(left, strong ? "del" : "")}</td>
          <td>${cell(right, strong ? "ins" : "")}</td>
        </tr>`,
    )}
  </tbody>`;
}

function cell(text: string, mark: "" | "del" | "ins") {
  if (!text) return html`<span class="quiet">–</span>`;
  if (mark === "del") return html`<del>${text}</del>`;
  return mark === "ins" ? html`<ins>${text}</ins>` : html`${text}`;
}

declare global {
  interface HTMLElementTagNameMap {
    "hp-crew-compare": CrewCompare;
  }
}
