/** The spatial tree: project, site, building, storeys, and under them the elements by type. Tree pattern. UI.md §3. */

import { FILE_NODE, modelPlaceOf, type TreeNode } from "@holdpoint/core/types";
import { css, html, nothing, type PropertyValues } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { styleMap } from "lit/directives/style-map.js";
import { HpElement } from "../base/element.js";
import { integer, level } from "../base/format.js";
import { icon } from "../base/icons.js";
import { forms, ground } from "../base/styles.js";
import { VirtualRows } from "../base/virtual.js";
import { t } from "../text/index.js";
import { kindIcon, kindName, numbered } from "./kinds.js";

/** A line of the tree: a node, or the elements of one type under a storey. */
interface Line {
  key: string;
  type: string;
  label: string;
  note: string;
  depth: number;
  ids: number[];
  children: boolean;
  open: boolean;
  node: number | null;
}

const spatial =
  /^(File$|Ifc(Project|Site|Building|BuildingStorey|Facility|FacilityPart|Bridge|Road|Railway|Space))/;

const own = css`
  :host { display: flex; flex-direction: column; min-height: 0; height: 100%; }
  .search { display: flex; padding: var(--s-3) var(--s-4); border-bottom: 1px solid var(--line); }
  .tree { flex: 1; min-height: 0; padding: var(--s-2) 0; font-size: var(--t-small); }
  .line {
    display: flex;
    align-items: center;
    gap: var(--s-3);
    height: var(--row);
    padding-inline: calc(var(--s-4) + var(--d, 0) * 16px) var(--s-5);
    cursor: default;
  }
  .line:hover { background: var(--hover); }
  .line:focus-visible { outline-offset: -2px; }
  .line[aria-selected="true"] {
    background: var(--selected);
    box-shadow: inset 2px 0 0 var(--action-fill);
  }
  .i { color: var(--text-3); }
  .tw { width: 14px; height: 14px; }
  .tw.none { visibility: hidden; }
  .count {
    margin-inline-start: auto;
    color: var(--text-3);
    font-size: var(--t-meta);
    padding-inline-start: var(--s-3);
    white-space: nowrap;
  }
  .line[aria-selected="true"] .count { color: var(--text-2); }
  .key {
    flex: none;
    width: 12px;
    height: 12px;
    margin-inline: 2px;
    border-radius: 1px;
    background: var(--c);
    box-shadow: inset 0 0 0 1px rgb(0 0 0 / .22);
    forced-color-adjust: none;
  }
  .none-yet { padding: var(--pad); }
`;

@customElement("hp-tree")
export class Tree extends HpElement {
  static override styles = [ground, forms, own];
  @property({ attribute: false }) nodes: TreeNode[] = [];
  @property({ attribute: false }) selected: number[] = [];
  @property({ type: Boolean }) filtering = false;
  /** Colours of the open models by their place; what stands for a file has the colour of its model. */
  @property({ attribute: false }) colors: ReadonlyMap<number, string> = new Map();
  @property() waiting = "";
  @state() private opened: ReadonlySet<string> = new Set<string>();
  @state() private closed: ReadonlySet<string> = new Set<string>();
  @state() private filter = "";
  @state() private at = 0;
  @query(".tree") private scroller!: HTMLElement | null;
  private readonly virtual = new VirtualRows(this, () => this.scroller);
  private lines: Line[] = [];
  /** What each node hangs under, for those that were looked for; made when one is. */
  private parents: Map<number, TreeNode> | null = null;
  /** What the tree itself asked to select: it stands in sight already. */
  private asked: readonly number[] = [];
  /** What is to come into sight with the next drawing. */
  private wanted: number | null = null;

  protected override get state(): string {
    if (!this.nodes.length) return "empty";
    return this.selected.length ? "selected" : "ready";
  }

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    if (changed.has("nodes")) {
      this.opened = new Set();
      this.closed = new Set();
      this.at = 0;
      this.parents = null;
    }
    if (changed.has("filtering") && !this.filtering) this.filter = "";
    if (changed.has("selected") && !this.#isMine()) this.#openTo();
    this.lines = [];
    for (const node of this.nodes) this.#flatten(node, 0);
    this.at = Math.min(this.at, Math.max(0, this.lines.length - 1));
  }

  #select(ids: number[]): void {
    this.asked = ids;
    this.emit("hp-select", { ids });
  }

  #isMine(): boolean {
    const { asked, selected } = this;
    return asked.length === selected.length && asked.every((id, i) => id === selected[i]);
  }

  /** Selected elsewhere: what the first of it hangs under is opened. */
  #openTo(): void {
    const [id] = this.selected;
    if (id === undefined || this.filter) return;
    this.parents ??= parentsOf(this.nodes);
    const keys: string[] = [];
    for (let at: number | undefined = id; at !== undefined; ) {
      const parent: TreeNode | undefined = this.parents.get(at);
      const child = parent?.children.find((one) => one.id === at);
      if (parent && child && spatial.test(parent.type) && !spatial.test(child.type))
        keys.push(`${parent.id}/${child.type}`);
      if (parent) keys.push(`#${parent.id}`);
      at = parent?.id;
    }
    this.opened = new Set([...this.opened, ...keys]);
    this.closed = new Set([...this.closed].filter((key) => !keys.includes(key)));
    this.wanted = id;
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    const { wanted } = this;
    this.wanted = null;
    const at = wanted === null ? -1 : this.lines.findIndex((line) => line.node === wanted);
    if (at < 0 || this.virtual.shows(at)) return;
    this.at = at;
    this.virtual.bring(at);
  }

  override render() {
    if (this.nodes.length === 0)
      return html`<p class="meta quiet none-yet">${this.waiting || t("tree.none")}</p>`;
    const picked = new Set(this.selected);
    const view = this.virtual.window(this.lines.length);
    return html`${
      this.filtering
        ? html`<div class="search">
              <input
                class="input"
                type="search"
                aria-label=${t("tree.filter")}
                placeholder=${t("tree.filter")}
                .value=${this.filter}
                @input=${(event: Event) => (this.filter = (event.target as HTMLInputElement).value)}
              />
            </div>`
        : nothing
    }
      <div
        class="tree scroll"
        role="tree"
        aria-label=${t("tree.title")}
        aria-multiselectable="true"
        @keydown=${this.#keys}
      >
        ${
          view.above
            ? html`<div role="presentation" style="height:${view.above}px"></div>`
            : nothing
        }
        ${this.lines
          .slice(view.from, view.to)
          .map((line, i) => this.#line(line, view.from + i, picked))}
        ${
          view.below
            ? html`<div role="presentation" style="height:${view.below}px"></div>`
            : nothing
        }
      </div>`;
  }

  #line(line: Line, at: number, picked: ReadonlySet<number>) {
    const on = line.ids.length > 0 && line.ids.every((id) => picked.has(id));
    return html`<div
      class="line"
      role="treeitem"
      data-row
      aria-level=${line.depth + 1}
      aria-selected=${on}
      aria-expanded=${line.children ? line.open : nothing}
      tabindex=${at === this.at ? 0 : -1}
      style="--d:${line.depth}"
      @click=${(event: MouseEvent) => this.#click(at, event)}
      @contextmenu=${(event: MouseEvent) => this.#context(at, event)}
    >
      <span
        @click=${(event: Event) => {
          event.stopPropagation();
          this.#toggle(line);
        }}
        >${icon(line.open ? "cd" : "cr", line.children ? "tw" : "tw none")}</span
      >${
        line.type === FILE_NODE ? this.#key(line) : icon(kindIcon(line.type))
      }<span class="trunc">${line.label}</span
      >${line.note ? html`<span class="count">${line.note}</span>` : nothing}
    </div>`;
  }

  #key({ node }: Line) {
    const color = this.colors.get(modelPlaceOf(node ?? 0));
    return html`<span class="key" style=${styleMap({ "--c": color ?? null })}></span>`;
  }

  #isOpen(key: string, byDefault: boolean): boolean {
    return this.filter !== "" || this.opened.has(key) || (byDefault && !this.closed.has(key));
  }

  /** Spatial parts are open down to the storeys; elements stand under their storey by type. */
  #flatten(node: TreeNode, depth: number): void {
    if (this.filter && !matches(node, this.filter.toLowerCase())) return;
    const storey = /^IfcBuildingStorey/.test(node.type);
    const key = `#${node.id}`;
    const open = node.children.length > 0 && this.#isOpen(key, spatial.test(node.type) && !storey);
    const note =
      storey && node.elevation !== undefined && node.elevation !== null
        ? level(node.elevation)
        : "";
    this.lines.push({
      key,
      type: node.type,
      label: node.name ?? numbered(node.id),
      note,
      depth,
      // A file is no element: what stands for it selects what its structure begins with.
      ids: node.type === FILE_NODE ? node.children.map(({ id }) => id) : [node.id],
      children: node.children.length > 0,
      open,
      node: node.id,
    });
    if (!open) return;
    for (const child of node.children.filter((one) => spatial.test(one.type)))
      this.#flatten(child, depth + 1);
    const groups = new Map<string, TreeNode[]>();
    for (const child of node.children) {
      if (spatial.test(child.type)) continue;
      const members = groups.get(child.type);
      if (members) members.push(child);
      else groups.set(child.type, [child]);
    }
    if (!spatial.test(node.type)) {
      for (const child of node.children)
        if (!spatial.test(child.type)) this.#flatten(child, depth + 1);
      return;
    }
    for (const [type, members] of groups) this.#group(node, type, members, depth + 1);
  }

  #group(parent: TreeNode, type: string, members: TreeNode[], depth: number): void {
    const shown = this.filter
      ? members.filter((one) => matches(one, this.filter.toLowerCase()))
      : members;
    if (shown.length === 0) return;
    const key = `${parent.id}/${type}`;
    const open = this.#isOpen(key, false);
    this.lines.push({
      key,
      type,
      label: kindName(type),
      note: integer(shown.length),
      depth,
      ids: shown.map((one) => one.id),
      children: true,
      open,
      node: null,
    });
    if (open) for (const one of shown) this.#flatten(one, depth + 1);
  }

  #toggle(line: Line): void {
    if (!line.children) return;
    this.opened = new Set(
      [...this.opened].filter((key) => key !== line.key).concat(line.open ? [] : [line.key]),
    );
    this.closed = new Set(
      [...this.closed].filter((key) => key !== line.key).concat(line.open ? [line.key] : []),
    );
  }

  #click(at: number, event: MouseEvent): void {
    const line = this.lines[at];
    if (!line) return;
    this.at = at;
    const more = event.ctrlKey || event.metaKey;
    const rest = this.selected.filter((id) => !line.ids.includes(id));
    const flipped = rest.length === this.selected.length ? [...rest, ...line.ids] : rest;
    this.#select(more ? flipped : line.ids);
    if (!more && line.node !== null && line.type === "IfcBuildingStorey")
      this.emit("hp-storey", { id: line.node, name: line.label });
  }

  /** What a menu is asked for is selected first, where it is not. */
  #context(at: number, event: MouseEvent): void {
    const line = this.lines[at];
    if (!line) return;
    this.at = at;
    if (!line.ids.every((id) => this.selected.includes(id))) this.#select(line.ids);
    this.emit("hp-context", { slot: "contextMenu.tree", event, anchor: event.currentTarget });
  }

  #keys(event: KeyboardEvent): void {
    const line = this.lines[this.at];
    if (!line) return;
    const last = this.lines.length - 1;
    switch (event.key) {
      case "ArrowDown":
        this.#go(Math.min(last, this.at + 1));
        break;
      case "ArrowUp":
        this.#go(Math.max(0, this.at - 1));
        break;
      case "Home":
        this.#go(0);
        break;
      case "End":
        this.#go(last);
        break;
      case "ArrowRight":
        if (line.children && !line.open) this.#toggle(line);
        else if (line.open) this.#go(this.at + 1);
        break;
      case "ArrowLeft":
        if (line.open) this.#toggle(line);
        else this.#go(this.#parent());
        break;
      case "Enter":
      case " ":
        this.#select(line.ids);
        if (line.node !== null && line.type === "IfcBuildingStorey")
          this.emit("hp-storey", { id: line.node, name: line.label });
        break;
      case "Escape":
        if (!this.selected.length) return;
        this.#select([]);
        break;
      default:
        return;
    }
    event.preventDefault();
  }

  #parent(): number {
    const depth = this.lines[this.at]?.depth ?? 0;
    for (let i = this.at - 1; i >= 0; i -= 1) if ((this.lines[i]?.depth ?? 0) < depth) return i;
    return this.at;
  }

  #go(at: number): void {
    this.at = at;
    this.virtual.reveal(at);
    void this.updateComplete.then(() =>
      this.renderRoot
        .querySelector<HTMLElement>('[tabindex="0"][role=treeitem]')
        ?.focus({ preventScroll: true }),
    );
  }
}

/** What each node hangs under. */
function parentsOf(nodes: TreeNode[]): Map<number, TreeNode> {
  const found = new Map<number, TreeNode>();
  const walk = (node: TreeNode): void => {
    for (const child of node.children) {
      found.set(child.id, node);
      walk(child);
    }
  };
  for (const node of nodes) walk(node);
  return found;
}

function matches(node: TreeNode, words: string): boolean {
  return (
    (node.name ?? "").toLowerCase().includes(words) ||
    node.type.toLowerCase().includes(words) ||
    node.children.some((child) => matches(child, words))
  );
}
