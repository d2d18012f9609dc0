/**
 * An edge in memory for walks through the script pages: the routes of script-tool.md §6 as the page sees them, with the
 * engine of the page.
 */
import {
  ApiError,
  type ApplyRequest,
  type ChatEvent,
  type ChatMessage,
  type Checkpoint,
  type EditOpsAnswer,
  type EditorApi,
  type Engine,
  type FileId,
  type Preview,
  type PreviewRequest,
  type Step,
  type Tool,
  type ToolRevisionFiles,
  type VirtualFiles,
} from "@holdpoint/core/editor";

interface Revision extends ToolRevisionFiles {
  before: Partial<VirtualFiles>;
}

export class FakeEdge implements EditorApi {
  /** What the model answers next. */
  answers: Partial<EditOpsAnswer>[] = [];
  said: ChatEvent[][] = [];
  wait = 0;
  failing: {
    code: string;
    status: number;
    message?: string;
    details?: Record<string, unknown>;
    retryMs?: number;
  } | null = null;
  offline = false;
  calls: string[] = [];
  #head: Tool;
  #revisions: Revision[] = [];
  #checkpoints: Checkpoint[] = [];
  #messages: ChatMessage[] = [];
  #undo: number[] = [];
  #redo: number[] = [];
  #others: Tool[] = [];
  readonly #gone = new Set<string>();

  constructor(
    private readonly engine: Engine,
    files: VirtualFiles,
  ) {
    this.#head = {
      tool_id: "t1",
      title: "Fire door report",
      revision_id: "rev_1",
      virtual_files: files,
      base_fingerprints: {},
      can_undo: false,
      can_redo: false,
      updated_at: Date.now(),
    };
    this.#revisions.push({
      revision_id: "rev_1",
      who: "user",
      at: Date.now(),
      cause: "hand",
      changed_files: [],
      virtual_files: files,
      before: {},
    });
  }

  async #enter(name: string, signal?: AbortSignal): Promise<void> {
    this.calls.push(name);
    if (this.offline) throw new ApiError({ code: "OFFLINE", message: "No answer came." }, 0);
    const failing = this.failing;
    this.failing = null;
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(resolve, this.wait);
      signal?.addEventListener("abort", () => {
        clearTimeout(timer);
        reject(new DOMException("stopped", "AbortError"));
      });
    });
    if (failing)
      throw new ApiError(
        {
          code: failing.code,
          message: failing.message ?? failing.code,
          details: (failing.details ?? {}) as never,
        },
        failing.status,
        failing.retryMs,
      );
  }

  /** A save by another tab or person. */
  saveElsewhere(changed: Partial<VirtualFiles>): void {
    this.#put("hand", changed);
  }

  get head(): Tool {
    return this.#head;
  }

  #put(cause: Revision["cause"], changed: Partial<VirtualFiles>): string {
    const before = Object.fromEntries(
      Object.keys(changed).map((path) => [path, this.#head.virtual_files[path as FileId]]),
    );
    const revision_id = `rev_${this.#revisions.length + 1}`;
    const virtual_files = { ...this.#head.virtual_files, ...changed };
    this.#revisions.push({
      revision_id,
      who: "user",
      at: Date.now(),
      cause,
      changed_files: Object.keys(changed),
      virtual_files,
      before,
    });
    if (cause === "apply") {
      this.#undo.push(this.#revisions.length - 1);
      this.#redo = [];
    }
    if (cause === "hand" || cause === "restore") this.#redo = [];
    this.#head = {
      ...this.#head,
      revision_id,
      virtual_files,
      updated_at: Date.now(),
      can_undo: this.#undo.length > 0,
      can_redo: this.#redo.length > 0,
    };
    return revision_id;
  }

  #gate(base: string): void {
    if (base !== this.#head.revision_id)
      throw new ApiError(
        {
          code: "CONFLICT",
          message: "Somebody saved first.",
          details: { revision_id: this.#head.revision_id },
        },
        409,
      );
  }

  async tools() {
    await this.#enter("tools");
    return {
      items: this.#there().map(({ tool_id, title, revision_id, updated_at }) => ({
        tool_id,
        title,
        revision_id,
        updated_at: updated_at ?? 0,
      })),
      next_cursor: null,
    };
  }
  async create(
    title: string,
    from: { sample: string } | { virtual_files: VirtualFiles },
  ): Promise<Tool> {
    await this.#enter("create");
    const made: Tool = {
      ...this.#head,
      tool_id: `t${this.#others.length + 2}`,
      title,
      virtual_files: "virtual_files" in from ? from.virtual_files : this.#head.virtual_files,
    };
    this.#others.push(made);
    return made;
  }
  async tool(id: string): Promise<Tool> {
    await this.#enter("tool");
    return this.#found(id);
  }
  #found(id: string): Tool {
    const found = this.#there().find((one) => one.tool_id === id);
    if (!found) throw new ApiError({ code: "NOT_FOUND", message: "There is no such script." }, 404);
    return found;
  }
  #there(): Tool[] {
    return [this.#head, ...this.#others].filter((one) => !this.#gone.has(one.tool_id));
  }
  async save(_id: string, base: string, changed: Partial<VirtualFiles>) {
    await this.#enter("save");
    this.#gate(base);
    return { revision_id: this.#put("hand", changed) };
  }
  async rename(id: string, title: string): Promise<Tool> {
    await this.#enter("rename");
    if (id === this.#head.tool_id) this.#head = { ...this.#head, title };
    this.#others = this.#others.map((one) => (one.tool_id === id ? { ...one, title } : one));
    return this.#found(id);
  }
  async remove(id: string): Promise<void> {
    await this.#enter("remove");
    this.#found(id);
    this.#gone.add(id);
  }
  async bringBack(id: string): Promise<Tool> {
    await this.#enter("bringBack");
    this.#gone.delete(id);
    return this.#found(id);
  }
  async revisions() {
    await this.#enter("revisions");
    return { items: [...this.#revisions].reverse(), next_cursor: null };
  }
  async revision(_id: string, revision: string) {
    await this.#enter("revision");
    const found = this.#revisions.find((one) => one.revision_id === revision);
    if (!found)
      throw new ApiError({ code: "NOT_FOUND", message: "There is no such version." }, 404);
    return found;
  }

  async step(_id: string, step: "undo" | "redo", base: string): Promise<Step> {
    await this.#enter(step);
    this.#gate(base);
    const [from, to] = step === "undo" ? [this.#undo, this.#redo] : [this.#redo, this.#undo];
    const at = from.pop();
    const revision = at === undefined ? undefined : this.#revisions[at];
    if (at === undefined || !revision)
      throw new ApiError({ code: "NOT_FOUND", message: "There is nothing to take back." }, 409);
    to.push(at);
    this.#put(
      step,
      step === "undo"
        ? revision.before
        : Object.fromEntries(
            revision.changed_files.map((path) => [path, revision.virtual_files[path as FileId]]),
          ),
    );
    return this.#head;
  }

  async restore(
    _id: string,
    base: string,
    to: { revision_id: string } | { checkpoint_id: string },
  ): Promise<Step> {
    await this.#enter("restore");
    this.#gate(base);
    const id =
      "revision_id" in to
        ? to.revision_id
        : this.#checkpoints.find((one) => one.checkpoint_id === to.checkpoint_id)?.revision_id;
    this.#put(
      "restore",
      this.#revisions.find((one) => one.revision_id === id)?.virtual_files ?? {},
    );
    return this.#head;
  }

  async checkpoints() {
    await this.#enter("checkpoints");
    return this.#checkpoints;
  }
  async keep(_id: string, title: string): Promise<Checkpoint> {
    await this.#enter("keep");
    const made = {
      checkpoint_id: `cp_${this.#checkpoints.length + 1}`,
      title,
      auto: false,
      revision_id: this.#head.revision_id,
      at: Date.now(),
    };
    this.#checkpoints.push(made);
    return made;
  }

  async generate(
    request: { message: string },
    correlation: string,
    signal: AbortSignal,
  ): Promise<EditOpsAnswer> {
    await this.#enter("generate", signal);
    const answer = this.answers.shift() ?? {
      outcome: "empty",
      assistant_message: "Nothing to change.",
    };
    // Where no model was asked, nothing is written.
    if (answer.enabled !== false)
      this.#say(request.message, answer.assistant_message ?? "", correlation);
    return {
      enabled: true,
      outcome: "ok",
      assistant_message: "",
      ops: [],
      base_fingerprints: {},
      repairs: [],
      ...answer,
    };
  }

  #say(you: string, assistant: string, correlation_id: string): void {
    const n = this.#messages.length;
    const of = (role: "user" | "assistant", content: string): ChatMessage => ({
      message_id: `${n}${role}`,
      turn_id: `${n}`,
      role,
      content,
      created_at: Date.now(),
      status: "complete",
      correlation_id,
    });
    this.#messages.push(of("user", you), of("assistant", assistant));
  }

  #look(
    files: VirtualFiles,
    { ops, accept, selection, cursor, active_file }: PreviewRequest,
  ): Preview {
    const placed =
      (selection ?? cursor)
        ? { active_file, ...(selection ? { selection } : {}), ...(cursor ? { cursor } : {}) }
        : {};
    return {
      ...this.engine.call<Preview>("text.preview", {
        files,
        ops,
        ...placed,
        ...(accept ? { accept } : {}),
      }),
      diagnostics: [],
    };
  }

  /** On the stored texts; where these do not have the changes that were chosen, all of it. */
  #fresh({ accept, ...whole }: ApplyRequest): Preview {
    try {
      return this.#look(this.#head.virtual_files, accept ? { ...whole, accept } : whole);
    } catch {
      return this.#look(this.#head.virtual_files, whole);
    }
  }

  async preview(request: PreviewRequest, _correlation: string, signal?: AbortSignal) {
    await this.#enter("preview", signal);
    return this.#look(request.virtual_files, request);
  }

  async apply(request: ApplyRequest) {
    await this.#enter("apply");
    const fresh = this.#fresh(request);
    const refused = (code: string): ApiError =>
      new ApiError(
        { code, message: code, details: { reason: "base_changed", preview: fresh as never } },
        409,
      );
    if (fresh.meta.base_hash !== request.base_hash) throw refused("CONFLICT");
    if (!fresh.ok) return { ...fresh, applied: false };
    if (fresh.meta.patch_id !== request.patch_id || fresh.meta.result_hash !== request.result_hash)
      throw refused("CONFLICT");
    if (fresh.verdict === "confirm" && fresh.meta.confirm_token !== request.confirm_token)
      throw refused("CONFIRMATION_REQUIRED");
    const changed = Object.fromEntries(
      fresh.changed_files.map((path) => [path, fresh.after_virtual_files[path as FileId]]),
    );
    return { ...fresh, applied: true, revision_id: this.#put("apply", changed) };
  }

  async discard() {
    await this.#enter("discard");
  }
  async thread() {
    await this.#enter("thread");
    return { messages: this.#messages };
  }
  async clear() {
    await this.#enter("clear");
    this.#messages = [];
  }

  async *chat(
    _id: string,
    request: { message: string },
    signal: AbortSignal,
  ): AsyncGenerator<ChatEvent> {
    await this.#enter("chat", signal);
    let text = "";
    for (const event of this.said.shift() ?? []) {
      yield event;
      if (event.event === "delta") text += event.data.text;
      await new Promise<void>((resolve, reject) => {
        const timer = setTimeout(resolve, this.wait);
        signal.addEventListener("abort", () => {
          clearTimeout(timer);
          reject(new DOMException("stopped", "AbortError"));
        });
      });
    }
    this.#say(request.message, text, crypto.randomUUID());
  }
}
