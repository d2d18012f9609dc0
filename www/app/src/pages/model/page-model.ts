/** The model's panes of the page: tree and properties, and the table with what extensions add around it. UI.md §2. */
import type { TreeNode } from "@holdpoint/core/types";
import { format, icon, type ModelLine, t } from "@holdpoint/elements";
import { type Storey, storeysOf } from "@holdpoint/elements/model/storeys";
import { html, nothing } from "lit";
import type { StatusText } from "./contributions.js";
import { checkButton, openCheck } from "./ids-page.js";
import type { PageView } from "./page-view.js";
import { awayText, drawing, keysBeside, layouts } from "./view3d-page.js";

/** Tells the page's host what a person did. */
export type Send = (type: string, detail?: unknown) => void;

/** The left pane: the tree, and below it what is selected. */
export function treePane(view: PageView, send: Send) {
  const { model } = view;
  return html`<section
      class="panel left ${view.drawer ? "drawer" : ""}"
      data-f6
      aria-label=${t("pane.tree")}
    >
      ${model.models.length > 1 ? html`<hp-models .models=${model.models}></hp-models>` : nothing}
      ${treeHead(view, send)}
      <div class="half">
        <hp-tree
          .nodes=${model.tree}
          .colors=${colours(model.models)}
          .selected=${model.selected}
          ?filtering=${view.filtering}
          .waiting=${model.facts ? "" : t("tree.wait")}
        ></hp-tree>
      </div>
      <div class="p-head second">
        <h2>${t("props.title")}</h2>
        <span class="meta end trunc">${selection(model)}</span>
      </div>
      <div
        class="half scroll"
        tabindex="0"
        role="group"
        aria-label=${t("app.scrolls", { name: t("props.title") })}
      >
        <hp-properties
          .elements=${model.details}
          .count=${model.selected.length}
          .file=${model.facts}
          .units=${model.units}
          .models=${model.models}
        ></hp-properties>
      </div>
    </section>
    ${view.drawer ? html`<div class="scrim" @click=${() => send("hp-drawer")}></div>` : nothing}`;
}

/** Colours of the models by their place, made once for a list of them. */
const coloured = new WeakMap<ModelLine[], ReadonlyMap<number, string>>();

function colours(models: ModelLine[]): ReadonlyMap<number, string> {
  const known = coloured.get(models) ?? new Map(models.map(({ place, color }) => [place, color]));
  coloured.set(models, known);
  return known;
}

function treeHead(view: PageView, send: Send) {
  return html`<div class="p-head">
    <h2>${t("tree.title")}</h2>
    <div class="end">
      <button
        class="btn quiet s icon"
        aria-label=${t("tree.filter")}
        aria-pressed=${view.filtering}
        @click=${() => send("hp-filter-tree")}
      >
        ${icon("search")}
      </button>
      <button
        class="btn quiet s icon"
        aria-label=${t("tree.filters")}
        title=${t("tree.filters")}
        aria-pressed=${view.storeyFilters}
        @click=${() => send("hp-storey-filters")}
      >
        ${icon("funnel")}
      </button>
      <button
        class="btn quiet s icon"
        aria-label=${t("tree.open")}
        @click=${() => send("hp-open-file")}
      >
        ${icon("file")}
      </button>
      ${
        view.model.models.length === 1
          ? html`<button
              class="btn quiet s icon"
              aria-label=${t("models.add")}
              title=${t("models.add")}
              aria-haspopup="menu"
              data-testid="hp-models-add"
              @click=${(event: Event) =>
                send("hp-models", { act: "add", anchor: event.currentTarget })}
            >
              ${icon("plus")}
            </button>`
          : nothing
      }
      ${openCheck(view, send)}
      <button
        class="btn quiet s icon only-drawer"
        aria-label=${t("app.close")}
        @click=${() => send("hp-drawer")}
      >
        ${icon("cross")}
      </button>
    </div>
  </div>`;
}

/** What is selected, in a word: a type, several of one type, several of different types. */
function selection({ details, selected }: PageView["model"]): string {
  const type = details[0]?.type;
  const n = selected.length;
  if (n < 2) return type ?? "";
  const alike = details.length === n && details.every((one) => one.type === type);
  return alike && type !== undefined ? t("props.several", { n, type }) : t("props.mixed", { n });
}

/** The pane in the middle: the table of elements, or a model that is being opened. */
export function modelPane(view: PageView, send: Send) {
  const on = view.model.models.filter((one) => one.on);
  const sum = (of: (one: ModelLine) => number) => on.reduce((n, one) => n + of(one), 0);
  const size = format.bytes(sum((one) => one.size));
  const counts = view.model.facts ? t("model.counts", { n: sum((one) => one.elements), size }) : "";
  return html`<section
    class="panel mid"
    data-f6
    aria-labelledby="h-mid"
    @keydown=${keysBeside}
  >
    <div class="p-head">
      <button class="btn s tree-b" aria-expanded=${view.drawer} @click=${() => send("hp-drawer")}>
        ${icon("storey", "s")}<span>${t("pane.tree")}</span>
      </button>
      <h2 id="h-mid" class="vh">${t("model.title")}</h2>
      ${layouts(view, send)} ${checkButton(view, send)}
      ${view.commands.length ? commands(view, send) : nothing}
      <span class="meta end trunc">${counts}</span>
    </div>
    ${opening(view, send)} ${elements(view, send)} ${view.status.length ? status(view, send) : nothing}
  </section>`;
}

/** The buttons of extensions. */
function commands(view: PageView, send: Send) {
  return html`<div class="cmds" role="toolbar" aria-label=${t("ext.toolbar")} @keydown=${along}>
    ${view.commands.map(
      (one, i) =>
        html`<button
          class="btn s"
          tabindex=${i === 0 ? 0 : -1}
          ?disabled=${one.busy}
          data-command=${one.command}
          title=${one.keys || nothing}
          @click=${() => send("hp-command", { extension: one.extension, id: one.command })}
        >
          ${icon(one.busy ? "spin" : "button", one.busy ? "s spin" : "s")}<span>${one.title}</span>
        </button>`,
    )}
  </div>`;
}

/** Arrows, Home and End go along a toolbar. */
function along(event: KeyboardEvent): void {
  const all = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>("button")];
  const at = all.indexOf(event.target as HTMLElement);
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: all.length - 1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  all[(to + all.length) % all.length]?.focus();
}

function opening(view: PageView, send: Send) {
  if (!view.opening) return nothing;
  return html`<hp-open
    class=${view.opening.state === "opening" ? "fills" : ""}
    .view=${view.opening}
    .current=${view.model.facts?.name ?? ""}
    @hp-close=${(event: Event) => {
      event.stopPropagation();
      send("hp-dismiss", { what: "opening" });
    }}
  ></hp-open>`;
}

/** The storeys of a tree, made once for it. */
const made = new WeakMap<TreeNode[], Storey[]>();

function storeys({ tree, rows }: PageView["model"]): Storey[] {
  const known = made.get(tree) ?? storeysOf(tree, rows);
  made.set(tree, known);
  return known;
}

/** Nothing while there is no model to show, and while another one takes its place. */
function elements(view: PageView, send: Send) {
  const { model, opening, view3d } = view;
  const { facts } = model;
  if (opening?.state === "opening" || (!facts && !opening)) return nothing;
  return html`<hp-elements
    .rows=${model.rows}
    .storeys=${storeys(model)}
    .choices=${model.choices}
    .shown=${model.shown}
    .query=${model.query}
    .found=${model.found}
    ?choosing=${view.choosing}
    .selected=${model.selected}
    .colouring=${model.colouring}
    .layout=${view3d.layout}
    .models=${model.models}
    .saved=${view.saved}
    >${drawing(view)}${awayText(view, send)}</hp-elements
  >`;
}

/** What extensions say below the table, on its two sides. */
function status(view: PageView, send: Send) {
  const side = (right: boolean) =>
    view.status.filter((one) => one.right === right).map((one) => statusText(one, send));
  return html`<div class="ext-status" role="group" aria-label=${t("ext.status")}>
    <span>${side(false)}</span><span class="end">${side(true)}</span>
  </div>`;
}

function statusText({ command, extension, text }: StatusText, send: Send) {
  if (command === null) return html`<span class="meta">${text}</span>`;
  return html`<button
    class="btn quiet s"
    @click=${() => send("hp-command", { extension, id: command })}
  >
    ${text}
  </button>`;
}
