/** The controller of the page: hears the elements' events, asks the parts to act, gives the page one value to draw. */
import type { ErrorShape, Files, Json, Plan, Range } from "@holdpoint/core/types";
import {
  type ChangeView,
  type ContextSlot,
  type Elements,
  type FootAction,
  type OfferKind,
  t,
} from "@holdpoint/elements";
import { loadArchives } from "../../core.js";
import { Shell } from "../../shell.js";
import { Exports } from "../../tables/export.js";
import type { Around, Change } from "./change.js";
import { changeView, purseOf } from "./change-view.js";
import { Changes } from "./changes.js";
import { perform } from "./commands.js";
import { Drift } from "./drift.js";
import { entitiesOf, globalIds } from "./entities.js";
import { Examples } from "./examples.js";
import { ExtensionSteps, isStep } from "./extension-steps.js";
import { Handing } from "./handing.js";
import { checkAsked, Ids } from "./ids.js";
import { Installed } from "./installed.js";
import { accountItems, footItems, menuItems, panelItems, placeFor } from "./menus.js";
import { Opening } from "./opening.js";
import type { Page } from "./page.js";
import { fresh, type Settings, type Ui, WIDTHS } from "./page-settings.js";
import type { PageView, Pane } from "./page-view.js";
import { Panels } from "./panels.js";
import type { Parts } from "./parts.js";
import { Preview } from "./preview.js";
import { reviewAgain } from "./review-again.js";
import { SavedFilters } from "./saved-filters.js";
import { Trying } from "./trying.js";
import { View3dPart } from "./view3d.js";
import { Wishes } from "./wishes.js";
import type { Wrong } from "./wrong.js";
import { WrongPanel } from "./wrong-panel.js";

export class App extends Shell<Settings> {
  readonly opening: Opening;
  readonly installed: Installed;
  readonly changes: Changes;
  readonly preview: Preview;
  readonly drift: Drift;
  readonly wishes: Wishes;
  readonly wrongPanel: WrongPanel;
  readonly trying: Trying;
  readonly examples: Examples;
  readonly panels: Panels;
  readonly view3d: View3dPart;
  readonly exports: Exports;
  readonly ids: Ids;
  readonly saved: SavedFilters;
  readonly handing: Handing;
  readonly #steps: ExtensionSteps;
  #ui: Ui = {
    pane: "change",
    pair: "dock",
    beside: false,
    drawer: false,
    filtering: false,
    storeyFilters: false,
    ...{ choosing: false, commanding: false },
    popover: null,
    wide: false,
    dropping: false,
  };
  #answering: PageView["answering"] = null;
  #seen = "";
  /** The change that was in front. */
  #front = "";
  /** The change that came back with the page; null while it comes: what a person opened meanwhile stays. */
  #returned: string | null = "";
  #restored: Promise<void> = Promise.resolve();

  constructor(
    readonly page: Page,
    private readonly parts: Parts,
  ) {
    super(parts, fresh);
    const { core, checks, api, store, sandbox, client, credential } = parts;
    const changed = () => this.draw();
    this.opening = new Opening(client, store, changed, (came) => void this.installed.seen(came));
    this.view3d = new View3dPart(this.opening, changed);
    this.saved = new SavedFilters(store, this);
    this.ids = new Ids(this.opening.models, credential, this);
    this.installed = new Installed(
      core,
      checks,
      sandbox,
      api,
      store,
      this.opening,
      {
        changed,
        told: (text, sub) => this.toast(text, sub),
        refused: (heading, error, name) => this.refused(heading, error, name),
        done: () => this.done(),
        front: (dock, open) => (open ? this.panels.show(dock) : this.panels.close(dock)),
        viewed: (op, ids) => this.view3d.did(op, ids),
      },
      {
        signer: () => credential.principal,
        newest: (id) => this.changes.told.newest(id),
        due: () => void this.online(),
      },
    );
    this.panels = new Panels(this.installed, {
      ...{ open: () => this.current.panels, set: (ui) => this.set(ui) },
      keep: (panels) => this.settings({ panels }),
    });
    this.wishes = new Wishes({ store, changed });
    const around: Around = {
      core,
      checks,
      api,
      store,
      sandbox,
      installed: this.installed,
      token: () => credential.token,
      modelContext: () => this.opening.told,
      overlay: () => this.wishes.kept,
      models: () => this.opening.settled(),
      selection: () => this.opening.selectedNames,
      currency: () => this.indicator?.currency ?? "",
      changed,
      arrived: (id) => this.#arrived(id),
    };
    this.changes = new Changes(around, (error) => this.refused("ask.problem", error));
    this.wrongPanel = new WrongPanel({
      ...around,
      front: () => this.set({ pane: "change", pair: "work" }),
      bring: (title, it, base) => this.changes.bring(title, null, it, base),
      refused: (error) => this.refused("ask.problem", error),
    });
    this.drift = new Drift({ ...around, offline: () => this.offline });
    this.examples = new Examples(checks, this.installed, this.changes, {
      changed,
      front: () => this.set({ pane: "change", pair: "work" }),
      refused: (error) => this.refused("ask.problem", error),
    });
    this.preview = new Preview({
      ...{ sandbox, opening: this.opening, changed },
      recolour: () => this.installed.recolour(),
    });
    this.trying = new Trying(this.preview, this.changes, (ui) => this.set(ui));
    this.handing = new Handing(loadArchives, this.installed, this.changes, {
      front: () => this.set({ pane: "change", pair: "work", popover: null }),
      told: (text) => this.toast(text),
      refused: (error, name) => this.refused("hand.problem", error, name),
    });
    this.exports = new Exports({
      menu: (menu) => this.menu(menu),
      told: (text) => this.toast(text),
      refused: (error) => this.refused("export.problem", error),
      ids: (refs) => globalIds(refs, this.opening.model.rows, (ref) => this.opening.element(ref)),
      name: () => this.opening.model.facts?.name ?? "",
    });
    this.#steps = new ExtensionSteps(api, this.installed, this.changes, {
      toast: (text, undo) => this.toast(text, "", undo),
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
    await Promise.all([this.changes.load(), this.wishes.load(), this.saved.load()]);
    this.draw();
    this.examples.start();
    void this.opening.first();
    void this.#begin();
    this.watch();
  }

  protected override get ticks(): boolean {
    const { current } = this.changes;
    const works = current && ["generating", "testing"].includes(current.view.state);
    const waits = current && current.session.view.failure !== null;
    return works || waits || this.opening.view?.state === "opening";
  }

  /** What needs the checks, which come after the page: extensions, the change that was in front, the project. */
  async #begin(): Promise<void> {
    this.#restored = this.#restore();
    await this.#restored;
    this.draw();
    await this.online();
  }

  /** What the device has; what is decided anew waits for it. */
  async #restore(): Promise<void> {
    await this.installed.load().catch((error: ErrorShape) => this.failed(error));
    this.panels.restored();
    void this.installed.started();
    void this.drift.run();
    this.#returned = null;
    await this.changes.restore().catch((error: ErrorShape) => this.failed(error));
    this.#front = this.changes.current?.key ?? "";
    this.#returned = this.#front;
  }

  // ── the network ────────────────────────────────────────────────────────────────────────────────────────────────

  /** Finds out who answers, sends what waited, takes what the project has. */
  protected override async online(): Promise<void> {
    if (!this.parts.credential.token) return;
    await this.#restored;
    try {
      const [model] = await Promise.all([
        this.parts.api.model().catch((error: ErrorShape) => this.failed(error)),
        this.poll(),
      ]);
      if (model) this.#answering = model;
      // What the checks could not look at before is looked at now.
      await this.installed.load().catch((error: ErrorShape) => this.failed(error));
      for (const row of await this.installed.flush())
        await reviewAgain(row, this.changes, this.parts.api);
      await this.installed.sync().then(() => this.installed.retry());
      void this.drift.run();
      await this.changes.told.sync();
    } catch (error) {
      this.failed(error as ErrorShape);
    }
    this.draw();
  }

  protected override signedIn(): void {
    const session = this.changes.current?.session;
    if (session?.view.progress?.signedOut) void session.resume();
  }

  /** What was signed and has to be decided anew comes to the front. */
  async review(id: string): Promise<void> {
    const row = this.installed.queue.undecided(id);
    if (!row) return;
    await this.#restored;
    this.set({ pane: "change", pair: "work", popover: null });
    await reviewAgain(row, this.changes, this.parts.api).catch((error: ErrorShape) =>
      this.refused("ask.problem", error),
    );
  }

  // ── what happens ───────────────────────────────────────────────────────────────────────────────────────────────

  async ask(text: string, mode: string): Promise<void> {
    const change = this.changes.current;
    if (mode === "adjust" && change) return change.adjust(text);
    this.leaveAside();
    this.done();
    await this.changes.talk.send({ text });
  }

  /** What stands in the field: for the plan in front, or for what is asked next. */
  draft(text: string): void {
    const change = this.changes.current;
    if (change?.adjusting) change.words = text;
    else this.changes.talk.write(text);
  }

  /** A call that waits for a sign-in goes on; anything else goes on from the log. */
  async again(): Promise<void> {
    await this.changes.current?.session.resume();
    await this.poll();
  }

  async extension(
    id: string,
    action: string,
    more: { dock?: string; command?: string; kind?: OfferKind; offer?: string },
  ): Promise<void> {
    const live = this.installed.all.get(id);
    if (!live) return;
    if (action === "panel" && more.dock) return this.panels.show(more.dock);
    if (action === "offer" && more.kind && more.offer)
      return this.installed.offer(id, more.kind, more.offer);
    if (action === "run" && more.command) return this.installed.commandFromList(id, more.command);
    if (action === "source" && live.change) {
      await this.changes.open(live.change);
      this.changes.current?.source.open(null);
      this.set({ pane: "change" });
    }
    if (action === "permissions") return this.handing.permissions(live);
    if (action === "pack") return this.handing.pack(live);
    if (action === "change") return this.goOn(t("hand.change.words", { name: live.manifest.name }));
    if (action === "enable" && this.drift.isBroken(live)) return this.showDrift(true);
    if (isStep(action)) await this.#steps.take(live, action);
  }

  /** Files that a person picked or dropped: models, an extension that was handed on, a check. */
  take(files: File[], beside = false): void {
    const models = files.filter((file) => !this.ids.takes(file) && !this.handing.takes(file));
    if (models.length) void this.opening.openAll(models, beside);
  }

  /** The words that change something installed are begun; a person ends them. */
  async goOn(words: string): Promise<void> {
    this.leaveAside();
    await this.changes.close();
    this.changes.talk.write(words);
    this.set({ pane: "change", pair: "work", popover: null });
  }

  /** What stands in place of the change leaves: what a new SDK did, standing wishes, what is wrong with a panel. */
  leaveAside(): void {
    this.drift.show(false);
    this.wishes.leave();
    this.wrongPanel.leave();
  }

  /** What a person says is wrong: with an installed panel, else with what is reviewed. */
  get wrong(): Wrong | undefined {
    return this.wrongPanel.view ? this.wrongPanel.said : this.changes.current?.wrong;
  }

  /** What a new SDK did comes to the front, or leaves it. */
  showDrift(open: boolean): void {
    this.drift.show(open);
    this.set({ pane: "change", pair: "work", popover: null });
  }

  /** Takes back a change of the list, what the project says of one, or what an extension was last. */
  async undo(id: string): Promise<void> {
    const removed = this.changes.told.removedBy(id);
    if (removed !== null) return this.#steps.back(removed);
    const line = this.changes.lines.find((one) => String(one.number) === id);
    await this.extension(this.installed.all.has(id) ? id : (line?.extension ?? ""), "undo", {});
  }

  /** Forgets what was said without a change; a person can have it back. */
  async clear(): Promise<void> {
    const back = await this.changes.clear();
    if (back) this.toast(t("talk.cleared"), "", back);
  }

  redo(number?: string): Promise<void> {
    return this.#steps.redo(number);
  }

  async select(ids: number[]): Promise<void> {
    if (!(await this.opening.select(ids))) return;
    this.view3d.selected();
    this.installed.selected();
  }

  /** What extensions offer for the selection, where they offer anything; else the browser's own menu comes. */
  contextMenu(slot: ContextSlot, event: MouseEvent, anchor: HTMLElement): void {
    const groups = this.installed.menu(slot);
    if (!groups.length) return;
    event.preventDefault();
    const label = t("menu.context", { n: this.opening.model.selected.length });
    this.menu({ label, anchor, at: placeFor(event, anchor), items: menuItems(groups) });
  }

  async entity(value: Json): Promise<void> {
    const ids = entitiesOf(value, this.opening.model.rows, (ref) => this.opening.element(ref));
    if (ids.length) await this.select(ids);
  }

  set(change: Partial<Ui>, folds = change.pair !== undefined): void {
    if (folds) this.ids.fold();
    this.#ui = { ...this.#ui, ...change };
    this.opening.offer(this.#ui.choosing || this.#ui.commanding);
    this.draw();
  }

  get ui(): Ui {
    return this.#ui;
  }

  /** The table of elements, while there is one. */
  get table(): Elements | null {
    return this.page.table;
  }

  account(anchor: HTMLElement | null): void {
    const sub = this.#answering ? t("app.answers", { model: this.#answering.model }) : "";
    this.accountMenu("model", anchor, { sub, items: accountItems() });
  }

  /** Entries of the page's own menus. */
  command(id: string): unknown {
    this.menu(null);
    if (this.exports.takes(id, () => this.table?.table() ?? null) || perform(this, id)) return;
    if (id === "examples") return this.examples.show(true);
    if (id === "check") return this.page.dispatchEvent(checkAsked());
    if (id === "extensions") return this.set({ popover: { kind: "extensions", anchor: null } });
    return this.accountCommand(id);
  }

  panelMenu(id: string, dock: string, anchor: HTMLElement | null): void {
    const live = this.installed.all.get(id);
    if (!live) return;
    const items = panelItems(live, dock, this.panels.place(dock));
    this.menu({ label: t("dock.options"), anchor, items });
  }

  footMenu(actions: FootAction[], anchor: HTMLElement | null): void {
    this.menu({ label: t("review.menu"), anchor, items: footItems(actions) });
  }

  // ── drawing ────────────────────────────────────────────────────────────────────────────────────────────────────

  protected override redraw(): void {
    this.changes.current?.fitsAgain(this.indicator);
    this.#follow();
    this.trying.follow();
    this.ids.follow();
    this.page.view = this.#view();
    const name = this.opening.model.facts?.name;
    document.title = name ? `${name} – ${t("app.name")}` : t("app.name");
  }

  /** When a run moves, or what it held came back: the list notes it and the budget is asked again. */
  #follow(): void {
    const change = this.changes.current;
    const key = change?.key ?? "";
    if (key !== this.#front) {
      this.#front = key;
      if (this.#returned !== null) this.leaveAside();
    }
    const account = change?.progress.gateway;
    const held = account ? `${account.state} ${account.left_tokens}` : "";
    const state = change ? `${change.key} ${change.view.state} ${held}` : "";
    if (state === this.#seen) return;
    const first = this.#seen === "";
    this.#seen = state;
    void this.changes.note();
    if (!first) void this.pollAgain();
  }

  /** The panel of what was just installed comes to the front, with the data of the open model. */
  #arrived(id: string): void {
    void this.changes.told.sync().catch(() => undefined);
    const dock = this.installed.dockOf(id);
    if (dock) this.panels.show(dock);
  }

  #view(): PageView {
    const { contributed } = this.installed;
    const docks = this.wrongPanel.marked(this.panels.docks());
    const panels = { docks, trials: [], panel: this.panels.front(docks) };
    return {
      ...this.#ui,
      ...this.shown(),
      model: this.opening.model,
      ...{ saved: this.saved.all, recent: this.opening.recent.all },
      visible: this.opening.models.refs(this.opening.model.selected),
      ...{ view3d: this.view3d.state, opening: this.opening.view },
      ids: this.ids.view,
      change: this.#change(),
      ...(this.trying.view() ?? panels),
      commands: contributed.buttons(),
      palette: this.#ui.commanding ? contributed.commands() : null,
      keys: contributed.bindings().commands,
      status: contributed.status(),
      waiting: this.installed.queue.waiting(),
      extensions: contributed.list(),
      examples: this.examples.view,
      drift: this.drift.notice,
      answering: this.#answering,
      adjusting: this.changes.current?.adjusting ?? false,
      widths: { ...WIDTHS, ...this.current.widths },
    };
  }

  #change(): ChangeView {
    const change = this.changes.current;
    return changeView(this.changes, this.installed, {
      answering: this.#answering?.model ?? "",
      purse: purseOf(this.indicator),
      restored: (this.#returned ?? change?.key) === change?.key,
      problem: change ? this.#problem(change) : null,
      offline: this.offline,
      trial: this.trying.trial(),
      trials: this.preview.versions(),
      model: this.opening.seenNames,
      ...{ drift: this.drift.view, wishes: this.wishes.view, wished: this.wishes.kept !== "" },
      wrong: this.wrongPanel.view,
    });
  }

  #problem({ problem }: Change): ErrorShape | null {
    if (problem && /^(AUTH_|KEY_)/.test(problem.code) && !this.signing) this.failed(problem);
    return problem;
  }

  editPlan = (plan: Plan): Promise<void> | undefined => this.changes.current?.plan.edit(plan);
  openSource = (path: string, range?: Range): void =>
    this.changes.current?.source.open(range ? { path, range } : { path });
  editSource = (files: Files): void => this.changes.current?.source.edit(files);
  pane = (pane: Pane): void => this.set({ pane });
}
