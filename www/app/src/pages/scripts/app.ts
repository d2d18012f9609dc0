/** The controller of the script pages: address, shell, list and the script that is open; gives the page one value. */

import type { EditorApi, FactsOf, FileId } from "@holdpoint/core/editor";
import { isRefusal } from "@holdpoint/core/session";
import type { Api, Core, Range, Store } from "@holdpoint/core/types";
import { said, t } from "@holdpoint/elements";
import type { Sample, ScriptView } from "@holdpoint/elements/script/view";
import { Asking } from "../../asking.js";
import type { Credential } from "../../credential.js";
import { type Looks, looks, Shell } from "../../shell.js";
import type { Around } from "./around.js";
import { Commands } from "./commands.js";
import { copies } from "./draft.js";
import { ToolList } from "./list.js";
import type { ScriptsPage } from "./page.js";
import type { ScriptPageView, ScriptPane } from "./page-view.js";
import { ScriptTool } from "./tool.js";
import type { Versions } from "./versions.js";

const ROOT = "/scripts";

interface Settings extends Looks {
  chatWidth: number;
}
const fresh: Settings = { ...looks, chatWidth: 340 };

export interface Parts {
  core: Core;
  checks: Around["checks"];
  facts: FactsOf | null;
  api: Api;
  editor: EditorApi;
  store: Store;
  runner: Around["runner"];
  credential: Credential;
}

export class ScriptsApp extends Shell<Settings> {
  tool: ScriptTool | null = null;
  readonly list: ToolList;
  readonly asking = new Asking(() => this.draw());
  readonly commands: Commands;
  readonly #around: Around;
  #pane: ScriptPane = "code";
  #budgetOpen = false;
  #scripted: boolean | null = null;
  /** A script that is not there, or not yet. */
  #away: Pick<ScriptView, "state" | "problem" | "title"> | null = null;

  constructor(
    private readonly page: ScriptsPage,
    private readonly parts: Parts,
  ) {
    super(parts, fresh);
    this.#around = {
      core: parts.core,
      checks: parts.checks,
      facts: parts.facts,
      api: parts.editor,
      store: parts.store,
      runner: parts.runner,
      scripted: () => this.#scripted,
      online: () => !this.offline,
      changed: () => this.draw(),
      toast: (text, sub, undo, over) => {
        this.toast(text, sub, undo ?? null, over);
        this.done();
      },
      failed: (error) => this.failed(error),
      refused: (wanted, error) => this.refused(`script.problem.${wanted}`, error),
      done: () => this.done(),
      spent: () => void this.poll(),
      focus: (where) => this.#focus(where),
    };
    this.list = new ToolList(this.#around);
    this.commands = new Commands(this.#around, this);
  }

  /** The page can be shown when this is done; what it shows comes after. */
  async start(): Promise<void> {
    await this.restore();
    this.page.view = this.#view();
    if (this.parts.credential.token) void this.#route();
    void this.poll();
    void this.#answers();
    addEventListener("popstate", () => void this.#route());
    this.watch();
  }

  /** Finds out who answers. */
  async #answers(): Promise<void> {
    if (!this.parts.credential.token || this.#scripted !== null) return;
    try {
      this.#scripted = (await this.parts.api.model()).scripted;
      this.draw();
    } catch (error) {
      if (!isRefusal(error)) throw error;
    }
  }

  protected override get ticks(): boolean {
    return (this.tool?.talking.ticks || this.tool?.running.ticks) ?? false;
  }

  // ── where ──────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Opens a script, or the list. */
  go(id: string | null): void {
    history.pushState(null, "", id === null ? ROOT : `${ROOT}/${encodeURIComponent(id)}`);
    void this.#route();
  }

  async #route(): Promise<void> {
    const id = addressed();
    if (id && this.tool?.saving.head.tool_id === id) return;
    this.tool?.close();
    this.tool = null;
    this.#away = null;
    this.problem = null;
    this.#pane = "code";
    if (id) await this.#open(id);
    else await this.list.load();
    this.draw();
  }

  async #open(id: string): Promise<void> {
    this.#away = { state: "loading", problem: null, title: "" };
    this.draw();
    try {
      const tool = await this.parts.editor.tool(id);
      this.tool = await ScriptTool.open(tool, this.#around);
      this.#away = null;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const copy = error.code === "OFFLINE" ? await copies.get(this.parts.store, id) : undefined;
      this.failed(error);
      if (copy) this.tool = await ScriptTool.open(copy, this.#around);
      this.#away = copy
        ? null
        : {
            state: error.code === "NOT_FOUND" || error.code === "FORBIDDEN" ? "missing" : "failed",
            problem: { ...error, code: error.code, message: said(error) },
            title: "",
          };
    }
    // Somebody went on while it was read.
    if (addressed() !== id) {
      this.tool?.close();
      this.tool = null;
    }
    this.draw();
  }

  async create(title: string, sample: Sample): Promise<void> {
    const id = await this.list.create(title, sample);
    if (id) this.go(id);
  }

  protected override async online(): Promise<void> {
    if (!this.parts.credential.token) return;
    void this.poll();
    void this.#answers();
    if (this.tool) this.tool.network();
    else await this.#route();
  }

  // ── menus and what is open ─────────────────────────────────────────────────────────────────────────────────────

  account(anchor: HTMLElement | null): void {
    this.accountMenu("scripts", anchor);
  }

  toolMenu(id: string, title: string, anchor: HTMLElement | null): void {
    const items = this.commands.items(id);
    this.menu({ label: t("script.tools.more", { title }), anchor, items });
  }

  twoMenu(ways: { id: string; label: string }[], anchor: HTMLElement | null): void {
    const items = ways.map((way) => ({ id: `two:${way.id}`, label: way.label }));
    this.menu({ label: t("script.two.more"), anchor, items });
  }

  async command(id: string): Promise<void> {
    this.menu(null);
    if (this.accountCommand(id)) return;
    const [name = "", of = ""] = id.split(":");
    if (name === "two") return this.tool?.settle(of === "copy" ? "copy" : "take");
    await this.commands.run(name, of);
  }

  budget(open = !this.#budgetOpen): void {
    this.#budgetOpen = open;
    this.draw();
  }

  /** On a narrow page the pane follows; on a wide one only the focus does. */
  #focus(where: "panel" | "tabs" | "chat" | "run"): void {
    this.#pane = where === "tabs" ? "code" : where;
    this.draw();
    void Promise.resolve()
      .then(() => this.page.updateComplete)
      .then(() => {
        if (where === "panel") this.page.focusPanel();
        else if (where === "chat") this.page.focusChat();
        else if (where === "run") this.page.focusRun();
        else this.page.focusTabs();
      });
  }

  pane(pane: ScriptPane): void {
    this.#pane = pane;
    if (pane === "panel") this.tool?.look("panel");
    if (pane === "run") this.tool?.look("run");
    const away = this.tool?.front === "panel" || this.tool?.front === "run";
    if (pane === "code" && away) this.tool?.leavePanel();
    if (pane === "chat" && this.tool && this.tool.drawer === null) this.tool.drawer = "chat";
    this.draw();
  }

  /** On a narrow page the drawer is a pane of its own. */
  async drawer(drawer: "chat" | "history" | null): Promise<void> {
    if (!drawer) this.#pane = "code";
    else if (this.#narrow()) this.#pane = "chat";
    await this.tool?.openDrawer(drawer);
  }

  version(id: string): Promise<void> {
    return this.#compared((versions) => versions.choose(id));
  }

  compare(ids: string[]): Promise<void> {
    return this.#compared((versions) => versions.compareTwo(ids));
  }

  /** The newest version against the one before it. */
  showChange(): Promise<void> {
    return this.#compared(async (versions) => {
      await versions.load();
      await versions.choose(this.tool?.saving.head.revision_id ?? "");
      await versions.compareWith("before");
    });
  }

  async #compared(look: (versions: Versions) => Promise<void>): Promise<void> {
    if (await this.tool?.compared(look)) this.#pane = "panel";
    this.draw();
  }

  #narrow(): boolean {
    return matchMedia("(max-width: 767px)").matches;
  }

  look(front: ScriptView["front"]): void {
    this.#pane = front === "panel" || front === "run" ? front : "code";
    this.tool?.look(front);
  }

  /** What stopped a run goes into the composer; nothing is sent. */
  async askAbout(words: string): Promise<void> {
    const { tool } = this;
    if (!tool || !words) return;
    const typed = tool.talking.session.view.draft.trim();
    tool.draft(typed ? `${typed}\n${words}` : words);
    await this.drawer("chat");
    this.#focus("chat");
  }

  /** From the proposal to its run beside the present texts. */
  runProposal(): void {
    this.look("run");
    this.tool?.running.choose("both");
    this.#focus("run");
  }

  place(path: FileId, range: Range | null): void {
    this.look(path);
    void this.page.updateComplete.then(() => this.tool?.editors.go(path, range));
  }

  // ── drawing ────────────────────────────────────────────────────────────────────────────────────────────────────

  protected override redraw(): void {
    this.page.view = this.#view();
    document.title = `${this.tool?.saving.head.title ?? t("script.page")} – ${t("app.name")}`;
  }

  #view(): ScriptPageView {
    const script = this.tool?.view() ?? null;
    const listed = !script && !this.#away;
    return {
      ...this.shown(),
      tools: listed ? this.list.view() : null,
      script: script ?? (this.#away ? away(this.#away) : null),
      editors: this.tool?.editors ?? null,
      ask: this.asking.view,
      pane: this.#pane === "panel" && script?.panel === null ? "code" : this.#pane,
      budgetOpen: this.#budgetOpen,
      chatWidth: this.current.chatWidth,
    };
  }
}

/** The script that the address names; empty for the list. */
const addressed = (): string =>
  decodeURIComponent(location.pathname.slice(ROOT.length).replace(/^\/|\/$/g, ""));

/** The view of a script that is not open. */
function away(state: Pick<ScriptView, "state" | "problem" | "title">): ScriptView {
  const step = { on: false, reason: "", places: 0, files: 0 };
  return {
    ...state,
    tool_id: "",
    saved: { state: "saved", at: null },
    front: "tool.py",
    panel: null,
    proposal: null,
    failed: null,
    compare: null,
    two: null,
    applied: null,
    edited: [],
    check: null,
    python: false,
    empty: false,
    undo: step,
    redo: step,
    drawer: null,
    versions: null,
    run: null,
    chat: {
      state: "loading",
      problem: null,
      turns: [],
      outcome: null,
      mode: "edit",
      draft: "",
      last: "",
      running: null,
      since: 0,
      off: "",
      offline: false,
      over: null,
      tokens: null,
      place: "",
      empty: false,
      beside: false,
      examples: [],
      now: 0,
    },
  };
}
