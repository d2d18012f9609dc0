/** The files of an app as a tree: folders, search, marks of what is not saved or has errors. Tree pattern. */
import { css, html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { icon } from "../base/icons.js";
import { heads } from "../base/sheets.js";
import { buttons, forms, ground } from "../base/styles.js";
import { t } from "../text/index.js";
import { linesOf, type TreeLine } from "./folders.js";
import type { CodeView } from "./view.js";

/** Where the sources of an app lie. */
const FOLDER = "src/";

const own = css`
  :host { display: flex; flex-direction: column; min-height: 0; flex: 1; }
  .box { padding: var(--s-3) var(--s-4); border-bottom: 1px solid var(--line); display: grid; gap: var(--s-3); }
  .tree { flex: 1; min-height: 0; padding: var(--s-2) 0; font-size: var(--t-small); }
  .line {
    --row: 28px;
    display: flex;
    align-items: center;
    gap: var(--s-3);
    height: var(--row);
    padding-inline: calc(var(--s-4) + var(--d, 0) * 16px) var(--s-5);
    cursor: default;
  }
  @media (pointer: coarse) { .line { --row: 44px; } }
  .line:hover { background: var(--hover); }
  .line[aria-selected="true"] {
    background: var(--selected);
    box-shadow: inset 2px 0 0 var(--action-fill);
  }
  .line > .i { color: var(--text-3); }
  .none { visibility: hidden; }
  .upload:focus-within { outline: 2px solid var(--focus); outline-offset: 2px; }
  .mk {
    margin-inline-start: auto;
    display: inline-flex;
    align-items: center;
    gap: var(--s-2);
    font-size: var(--t-meta);
    white-space: nowrap;
  }
  .dot { width: 8px; height: 8px; border-radius: 1px; border: 1px solid var(--hold); background: var(--hold-fill); }
`;

@customElement("hp-code-tree")
export class CodeTree extends HpElement {
  static override styles = [ground, buttons, forms, heads, own];
  @property({ attribute: false }) view!: CodeView;
  @state() private closed: ReadonlySet<string> = new Set();
  @state() private doing: "search" | "new" | null = null;
  @state() private search = "";
  @state() private at = "";
  #lines: TreeLine[] = [];
  #shown: string | null = null;

  protected override willUpdate(): void {
    const { files, open } = this.view;
    this.#lines = linesOf(files, this.closed, this.doing === "search" ? this.search : "");
    if (!this.#lines.some(({ path }) => path === this.at))
      this.at = this.#lines.find(({ path }) => path === open)?.path ?? this.#lines[0]?.path ?? "";
  }

  override render() {
    return html`<div class="p-head">
        <h2>${t("apps.files")}</h2>
        <span class="meta">${this.view.files.length}</span>
        <div class="end">
          <button
            class="btn quiet icon s"
            aria-label=${t("apps.files.search")}
            aria-pressed=${this.doing === "search"}
            @click=${() => this.#do("search")}
          >
            ${icon("search")}</button
          ><button
            class="btn quiet icon s"
            aria-label=${t("apps.files.new")}
            aria-pressed=${this.doing === "new"}
            data-testid="hp-new-file"
            @click=${() => this.#do("new")}
          >
            ${icon("plus")}
          </button>
        </div>
      </div>
      ${this.#field()}
      <div
        class="tree scroll"
        role="tree"
        aria-label=${t("apps.files")}
        @keydown=${this.#keys}
      >
        ${this.#lines.map((line) => this.#line(line))}
      </div>`;
  }

  /** A file that came to the front is in sight. */
  protected override updated(changed: Map<PropertyKey, unknown>): void {
    super.updated(changed);
    if (this.view.open === this.#shown) return;
    this.#shown = this.view.open;
    this.renderRoot.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  }

  #field() {
    if (this.doing === "search")
      return html`<div class="box">
        <input
          class="input"
          type="search"
          aria-label=${t("apps.files.search")}
          placeholder=${t("apps.files.search")}
          .value=${this.search}
          @input=${(event: Event) => (this.search = (event.target as HTMLInputElement).value)}
        />
      </div>`;
    if (this.doing !== "new") return nothing;
    return html`<form class="box" @submit=${this.#create}>
      <input
        class="input mono"
        id="path"
        aria-label=${t("apps.files.path")}
        .value=${FOLDER}
        spellcheck="false"
        autocapitalize="none"
        data-testid="hp-new-path"
      />
      <span class="flex wrap acts-c"
        ><button class="btn s">${t("apps.files.create")}</button
        ><label class="btn quiet s upload"
          >${t("apps.files.upload")}<input
            class="vh"
            type="file"
            data-testid="hp-upload"
            @change=${this.#upload}
        /></label>
      </span>
    </form>`;
  }

  #do(what: "search" | "new"): void {
    this.doing = this.doing === what ? null : what;
    if (this.doing)
      void this.updateComplete.then(() =>
        this.renderRoot.querySelector<HTMLInputElement>(".box input")?.focus(),
      );
  }

  #create(event: Event): void {
    event.preventDefault();
    const field = this.renderRoot.querySelector<HTMLInputElement>("#path");
    const path = field?.value.trim().replace(/^\/+/, "") ?? "";
    if (!path || path.endsWith("/")) {
      field?.focus();
      return;
    }
    this.doing = null;
    this.emit("hp-new-file", { path });
  }

  #upload(event: Event): void {
    const field = event.target as HTMLInputElement;
    const file = field.files?.[0];
    if (!file) return;
    field.value = "";
    this.doing = null;
    this.emit("hp-upload", { file });
  }

  #line(line: TreeLine) {
    const { open, edited, errors } = this.view;
    const { path, name, depth, folder } = line;
    return html`<div
      class="line"
      role="treeitem"
      aria-level=${depth + 1}
      aria-selected=${!folder && path === open}
      aria-expanded=${folder ? line.open : nothing}
      tabindex=${path === this.at ? 0 : -1}
      data-path=${path}
      style="--d:${depth}"
      @click=${() => this.#press(line)}
    >
      ${icon(line.open ? "cd" : "cr", folder ? "s" : "s none")}${icon(folder ? "folder" : "file")}<span
        class="trunc"
        translate="no"
        >${name}</span
      >${folder ? nothing : mark(edited.includes(path), errors[path] ?? 0)}
    </div>`;
  }

  #press(line: TreeLine): void {
    this.at = line.path;
    if (line.folder) this.#toggle(line);
    else this.emit("hp-file", { path: line.path });
  }

  #toggle({ path, open }: TreeLine): void {
    const closed = new Set(this.closed);
    if (open) closed.add(path);
    else closed.delete(path);
    this.closed = closed;
  }

  #keys(event: KeyboardEvent): void {
    const n = this.#lines.findIndex(({ path }) => path === this.at);
    const line = this.#lines[n];
    if (!line) return;
    switch (event.key) {
      case "ArrowDown":
        this.#go(n + 1);
        break;
      case "ArrowUp":
        this.#go(n - 1);
        break;
      case "Home":
        this.#go(0);
        break;
      case "End":
        this.#go(this.#lines.length - 1);
        break;
      case "ArrowRight":
        if (line.folder && !line.open) this.#toggle(line);
        else if (line.folder) this.#go(n + 1);
        break;
      case "ArrowLeft":
        if (line.folder && line.open) this.#toggle(line);
        else this.#go(this.#lines.findLastIndex((one, i) => i < n && one.depth < line.depth));
        break;
      case "Enter":
      case " ":
        this.#press(line);
        break;
      default:
        return;
    }
    event.preventDefault();
  }

  #go(n: number): void {
    const line = this.#lines[n];
    if (!line) return;
    this.at = line.path;
    void this.updateComplete.then(() =>
      this.renderRoot.querySelector<HTMLElement>('[role="treeitem"][tabindex="0"]')?.focus(),
    );
  }
}

function mark(edited: boolean, errors: number) {
  if (errors)
    return html`<span class="mk c-fail">${icon("bad", "s")}${t("findings.errors", { n: errors })}</span>`;
  if (!edited) return nothing;
  return html`<span class="mk"
    ><span class="dot" aria-hidden="true"></span><span class="vh">${t("apps.unsaved")}</span></span
  >`;
}

declare global {
  interface HTMLElementTagNameMap {
    "hp-code-tree": CodeTree;
  }
}
