// The script editor under test: an edge, a steered model, and the requests of a page.
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import {
  type ApplyAnswer,
  type ChatEvent,
  type ChatHistory,
  type ChatMessage,
  type Checkpoint,
  type EditOpsAnswer,
  FILES,
  type Page,
  type Preview,
  type Tool,
  type ToolItem,
  type ToolRevision,
  type ToolRevisionFiles,
  type VirtualFiles,
} from "@holdpoint/core/editor";
import type { LedgerRow } from "./gateway.ts";
import { type Call, chunk, done, finish, startUpstream, type Upstream, usage } from "./upstream.ts";
import { type Answer, type Asking, type Edge, type Keys, startEdge } from "./workerd.ts";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
export const sample = Object.fromEntries(
  FILES.map((path) => [path, readFileSync(join(root, "fixtures/tools/door-report", path), "utf8")]),
) as VirtualFiles;

export { FILES };

/** What an answer of the editor's routes may hold; which of it, the route says. */
export type Told = Tool &
  ToolRevisionFiles &
  Checkpoint &
  ChatHistory &
  ApplyAnswer &
  Page<ToolItem & ToolRevision & Checkpoint>;

type Play = (call: Call) => unknown;

/** A whole answer of the model as a stream. */
export function says(call: Call, text: string, reason = "stop"): void {
  call.head();
  for (let at = 0; at < text.length; at += 40) call.send(chunk(text.slice(at, at + 40)));
  call.send(finish.replace('"stop"', JSON.stringify(reason)) + usage(50, 20));
  call.end(done);
}

/** A proposal in the model's dialect. */
export const proposes = (message: unknown, ...ops: unknown[]): string =>
  JSON.stringify({ assistant_message: message, ops });
export const patch = (target_file: string, ...patch_lines: string[]) => ({
  op: "patch" as const,
  target_file,
  patch_lines,
});

/** A patch that fits the sample: the least width becomes `mm`. */
export const width = (mm: number) =>
  patch(
    "tool.py",
    "--- a/tool.py",
    "+++ b/tool.py",
    "@@ -48,4 +48,4 @@",
    " def run(settings, inputs):",
    '     """Makes the report. `settings` and `inputs` follow the two schemas."""',
    '-    minimum = settings.get("minimum_width_mm", 800)',
    `+    minimum = settings.get("minimum_width_mm", ${mm})`,
    '     doors = read_doors(inputs["doors_csv"])',
  );
/** A patch of a second file. */
export const entry = (name: string) =>
  patch(
    "entrypoint.txt",
    "--- a/entrypoint.txt",
    "+++ b/entrypoint.txt",
    "@@ -1 +1 @@",
    "-run",
    `+${name}`,
  );
/** A patch whose context is nearly right, so that a person must look. */
export const nearly = patch(
  "tool.py",
  "--- a/tool.py",
  "+++ b/tool.py",
  "@@ -29,4 +29,4 @@",
  " def by_storey(doors):",
  '     """Doors  grouped by storey, in the order in which storeys first appear."""',
  "-    groups = {}",
  "+    groups = dict()",
  "     for door in doors:",
);
/** A patch that fits nowhere. */
export const nowhere = patch(
  "tool.py",
  "--- a/tool.py",
  "+++ b/tool.py",
  "@@ -3,3 +3,3 @@",
  " import os",
  "-import sys",
  "+import re",
  " import json",
);

/** Beside the body: whose key, which correlation, other headers. */
export interface DeskAsking extends Omit<Asking, "body"> {
  id?: string;
}

type From = { sample?: string; virtual_files?: Partial<VirtualFiles> };

/** An edge with a steered model, and the requests of a page to it. */
export class Desk {
  readonly token: string;
  readonly admin: string;

  constructor(
    readonly edge: Edge,
    readonly upstream: Upstream,
    keys: Keys,
    /** Answers each model call; set it at any time. */
    public play: Play,
  ) {
    this.token = keys.user_token;
    this.admin = keys.admin_token;
  }

  /** A request to the editor's routes. */
  ask<T = Told>(
    method: string,
    path: string,
    body?: unknown,
    { token = this.token, id, headers = {}, ...rest }: DeskAsking = {},
  ): Promise<Answer<T>> {
    return this.edge.ask<T>(method, `/api/v1/editor${path}`, {
      token,
      body,
      headers: { ...(id ? { "x-correlation-id": id } : {}), ...headers },
      ...rest,
    });
  }

  async create(from: From = { sample: "door-report" }, title = "Doors"): Promise<Tool> {
    const made = await this.ask<Tool>("POST", "/tools", { title, ...from });
    if (made.status !== 201) throw new Error(`create: ${made.status} ${made.raw}`);
    return made.value;
  }

  edit(
    tool: Tool,
    message: string,
    more: object = {},
    options: DeskAsking = {},
  ): Promise<Answer<EditOpsAnswer>> {
    const { tool_id, virtual_files } = tool;
    const body = { tool_id, message, active_file: "tool.py", virtual_files, ...more };
    return this.ask("POST", "/edit-ops", body, options);
  }

  preview(
    tool: Tool,
    ops: unknown[],
    more: object = {},
    options: DeskAsking = {},
  ): Promise<Answer<Preview>> {
    const { tool_id, virtual_files } = tool;
    const body = { tool_id, active_file: "tool.py", virtual_files, ops, ...more };
    return this.ask("POST", "/edit-ops/preview", body, options);
  }

  /** The body of an apply that signs what a preview showed. */
  signed(tool: Tool, ops: unknown[], seen: Preview, more: object = {}) {
    return {
      tool_id: tool.tool_id,
      active_file: "tool.py",
      virtual_files: tool.virtual_files,
      ops,
      base_revision_id: tool.revision_id,
      base_hash: seen.meta.base_hash,
      patch_id: seen.meta.patch_id,
      result_hash: seen.meta.result_hash,
      ...(seen.meta.confirm_token ? { confirm_token: seen.meta.confirm_token } : {}),
      ...more,
    };
  }

  async apply(
    tool: Tool,
    ops: unknown[],
    more: object = {},
    options: DeskAsking = {},
  ): Promise<Answer<ApplyAnswer>> {
    const seen = await this.preview(tool, ops, {}, options);
    const body = this.signed(tool, ops, seen.value, more);
    return this.ask("POST", "/edit-ops/apply", body, options);
  }

  async tool({ tool_id }: { tool_id: string }): Promise<Tool> {
    return (await this.ask<Tool>("GET", `/tools/${tool_id}`)).value;
  }

  async thread({ tool_id }: { tool_id: string }): Promise<ChatMessage[]> {
    return (await this.ask<ChatHistory>("GET", `/tools/${tool_id}/chat`)).value.messages;
  }

  /** The causes of a script's revisions, newest first. */
  async causes({ tool_id }: { tool_id: string }): Promise<ToolRevision["cause"][]> {
    const { value } = await this.ask<Page<ToolRevision>>("GET", `/tools/${tool_id}/revisions`);
    return value.items.map((revision) => revision.cause);
  }

  async ledger(): Promise<LedgerRow[]> {
    const asked = { token: this.admin };
    const { value } = await this.edge.ask<Page<LedgerRow>>("GET", "/gateway/v1/ledger", asked);
    return value.items;
  }

  async stop(): Promise<void> {
    await this.edge.stop();
    await this.upstream.stop();
  }
}

/**
 * An edge with a steered model: `play(call)` answers each model call. Without it nothing answers; the scripted provider
 * is not there either.
 */
export async function startDesk({
  variables = {},
  play = () => {},
}: {
  variables?: Record<string, string>;
  play?: Play;
} = {}): Promise<Desk> {
  const upstream = await startUpstream((call) => desk.play(call));
  const edge = await startEdge({ variables: { UPSTREAM_BASE_URL: upstream.url, ...variables } });
  const desk = new Desk(edge, upstream, await edge.keys(), play);
  return desk;
}

/** What an answer says went wrong, and at which place of the body. */
export const code = (answer: Answer) => [answer.status, answer.value?.error?.code];
export const at = (answer: Answer) => [...code(answer), answer.value?.error?.details?.pointer];
/** A member of the wrong shape, as `at` shows it. */
export const invalid = (pointer: string) => [422, "INVALID_INPUT", pointer];

/** A key of another user of the same account, or of the same user with other scopes. */
export async function otherUser(
  desk: Desk,
  user_id = "bob",
  scopes = ["llm", "usage", "edit"],
): Promise<string> {
  const body = { label: user_id, user_id, scopes };
  const made = await desk.edge.ask<{ key: string }>("POST", "/gateway/v1/keys", {
    token: desk.admin,
    body,
  });
  if (made.status !== 201 && made.status !== 200)
    throw new Error(`key: ${made.status} ${made.raw}`);
  return made.value.key;
}

/** An event of a chat stream; which data it has its name says. */
export interface Heard {
  event: ChatEvent["event"];
  data: {
    enabled: boolean;
    text: string;
    reason: string;
    message: string;
    code: string;
    variant: string;
    correlation_id: string;
    turn_id: string;
    assistant_message_id: string;
  };
}

/** The events of a chat stream as they stand. */
export function events(raw: string): Heard[] {
  return raw
    .split("\n\n")
    .filter((block) => block.startsWith("event: "))
    .map((block) => {
      const [, event, data = ""] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? [];
      return { event, data: JSON.parse(data) } as Heard;
    });
}

export const uuid = (): string => randomUUID();
