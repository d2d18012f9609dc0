/** The controller of the script pages: address, shell, list and the script that is open; gives the page one value. */
import type { Api, Core, ErrorShape, Indicator, Range, Store } from "@holdpoint/core/types";
import type { EditorApi, FactsOf, FileId } from "@holdpoint/core/editor";
import { language, languages, preferred, setLanguage, spoken, t, type Language } from "@holdpoint/elements";
import type { Sample, ScriptView } from "@holdpoint/elements/script/view";
import { pageItems } from "../pages.js";
import type { Density, Theme } from "../page-view.js";
import type { Session } from "../session.js";
import { isError, type Around } from "./around.js";
import { copies } from "./draft.js";
import { ToolList } from "./list.js";
import type { ScriptsPage } from "./page.js";
import type { ScriptPageView, ScriptPane } from "./page-view.js";
import { ScriptTool } from "./tool.js";

const INDICATOR_MS = 60_000;
const TICK_MS = 1_000;
const CHAT_WIDTH = 340;
const ROOT = "/scripts";

/** The page's settings are those of the model page; the drawer's width is its own. */
interface Settings { theme: Theme; density: Density; language: Language | null; chatWidth?: number }
const fresh: Settings = { theme: "system", density: "comfortable", language: null };

export interface Parts { core: Core; facts: FactsOf | null; api: Api; editor: EditorApi; store: Store; session: Session }

export class ScriptsApp {
  tool: ScriptTool | null = null;
  readonly list: ToolList;
  readonly #around: Around;
  #settings: Settings = fresh;
  #pane: ScriptPane = "code";
  #menu: ScriptPageView["menu"] = null;
  #toastText: ScriptPageView["toast"] = null;
  #budgetOpen = false;
  #signIn: ScriptPageView["signIn"] = null;
  #indicator: Indicator | null = null;
  #offline = !navigator.onLine;
  /** A script that is not there, or not yet. */
  #away: Pick<ScriptView, "state" | "problem" | "title"> | null = null;
  #drawn = false;

  constructor(private readonly page: ScriptsPage, private readonly parts: Parts) {
    this.#around = {
      core: parts.core, facts: parts.facts, api: parts.editor, store: parts.store, online: () => !this.#offline, changed: () => this.draw(), toast: (text, sub = "") => this.#toast(text, sub),
      failed: (error) => this.#failed(error), spent: () => void this.#poll(), focus: (where) => this.#focus(where),
    };
    this.list = new ToolList(this.#around);
  }

  /** The page can be shown when this is done; what it shows comes after. */
  async start(): Promise<void> {
    this.#settings = { ...fresh, ...(await this.parts.store.get<Settings>("settings", "page")) };
    setLanguage(this.#settings.language ?? preferred(navigator.languages));
    if (!this.parts.session.token) this.#signIn = { reason: "missing", refused: "", sending: false };
    this.page.view = this.#view();
    if (this.parts.session.token) void this.#route();
    void this.#poll();
    addEventListener("popstate", () => void this.#route());
    setInterval(() => { if (this.tool?.talking.running) this.draw(); }, TICK_MS);
    setInterval(() => void this.#poll(), INDICATOR_MS);
  }

  // ── where ──────────────────────────────────────────────────────────────────────────────────────────────────────

  go(path: string): void {
    history.pushState(null, "", path);
    void this.#route();
  }

  async #route(): Promise<void> {
    const id = decodeURIComponent(location.pathname.slice(ROOT.length).replace(/^\/|\/$/g, ""));
    if (id && this.tool?.saving.head.tool_id === id) return;
    this.tool?.close();
    this.tool = null;
    this.#away = null;
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
      if (!isError(error)) throw error;
      const copy = error.code === "OFFLINE" ? await copies.get(this.parts.store, id) : undefined;
      this.#failed(error);
      if (copy) this.tool = await ScriptTool.open(copy, this.#around);
      this.#away = copy ? null : { state: error.code === "NOT_FOUND" || error.code === "FORBIDDEN" ? "missing" : "failed", problem: { ...error, code: error.code, message: spoken(error.message) }, title: "" };
    }
    const at = location.pathname.slice(ROOT.length).replace(/^\/|\/$/g, "");
    if (decodeURIComponent(at) !== id) { this.tool?.close(); this.tool = null; }
    this.draw();
  }

  async create(title: string, sample: Sample): Promise<void> {
    const id = await this.list.create(title, sample);
    if (id) this.go(`${ROOT}/${encodeURIComponent(id)}`);
  }

  // ── the network, the budget ────────────────────────────────────────────────────────────────────────────────────

  async #poll(): Promise<void> {
    if (!this.parts.session.token) return;
    try {
      this.#indicator = await this.parts.api.indicator();
      if (this.#offline) this.setOffline(false);
    } catch (error) {
      if (isError(error)) this.#failed(error);
    }
    this.draw();
  }

  setOffline(offline: boolean): void {
    const back = this.#offline && !offline;
    this.#offline = offline;
    this.draw();
    if (!back) return;
    if (this.tool) this.tool.network(); else void this.#route();
  }

  #failed(error: ErrorShape): void {
    if (error.code === "OFFLINE") this.#offline = true;
    if (/^(AUTH_|KEY_)/.test(error.code)) {
      const reason = error.code === "AUTH_TOKEN_EXPIRED" || error.code === "KEY_EXPIRED" ? "expired" : error.code === "AUTH_MISSING_TOKEN" ? "missing" : "unknown";
      this.#signIn = { reason, refused: this.parts.session.token ?? "", sending: false };
      this.parts.session.forget();
    }
    this.draw();
  }

  async signIn(token: string): Promise<void> {
    this.#signIn = { reason: this.#signIn?.reason ?? "missing", refused: "", sending: true };
    this.draw();
    this.parts.session.take(token);
    try {
      await this.parts.api.model();
      this.#signIn = null;
      await this.#route();
      if (this.tool) this.tool.network();
      void this.#poll();
    } catch (error) {
      if (!isError(error)) throw error;
      if (error.code === "OFFLINE") this.#signIn = null;
      this.#failed(error);
    }
    this.draw();
  }

  signOut(): void {
    this.parts.session.forget();
    this.#signIn = { reason: "missing", refused: "", sending: false };
    this.draw();
  }

  // ── the shell ──────────────────────────────────────────────────────────────────────────────────────────────────

  settings(change: Partial<Settings>): void {
    this.#settings = { ...this.#settings, ...change };
    if (change.language) setLanguage(change.language);
    void this.parts.store.put("settings", "page", this.#settings);
    this.draw();
  }

  theme(): void {
    const dark = this.#settings.theme === "dark" || (this.#settings.theme === "system" && matchMedia("(prefers-color-scheme: dark)").matches);
    this.settings({ theme: dark ? "light" : "dark" });
  }

  density(): void {
    this.settings({ density: this.#settings.density === "compact" ? "comfortable" : "compact" });
  }

  nextLanguage(): void {
    this.settings({ language: languages[(languages.indexOf(language()) + 1) % languages.length] ?? "en" });
  }

  account(anchor: HTMLElement | null): void {
    this.#menu = {
      label: t("app.account"), anchor, items: [
        { heading: t("app.account") }, "line", ...pageItems("scripts"), "line",
        { id: "theme", label: t("app.theme.label"), icon: "sun", value: t(`app.theme.${this.#settings.theme}`) },
        { id: "density", label: t("app.density.label"), icon: "rows", value: t(`app.density.${this.#settings.density}`) },
        { id: "language", label: t("app.language"), icon: "globe", value: t(`app.language.${language()}`) }, "line",
        { id: "sign-out", label: t("app.sign_out"), icon: "lock" }],
    };
    this.draw();
  }

  toolMenu(id: string, title: string, anchor: HTMLElement | null): void {
    this.#menu = { label: t("script.tools.more", { title }), anchor, items: [{ id: `open:${id}`, label: t("script.tools.open"), icon: "code" }, { id: `copy:${id}:${title}`, label: t("script.tools.copy"), icon: "copy", off: this.#offline }] };
    this.draw();
  }

  twoMenu(ways: { id: string; label: string }[], anchor: HTMLElement | null): void {
    this.#menu = { label: t("script.two.more"), anchor, items: ways.map((way) => ({ id: `two:${way.id}`, label: way.label })) };
    this.draw();
  }

  async command(id: string): Promise<void> {
    this.#menu = null;
    this.draw();
    const [name = "", tool = "", ...rest] = id.split(":");
    if (name === "page") return location.assign(id.slice("page:".length));
    if (name === "theme") return this.theme();
    if (name === "density") return this.density();
    if (name === "language") return this.nextLanguage();
    if (name === "sign-out") return this.signOut();
    if (name === "open") return this.go(`${ROOT}/${encodeURIComponent(tool)}`);
    if (name === "two") return this.tool?.settle(tool === "copy" ? "copy" : "take");
    if (name === "copy") { const copied = await this.list.copy(tool, rest.join(":")); if (copied) this.go(`${ROOT}/${encodeURIComponent(copied)}`); }
  }

  dismiss(what: "menu" | "toast" | "budget"): void {
    if (what === "menu") this.#menu = null;
    if (what === "toast") this.#toastText = null;
    if (what === "budget") this.#budgetOpen = false;
    this.draw();
  }

  budget(): void {
    this.#budgetOpen = !this.#budgetOpen;
    this.draw();
  }

  #toast(text: string, sub: string): void {
    this.#toastText = { text, sub };
    this.draw();
  }

  /** On a narrow page the pane follows; on a wide one only the focus does. */
  #focus(where: "panel" | "tabs" | "chat"): void {
    this.#pane = where === "panel" ? "panel" : where === "chat" ? "chat" : "code";
    this.draw();
    void Promise.resolve().then(() => this.page.updateComplete).then(() => (where === "panel" ? this.page.focusPanel() : where === "chat" ? this.page.focusChat() : this.page.focusTabs()));
  }

  pane(pane: ScriptPane): void {
    this.#pane = pane;
    if (pane === "panel") this.tool?.look("panel");
    if (pane === "code" && this.tool?.front === "panel") this.tool.leavePanel();
    if (pane === "chat" && this.tool && this.tool.drawer === null) this.tool.drawer = "chat";
    this.draw();
  }

  /** On a narrow page the drawer is a pane of its own. */
  async drawer(drawer: "chat" | "history" | null): Promise<void> {
    this.#pane = drawer ? (this.#narrow() ? "chat" : this.#pane) : "code";
    await this.tool?.openDrawer(drawer);
  }

  async version(id: string): Promise<void> {
    await this.tool?.version(id);
    if (this.tool?.versions.chosen) this.#pane = "panel";
    this.draw();
  }

  async showChange(): Promise<void> {
    await this.tool?.showChange();
    if (this.tool?.versions.chosen) this.#pane = "panel";
    this.draw();
  }

  #narrow(): boolean {
    return matchMedia("(max-width: 767px)").matches;
  }

  look(front: ScriptView["front"]): void {
    this.#pane = front === "panel" ? "panel" : "code";
    this.tool?.look(front);
  }

  place(path: FileId, range: Range | null): void {
    this.look(path);
    void this.page.updateComplete.then(() => this.tool?.editors.go(path, range));
  }

  // ── drawing ────────────────────────────────────────────────────────────────────────────────────────────────────

  draw(): void {
    if (this.#drawn) return;
    this.#drawn = true;
    queueMicrotask(() => {
      this.#drawn = false;
      this.page.view = this.#view();
      const name = this.tool?.saving.head.title ?? t("script.page");
      document.title = `${name} – ${t("app.name")}`;
    });
  }

  #view(): ScriptPageView {
    const script = this.tool?.view() ?? null;
    const listed = !script && !this.#away;
    return {
      signIn: this.#signIn, tools: listed ? this.list.view() : null, script: script ?? (this.#away ? away(this.#away) : null), editors: this.tool?.editors ?? null, indicator: this.#indicator, offline: this.#offline,
      pane: this.#pane === "panel" && script?.panel === null ? "code" : this.#pane, menu: this.#menu, budgetOpen: this.#budgetOpen, toast: this.#toastText, theme: this.#settings.theme, density: this.#settings.density,
      language: language(), chatWidth: this.#settings.chatWidth ?? CHAT_WIDTH, now: Date.now(),
    };
  }
}

/** The view of a script that is not open. */
function away(state: Pick<ScriptView, "state" | "problem" | "title">): ScriptView {
  const step = { on: false, reason: "", places: 0, files: 0 };
  return {
    ...state, tool_id: "", saved: { state: "saved", at: null }, front: "tool.py", panel: null, proposal: null, failed: null, compare: null, two: null, applied: null, edited: [], check: null, checkedPython: false, empty: false, undo: step, redo: step,
    drawer: null, versions: null, chat: { state: "loading", turns: [], outcome: null, mode: "edit", draft: "", last: "", running: null, since: 0, off: "", over: null, tokens: null, place: "", empty: false, beside: false, examples: [], now: 0 },
  };
}
