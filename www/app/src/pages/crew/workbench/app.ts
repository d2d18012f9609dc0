/**
 * The controller of the workbench: its address, the shell around it, the bench that is open; gives the page one value.
 */
import {
  type CrewApi,
  type CrewSession,
  type CrewSessions,
  createDiffs,
} from "@holdpoint/core/crew";
import type { Api, Core, Store } from "@holdpoint/core/types";
import { t } from "@holdpoint/elements";
import type { BenchPane, FaultView } from "@holdpoint/elements/crew/workbench/view";
import type { Credential } from "../../../credential.js";
import { type Looks, looks, Shell } from "../../../shell.js";
import { ownModel } from "../own-model.js";
import type { Around } from "./around.js";
import { Bench } from "./bench.js";
import { benchView } from "./bench-view.js";
import { conversationItems } from "./conversations.js";
import type { WorkbenchPage } from "./page.js";
import type { WorkbenchPageView } from "./page-view.js";
import { type Asked, asked, wayBack } from "./query.js";

export interface Parts {
  core: Core;
  store: Store;
  credential: Credential;
  api: Api;
  projects: CrewApi;
  /** The sessions of a project. */
  sessions(project: string): CrewSessions;
}

export class WorkbenchApp extends Shell<Looks> {
  bench: Bench | null = null;
  readonly #asked: Asked;
  #pane: BenchPane = "chat";
  #budgetOpen = false;
  /** The conversations that the menu offers. */
  #known: readonly CrewSession[] = [];

  constructor(
    private readonly page: WorkbenchPage,
    private readonly parts: Parts,
  ) {
    super(parts, looks);
    this.#asked = asked(location);
  }

  /** An address that says too little makes no call. */
  async start(): Promise<void> {
    await this.restore();
    if (this.#asked.fault === null) {
      this.bench = new Bench(this.#around(this.#asked.query.projectId), this.#asked.query);
      if (this.parts.credential.token) void this.bench.open();
      void this.poll();
      this.watch();
    }
    this.page.view = this.#view();
    this.redraw();
  }

  #around(project: string): Around {
    return {
      core: this.parts.core,
      compare: createDiffs(this.parts.core),
      device: this.parts.store.name,
      sessions: this.parts.sessions(project),
      projects: this.parts.projects,
      online: () => !this.offline,
      changed: () => this.draw(),
      failed: (error) => void this.failed(error),
      refused: (wanted, error) => {
        const message = [error.message, ...(error.hints ?? [])].filter(Boolean).join(" ");
        this.refused(`wb.problem.${wanted}`, { ...error, code: error.code, message });
      },
      done: () => this.done(),
      spent: () => void this.poll(),
      leave: (to) => location.assign(to),
      address: (session) => {
        const said = new URLSearchParams(location.search);
        if (said.get("sessionId") === session) return;
        said.set("sessionId", session);
        history.replaceState(null, "", `${location.pathname}?${said}`);
      },
      focus: (where) => this.#focus(where),
    };
  }

  /** On a narrow page the pane follows. */
  #focus(where: "chat" | "middle" | "foot"): void {
    this.#pane = where === "chat" ? "chat" : "change";
    this.draw();
    setTimeout(() => {
      if (where === "chat") this.page.focusChat();
      else if (where === "middle") this.page.focusMiddle();
      else this.page.focusFoot();
    });
  }

  protected override get ticks(): boolean {
    const view = this.bench?.asking?.session.view;
    return view?.turn != null || (view?.failure?.waits ?? 0) > Date.now();
  }

  protected override async online(): Promise<void> {
    if (!this.parts.credential.token || !this.bench) return;
    void this.poll();
    this.bench.reconnected();
  }

  protected override signedIn(): void {
    if (this.bench && this.bench.state !== "ready") void this.bench.open();
  }

  // ── what a person does ─────────────────────────────────────────────────────────────────────────────────────────

  account(anchor: HTMLElement | null): void {
    this.accountMenu("crew", anchor, { items: [ownModel()] });
  }

  /** The conversations about the same target, to go to one of them or to begin another. */
  async conversations(anchor: HTMLElement): Promise<void> {
    const { bench } = this;
    const known = await bench?.conversations();
    if (!bench || !known) return;
    this.#known = known;
    const name = bench.name;
    this.menu({
      label: t("wb.earlier.about", { name }),
      anchor,
      items: conversationItems(known, bench.info, name, Date.now()),
    });
  }

  command(id: string): void {
    this.menu(null);
    const [, session] = /^conversation (.+)$/.exec(id) ?? [];
    const chosen = this.#known.find(({ sessionId }) => sessionId === session);
    if (chosen) return void this.bench?.choose(chosen);
    if (!this.accountCommand(id)) void this.act(id);
  }

  budget(open = !this.#budgetOpen): void {
    this.#budgetOpen = open;
    this.draw();
  }

  pane(pane: BenchPane): void {
    this.#pane = pane;
    this.draw();
  }

  /** What the foot offers. */
  async act(id: string): Promise<void> {
    const { bench } = this;
    if (!bench) return;
    if (id === "apply") await bench.applying.sign();
    if (id === "confirm") await bench.applying.confirmed();
    if (id === "confirm-back") bench.applying.back();
    if (id === "cancel") await bench.cancel();
    if (id === "back") bench.around.leave(bench.back);
    if (id === "undo") await bench.undo();
    if (id === "conversation-new") await bench.choose("new");
    if (id === "fix") await bench.fix();
  }

  footMenu(actions: { id: string; label: string }[], anchor: HTMLElement): void {
    this.menu({ label: t("app.more"), anchor, items: actions });
  }

  show(path: string): void {
    if (!this.bench) return;
    this.bench.selected = path;
    this.#pane = "change";
    this.draw();
    void this.page.updateComplete.then(() => this.page.show(path));
  }

  layout(layout: "split" | "uni"): void {
    if (this.bench) this.bench.layout = layout;
    this.draw();
  }

  // ── drawing ────────────────────────────────────────────────────────────────────────────────────────────────────

  protected override redraw(): void {
    this.page.view = this.#view();
    const { bench } = this.page.view;
    const name = bench?.head.name || t("wb.page");
    document.title = `${name} – ${t("app.name")}`;
  }

  #view(): WorkbenchPageView {
    const { bench } = this;
    const shown = this.shown();
    const written = bench?.applying.written ?? null;
    const changes = new Set(written?.change.rows.map(({ object }) => object)).size;
    return {
      ...shown,
      fault: this.#fault(),
      bench: bench ? benchView(bench, shown.now) : null,
      pane: this.#pane,
      stamp: written && {
        undone: written.undone,
        print: written.print,
        at: written.at,
        changes,
        files: written.change.rows.length,
      },
      budgetOpen: this.#budgetOpen,
    };
  }

  #fault(): FaultView | null {
    const { fault, query } = this.#asked;
    if (!fault) return null;
    const { name, is, value } = fault;
    return {
      what: t(`wb.query.${is}`, { name, value }),
      back: wayBack(query),
      label: t(query.returnTo ? "wb.query.back" : "wb.back"),
    };
  }
}
