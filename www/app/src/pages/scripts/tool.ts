/**
 * One open script: its texts, its proposal, its thread and its versions, brought together.
 *
 * Owns which text or panel is in front, and what the device keeps.
 */

import {
  changes,
  type EditOpsAnswer,
  type FileId,
  local,
  type Tool,
  type VirtualFiles,
} from "@holdpoint/core/editor";
import { isRefusal } from "@holdpoint/core/session";
import { said, t } from "@holdpoint/elements";
import { Editors } from "@holdpoint/elements/script/editors";
import type { Front, ScriptView } from "@holdpoint/elements/script/view";
import { Applying } from "./applying.js";
import { type Around, refused } from "./around.js";
import { copies, type Draft, Drafts } from "./draft.js";
import { Proposing } from "./proposing.js";
import { Running } from "./running.js";
import { doorReport } from "./samples.js";
import { Saving } from "./saving.js";
import { Steps } from "./steps.js";
import { Talking } from "./talking.js";
import { viewOf } from "./tool-view.js";
import type { Ask } from "./turns.js";
import { Versions } from "./versions.js";

/** Typing settles before the device keeps and the engine checks. */
const KEEP_MS = 300;

export class ScriptTool {
  readonly editors: Editors;
  readonly proposing: Proposing;
  readonly saving: Saving;
  readonly talking: Talking;
  readonly versions: Versions;
  readonly running: Running;
  readonly steps: Steps;
  readonly #applying: Applying;
  front: Front = "tool.py";
  drawer: "chat" | "history" | null = "chat";
  #last: FileId = "tool.py";
  #check: ScriptView["check"] = null;
  #timer = 0;
  #asked = 0;
  #layout: "split" | "uni" = "split";
  #channel: BroadcastChannel;

  private constructor(
    tool: Tool,
    private readonly around: Around,
    private readonly drafts: Drafts,
  ) {
    const diffed = (before: string, after: string) =>
      changes(before, after, around.core.textDiff(before, after, 0));
    this.editors = new Editors({
      files: tool.virtual_files,
      changes: diffed,
      label: (path) => t("script.editor", { path }),
      on: {
        changed: () => this.#moved(),
        save: () => void this.save(),
        step: (step) => void this.steps.take(step),
        focused: (path) => (this.#last = path),
        pointed: () => around.changed(),
      },
    });
    this.#channel = new BroadcastChannel(`holdpoint-script-${tool.tool_id}`);
    this.#channel.onmessage = (event: MessageEvent<string>) => {
      if (
        event.data !== this.saving.head.revision_id &&
        !this.saving.saving &&
        this.proposing.phase !== "applying"
      )
        void this.saving.meet();
    };
    this.saving = new Saving(tool, around, this.editors, (revision) => this.#stored(revision));
    this.proposing = new Proposing(around, {
      tool_id: tool.tool_id,
      texts: () => this.editors.texts(),
      text: (path) => this.editors.text(path),
      blocked: () => this.saving.blocks(),
    });
    this.talking = new Talking(around, {
      tool_id: tool.tool_id,
      along: (mode) => ({
        active: this.#last,
        texts: this.editors.texts(),
        location: mode === "edit" ? this.editors.location(this.#last) : {},
      }),
      arrived: (ask, answer, key) => this.#arrived(ask, answer, key),
      card: (message) =>
        this.steps.card(message) ??
        (this.proposing.kept?.id === message.key ? this.proposing.card() : null),
      select: () => {
        this.front = this.#last;
        this.editors.go(this.#last, null);
      },
      keep: () => void this.#keep(),
    });
    this.versions = new Versions(around, () => ({
      tool_id: tool.tool_id,
      revision: this.saving.head.revision_id,
      texts: () => this.editors.texts(),
      unsaved: () => this.saving.dirty().length > 0,
    }));
    this.running = new Running(around, {
      tool_id: tool.tool_id,
      texts: () => this.editors.texts(),
      proposed: () => this.proposing.proposed(),
    });
    this.steps = new Steps(around, this.editors, this.saving, {
      moved: () => {
        this.proposing.moved();
        void this.#keep();
      },
      decided: (key, as) => this.talking.session.decided(key, as),
    });
    this.#applying = new Applying(around, this, {
      applied: (first) => this.#applied(first),
      meets: () => (this.front = "panel"),
    });
  }

  static async open(tool: Tool, around: Around): Promise<ScriptTool> {
    const { drafts, draft } = await Drafts.open(around.store, tool.tool_id);
    const script = new ScriptTool(tool, around, drafts);
    await copies.keep(around.store, tool);
    if (draft) await script.#restored(draft, tool);
    void script.#checked();
    void script.running.restore().then(() => script.running.examine());
    void script.talking.begin(draft?.clearing ?? false);
    return script;
  }

  /** What this device kept comes back; where the head moved meanwhile, the two versions meet. */
  async #restored(draft: Draft, tool: Tool): Promise<void> {
    this.talking.session.write(draft.asking);
    this.talking.mode = draft.mode;
    this.editors.groups.undoable = draft.undoable;
    this.editors.groups.redoable = draft.redoable;
    if (Object.keys(draft.files).length) {
      this.saving.head = { ...tool, virtual_files: { ...tool.virtual_files, ...draft.base } };
      this.editors.replace(draft.files);
      this.saving.since = draft.since;
      if (draft.base_revision_id !== tool.revision_id) {
        this.saving.head = { ...this.saving.head, revision_id: draft.base_revision_id };
        this.saving.join(tool);
      } else this.around.toast(t("script.draft.back"));
    }
    if (draft.proposal) await this.proposing.show(draft.proposal);
  }

  close(): void {
    clearTimeout(this.#timer);
    // What is kept is taken before anything ends.
    const kept = this.#keep();
    this.talking.close();
    this.running.close();
    this.proposing.close();
    void kept.then(() => this.drafts.close());
    this.#channel.close();
    this.editors.close();
  }

  // ── texts ──────────────────────────────────────────────────────────────────────────────────────────────────────

  #moved(): void {
    if (!this.saving.since && this.saving.dirty().length) this.saving.since = Date.now();
    this.proposing.moved();
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => {
      void this.#checked();
      void this.#keep();
    }, KEEP_MS);
    this.around.changed();
  }

  /** The findings of the texts as they stand; an answer for older texts is dropped. */
  async #checked(): Promise<void> {
    const asked = ++this.#asked;
    const check = await local.check(this.around.checks, this.editors.texts(), this.around.facts);
    if (asked !== this.#asked) return;
    this.#check = check && {
      ...check,
      diagnostics: check.diagnostics.map((one) => ({ ...one, message: said(one) })),
    };
    this.editors.mark(this.#check?.diagnostics ?? []);
    this.around.changed();
  }

  async #keep(): Promise<void> {
    const dirty = this.saving.dirty();
    const pick = (texts: VirtualFiles): Partial<VirtualFiles> =>
      Object.fromEntries(dirty.map((path) => [path, texts[path]]));
    const { groups } = this.editors;
    await this.drafts.keep({
      base_revision_id: this.saving.head.revision_id,
      base: pick(this.saving.head.virtual_files),
      files: pick(this.editors.texts()),
      since: this.saving.since || Date.now(),
      asking: this.talking.session.view.draft,
      mode: this.talking.mode,
      proposal: this.proposing.kept,
      undoable: groups.undoable,
      redoable: groups.redoable,
      clearing: this.talking.clearing,
    });
  }

  /** There is a version more: other tabs hear of it, and the list where it is open. */
  #stored(revision: string): void {
    this.#channel.postMessage(revision);
    if (this.drawer === "history") void this.versions.load();
  }

  async save(): Promise<boolean> {
    const saved = await this.saving.save();
    if (this.saving.two) {
      this.front = "panel";
      this.around.focus("panel");
    }
    void this.#keep();
    return saved;
  }

  async settle(way: "save" | "copy" | "take"): Promise<void> {
    await this.saving.settle(way);
    if (!this.saving.two) this.front = this.#last;
    this.#moved();
  }

  /** The empty script takes a sample; it is an edit like any other. */
  sample(): void {
    this.editors.replace(doorReport());
  }

  // ── the proposal ───────────────────────────────────────────────────────────────────────────────────────────────

  async #arrived(ask: Ask, answer: EditOpsAnswer, key: string): Promise<boolean> {
    const { kept } = this.proposing;
    if (kept) this.talking.session.decided(kept.id, "discarded");
    const shown = await this.proposing.show({
      id: key,
      message: ask.text,
      words: answer.assistant_message,
      ops: answer.ops,
      base: ask.texts,
      active: ask.active,
      location: ask.location,
      taken: null,
      at: Date.now(),
      repaired: answer.repaired ?? false,
    });
    this.steps.applied = null;
    this.front = "panel";
    this.around.focus("panel");
    void this.#keep();
    void this.running.examine();
    return shown;
  }

  /** The first question again, with the texts of now and what failed. */
  async regenerate(): Promise<void> {
    const { kept } = this.proposing;
    const feedback = this.proposing.feedback();
    if (!kept || !feedback) return;
    await this.talking.ask(kept.message, "edit", { feedback, replaces: true, location: {} });
  }

  /** The proposal against the texts of now. */
  async showAgain(): Promise<void> {
    await this.proposing.again();
    void this.running.examine();
    void this.#keep();
  }

  discard(): void {
    const discard = this.proposing.kept?.id;
    if (discard) void this.talking.session.decide({ discard, online: this.around.online() });
    this.proposing.close();
    this.closePanel();
  }

  /** Leaves the panel. A proposal stays behind its tab and in the chat; a comparison ends. */
  closePanel(): void {
    this.versions.close();
    if (this.front === "panel") this.front = this.#last;
    void this.#keep();
    this.around.focus("tabs");
    this.around.changed();
  }

  apply(): Promise<void> {
    return this.#applying.apply();
  }

  /** Something was applied: its first file is in front. */
  #applied(first: FileId): void {
    this.front = first;
    this.#last = first;
    void this.#keep();
    this.around.focus("tabs");
    this.around.changed();
  }

  // ── versions ───────────────────────────────────────────────────────────────────────────────────────────────────

  async openDrawer(drawer: "chat" | "history" | null): Promise<void> {
    this.drawer = drawer;
    if (drawer !== "history" && this.versions.chosen) {
      this.versions.close();
      if (this.front === "panel" && !this.proposing.kept) this.front = this.#last;
    }
    this.around.changed();
    if (drawer === "history") await this.versions.load();
  }

  /** A version that is looked at comes to the front, beside its list; false where there is none. */
  async compared(look: (versions: Versions) => Promise<void>): Promise<boolean> {
    await look(this.versions);
    const { chosen } = this.versions;
    if (chosen) this.front = "panel";
    this.around.changed();
    return chosen !== null;
  }

  /** What was applied after the version that stands again is undone. */
  #undoneSince(at: number): void {
    const { session } = this.talking;
    for (const { key, decided } of session.view.messages)
      if (key && decided?.as === "applied" && decided.at > at) session.decided(key, "undone");
  }

  async restore(): Promise<void> {
    const { at, time } = this.versions;
    try {
      const step = await this.versions.restore();
      if (!step) return;
      this.#undoneSince(at);
      this.editors.replace(step.virtual_files);
      this.editors.groups.redoable = [];
      this.saving.stored(step.revision_id, step.virtual_files, step);
      this.steps.applied = null;
      this.versions.close();
      this.front = this.#last;
      this.around.toast(t("script.restored", { time }));
      this.around.focus("tabs");
    } catch (error) {
      if (isRefusal(error) && error.code === "CONFLICT") await this.saving.meet();
      refused(this.around, "restore", error);
    }
  }

  // ── drawing ────────────────────────────────────────────────────────────────────────────────────────────────────

  /** The network came or went. */
  network(): void {
    if (!this.around.online()) return;
    this.proposing.reconnected();
    const { session } = this.talking;
    void this.saving
      .meet()
      .then(() => (session.view.state === "failed" ? session.resume() : undefined));
  }

  layout(layout: "split" | "uni"): void {
    this.#layout = layout;
    this.around.changed();
  }

  look(front: Front): void {
    this.front = front;
    if (front !== "panel" && front !== "all" && front !== "run") this.#last = front;
    this.around.changed();
  }

  mode(mode: "chat" | "edit"): void {
    this.talking.mode = mode;
    this.around.changed();
    void this.#keep();
  }

  /** Back to the text that was in front before the panel. */
  leavePanel(): void {
    this.look(this.#last);
  }

  draft(text: string): void {
    this.talking.draft(text);
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => void this.#keep(), KEEP_MS);
    this.around.changed();
  }

  view(): ScriptView {
    return viewOf(this, this.around, {
      check: this.#check,
      last: this.#last,
      layout: this.#layout,
    });
  }

  take(path: string, id: string, take: boolean): void {
    if (this.saving.two) this.saving.decide(path, id, take);
    else this.proposing.take(path, id, take);
    void this.running.examine();
    void this.#keep();
  }
}
