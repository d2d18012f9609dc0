/** The parts of a package as three tables of equal columns: workflows, agents, assets; and the naming of a new one. */
import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, query } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { HpElement } from "../base/element.js";
import { bytes, integer, listed } from "../base/format.js";
import { icon } from "../base/icons.js";
import { sheets, tables } from "../base/sheets.js";
import { badges, buttons, forms, ground } from "../base/styles.js";
import { type TextKey, t } from "../text/index.js";
import { checkedCell } from "./checked.js";
import { cards, column, partTables } from "./crew.styles.js";
import { going } from "./going.js";
import type { AgentLine, AssetLine, ContentsView, Counts, Part, WorkflowLine } from "./view.js";

/** All assets together (crew-package.md §2). */
const MAX_ASSETS_BYTES = 2_097_152;

const own = css`
  :host { display: grid; gap: var(--s-6); min-width: 0; grid-template-columns: minmax(0, 1fr); }
  .s-h .end { margin-inline-start: auto; }
  .name { padding: var(--s-4) var(--s-5); border-bottom: 1px solid var(--line); display: grid; gap: var(--s-2); }
  .name .flex { flex-wrap: wrap; }
  .name .input { max-width: 380px; min-height: var(--control-s); }
`;

interface Row {
  key: string;
  head: TemplateResult;
  sub: string;
  href: string;
  check: Counts;
  facts: readonly [string, string];
  name: string;
  improve: string;
}

@customElement("hp-crew-contents")
export class CrewContents extends HpElement {
  static override styles = [
    ground,
    buttons,
    badges,
    forms,
    sheets,
    tables,
    column,
    partTables,
    cards,
    own,
  ];
  @property({ attribute: false }) view!: ContentsView;
  @query(".name .input") private name!: HTMLInputElement | null;

  override render() {
    const { workflows, agents, assets, bytes: size } = this.view;
    return html`${this.#part({
      what: "workflow",
      title: "crew.workflows",
      count: integer(workflows.length),
      columns: ["crew.workflow", "crew.check", "crew.size", "crew.changed"],
      rows: workflows.map((one) => workflowRow(one)),
      none: "crew.workflow.none",
    })}${this.#part({
      what: "agent",
      title: "crew.agents",
      count: integer(agents?.length ?? 0),
      columns: ["crew.agent", "crew.check", "crew.works", "crew.tools"],
      rows: (agents ?? []).map((one) => agentRow(one)),
      none: agents ? "crew.agent.none" : "crew.agent.unread",
    })}${this.#part({
      what: "asset",
      title: "crew.assets",
      count: t("crew.assets.size", {
        n: assets.length,
        size: bytes(size),
        all: bytes(MAX_ASSETS_BYTES),
      }),
      columns: ["crew.asset.path", "crew.check", "crew.asset.cited", "crew.asset.kind"],
      rows: assets.map((one) => assetRow(one)),
      none: "crew.asset.none",
    })}`;
  }

  #part(part: {
    what: Part;
    title: "crew.workflows" | "crew.agents" | "crew.assets";
    count: string;
    columns: readonly TextKey[];
    rows: readonly Row[];
    none: TextKey;
  }) {
    const { what, title, count, columns, rows, none } = part;
    return html`<section class="sheet" aria-labelledby="h-${what}">
      <div class="s-h">
        <h2 id="h-${what}">${t(title)}</h2>
        <span class="meta">${count}</span
        ><button
          class="btn s end"
          data-testid="hp-new-${what}"
          @click=${() => this.emit("hp-new-part", { what })}
        >
          ${icon("plus", "s")}<span>${t(`crew.${what}.new`)}</span>
        </button>
      </div>
      ${this.view.naming?.what === what ? this.#naming(what, this.view.naming.error) : nothing}${
        rows.length
          ? this.#table(what, `${title}.caption`, columns, rows)
          : html`<p class="none">${t(none)}</p>`
      }
    </section>`;
  }

  #naming(what: Part, error: string) {
    const hint = what === "asset" ? t("crew.asset.path.hint") : "";
    return html`<form class="name" @submit=${(event: Event) => this.#submit(event, what)} @keydown=${this.#keys}>
      <label class="meta strong" for="new">${t(what === "asset" ? "crew.asset.path" : "crew.name")}</label>
      <div class="flex">
        <input
          class="input ${what === "asset" ? "mono" : ""}"
          id="new"
          data-testid="hp-part-name"
          maxlength=${what === "asset" ? 1024 : 200}
          autocomplete="off"
          value=${what === "asset" ? "assets/" : ""}
          aria-invalid=${error !== ""}
          aria-describedby="new-why"
        /><button class="btn s primary" data-testid="hp-part-create">${t(`crew.${what}.new`)}</button
        ><button class="btn s quiet" type="button" @click=${() => this.emit("hp-part-cancel")}>
          ${t("crew.cancel")}
        </button>
      </div>
      <p id="new-why" class="meta ${error ? "c-fail" : ""}" role=${error ? "alert" : nothing}>
        ${error || hint}
      </p>
    </form>`;
  }

  #submit(event: Event, what: Part): void {
    event.preventDefault();
    const name = this.name?.value.trim() ?? "";
    if (name) this.emit("hp-part-create", { what, name });
    else this.name?.focus();
  }

  #keys(event: KeyboardEvent): void {
    if (event.key === "Escape") this.emit("hp-part-cancel");
  }

  #table(
    what: Part,
    caption: "crew.workflows.caption" | "crew.agents.caption" | "crew.assets.caption",
    columns: readonly TextKey[],
    rows: readonly Row[],
  ) {
    return html`<table class="t ct cards al">
      <caption class="vh">
        ${t(caption)}
      </caption>
      <thead>
        <tr>
          ${columns.map((key) => html`<th scope="col">${t(key)}</th>`)}
          <th scope="col"><span class="vh">${t("crew.actions")}</span></th>
        </tr>
      </thead>
      <tbody>
        ${repeat(
          rows,
          (row) => row.key,
          (row) => this.#row(what, row),
        )}
      </tbody>
    </table>`;
  }

  #row(what: Part, { key, head, sub, href, check, facts, name, improve }: Row) {
    return html`<tr data-part="${what}:${key}">
      <th scope="row">
        <a href=${href} @click=${(event: MouseEvent) => going(event, href, this)}>${head}</a>${
          sub ? html`<span class="sub">${sub}</span>` : nothing
        }
      </th>
      <td class="fd">${checkedCell(check)}</td>
      <td class="n">${facts[0]}</td>
      <td class="n hn">${facts[1]}</td>
      <td class="ac">
        <a class="btn s" href=${improve} aria-label=${t("crew.improve.of", { name })}
          >${t("crew.improve")}</a
        >
        <button
          class="btn quiet s icon"
          aria-haspopup="menu"
          aria-label=${t("crew.more.of", { name })}
          @click=${(event: Event) =>
            this.emit("hp-part-menu", { what, key, anchor: event.currentTarget })}
        >
          ${icon("more")}
        </button>
      </td>
    </tr>`;
  }

  protected override updated(changed: Map<PropertyKey, unknown>): void {
    super.updated(changed as never);
    const was = (changed.get("view") as ContentsView | undefined)?.naming?.what;
    const now = this.view.naming?.what;
    if (now && now !== was) {
      this.name?.focus();
      this.name?.setSelectionRange(this.name.value.length, this.name.value.length);
    }
  }
}

const named = (name: string): TemplateResult => html`<span translate="no">${name}</span>`;

function workflowRow(one: WorkflowLine): Row {
  const { id, name, isDefault, check, nodes, edges, href, improve, changed } = one;
  const size =
    nodes === null
      ? ""
      : listed([t("crew.nodes.n", { n: nodes }), t("crew.edges.n", { n: edges ?? 0 })]);
  return {
    key: id,
    head: named(name),
    sub: t(isDefault ? "crew.workflow.first" : "crew.workflow.sub", { id }),
    facts: [size, changed],
    ...{ href, check, name, improve },
  };
}

function agentRow(one: AgentLine): Row {
  const { id, name, sub, check, steps, workflows, files, servers, href, improve } = one;
  const works = t("crew.works.in", {
    steps: t("crew.steps.n", { n: steps }),
    workflows: t("crew.workflows.n", { n: workflows }),
  });
  const tools = [
    files ? t("crew.tools.files") : "",
    servers ? t("crew.tools.servers", { n: servers }) : "",
  ].filter(Boolean);
  return {
    key: id,
    head: named(name || id),
    facts: [steps ? works : t("crew.works.none"), listed(tools) || t("crew.tools.none")],
    ...{ sub, href, check, improve },
    name: name || id,
  };
}

function assetRow({ path, check, cited, kind, bytes: size, href, improve }: AssetLine): Row {
  return {
    key: path,
    head: html`<code translate="no">${path}</code>`,
    sub: "",
    facts: [
      cited ? t("crew.steps.n", { n: cited }) : t("crew.asset.cited.none"),
      `${kind} · ${bytes(size)}`,
    ],
    ...{ href, check, improve },
    name: path,
  };
}

declare global {
  interface HTMLElementTagNameMap {
    "hp-crew-contents": CrewContents;
  }
}
