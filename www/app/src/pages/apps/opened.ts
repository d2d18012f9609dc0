/**
 * One open app: its texts, its preview, its conversation, what waits for a signature and what is live, brought
 * together.
 *
 * Owns what is known of the draft, and what the device and the edge keep of text that is not saved.
 */
import {
  type App,
  type AppVersion,
  type BuilderEvent,
  type BuilderState,
  type BuildState,
  follow,
} from "@holdpoint/core/apps";
import type { Files, Range } from "@holdpoint/core/types";
import { t } from "@holdpoint/elements";
import { AppEditors } from "@holdpoint/elements/apps/editors";
import type { AppPart, AppTurnExtras } from "@holdpoint/elements/apps/view";
import { type Around, diffed, failed, refused } from "./around.js";
import { Checking } from "./checking.js";
import { Exporting } from "./exporting.js";
import { type Facts, factsOf, told } from "./facts.js";
import { History } from "./history.js";
import { Keeping } from "./keeping.js";
import { copies, KeptDrafts } from "./kept.js";
import type { Pointed } from "./pointing.js";
import { Previewing } from "./previewing.js";
import { Publishing } from "./publishing.js";
import { Reviewing } from "./reviewing.js";
import { type Head, Saving } from "./saving.js";
import { Services } from "./services.js";
import { OwnerSettings } from "./settings.js";
import { Stepping } from "./stepping.js";
import { Talking } from "./talking.js";
import { elementToken, explainToken, redoToken } from "./tokens.js";
import { uploaded } from "./uploading.js";

/** Typing settles before the device keeps and the engine checks. */
const KEEP_MS = 300;
/** Unsaved text goes to the edge this long after it was typed. */
const SEND_MS = 2_000;

/** Two that are compared, and what they are called. */
export interface Difference {
  from: string;
  to: string;
  what: string;
}

export type WorkFront = "preview" | "code";

export class OpenApp {
  readonly editors: AppEditors;
  readonly saving: Saving;
  readonly previewing: Previewing;
  readonly talking: Talking;
  readonly history: History;
  readonly publishing: Publishing;
  readonly checking: Checking;
  readonly settings: OwnerSettings;
  readonly services: Services;
  readonly exporting: Exporting;
  readonly stepping: Stepping;
  readonly #keeping: Keeping;
  facts: Facts;
  part: AppPart = "workspace";
  front: WorkFront = "preview";
  /** The build stands open, beside what it is of. */
  buildShown = false;
  review: Reviewing | null = null;
  layout: "split" | "uni" = "uni";
  /** Proposals that were decided here. */
  readonly #decided = new Map<string, "applied" | "discarded">();
  /** The texts that went along with the last request. */
  #along: Files = {};
  #timer = 0;
  #sending = 0;
  #reading: Promise<void> | null = null;
  #stop: () => void = () => undefined;

  private constructor(
    state: BuilderState,
    files: Files,
    readonly around: Around,
    private readonly drafts: KeptDrafts,
  ) {
    const { id } = state.app;
    this.facts = factsOf(state);
    this.editors = new AppEditors(files, {
      changes: diffed(around),
      label: (path) => t("apps.code.label", { path }),
      changed: (path) => {
        this.saving.touched(path);
        this.#settle();
      },
      save: () => void this.save(),
    });
    this.saving = new Saving(
      id,
      { version: state.current_draft_revision, files },
      around,
      this.editors,
      {
        moved: (version) => this.#moved(version),
        texts: () => this.#settle(),
      },
    );
    this.checking = new Checking(around);
    this.#keeping = new Keeping(around, drafts, this.saving, this.editors);
    this.previewing = new Previewing(around, id);
    this.talking = new Talking(around, id, {
      paths: () => this.editors.paths,
      along: () => this.#goes(),
      active: async () => (await around.api.state(id)).active_run,
      proposed: (proposal) => this.open(proposal),
      moved: () => void this.saving.meet(),
      ended: () => void this.read(),
      keep: () => this.#settle(),
      decided: (proposal, applied) => this.#card(proposal, applied),
      off: () => (this.saving.two ? t("apps.off.conflict") : ""),
      template: () => this.facts.app.template_key,
    });
    this.history = new History(id, around, {
      facts: () => this.facts,
      moved: (version) => this.adopt(version),
      unsaved: () => this.saving.dirty.size > 0,
    });
    this.publishing = new Publishing(id, around, {
      facts: () => this.facts,
      changed: (app) => this.#published(app),
    });
    this.settings = new OwnerSettings(id, around, {
      facts: () => this.facts,
      changed: (app) => this.#published(app),
      gone: () => this.#gone(),
    });
    this.services = new Services(id, around, {
      facts: () => this.facts,
      paths: () => Object.keys(this.saving.head.files),
      moved: () => this.read(),
    });
    this.exporting = new Exporting(id, around, () => this.facts);
    this.stepping = new Stepping(id, around, {
      facts: () => this.facts,
      unsaved: () => this.saving.dirty.size > 0,
      moved: async ({ revision, can_undo: canUndo, can_redo: canRedo }) => {
        await this.adopt(revision);
        this.facts = { ...this.facts, canUndo, canRedo };
      },
    });
    this.editors.show(firstOf(this.editors.paths, state.current_draft_revision.entry_file));
  }

  static async open(state: BuilderState, files: Files, around: Around): Promise<OpenApp> {
    const { drafts, draft } = await KeptDrafts.open(around.store, state.app.id);
    const app = new OpenApp(state, files, around, drafts);
    await copies.keep(around.store, { state, files });
    if (draft?.asking) app.talking.session.write(draft.asking);
    await app.#keeping.restore(draft);
    app.#follow();
    void app.#checked();
    void app.previewing.follow(app.facts);
    void app.talking.session.resume();
    void app.talking.price();
    return app;
  }

  get id(): string {
    return this.facts.app.id;
  }

  #follow(): void {
    this.#stop = follow(this.around.api, this.id, {
      event: (event) => this.#heard(event),
      again: () => void this.read(),
      refused: (error) => this.around.failed(error),
    });
  }

  #heard(event: BuilderEvent): void {
    const { facts, read } = told(this.facts, event);
    this.facts = facts;
    if (read) void this.read();
    if (facts.build?.build_status === "failed" && !facts.build.log_tail)
      void this.#log(facts.draft.id);
    this.#stands();
  }

  /** Events tell of a build without its log. */
  async #log(revision: string): Promise<void> {
    try {
      const build = await this.around.api.build(this.id, revision);
      const { facts } = told(this.facts, { event: "build", data: build });
      this.facts = facts;
      this.around.changed();
    } catch (error) {
      failed(this.around, error);
    }
  }

  /** Something of the draft or its build is otherwise. */
  #stands(): void {
    void this.previewing.follow(this.facts);
    this.publishing.moved(this.part === "publish");
    this.around.changed();
  }

  /** Reads how the app stands; a draft that this page has not seen is put together with its text. */
  read(): Promise<void> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  async #read(): Promise<void> {
    try {
      const state = await this.around.api.state(this.id);
      this.facts = factsOf(state, this.facts.build);
      const head = this.saving.head.version.id;
      if (state.current_draft_revision.id !== head && !this.saving.saving)
        await this.saving.join(await this.saving.read(state.current_draft_revision.id));
      this.#stands();
    } catch (error) {
      failed(this.around, error);
    }
  }

  close(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#sending);
    this.#stop();
    // What is kept is taken before anything ends.
    const kept = this.#keeping.keep(this.talking.words);
    this.talking.session.close();
    this.review?.close();
    void kept.then(() => this.drafts.close());
    this.editors.close();
  }

  // ── texts ──────────────────────────────────────────────────────────────────────────────────────────────────────

  #settle(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#sending);
    this.#timer = window.setTimeout(() => {
      void this.#checked();
      void this.#keeping.keep(this.talking.words);
    }, KEEP_MS);
    this.#sending = window.setTimeout(() => void this.#keeping.send(), SEND_MS);
    this.around.changed();
  }

  async #checked(): Promise<void> {
    const { settings, catalog_version: catalog } = this.facts.app;
    const { entry_file } = this.saving.head.version;
    const options = { policy: settings.dependency_policy, catalog, entry_file };
    if (!(await this.checking.check(this.editors.texts(), options))) return;
    this.editors.mark(this.checking.findings);
    this.around.changed();
  }

  async save(): Promise<boolean> {
    const saved = await this.saving.save();
    if (this.saving.two) this.around.focus("code");
    return saved;
  }

  /** A file from the device. */
  async upload(file: File): Promise<void> {
    const kept = await uploaded(this.around, this.id, file);
    if (kept) this.create(kept.path, kept.text);
  }

  /** A file that was not there, or has another text; it is in front. */
  create(path: string, text = ""): void {
    if (text || !this.editors.has(path)) this.editors.put(path, text);
    this.show(path);
    this.saving.touched(path);
    this.#settle();
  }

  remove(path: string): void {
    this.editors.remove(path);
    this.saving.touched(path);
    this.editors.show(firstOf(this.editors.paths, this.saving.head.version.entry_file));
    this.#settle();
  }

  show(path: string, range: Range | null = null): void {
    this.part = "workspace";
    this.front = "code";
    this.review = null;
    if (range) this.editors.go(path, range);
    else this.editors.show(path);
    this.around.changed();
  }

  settle(way: "together" | "mine" | "theirs"): void {
    this.saving.settle(way);
    if (!this.saving.two && way !== "theirs" && this.saving.dirty.size) void this.save();
  }

  // ── versions ───────────────────────────────────────────────────────────────────────────────────────────────────

  #moved(version: AppVersion): void {
    const { files: _, ...draft } = version;
    const isNew = draft.id !== this.facts.draft.id;
    if (isNew) {
      const build = this.facts.build?.revision_id === draft.id ? this.facts.build : null;
      this.facts = { ...this.facts, draft, build, canUndo: true };
      void this.read();
    }
    void copies.keep(this.around.store, { state: this.#stateOf(), files: this.saving.head.files });
    this.#stands();
  }

  /** A version came to be that this page asked for: its texts are taken, and what is not saved stays over them. */
  async adopt(version: AppVersion, along: Files = {}): Promise<void> {
    const head: Head = version.files
      ? { version, files: version.files }
      : await this.saving.read(version.id);
    await this.saving.join(head, along);
  }

  #stateOf(): BuilderState {
    const { app, draft, published, active, canUndo, canRedo } = this.facts;
    return {
      app,
      templates: [],
      current_draft_revision: draft,
      current_published_revision: published,
      preview_token: null,
      preview_url: null,
      active_run: active,
      can_undo: canUndo,
      can_redo: canRedo,
    };
  }

  async retry(): Promise<void> {
    try {
      const { draft } = this.facts;
      const build: BuildState = await this.around.api.retry(this.id, draft.id);
      this.around.done();
      this.#heard({ event: "build", data: build });
    } catch (error) {
      refused(this.around, "build", error);
    }
  }

  // ── proposals ──────────────────────────────────────────────────────────────────────────────────────────────────

  /** What goes along with a request: the draft, or text that is not saved yet. */
  async #goes(): Promise<{ base: string; from: string } | null> {
    const base = this.saving.head.version.id;
    this.#along = {};
    if (!this.saving.dirty.size) return { base, from: "draft" };
    clearTimeout(this.#sending);
    if (!(await this.#keeping.send())) return null;
    const texts = Object.entries(this.editors.texts());
    this.#along = Object.fromEntries(texts.filter(([path]) => this.saving.dirty.has(path)));
    return { base, from: "working_copy" };
  }

  /** A proposal is brought in front. */
  open(id: string): void {
    if (this.#decided.has(id)) return;
    this.review?.close();
    const review = new Reviewing(id, this.id, this.around, {
      draft: () => this.facts.draft,
      applied: (version) => this.#applied(id, version),
      closed: (as) => this.#closed(id, as),
    });
    this.review = review;
    this.part = "workspace";
    void review.load();
    this.around.focus("review");
  }

  async #applied(id: string, version: AppVersion): Promise<void> {
    this.#decided.set(id, "applied");
    void this.services.decided(id);
    this.review = null;
    this.front = "preview";
    this.around.done();
    await this.adopt(version, this.#along);
    this.around.toast(t("apps.applied", { n: String(version.number) }));
    this.around.focus("workspace");
  }

  #closed(id: string, as: "applied" | "discarded"): void {
    if (this.review?.id === id) this.review = null;
    this.#decided.set(id, as);
    void this.services.decided(id);
    this.around.focus("workspace");
  }

  /** The review is put aside; the proposal stays until it is decided. */
  aside(): void {
    this.review?.close();
    this.review = null;
    this.around.focus("workspace");
  }

  askOn(): void {
    const { review } = this;
    if (!review) return;
    this.talking.from(review.id);
    this.aside();
    this.around.focus("chat");
  }

  /** An element of the preview goes along with the request, with the places where it may be written. */
  point(pointed: Pointed): void {
    this.previewing.picking = false;
    this.talking.add(elementToken(pointed, this.editors.texts()));
  }

  /** A part of a proposal is wanted otherwise: the request goes on from the proposal. */
  redo(path: string, id: string): void {
    const hunk = this.review?.hunk(path, id);
    if (!this.review || !hunk) return;
    this.talking.add(redoToken(this.review.id, path, hunk));
    this.aside();
    this.around.focus("chat");
  }

  /** What is compared in front: the proposal in review, else two versions. */
  difference(): Difference | null {
    return this.review ? this.review.difference() : this.history.difference();
  }

  /** A difference is asked about, whole or one file or place of it. */
  explain({ what, ...ends }: Difference, path: string | null, id: string | null): void {
    const more = { ...(path ? { path } : {}), ...(id ? { hunk_id: id } : {}) };
    const label = path ? t("apps.explain.file", { what, path }) : what;
    this.talking.add(explainToken({ ...ends, ...more }, label));
    if (this.review) this.aside();
    this.around.focus("chat");
  }

  /** Of a proposal of which nothing else is known, that it can be looked at. */
  #card(id: string, applied: boolean): AppTurnExtras["card"] {
    return this.#decided.get(id) ?? (applied ? "applied" : "open");
  }

  // ── publishing ─────────────────────────────────────────────────────────────────────────────────────────────────

  async #published(app: App): Promise<void> {
    this.facts = { ...this.facts, app };
    this.around.changed();
    await this.read();
  }

  /** It was deleted: nothing of it stays on this device. */
  async #gone(): Promise<void> {
    const { name } = this.facts.app;
    this.saving.drop();
    this.talking.write("");
    await copies.forget(this.around.store, this.id);
    this.around.leave();
    this.around.toast(t("apps.set.deleted", { name }));
  }

  /** The network came or went. */
  network(): void {
    if (!this.around.online()) return;
    void this.read();
    void this.#keeping.send();
    void this.talking.price();
    if (this.talking.session.view.state === "failed") void this.talking.session.resume();
  }

  go(part: AppPart): void {
    this.part = part;
    if (part === "versions") void this.history.load();
    if (part === "publish") void this.publishing.load();
    if (part === "services") void this.services.load();
    if (part === "export") void this.exporting.load();
    this.around.changed();
  }
}

/** The file that is in front when an app opens. */
function firstOf(paths: readonly string[], entry: string): string {
  return (
    paths.find((path) => /(^|\/)App\.[jt]sx$/.test(path)) ??
    paths.find((path) => path === entry) ??
    paths[0] ??
    ""
  );
}
