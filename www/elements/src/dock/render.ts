/**
 * A widget tree as text nodes (ifc-extension.md §4). There is no path from a bundle to `innerHTML`.
 *
 * Knows the state that the nodes are bound to and a few verbs of its host; keeps nothing itself.
 */

import type { Json } from "@holdpoint/core/types";
import { html, nothing, type TemplateResult } from "lit";
import type { ExportAsk } from "../base/export-table.js";
import { icon } from "../base/icons.js";
import { turned } from "../base/tabs.js";
import { t } from "../text/index.js";
import { filled, parse, read, shown, value, words } from "./binding.js";
import { drawn, elementsOf, member, notGiven } from "./cells.js";
import { chart, points } from "./chart.js";
import { field } from "./field.js";
import { markdown } from "./markdown.js";
import type { Button, EntityList, Node, Tabs, TreeList } from "./nodes.js";
import { table } from "./table.js";
import { titled, untitled } from "./units.js";

export interface PanelHost {
  state: Json | undefined;
  busy: boolean;
  /** The tab in front, by the path of its node. */
  tab(key: string): string | undefined;
  setTab(key: string, id: string): void;
  command(id: string, args?: Json): void;
  /** Selects an element, or all of a list. */
  entity(value: Json): void;
  /** Asks for a file of a table; null where its host makes none. */
  save: ((ask: ExportAsk) => void) | null;
  write(binding: string, value: Json, changeCommand?: string): void;
  selection(): Json;
}

type Typed<T extends Node["type"]> = Extract<Node, { type: T }>;
type Drawn = TemplateResult | typeof nothing;
/** Rows that a list draws; the checker bounds the widget, not the data. */
const MAX_ROWS = 2_000;

/** The node at `key`, or nothing while its `showIf` is not truthy. */
export function draw(node: Node, host: PanelHost, key = "$"): Drawn {
  if (node.showIf !== undefined) {
    const path = parse(node.showIf);
    if (!path || !read(host.state, path)) return nothing;
  }
  const inner = (children: Node[], at = key) =>
    children.map((child, i) => draw(child, host, `${at}/${i}`));
  switch (node.type) {
    case "Stack": {
      const { direction, gap = "md", align = "stretch", justify = "start" } = node;
      return html`<div class="w-stack ${direction} gap-${gap} al-${align} ju-${justify}">
        ${inner(node.children)}
      </div>`;
    }
    case "Group":
      return html`<section class="w-group">
        ${
          node.title ? html`<h3>${words(node.title, host.state)}</h3>` : nothing
        }${inner(node.children)}
      </section>`;
    case "Text":
      return text(words(node.text, host.state), node.variant ?? "body", node.tone);
    case "Field":
      return field(node, host, key);
    case "Button":
      return button(node, host);
    case "Table":
      return table(node, bound(node.data, host), host);
    case "Chart":
      return chart(node, points(node, bound(node.data, host)), words(node.title, host.state));
    case "Markdown":
      return html`<div class="md">${markdown(words(node.content, host.state))}</div>`;
    case "Tabs":
      return tabs(node, host, key);
    case "Separator":
      return html`<hr />`;
    case "EmptyState":
      return emptyState(node, host);
    case "Spinner":
      return html`<p class="flex meta" role="status">
        ${icon("spin", "spin c-run")}<span
          >${words(node.label, host.state) || t("dock.running")}</span
        >
      </p>`;
    case "ErrorBanner":
      return errorBanner(node, host);
    case "EntityList":
      return entities(node, host);
    case "Tree":
      return tree(node, host);
    case "KeyValueGrid":
      return grid(node, host);
  }
}

function emptyState({ heading, body, cta }: Typed<"EmptyState">, host: PanelHost): Drawn {
  const act = () => cta && host.command(cta.command, cta.args && filled(cta.args, host.state));
  const title = words(heading, host.state);
  return html`<div class="w-empty">
    ${title.trim() ? html`<h3>${title}</h3>` : nothing}
    ${body ? html`<p class="meta">${words(body, host.state)}</p>` : nothing}
    ${
      cta
        ? html`<button class="btn" ?disabled=${host.busy} @click=${act}>
            ${words(cta.label, host.state)}
          </button>`
        : nothing
    }
  </div>`;
}

function errorBanner({ message, retryCommand }: Typed<"ErrorBanner">, host: PanelHost): Drawn {
  const retry = (command: string) =>
    html`<div>
      <button class="btn s" @click=${() => host.command(command)}>
        ${icon("again", "s")}<span>${t("problem.again")}</span>
      </button>
    </div>`;
  return html`<div class="call fail" role="alert">
    <p>${words(message, host.state)}</p>
    ${retryCommand ? retry(retryCommand) : nothing}
  </div>`;
}

function grid({ rows }: Typed<"KeyValueGrid">, host: PanelHost): Drawn {
  return html`<dl class="kv">
    ${rows.map((row) => {
      const given = typeof row.value === "string" ? value(row.value, host.state) : row.value;
      const title = words(row.label, host.state);
      // Only a number takes the unit of its label.
      const { label, unit } = typeof given === "number" ? titled(title) : untitled(title);
      return html`<div>
        <dt>${label}</dt>
        <dd>${drawn(given, unit) || notGiven()}</dd>
      </div>`;
    })}
  </dl>`;
}

const bound = (binding: string, host: PanelHost): Json | undefined => {
  const path = parse(binding);
  return path ? read(host.state, path) : undefined;
};

function text(value: string, variant: string, tone: string | undefined): Drawn {
  const look = `w-${variant} ${tone ? `tone-${tone}` : ""}`;
  if (variant !== "heading") return html`<p class=${look}>${value}</p>`;
  // What a heading is bound to may not be there yet, and an empty one is read out as a heading of nothing.
  return value.trim() ? html`<h3 class=${look}>${value}</h3>` : nothing;
}

const buttonLook = {
  primary: "primary",
  secondary: "",
  destructive: "danger",
  ghost: "quiet",
} as const;

function button(node: Button, host: PanelHost): Drawn {
  const path = typeof node.disabled === "string" ? parse(node.disabled) : null;
  const off = node.disabled === true || (path !== null && Boolean(read(host.state, path)));
  return html`<button
    class="btn ${buttonLook[node.variant ?? "secondary"]}"
    ?disabled=${off || host.busy}
    @click=${() => host.command(node.command, node.args && filled(node.args, host.state))}
  >
    ${node.icon === "download" ? icon("down") : nothing}<span
      >${words(node.label, host.state)}</span
    >
  </button>`;
}

function tabs(node: Tabs, host: PanelHost, key: string): Drawn {
  const front =
    node.tabs.find((tab) => tab.id === (host.tab(key) ?? node.defaultTab)) ?? node.tabs[0];
  if (!front) return nothing;
  const move = (event: KeyboardEvent) => {
    const to = turned(event.key, node.tabs.indexOf(front), node.tabs.length);
    const next = to === null ? undefined : node.tabs[to];
    if (!next) return;
    event.preventDefault();
    host.setTab(key, next.id);
    const list = event.currentTarget as HTMLElement;
    requestAnimationFrame(() => list.querySelector<HTMLElement>('[aria-selected="true"]')?.focus());
  };
  return html`<div class="w-tabs">
    <div role="tablist" class="seg" @keydown=${move}>
      ${node.tabs.map(
        (tab) =>
          html`<button
            role="tab"
            id="${key}-${tab.id}"
            aria-selected=${tab === front}
            tabindex=${tab === front ? 0 : -1}
            @click=${() => host.setTab(key, tab.id)}
          >
            ${words(tab.label, host.state)}
          </button>`,
      )}
    </div>
    <div role="tabpanel" aria-labelledby="${key}-${front.id}" class="w-stack vertical gap-md">
      ${front.children.map((child, i) => draw(child, host, `${key}/${front.id}/${i}`))}
    </div>
  </div>`;
}

function entities(node: EntityList, host: PanelHost): Drawn {
  const data = bound(node.data, host);
  const rows = Array.isArray(data) ? data : [];
  if (rows.length === 0) return html`<p class="meta w-none">${t("dock.empty_table")}</p>`;
  return html`<ul class="rows w-list">
    ${rows.slice(0, MAX_ROWS).map((row) => {
      const id = member(row, node.idField);
      // A number alone does not say the model; the row may.
      const own = [row, ...elementsOf(row)].find((ref) => member(ref, "expressId") === id) ?? id;
      const label = shown(member(row, node.labelField ?? "name")) || shown(id);
      return html`<li>
        <button class="rowlink" @click=${() => own !== undefined && host.entity(own)}>
          ${label}
        </button>
      </li>`;
    })}
  </ul>`;
}

function tree(node: TreeList, host: PanelHost): Drawn {
  const data = bound(node.data, host) ?? [];
  const roots = Array.isArray(data) ? data : [data];
  const branch = (one: Json, depth: number): Drawn => {
    const label = shown(member(one, node.labelField));
    const below = member(one, node.childrenField);
    const run = node.rowCommand;
    const head = run
      ? html`<button class="rowlink" @click=${() => host.command(run, { row: one })}>
          ${label}
        </button>`
      : html`<span>${label}</span>`;
    if (!Array.isArray(below) || below.length === 0 || depth > 20) return html`<li>${head}</li>`;
    return html`<li>
      <details ?open=${depth === 0}>
        <summary>${icon("cr", "tw s")}${head}</summary>
        <ul>
          ${below.map((child) => branch(child, depth + 1))}
        </ul>
      </details>
    </li>`;
  };
  return roots.length
    ? html`<ul class="w-tree">
        ${roots.map((root) => branch(root, 0))}
      </ul>`
    : html`<p class="meta w-none">${t("dock.empty_table")}</p>`;
}
