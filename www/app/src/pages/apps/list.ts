/** The apps of a person: the stored list, the templates, and of each app its draft, read bit by bit. */
import type { App, AppTemplate, BuilderState, Listed } from "@holdpoint/core/apps";
import { isRefusal } from "@holdpoint/core/session";
import type { ErrorShape } from "@holdpoint/core/types";
import type { AppLine, AppsView } from "@holdpoint/elements/apps/view";
import { type Around, refused } from "./around.js";
import { unsaved } from "./kept.js";

/** So many apps are read to say how their drafts stand; the rest say it when they are opened. */
const MAX_READ = 50;
const KEPT = "app-list";
/** What can be wrong with the address of a new app. */
const ADDRESS: ReadonlySet<string> = new Set(["SLUG_TAKEN", "SLUG_INVALID"]);

interface NewApp {
  name: string;
  slug: string;
  template_key: string;
}

export class AppList {
  #state: AppsView["state"] = "loading";
  #apps: App[] = [];
  #templates: AppTemplate[] = [];
  readonly #known = new Map<string, BuilderState>();
  #unsaved = new Set<string>();
  #problem: ErrorShape | null = null;
  #refused: ErrorShape | null = null;
  #creating = false;
  /** The key of the app that is being made: sent again, it is made once. */
  #once = { of: "", key: "" };

  constructor(private readonly around: Around) {}

  async load(): Promise<void> {
    const { api, store } = this.around;
    this.#unsaved = await unsaved(store);
    try {
      const [apps, templates] = await Promise.all([this.#all(), api.templates()]);
      this.#apps = apps;
      this.#templates = templates;
      this.#state = "ready";
      this.#problem = null;
      await store.put("drafts", KEPT, { apps, templates });
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const kept = await store.get<{ apps: App[]; templates: AppTemplate[] }>("drafts", KEPT);
      this.#apps = kept?.apps ?? this.#apps;
      this.#templates = kept?.templates ?? this.#templates;
      this.#state = error.code === "OFFLINE" && kept ? "ready" : "failed";
      this.#problem = error;
      this.around.failed(error);
    }
    this.around.changed();
    void this.#read();
  }

  async #all(): Promise<App[]> {
    const apps: App[] = [];
    let cursor: string | null = null;
    do {
      const page: Listed<App> = await this.around.api.apps(cursor);
      apps.push(...page.items);
      cursor = page.next_cursor;
    } while (cursor !== null);
    return apps;
  }

  /** One after the other, so that the page stays quick. */
  async #read(): Promise<void> {
    for (const { id } of this.#apps.slice(0, MAX_READ)) {
      if (!this.around.online()) return;
      try {
        this.#known.set(id, await this.around.api.state(id));
        this.around.changed();
      } catch (error) {
        if (!isRefusal(error)) throw error;
        return;
      }
    }
  }

  /** The new app's id; null where it was refused. */
  async create({ name, slug, template_key }: NewApp): Promise<string | null> {
    const body = { name, template_key, ...(slug ? { slug } : {}) };
    const of = JSON.stringify(body);
    if (this.#once.of !== of) this.#once = { of, key: crypto.randomUUID() };
    this.#creating = true;
    this.#refused = null;
    this.around.changed();
    try {
      const { id } = await this.around.api.create(body, this.#once.key);
      this.#once = { of: "", key: "" };
      this.around.done();
      return id;
    } catch (error) {
      if (isRefusal(error) && ADDRESS.has(error.code)) this.#refused = error;
      else refused(this.around, "create", error);
      return null;
    } finally {
      this.#creating = false;
      this.around.changed();
    }
  }

  view(): AppsView {
    return {
      state: this.#state,
      apps: this.#apps.map((app) => this.#line(app)),
      templates: this.#templates,
      problem: this.#problem,
      creating: this.#creating,
      refused: this.#refused,
      offline: !this.around.online(),
      now: Date.now(),
    };
  }

  #line(app: App): AppLine {
    const known = this.#known.get(app.id);
    const draft = known?.current_draft_revision;
    return {
      id: app.id,
      name: app.name,
      slug: app.slug,
      status: app.status,
      was: app.current_published_revision_id !== null,
      draft: draft ? { number: draft.number, build: draft.build_status } : null,
      live: known?.current_published_revision?.number ?? null,
      running: (known?.active_run ?? null) !== null,
      unsaved: this.#unsaved.has(app.id),
      at: Date.parse(app.updated_at),
    };
  }
}
