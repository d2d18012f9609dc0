// The pages of scripts over an edge in memory (script-tool.md §6): one script with its versions, and copies of it, as
// the engine of the page makes them.

import { readFileSync } from "node:fs";
import type {
  ApplyRequest,
  ChatEvent,
  ChatMessage,
  Checkpoint,
  EditOpsAnswer,
  FileId,
  Preview,
  PreviewRequest,
  Tool,
  ToolRevisionFiles,
  VirtualFiles,
} from "@holdpoint/core/editor";
import { files } from "../../../www/app/gallery/script-files.ts";
import { CoreError, core } from "../../../www/core/src/core.ts";
import { initSync } from "../../../www/core/wasm/core/core.js";
import { Edge, listed, Refused, type Routes } from "./edge.ts";
import { Stream } from "./stream.ts";

const MODULE = new URL("../../../www/core/wasm/core/core_bg.wasm", import.meta.url);
initSync({ module: readFileSync(MODULE) });

const ROOT = "/api/v1/editor";
const TOOL = `${ROOT}/tools/:id`;
/** Calls of the edge, as `of` and `faults` name them. */
export const GENERATE = `POST ${ROOT}/edit-ops`;
export const PREVIEW = `POST ${ROOT}/edit-ops/preview`;
export const APPLY = `POST ${ROOT}/edit-ops/apply`;
export const CLEAR = `DELETE ${ROOT}/tools/t1/chat`;
export const SAVE = `PUT ${ROOT}/tools/t1`;

interface Revision extends ToolRevisionFiles {
  before: Partial<VirtualFiles>;
}
type Restored = { base_revision_id: string; revision_id?: string; checkpoint_id?: string };

export class ScriptsEdge extends Edge {
  /** What the model proposes next. */
  answers: Partial<EditOpsAnswer>[] = [];
  /** What it says next, an event each so many ms. */
  said: ChatEvent[][] = [];
  pace = 0;
  /** The conversation. */
  messages: Partial<ChatMessage>[] = [];
  head: Tool = {
    ...{ tool_id: "t1", title: "Fire door report", revision_id: "rev_1", virtual_files: files },
    ...{ base_fingerprints: {}, can_undo: false, can_redo: false, updated_at: Date.now() },
  };
  #revisions: Revision[] = [];
  #checkpoints: Checkpoint[] = [];
  #undo: Revision[] = [];
  #redo: Revision[] = [];
  #others: Tool[] = [];
  readonly #gone = new Set<string>();
  protected override readonly routes: Routes = {
    [`GET ${ROOT}/tools`]: () => listed(this.#there()),
    [`POST ${ROOT}/tools`]: ({ body }) => this.#create(body),
    [`GET ${TOOL}`]: (_, id) => this.#found(id),
    [`PUT ${TOOL}`]: ({ body }) => {
      this.#gate(body);
      return { revision_id: this.#put("hand", body.virtual_files as Partial<VirtualFiles>) };
    },
    [`PATCH ${TOOL}`]: ({ body }, id) => this.#rename(id, String(body.title)),
    [`DELETE ${TOOL}`]: (_, id) => {
      this.#gone.add(this.#found(id).tool_id);
      return null;
    },
    [`POST ${TOOL}/bring-back`]: (_, id) => {
      this.#gone.delete(id);
      return this.#found(id);
    },
    [`GET ${TOOL}/revisions`]: () => listed([...this.#revisions].reverse()),
    [`GET ${TOOL}/revisions/:revision`]: (_, _id, revision) => this.#revision(revision),
    [`POST ${TOOL}/(undo|redo)`]: ({ body }, _, step) => this.#step(step as "undo", body),
    [`POST ${TOOL}/restore`]: ({ body }) => this.#restore(body as Restored),
    [`GET ${TOOL}/checkpoints`]: () => this.#checkpoints,
    [`POST ${TOOL}/checkpoints`]: ({ body }) => this.#keep(String(body.title)),
    [`GET ${TOOL}/chat`]: () => ({ messages: this.messages }),
    [`DELETE ${TOOL}/chat`]: () => {
      this.messages = [];
      return null;
    },
    [`POST ${TOOL}/chat`]: ({ body }) => this.#chat(String(body.message)),
    [GENERATE]: ({ body, headers }) =>
      this.#generate(String(body.message), String(headers["x-correlation-id"])),
    [PREVIEW]: ({ body }) => look(body as unknown as PreviewRequest),
    [APPLY]: ({ body }) => this.#apply(body as unknown as ApplyRequest),
    [`POST ${ROOT}/edit-ops/discard`]: () => null,
  };

  constructor() {
    super();
    this.#put("hand", {});
  }

  /** A save by another tab or person. */
  saveElsewhere(changed: Partial<VirtualFiles>): void {
    this.#put("hand", changed);
  }

  /** Everything is answered so many ms later. */
  slow(late: number): void {
    this.pace = late;
    this.faults.set("*", [{ late }]);
  }

  #put(cause: Revision["cause"], changed: Partial<VirtualFiles>): string {
    const was = this.head.virtual_files;
    const changed_files = Object.keys(changed) as FileId[];
    const revision: Revision = {
      ...{ revision_id: `rev_${this.#revisions.length + 1}`, who: "user", at: Date.now(), cause },
      ...{ changed_files, virtual_files: { ...was, ...changed } },
      before: Object.fromEntries(changed_files.map((path) => [path, was[path]])),
    };
    this.#revisions.push(revision);
    if (cause === "apply") this.#undo.push(revision);
    if (cause !== "undo" && cause !== "redo") this.#redo = [];
    const { revision_id, virtual_files } = revision;
    const can = { can_undo: this.#undo.length > 0, can_redo: this.#redo.length > 0 };
    this.head = { ...this.head, revision_id, virtual_files, updated_at: Date.now(), ...can };
    return revision_id;
  }

  /** Nobody saved since what is changed was read. */
  #gate({ base_revision_id }: { base_revision_id?: unknown }): void {
    const { revision_id } = this.head;
    if (base_revision_id !== revision_id)
      throw new Refused({ status: 409, code: "CONFLICT", details: { revision_id } });
  }

  #there(): Tool[] {
    return [this.head, ...this.#others].filter((one) => !this.#gone.has(one.tool_id));
  }

  #found(id: string): Tool {
    const found = this.#there().find((one) => one.tool_id === id);
    if (!found) throw new Refused({ status: 404, code: "NOT_FOUND" });
    return found;
  }

  #create({ title, virtual_files = this.head.virtual_files }: Partial<Tool>): Tool {
    const tool_id = `t${this.#others.length + 2}`;
    const made = { ...this.head, tool_id, title: String(title), virtual_files };
    this.#others.push(made);
    return made;
  }

  #rename(id: string, title: string): Tool {
    const named = (one: Tool): Tool => (one.tool_id === id ? { ...one, title } : one);
    this.head = named(this.head);
    this.#others = this.#others.map(named);
    return this.#found(id);
  }

  #revision(id: string | undefined): Revision {
    const found = this.#revisions.find((one) => one.revision_id === id);
    if (!found) throw new Refused({ status: 404, code: "NOT_FOUND" });
    return found;
  }

  #step(step: "undo" | "redo", body: object): Tool {
    this.#gate(body);
    const [from, to] = step === "undo" ? [this.#undo, this.#redo] : [this.#redo, this.#undo];
    const revision = from.pop();
    if (!revision) throw new Refused({ status: 409, code: "NOT_FOUND" });
    to.push(revision);
    const { before, changed_files, virtual_files } = revision;
    const after = changed_files.map((path) => [path, virtual_files[path as FileId]]);
    this.#put(step, step === "undo" ? before : Object.fromEntries(after));
    return this.head;
  }

  #restore({ base_revision_id, revision_id, checkpoint_id }: Restored): Tool {
    this.#gate({ base_revision_id });
    const kept = this.#checkpoints.find((one) => one.checkpoint_id === checkpoint_id);
    this.#put("restore", this.#revision(revision_id ?? kept?.revision_id).virtual_files);
    return this.head;
  }

  #keep(title: string): Checkpoint {
    const checkpoint_id = `cp_${this.#checkpoints.length + 1}`;
    const { revision_id } = this.head;
    const made = { checkpoint_id, title, auto: false, revision_id, at: Date.now() };
    this.#checkpoints.push(made);
    return made;
  }

  #generate(message: string, correlation: string): object {
    const answer = this.answers.shift() ?? {
      outcome: "empty",
      assistant_message: "Nothing to change.",
    };
    // Where no model was asked, nothing is written.
    if (answer.enabled !== false) this.#say(message, answer.assistant_message ?? "", correlation);
    return {
      ...{ enabled: true, outcome: "ok", assistant_message: "", ops: [] },
      ...{ base_fingerprints: {}, repairs: [], ...answer },
    };
  }

  #say(you: string, assistant: string, correlation_id: string): void {
    const n = this.messages.length;
    const of = (role: "user" | "assistant", content: string) => ({
      ...{ message_id: `${n}${role}`, turn_id: `${n}`, role, content },
      ...{ created_at: Date.now(), status: "complete" as const, correlation_id },
    });
    this.messages.push(of("user", you), of("assistant", assistant));
  }

  /** Ends where nothing more is said, also without a last event. */
  #chat(message: string): Stream {
    const stream = new Stream("c");
    const left = this.said.shift() ?? [];
    let text = "";
    const next = (): void => {
      const said = left.shift();
      if (!said) {
        this.#say(message, text, crypto.randomUUID());
        stream.write("", true);
        return;
      }
      if (said.event === "delta") text += said.data.text;
      stream.tell(said.event, said.data);
      setTimeout(next, this.pace).unref();
    };
    next();
    return stream;
  }

  #apply(request: ApplyRequest): object {
    const fresh = this.#fresh(request);
    const { base_hash, patch_id, result_hash, confirm_token } = request;
    const refuses = (code: string): Refused => {
      const details = { reason: "base_changed", preview: fresh };
      return new Refused({ status: 409, code, details });
    };
    if (fresh.meta.base_hash !== base_hash) throw refuses("CONFLICT");
    if (!fresh.ok) return { ...fresh, applied: false };
    if (fresh.meta.patch_id !== patch_id || fresh.meta.result_hash !== result_hash)
      throw refuses("CONFLICT");
    if (fresh.verdict === "confirm" && fresh.meta.confirm_token !== confirm_token)
      throw refuses("CONFIRMATION_REQUIRED");
    const changed = fresh.changed_files.map((path) => [
      path,
      fresh.after_virtual_files[path as FileId],
    ]);
    const revision_id = this.#put("apply", Object.fromEntries(changed));
    return { ...fresh, applied: true, revision_id };
  }

  /** On the stored texts; where these do not have the changes that were chosen, all of it. */
  #fresh(request: ApplyRequest): Preview {
    const { virtual_files } = this.head;
    try {
      return look({ ...request, virtual_files });
    } catch {
      return look({ ...request, virtual_files, accept: undefined });
    }
  }
}

/** What a change comes to. */
function look(request: PreviewRequest): Preview {
  const { virtual_files, ops, accept, selection, cursor, active_file } = request;
  const placed = (selection ?? cursor) ? { active_file, selection, cursor } : {};
  try {
    const asked = { files: virtual_files, ops, accept, ...placed };
    return { ...core.call<Preview>("text.preview", asked), diagnostics: [] };
  } catch (error) {
    if (!(error instanceof CoreError)) throw error;
    throw new Refused({ ...error, status: 422, code: error.code, message: error.message });
  }
}
