/** The controller of the page: hears the elements' events, asks the parts to act, gives the page one value to draw. */
import type {
  Api,
  Checks,
  Core,
  ErrorShape,
  Files,
  Json,
  ModelClient,
  Plan,
  Range,
  SandboxClient,
  Store,
} from "@holdpoint/core/types";
import { type ChangeView, type FootAction, t } from "@holdpoint/elements";
import type { Session } from "../../session.js";
import { type Looks, looks, Shell } from "../../shell.js";
import type { Around, Change } from "./change.js";
import { changeView, purseOf } from "./change-view.js";
import { Changes } from "./changes.js";
import { ExtensionSteps, isStep } from "./extension-steps.js";
import { Installed, type Moved } from "./installed.js";
import { footItems, menuItems, panelItems } from "./menus.js";
import { Opening } from "./opening.js";
import type { Page } from "./page.js";
import type { PageView, Pane, Widths } from "./page-view.js";

/** The indicator is asked for at most once a minute, and after each call. */
const INDICATOR_MS = 60_000;
const TICK_MS = 1_000;

/** What is open or in front; it does not outlive the page. */
type Ui = Pick<
  PageView,
  "pane" | "pair" | "drawer" | "filtering" | "menu" | "popover" | "toast" | "wide" | "dropping"
>;
interface Settings extends Looks {
  widths: Widths;
  panel: string | null;
}
const fresh: Settings = { ...looks, widths: { tree: 264, dock: 336, work: null }, panel: null };

export interface Parts {
  core: Core;
  checks: Checks;
  api: Api;
  store: Store;
  sandbox: SandboxClient;
  client: ModelClient;
  session: Session;
}

export class App extends Shell<Settings> {
  readonly opening: Opening;
  readonly installed: Installed;
  readonly changes: Changes;
  readonly #steps: ExtensionSteps;
  #ui: Ui = {
    pane: "change",
    pair: "dock",
    drawer: false,
    filtering: false,
    menu: null,
    popover: null,
    toast: null,
    wide: false,
    dropping: false,
  };
  #answering: PageView["answering"] = null;
  #asked = 0;
  #seen = "";

  constructor(
    private readonly page: Page,
    private readonly parts: Parts,
  ) {
    super(parts, fresh);
    const { core, checks, api, store, sandbox, client, session } = parts;
    const changed = () => this.draw();
    this.opening = new Opening(client, store, changed, () => void this.installed.modelOpened());
    this.installed = new Installed(core, checks, sandbox, api, store, this.opening, {
      changed,
      told: (text, sub) => this.#toast(text, sub),
      refused: (heading, error, name) => this.refused(heading, error, name),
      done: () => this.done(),
      front: (dock, open) => this.#front(dock, open),
    });
    const around: Around = {
      core,
      checks,
      api,
      store,
      sandbox,
      installed: this.installed,
      token: () => session.token,
      modelContext: () => this.#context(),
      changed,
      arrived: (id) => this.#arrived(id),
    };
    this.changes = new Changes(around, (error) => this.refused("ask.problem", error));
    this.#steps = new ExtensionSteps(api, this.installed, this.changes, {
      toast: (text) => this.#toast(text),
      failed: (error) => this.failed(error),
      refused: (heading, error, name) => {
        this.set({ popover: null });
        this.refused(heading, error, name);
      },
      done: () => this.done(),
      arrived: (id) => this.#arrived(id),
    });
  }

  async start(): Promise<void> {
    await this.restore();
    await this.changes.load();
    this.draw();
    void this.opening.first();
    void this.#begin();
    setInterval(() => {
      if (
        this.changes.current?.view.state === "generating" ||
        this.changes.current?.view.state === "testing" ||
        this.changes.current?.session.view.failure ||
        this.opening.view?.state === "opening"
      )
        this.draw();
    }, TICK_MS);
    setInterval(() => void this.#poll(), INDICATOR_MS);
  }

  /** What needs the checks, which come after the page: extensions, the change that was in front, the project. */
  async #begin(): Promise<void> {
    await this.installed.load().catch((error: ErrorShape) => this.failed(error));
    if (this.current.panel !== null) this.installed.shown(this.current.panel);
    void this.installed.started();
    await this.changes.restore().catch((error: ErrorShape) => this.failed(error));
    this.draw();
    await this.online();
  }

  // ── the network ────────────────────────────────────────────────────────────────────────────────────────────────

  /** Finds out who answers, sends what waited, takes what the project has. */
  protected override async online(): Promise<void> {
    if (!this.parts.session.token) return;
    try {
      const [model] = await Promise.all([
        this.parts.api.model().catch((error: ErrorShape) => this.failed(error)),
        this.#poll(),
      ]);
      if (model) this.#answering = model;
      for (const moved of await this.installed.flush()) await this.#reviewAgain(moved);
      await this.installed.sync();
    } catch (error) {
      this.failed(error as ErrorShape);
    }
    this.draw();
  }

  async #poll(): Promise<void> {
    if (!this.parts.session.token) return;
    this.#asked = Date.now();
    const was = this.offline;
    try {
      this.indicator = await this.parts.api.indicator();
      this.offline = false;
      if (was) void this.online();
    } catch (error) {
      this.failed(error as ErrorShape);
    }
    this.draw();
  }

  protected override signedIn(): void {
    const session = this.changes.current?.session;
    if (session?.view.progress?.signedOut) void session.resume();
  }

  async #reviewAgain({ change, error, granted }: Moved): Promise<void> {
    if (change) await this.changes.open(change);
    await this.changes.current?.send({ type: "Refused", code: error.code });
    this.changes.current?.refused(error, "moved", granted);
  }

  // ── what happens ───────────────────────────────────────────────────────────────────────────────────────────────

  async ask(text: string, mode: string): Promise<void> {
    const change = this.changes.current;
    if (mode === "adjust" && change) {
      this.changes.talk.write("");
      return change.adjust(text);
    }
    this.done();
    await this.changes.talk.send({ text });
  }

  /** The actions of the foot and of the sheets, by their ids. */
  async act(id: string): Promise<void> {
    const change = this.changes.current;
    switch (id) {
      case "approve":
        await change?.approve();
        break;
      case "adjust":
        if (change) {
          change.adjusting = true;
          this.draw();
        }
        break;
      case "cancel":
      case "stop":
        change?.session.stop();
        break;
      case "install":
        await change?.install();
        break;
      case "source":
        change?.openSource(null);
        break;
      case "save":
        await change?.saveSource();
        break;
      case "drop":
        await change?.dropSource();
        break;
      case "back":
        this.changes.showHistory(false);
        if (change) {
          change.adjusting = false;
          change.leaveSource(false);
        }
        this.draw();
        break;
      case "another":
        await change?.send({ type: "AnotherVersion" });
        break;
      case "retry":
        await change?.send({ type: "Retry" });
        break;
      case "discard":
        await change?.send({ type: "Discard" });
        break;
      case "again":
        await this.#again();
        break;
      case "history":
        this.changes.showHistory(!this.changes.history);
        break;
      case "list":
        this.changes.showHistory(true);
        break;
      case "new":
        await this.changes.close();
        break;
      case "widen":
        this.set({ wide: !this.#ui.wide });
        break;
      case "compare":
        await this.changes.compare();
        break;
    }
  }

  async #again(): Promise<void> {
    await this.changes.current?.session.resume();
    await this.#poll();
  }

  async extension(
    id: string,
    action: string,
    more: { dock?: string; command?: string },
  ): Promise<void> {
    const live = this.installed.all.get(id);
    if (!live) return;
    if (action === "panel" && more.dock) return this.showPanel(more.dock);
    if (action === "run" && more.command) return this.installed.commandFromList(id, more.command);
    if (action === "source" && live.change) {
      await this.changes.open(live.change);
      this.changes.current?.openSource(null);
      this.set({ pane: "change" });
    }
    if (isStep(action)) await this.#steps.take(live, action);
  }

  redo(number?: string): Promise<void> {
    return this.#steps.redo(number);
  }

  showPanel(dock: string | null): void {
    this.settings({ panel: dock });
    this.set({
      pane: dock === null ? "change" : "panels",
      pair: dock === null ? "work" : "dock",
      popover: null,
    });
    if (dock !== null) this.installed.shown(dock);
    const one = dock === null ? undefined : this.installed.docks.get(dock);
    if (dock !== null && one && one.state === undefined) void this.installed.refresh(dock);
  }

  /** A panel that an extension opens or closes itself. */
  #front(dock: string, open: boolean): void {
    if (open) this.showPanel(dock);
    else if (this.current.panel === dock) this.showPanel(null);
  }

  async select(ids: number[]): Promise<void> {
    if (await this.opening.select(ids)) this.installed.selected();
  }

  /** What extensions offer for the selection, where they offer anything; else the browser's own menu comes. */
  contextMenu(
    slot: "contextMenu.entity" | "contextMenu.tree",
    event: MouseEvent,
    anchor: HTMLElement,
  ): void {
    const groups = this.installed.menu(slot);
    if (!groups.length) return;
    event.preventDefault();
    const box = anchor.getBoundingClientRect();
    const at =
      event.clientX || event.clientY
        ? { x: event.clientX, y: event.clientY }
        : { x: box.left + box.width / 4, y: box.bottom };
    this.set({
      menu: {
        label: t("menu.context", { n: this.opening.model.selected.length }),
        anchor,
        at,
        items: menuItems(groups),
      },
    });
  }

  /** An element that a widget names: an express id, a GlobalId, or a reference. */
  async entity(value: Json): Promise<void> {
    const of = (one: Json): number | undefined => {
      if (typeof one === "number") return one;
      if (typeof one === "string")
        return this.opening.model.rows.find(
          (row) => row.global_id === one || String(row.id) === one,
        )?.id;
      if (one !== null && typeof one === "object" && !Array.isArray(one))
        return of(one.expressId ?? one.ref ?? one.globalId ?? null);
      return undefined;
    };
    const id = of(value);
    if (id !== undefined) await this.select([id]);
  }

  set(change: Partial<Ui>): void {
    this.#ui = { ...this.#ui, ...change };
    this.draw();
  }

  get ui(): Ui {
    return this.#ui;
  }

  account(anchor: HTMLElement | null): void {
    const sub = this.#answering ? t("app.answers", { model: this.#answering.model }) : "";
    this.set({
      menu: this.accountMenu("model", anchor, {
        sub,
        items: [{ id: "extensions", label: t("app.extensions"), icon: "panel" }],
      }),
    });
  }

  /** Entries of the page's own menus. */
  command(id: string): unknown {
    this.set({ menu: null });
    if (id.startsWith("act:")) return this.act(id.slice(4));
    if (id.startsWith("cmd:")) {
      const [extension = "", command = ""] = id.slice(4).split("|");
      return this.installed.commandFromMenu(extension, command);
    }
    if (id.startsWith("ext:")) {
      const [, action = "", ...rest] = id.split(":");
      return this.extension(rest.join(":"), action, {});
    }
    if (id === "extensions") return this.set({ popover: { kind: "extensions", anchor: null } });
    return this.accountCommand(id);
  }

  panelMenu(id: string, anchor: HTMLElement | null): void {
    const live = this.installed.all.get(id);
    if (live) this.set({ menu: { label: t("dock.options"), anchor, items: panelItems(live) } });
  }

  footMenu(actions: FootAction[], anchor: HTMLElement | null): void {
    this.set({ menu: { label: t("review.menu"), anchor, items: footItems(actions) } });
  }

  #toast(text: string, sub = ""): void {
    this.set({ toast: { text, sub } });
  }

  /** What the prompt may know of the open file: schema, counts, storeys; never geometry or the file. */
  #context(): Json | null {
    const facts = this.opening.model.facts;
    if (!facts) return null;
    return {
      schema: facts.schema,
      types: Object.fromEntries(facts.types.map((one) => [one.type, one.count])),
      storeys: facts.storeys.map((one) => one.name),
    };
  }

  // ── drawing ────────────────────────────────────────────────────────────────────────────────────────────────────

  protected override redraw(): void {
    this.#follow();
    this.page.view = this.#view();
    const name = this.opening.model.facts?.name;
    document.title = name ? `${name} – ${t("app.name")}` : t("app.name");
  }

  /** When a run ends: the list notes it and the budget is asked again. */
  #follow(): void {
    const change = this.changes.current;
    const state = change ? `${change.key} ${change.view.state}` : "";
    if (state === this.#seen) return;
    const first = this.#seen === "";
    this.#seen = state;
    void this.changes.note();
    if (!first && Date.now() - this.#asked > TICK_MS) void this.#poll();
  }

  /** The panel of what was just installed comes to the front, with the data of the open model. */
  #arrived(id: string): void {
    const dock = this.installed.dockOf(id);
    if (dock) this.showPanel(dock);
  }

  #view(): PageView {
    const panels = this.installed.panels();
    const panel = panels.some((one) => one.dock === this.current.panel) ? this.current.panel : null;
    return {
      ...this.#ui,
      ...this.shown(),
      model: this.opening.model,
      opening: this.opening.view,
      change: this.#change(),
      panels,
      panel,
      commands: this.installed.buttons(),
      keys: this.installed.bindings().commands,
      status: this.installed.status(),
      extensions: this.installed.list(),
      answering: this.#answering,
      adjusting: this.changes.current?.adjusting ?? false,
      widths: this.current.widths,
    };
  }

  #change(): ChangeView {
    const change = this.changes.current;
    return changeView(this.changes, this.installed, {
      answering: this.#answering?.model ?? "",
      purse: purseOf(this.indicator),
      problem: change ? this.#problem(change) : null,
      offline: this.offline,
      modelReady: this.opening.model.facts !== null,
    });
  }

  #problem(change: Change): ErrorShape | null {
    const problem = change.session.view.failure?.error ?? null;
    if (problem && /^(AUTH_|KEY_)/.test(problem.code) && !this.signing) this.failed(problem);
    return problem;
  }

  editPlan = (plan: Plan): Promise<void> | undefined => this.changes.current?.plan.edit(plan);
  openSource = (path: string, range?: Range): void =>
    this.changes.current?.openSource(range ? { path, range } : { path });
  editSource = (files: Files): void => this.changes.current?.editSource(files);
  pane = (pane: Pane): void => this.set({ pane });
}
