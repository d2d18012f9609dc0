/** The controller of the pages of apps: address, shell, list and the app that is open; gives the page one value. */
import type { AppsApi } from "@holdpoint/core/apps";
import { isRefusal } from "@holdpoint/core/session";
import type { Api, Core, Range, Store } from "@holdpoint/core/types";
import { t } from "@holdpoint/elements";
import type { AppPart } from "@holdpoint/elements/apps/view";
import type { Credential } from "../../credential.js";
import { type Looks, looks, Shell } from "../../shell.js";
import { viewOf } from "./app-view.js";
import type { Around } from "./around.js";
import { liveAddress } from "./facts.js";
import { copies } from "./kept.js";
import { AppList } from "./list.js";
import { OpenApp } from "./opened.js";
import type { AppsPage } from "./page.js";
import type { AppPane, AppsPageView } from "./page-view.js";

const ROOT = "/apps";
const PARTS: ReadonlySet<string> = new Set<AppPart>([
  "workspace",
  "versions",
  "publish",
  "settings",
  "services",
  "export",
]);

interface Settings extends Looks {
  appChatWidth: number;
}
const fresh: Settings = { ...looks, appChatWidth: 392 };

export interface Parts {
  core: Core;
  checks: Around["checks"];
  api: Api;
  apps: AppsApi;
  store: Store;
  credential: Credential;
}

export class AppsApp extends Shell<Settings> {
  open: OpenApp | null = null;
  readonly list: AppList;
  readonly #around: Around;
  #pane: AppPane = "preview";
  #budgetOpen = false;
  #away: AppsPageView["away"] = null;

  constructor(
    private readonly page: AppsPage,
    private readonly parts: Parts,
  ) {
    super(parts, fresh);
    this.#around = {
      core: parts.core,
      checks: parts.checks,
      api: parts.apps,
      gateway: parts.api,
      store: parts.store,
      online: () => !this.offline,
      currency: () => this.indicator?.currency ?? "",
      changed: () => this.draw(),
      toast: (text, sub) => {
        this.toast(text, sub);
        this.done();
      },
      failed: (error) => this.failed(error),
      refused: (wanted, error) => this.refused(`apps.problem.${wanted}`, error),
      done: () => this.done(),
      spent: () => void this.poll(),
      focus: (where) => this.#focus(where),
      leave: () => this.go(null),
    };
    this.list = new AppList(this.#around);
  }

  /** The page can be shown when this is done; what it shows comes after. */
  async start(): Promise<void> {
    await this.restore();
    this.page.view = this.#view();
    if (this.parts.credential.token || this.offline) void this.#route();
    void this.poll();
    addEventListener("popstate", () => void this.#route());
    this.watch();
  }

  protected override get ticks(): boolean {
    if (!this.open) return false;
    const phase = this.open.facts.build?.build_status;
    return this.open.talking.ticks || phase === "running";
  }

  // ── where ──────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Opens an app, or the list. */
  go(id: string | null): void {
    history.pushState(null, "", id === null ? ROOT : hrefOf(id));
    void this.#route();
  }

  part(part: AppPart): void {
    const { open } = this;
    if (!open) return;
    const below = part === "workspace" ? "" : `/${part}`;
    history.pushState(null, "", hrefOf(open.id) + below);
    void this.#route();
  }

  async #route(): Promise<void> {
    const { id, part } = addressed();
    this.problem = null;
    if (id && this.open?.id === id) return this.open.go(part);
    this.open?.close();
    this.open = null;
    this.#away = null;
    this.#pane = "preview";
    if (id) await this.#open(id, part);
    else await this.list.load();
    this.draw();
  }

  async #open(id: string, part: AppPart): Promise<void> {
    this.#away = { state: "loading", problem: null };
    this.draw();
    let opened: OpenApp | null = null;
    try {
      const state = await this.parts.apps.state(id);
      const draft = state.current_draft_revision;
      const files = draft.files ?? (await this.parts.apps.version(id, draft.id)).files ?? {};
      opened = await OpenApp.open(state, files, this.#around);
      this.#away = null;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      this.failed(error);
      const copy = error.code === "OFFLINE" ? await copies.get(this.parts.store, id) : undefined;
      if (copy) opened = await OpenApp.open(copy.state, copy.files, this.#around);
      const gone = error.code === "NOT_FOUND" || error.code === "FORBIDDEN";
      this.#away = copy ? null : { state: gone ? "missing" : "failed", problem: error };
    }
    // Somebody went on while it was read.
    if (addressed().id !== id) return opened?.close();
    this.open = opened;
    opened?.go(part);
    this.draw();
  }

  async create(wanted: { name: string; slug: string; template_key: string }): Promise<void> {
    const id = await this.list.create(wanted);
    if (id) this.go(id);
  }

  protected override async online(): Promise<void> {
    if (!this.parts.credential.token) return;
    void this.poll();
    if (this.open) this.open.network();
    else await this.#route();
  }

  // ── menus and what is open ─────────────────────────────────────────────────────────────────────────────────────

  account(anchor: HTMLElement | null): void {
    this.accountMenu("apps", anchor);
  }

  /** What stands beside the signature of a foot, where it is narrow. */
  footMenu(ways: { id: string; label: string; off?: boolean }[], anchor: HTMLElement | null): void {
    const items = ways.map(({ id, label, off = false }) => ({ id: `foot:${id}`, label, off }));
    this.menu({ label: t("app.more"), anchor, items });
  }

  async command(id: string): Promise<void> {
    this.menu(null);
    if (this.accountCommand(id) || !id.startsWith("foot:")) return;
    await this.act(id.slice("foot:".length));
  }

  /** What a foot offers, beside its signature too. */
  async act(id: string): Promise<void> {
    const { open } = this;
    if (!open) return;
    if (id === "apply") await open.review?.apply();
    if (id === "discard") await open.review?.discard();
    if (id === "ask-on") open.askOn();
    if (id === "publish") await open.publishing.publish();
    if (id === "publish-wait") open.publishing.wait();
    if (id === "unpublish") await open.publishing.unpublish();
    if (id === "open-page") window.open(liveAddress(open.facts.app) ?? "", "_blank", "noopener");
    if (id === "save-settings") await open.settings.save();
    if (id === "drop-settings") open.settings.drop();
    if (id === "set-up") this.propose(await open.services.propose());
    if (id === "download") open.exporting.download();
    if (id === "restore") await open.history.restore();
    if (id === "leave") open.history.leave();
    if (id === "mine" || id === "theirs" || id === "together") open.settle(id);
  }

  budget(open = !this.#budgetOpen): void {
    this.#budgetOpen = open;
    this.draw();
  }

  async copy(text: string, said: "apps.address.copied" | "apps.export.copied"): Promise<void> {
    await navigator.clipboard.writeText(text);
    this.toast(t(said), text);
  }

  /** On a narrow page the pane follows; on a wide one only the focus does. */
  #focus(where: "review" | "code" | "chat" | "workspace"): void {
    const panes = { review: "change", code: "code", chat: "chat", workspace: "preview" } as const;
    this.#pane = panes[where];
    this.draw();
    void Promise.resolve()
      .then(() => this.page.updateComplete)
      .then(() => this.page.focusOn(where));
  }

  pane(pane: AppPane): void {
    this.#pane = pane;
    if (this.open && (pane === "preview" || pane === "code")) this.open.front = pane;
    this.draw();
  }

  front(front: "preview" | "code"): void {
    if (this.open) this.open.front = front;
    this.#pane = front;
    this.draw();
  }

  place(path: string, range: Range | null): void {
    this.open?.show(path, range);
    this.#pane = "code";
    if (addressed().part !== "workspace") this.part("workspace");
    this.draw();
    // The view is mounted with the drawing that follows.
    if (range) void this.page.updateComplete.then(() => this.open?.editors.go(path, range));
  }

  /** A difference is asked about, in the conversation. */
  explain(path: string | null, id: string | null): void {
    const { open } = this;
    if (!open) return;
    const difference = open.difference();
    if (open.part !== "workspace") this.part("workspace");
    if (difference) open.explain(difference, path, id);
  }

  /** A proposal is looked at where it is decided. */
  propose(proposal: string | null): void {
    const { open } = this;
    if (!open || !proposal) return;
    if (addressed().part !== "workspace") this.part("workspace");
    open.open(proposal);
  }

  /** Two versions that are compared, as a file. */
  export(from: string, to: string): void {
    void this.open?.exporting.want({ format: "patch", from, to });
    this.part("export");
  }

  showBuild(): void {
    const { open } = this;
    if (!open) return;
    open.buildShown = !open.buildShown;
    if (open.part !== "workspace") this.part("workspace");
    this.draw();
  }

  // ── drawing ────────────────────────────────────────────────────────────────────────────────────────────────────

  protected override redraw(): void {
    this.page.view = this.#view();
    document.title = `${this.open?.facts.app.name ?? t("apps.page")} – ${t("app.name")}`;
  }

  #view(): AppsPageView {
    const { open } = this;
    const listed = !open && !this.#away && !addressed().id;
    const app = open ? viewOf(open, hrefOf(open.id)) : null;
    const loading = { state: "loading", problem: null } as const;
    return {
      ...this.shown(),
      list: listed ? this.list.view() : null,
      app,
      away: listed || app ? null : (this.#away ?? loading),
      pane: paneOf(this.#pane, app?.work?.review !== null && app?.work !== null),
      budgetOpen: this.#budgetOpen,
      chatWidth: this.current.appChatWidth,
      currency: this.indicator?.currency ?? "",
    };
  }
}

/** In review a narrow page has other panes. */
function paneOf(pane: AppPane, reviewing: boolean): AppPane {
  const ofReview = pane === "change" || pane === "result";
  if (reviewing) return pane === "chat" || ofReview ? pane : "change";
  return ofReview ? "preview" : pane;
}

const hrefOf = (id: string): string => `${ROOT}/${encodeURIComponent(id)}`;

/** The app and the part of it that the address names; empty for the list. */
function addressed(): { id: string; part: AppPart } {
  const [id = "", part = ""] = location.pathname
    .slice(ROOT.length)
    .replace(/^\/|\/$/g, "")
    .split("/");
  return { id: decodeURIComponent(id), part: PARTS.has(part) ? (part as AppPart) : "workspace" };
}
