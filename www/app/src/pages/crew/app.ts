/** The controller of the crew pages: address, shell, list and the package that is open; gives the page one value. */
import type { CrewApi } from "@holdpoint/core/crew";
import { archiveName } from "@holdpoint/core/crew";
import { isRefusal } from "@holdpoint/core/session";
import type { Api, Core, Store } from "@holdpoint/core/types";
import { t } from "@holdpoint/elements";
import type { PackageView, Part, Sample } from "@holdpoint/elements/crew/view";
import { Asking } from "../../asking.js";
import type { Credential } from "../../credential.js";
import { saveFile } from "../../save-file.js";
import { type Looks, looks, Shell } from "../../shell.js";
import { type Address, addressed, compareAt, packageAt, ROOT } from "./address.js";
import { AgentEditor } from "./agent.js";
import { archiveOf } from "./archive.js";
import { type Around, tried } from "./around.js";
import { AssetEditor } from "./asset.js";
import { bodyOf, closed, type Desk, loading, paneOf, said } from "./body.js";
import { Commands } from "./commands.js";
import { Comparing } from "./comparing.js";
import { PackageList } from "./list.js";
import { addItems, nodeItems, packageItems, partItems } from "./menus.js";
import { Opened } from "./opened.js";
import { ownModel } from "./own-model.js";
import { proposalAt } from "./package-view.js";
import type { CrewPage } from "./page.js";
import type { AwayView, CrewBody, CrewPageView, CrewPane } from "./page-view.js";
import { Parts } from "./parts.js";
import { Paths } from "./paths.js";
import { Saving, type Scope, sendable } from "./saving.js";
import { Search } from "./search.js";
import { Versions } from "./versions.js";
import { WorkflowEditor } from "./workflow.js";

export interface CrewParts {
  core: Core;
  checks: Around["checks"];
  api: Api;
  crew: CrewApi;
  store: Store;
  credential: Credential;
}

type Editor = WorkflowEditor | AgentEditor | AssetEditor;

export class CrewApp extends Shell<Looks> {
  readonly list: PackageList;
  readonly asking = new Asking(() => this.draw());
  readonly around: Around;
  readonly #commands: Commands;
  #address: Address = { is: "packages" };
  #desk: Desk | null = null;
  #editor: Editor | null = null;
  #comparing: Comparing | null = null;
  #away: AwayView | null = null;
  #pane: CrewPane = "list";
  #exporting = false;
  #budgetOpen = false;
  #live = "";

  constructor(
    private readonly page: CrewPage,
    private readonly crewParts: CrewParts,
  ) {
    super(crewParts, looks);
    this.around = {
      core: crewParts.core,
      checks: crewParts.checks,
      api: crewParts.crew,
      store: crewParts.store,
      online: () => !this.offline,
      changed: () => this.draw(),
      toast: (text, sub) => {
        this.toast(text, sub);
        this.done();
      },
      failed: (error) => this.failed(error),
      refused: (wanted, error) => this.refused(`crew.problem.${wanted}`, error),
      done: () => this.done(),
    };
    this.list = new PackageList(this.around);
    this.#commands = new Commands(this);
  }

  get opened(): Opened | null {
    return this.#desk?.opened ?? null;
  }
  get parts(): Parts | null {
    return this.#desk?.parts ?? null;
  }
  get paths(): Paths | null {
    return this.#desk?.paths ?? null;
  }
  get saving(): Saving | null {
    return this.#desk?.saving ?? null;
  }
  get versions(): Versions | null {
    return this.#desk?.versions ?? null;
  }
  get comparing(): Comparing | null {
    return this.#comparing;
  }
  get workflow(): WorkflowEditor | null {
    return this.#editor instanceof WorkflowEditor ? this.#editor : null;
  }
  get agent(): AgentEditor | null {
    return this.#editor instanceof AgentEditor ? this.#editor : null;
  }
  get asset(): AssetEditor | null {
    return this.#editor instanceof AssetEditor ? this.#editor : null;
  }

  /** The page can be shown when this is done; what it shows comes after. */
  async start(): Promise<void> {
    await this.restore();
    this.#address = addressed(location);
    if (this.#address.is !== "packages") this.#away = loading;
    this.page.view = this.#view();
    if (this.crewParts.credential.token) void this.#route();
    void this.poll();
    addEventListener("popstate", () => void this.#route());
    this.watch();
  }

  protected override get ticks(): boolean {
    return false;
  }

  protected override signedIn(): void {
    void this.#route();
  }

  // ── where ──────────────────────────────────────────────────────────────────────────────────────────────────────

  go(href: string): void {
    history.pushState(null, "", href);
    void this.#route();
  }

  async #route(): Promise<void> {
    const address = addressed(location);
    this.#address = address;
    this.#editor = null;
    this.#comparing = null;
    this.#away = null;
    this.problem = null;
    if (address.is === "packages") {
      this.#desk = closed(this.#desk);
      await this.list.load();
    } else if (await this.#open(address.id)) this.#show(address);
    this.draw();
  }

  /** Opens the package of an address. False: it is not there, or somebody went on meanwhile. */
  async #open(id: string): Promise<boolean> {
    if (this.opened?.id === id) return true;
    this.#desk = closed(this.#desk);
    this.#away = loading;
    this.draw();
    try {
      const opened = await Opened.open(id, this.around);
      if (this.#address.is === "packages" || this.#address.id !== id) {
        opened.close();
        return false;
      }
      this.#desk = this.#deskOf(opened);
      this.#away = null;
      void this.#desk.versions.load();
      void this.#waits(this.#desk);
      if (!this.offline) void this.#desk.saving.sendQueued();
      return true;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      this.failed(error);
      const missing = error.code === "PROJECT_NOT_FOUND";
      this.#away = { state: missing ? "missing" : "failed", problem: error, back: null };
      return false;
    }
  }

  #deskOf(opened: Opened): Desk {
    const { around } = this;
    return {
      opened,
      saving: new Saving(opened, around),
      parts: new Parts(opened, around),
      paths: new Paths(opened, around),
      versions: new Versions(opened.id, around),
      search: new Search(opened, around),
      proposal: "",
    };
  }

  /** Looks for a proposal that waits; without an answer there is no link to it. */
  async #waits(desk: Desk): Promise<void> {
    const session = await this.around.api.waiting(desk.opened.id).catch((error: unknown) => {
      if (!isRefusal(error)) throw error;
      return null;
    });
    desk.proposal = session ? proposalAt(session) : "";
    this.draw();
  }

  #show(address: Address): void {
    const desk = this.#desk;
    if (!desk) return;
    const changed = (): void => this.draw();
    if (address.is === "workflow") {
      this.#editor = new WorkflowEditor(address.workflow, address.node, desk.opened, changed);
      this.#pane = paneOf(address);
    }
    if (address.is === "agent") this.#editor = new AgentEditor(address.agent, desk.opened, changed);
    if (address.is === "asset") this.#editor = new AssetEditor(address.path, desk.opened, changed);
    if (address.is === "compare") {
      const { from, to } = address;
      this.#comparing = new Comparing(from, to, desk.opened, desk.versions, this.around);
      void this.#comparing.load();
    }
    if (address.is === "package" && address.tab === "versions") void desk.versions.load();
  }

  tab(tab: PackageView["tab"]): void {
    if (!this.opened) return;
    this.#desk?.search.clear();
    this.#desk?.paths.leave();
    history.replaceState(null, "", packageAt(this.opened.id, tab));
    this.#address = addressed(location);
    this.#show(this.#address);
    this.draw();
  }

  pane(pane: CrewPane): void {
    this.#pane = pane;
    this.draw();
  }

  look(shown: "graph" | "list"): void {
    if (this.workflow) this.workflow.shown = shown;
    this.draw();
  }

  /** Selects a node and goes into its fields. */
  openStep(id: string): void {
    this.workflow?.select(id);
    this.#pane = "step";
    this.draw();
    void Promise.resolve()
      .then(() => this.page.updateComplete)
      .then(() => this.page.focusStep());
  }

  search(words: string): void {
    this.#desk?.search.set(words);
    this.draw();
  }

  compare(ids: string[]): void {
    const { opened } = this;
    if (!opened) return;
    const [a = 0, b = opened.stored.revision] = ids.map(Number).sort((x, y) => x - y);
    this.go(compareAt(opened.id, a === b ? Math.max(1, a - 1) : a, b));
  }

  protected override async online(): Promise<void> {
    if (!this.crewParts.credential.token) return;
    void this.poll();
    if (!this.#desk) return this.#route();
    await this.#desk.saving.sendQueued();
  }

  // ── packages ───────────────────────────────────────────────────────────────────────────────────────────────────

  async create(name: string, sample: Sample): Promise<void> {
    const id = await this.list.create(name, sample);
    if (id) this.go(packageAt(id));
  }

  async import(file: File): Promise<void> {
    this.#imported(await this.list.import(file));
  }

  async importAs(name: string): Promise<void> {
    this.#imported(await this.list.importAs(name));
  }

  #imported(made: { id: string; name: string } | null): void {
    if (!made) return;
    this.toast(t("crew.imported", { name: made.name }));
    this.go(packageAt(made.id));
  }

  async export(): Promise<void> {
    const { opened } = this;
    if (!opened || this.#exporting) return;
    this.#exporting = true;
    this.draw();
    const file = archiveName(opened.pack.name);
    const archive = await tried(this.around, "export", () => archiveOf(opened, this.around));
    this.#exporting = false;
    this.draw();
    if (!archive) return;
    saveFile(archive, file);
    this.toast(t("crew.exported", { file }));
  }

  // ── edits ──────────────────────────────────────────────────────────────────────────────────────────────────────

  async createPart(what: Part, name: string): Promise<void> {
    const href = await this.parts?.create(what, name);
    if (href) this.go(href);
  }

  removePart(what: Part, key: string): void {
    void this.#commands.part("delete", what, key);
  }

  text(text: string): void {
    this.workflow?.text(text);
    this.asset?.text(text);
  }

  #scope(): Scope | null {
    if (this.workflow) return this.workflow.scope();
    if (this.agent) return { is: "agents" };
    return this.asset?.scope() ?? null;
  }

  async save(): Promise<void> {
    const [scope, desk] = [this.#scope(), this.#desk];
    if (!scope || !desk || this.#off(scope)) return;
    if (this.asset?.moves) {
      const href = this.asset.moved();
      const name = this.asset.name;
      if (await desk.saving.save(scope)) this.toast(t("crew.asset.moved", { name }));
      history.replaceState(null, "", href);
      return this.#route();
    }
    await desk.saving.save(scope);
    void desk.versions.load();
  }

  drop(): void {
    const [scope, desk] = [this.#scope(), this.#desk];
    if (!scope || !desk) return;
    desk.saving.forget();
    desk.opened.drop(desk.saving.of(scope), t("crew.edit.all"));
    this.toast(t("crew.edit.dropped"));
    // What was never stored is gone with its edits.
    if (!this.#exists()) this.go(packageAt(desk.opened.id));
  }

  /** Why the part cannot be saved as it is. */
  #off(scope: Scope): string {
    if (this.agent) return this.agent.off();
    if (this.asset) return this.asset.off();
    const errors = this.#errors();
    if (errors) return t("crew.edit.fix", { n: errors });
    return this.opened && !sendable(scope) ? t("crew.graph.unread") : "";
  }

  #errors(): number {
    return this.workflow?.errors() ?? 0;
  }

  /** The steps on this device come first; then those of the package. */
  async step(step: "undo" | "redo"): Promise<void> {
    const { opened } = this;
    if (!opened || opened.take(step)) return;
    const can = step === "undo" ? opened.project?.canUndo : opened.project?.canRedo;
    if (!can || this.offline || opened.edits().size) return;
    const done = await tried(this.around, "step", () =>
      this.around.api.step(opened.id, step, opened.stored.revision),
    );
    if (!done) return;
    await opened.refresh();
    void this.versions?.load();
    this.toast(t(step === "undo" ? "crew.undone" : "crew.redone"));
    if (!this.#exists()) this.go(packageAt(opened.id));
  }

  async restoreVersion(revision: number): Promise<void> {
    const { opened, comparing } = this;
    if (!opened || !comparing || comparing.restoring) return;
    comparing.restoring = true;
    this.draw();
    const done = await tried(this.around, "restore", () =>
      this.around.api.restore(opened.id, revision, opened.stored.revision),
    );
    comparing.restoring = false;
    if (done) {
      await opened.refresh();
      this.toast(t("crew.restored", { n: revision }));
      this.go(packageAt(opened.id));
    }
    this.draw();
  }

  // ── menus ──────────────────────────────────────────────────────────────────────────────────────────────────────

  account(anchor: HTMLElement | null): void {
    this.accountMenu("crew", anchor, { items: [ownModel()] });
  }

  packageMenu(id: string, anchor: HTMLElement): void {
    const open = this.opened?.id === id;
    this.menu({
      label: t("crew.package.more"),
      anchor,
      items: packageItems(id, this.offline, open),
    });
  }

  partMenu(what: Part, key: string, anchor: HTMLElement): void {
    if (!this.opened) return;
    const items = partItems(what, key, this.opened, this.offline);
    this.menu({ label: t("crew.more.of", { name: key }), anchor, items });
  }

  addMenu(anchor: HTMLElement): void {
    this.menu({ label: t("crew.node.add"), anchor, items: addItems() });
  }

  nodeMenu(id: string, anchor: HTMLElement): void {
    if (this.workflow)
      this.menu({ label: t("crew.node.more"), anchor, items: nodeItems(id, this.workflow) });
  }

  async command(id: string): Promise<void> {
    this.menu(null);
    if (!this.accountCommand(id)) await this.#commands.run(id);
  }

  budget(open = !this.#budgetOpen): void {
    this.#budgetOpen = open;
    this.draw();
  }

  /** After a package or part is gone. */
  leave(): void {
    this.go(this.opened && this.#address.is !== "package" ? packageAt(this.opened.id) : ROOT);
  }

  /** Stores what was done to the lists of agents and assets. */
  async saveParts(): Promise<void> {
    const desk = this.#desk;
    if (!desk) return;
    const assets = [...desk.opened.edits((path) => path.startsWith("assets/")).keys()];
    await desk.saving.save({ is: "agents" });
    await desk.saving.save({ is: "asset", paths: assets });
  }

  // ── drawing ────────────────────────────────────────────────────────────────────────────────────────────────────

  protected override redraw(): void {
    // Its tab counts them; where no tab is, the check goes first.
    if (this.#address.is === "package") void this.paths?.walk();
    this.page.view = this.#view();
    const names = [this.opened?.pack.name, t("crew.page"), t("app.name")];
    document.title = names.filter(Boolean).join(" – ");
  }

  #exists(): boolean {
    return !this.#editor || this.#editor.view() !== null;
  }

  #view(): CrewPageView {
    const pack = this.opened?.pack;
    if (this.opened) this.#live = this.paths?.said || (said(this.opened) ?? this.#live);
    return {
      ...this.shown(),
      body: this.#body(),
      document: pack ? { name: pack.name, version: pack.version } : null,
      pane: this.#pane,
      ask: this.asking.view,
      budgetOpen: this.#budgetOpen,
      live: this.#live,
    };
  }

  #body(): CrewBody {
    const { list, comparing, workflow, agent, asset, offline } = this;
    return bodyOf({
      address: this.#address,
      away: this.#away,
      desk: this.#desk,
      list,
      comparing,
      workflow,
      agent,
      asset,
      offline,
      exporting: this.#exporting,
      scope: this.#scope(),
      off: (scope) => this.#off(scope),
      errors: () => this.#errors(),
    });
  }
}
