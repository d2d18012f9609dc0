// Apps under test: an edge with a build runner, a user, and what is asked of the origin of built apps.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { get } from "node:http";
import { dirname, join, resolve } from "node:path";
import { after, before } from "node:test";
import { fileURLToPath } from "node:url";
import { freePort } from "../ports.ts";
import type { NewKey } from "./gateway.ts";
import { type Answer, type Edge, eventually, startEdge } from "./workerd.ts";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const PROGRAM = process.env.HOLDPOINT ?? join(root, "target/debug/holdpoint");

/** What tests look into of an app. */
export interface App {
  id: string;
  tenant_id: string;
  slug: string;
  status: string;
  current_draft_revision_id: string;
  current_published_revision_id: string | null;
  published_url: string | null;
  settings: { save_gate: string };
}

export interface Version {
  id: string;
  number: number;
  entry_file: string;
  files_hash: string;
  origin_kind: string;
  source_revision_id: string | null;
  build_status: string | null;
  files?: Record<string, string>;
  noop: boolean;
  merged: boolean;
  verified: boolean;
}

export interface BuildState {
  build_status: string;
  build_seq: number;
  build_error_code: string | null;
  dist_manifest: { assets: { path: string; sha256: string; content_type: string }[] } | null;
  log_tail: string;
}

export interface Served {
  status: number;
  headers: NodeJS.Dict<string | string[]>;
  body: string;
}

/** What a read of an address answers, whatever name its host has. */
export function fetched(url: string, headers: Record<string, string> = {}): Promise<Served> {
  const { host, port, pathname, search } = new URL(url);
  const options = {
    host: "127.0.0.1",
    port,
    path: pathname + search,
    headers: { ...headers, host },
  };
  return new Promise((done, failed) => {
    const request = get(options, (answer) => {
      let body = "";
      answer.setEncoding("utf8");
      answer.on("data", (text: string) => {
        body += text;
      });
      answer.once("end", () =>
        done({ status: answer.statusCode ?? 0, headers: answer.headers, body }),
      );
    });
    request.once("error", failed);
  });
}

/** A person who makes apps. */
export class Maker {
  readonly edge: Edge;
  readonly token: string;

  constructor(edge: Edge, token: string) {
    this.edge = edge;
    this.token = token;
  }

  // biome-ignore lint/suspicious/noExplicitAny: what an answer holds, its route says
  ask<T = any>(method: string, path: string, body?: unknown, headers = {}): Promise<Answer<T>> {
    return this.edge.ask<T>(method, `/admin/apps${path}`, { token: this.token, body, headers });
  }

  // biome-ignore lint/suspicious/noExplicitAny: as above
  async good<T = any>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await this.ask<T>(method, path, body);
    assert.equal(answer.status, 200, `${method} ${path}: ${answer.raw.slice(0, 2_000)}`);
    return answer.value;
  }

  /** Status and code of a refusal. */
  async refused(method: string, path: string, body?: unknown): Promise<[number, string]> {
    const answer = await this.ask(method, path, body);
    return [answer.status, answer.value?.error?.code];
  }

  make(name: string, more: object = {}): Promise<App> {
    return this.good<App>("POST", "", { name, template_key: "blank-react", ...more });
  }

  show(id: string): Promise<App> {
    return this.good<App>("GET", `/${id}`);
  }

  /** The end of the build of a revision. */
  built(id: string, revision: string): Promise<BuildState> {
    const path = `/${id}/builder/revisions/${revision}/build`;
    return eventually(
      async () => {
        const value = await this.good<BuildState>("GET", path);
        return { ok: ["succeeded", "failed"].includes(value.build_status), value };
      },
      { ms: 120_000, every: 100 },
    );
  }
}

/**
 * For the top of a test file: gives somebody at an edge with a build runner, whose model answers by the transcripts of
 * apps; all ends with the file.
 */
export function atScriptedEdge(gives: (maker: Maker) => void): void {
  let stop: (() => Promise<void>) | undefined;
  before(async () => {
    const started = await scriptedEdge();
    stop = started.stop;
    gives(new Maker(started.edge, (await started.edge.keys()).user_token));
  });
  after(() => stop?.());
}

async function scriptedEdge(): Promise<{ edge: Edge; stop: () => Promise<void> }> {
  const port = await freePort();
  const transcripts = join(root, "fixtures/transcripts/apps");
  const options = ["provider", "--transcripts", transcripts, "--port", String(port)];
  const provider = spawn(PROGRAM, options, { stdio: "ignore" });
  const url = `http://127.0.0.1:${port}`;
  const answers = () =>
    fetch(`${url}/__scripted/log`).then(
      (got) => got.ok,
      () => false,
    );
  await eventually(async () => ({ ok: await answers() }));
  const edge = await startEdge({ runner: true, variables: { UPSTREAM_BASE_URL: `${url}/v1` } });
  const stop = async () => {
    await edge.stop();
    provider.kill();
  };
  return { edge, stop };
}

/** What a person signs of a proposal. */
export interface Signable {
  base_revision_id: string;
  base_hash: string;
  patch_id: string;
  result_hash: string;
}

export const signed = ({ base_revision_id, base_hash, patch_id, result_hash }: Signable) => ({
  base_revision_id,
  base_hash,
  patch_id,
  result_hash,
});

/** A user with a key of their own. */
export async function maker(edge: Edge, user: string): Promise<Maker> {
  const { admin_token: token } = await edge.keys();
  const body = { user_id: user, label: user, scopes: ["llm", "edit"] };
  const made = await edge.ask<NewKey>("POST", "/gateway/v1/keys", { token, body });
  assert.equal(made.status, 201, made.raw);
  return new Maker(edge, made.value.key);
}

/** An event of a run. */
export interface Envelope {
  event: string;
  stage: string;
  request_id: string;
  seq: number;
  ts: string;
  type?: string;
  data: {
    tool?: string;
    status?: string;
    title?: string;
    content?: string;
    outcome?: string;
    code?: string;
    proposal_id?: string;
    thread_id?: string;
    summary?: string;
    verified?: Record<string, boolean>;
    usage?: { input_tokens: number; cost_micros?: number };
  };
  diagnostics?: { code: string }[];
}

/** The events of a stream; each is one frame with an id of its own. */
export function heard(raw: string): Envelope[] {
  return raw
    .split("\n\n")
    .filter((block) => block.startsWith("id: "))
    .map((block) => {
      const [, id, event, data = ""] = /^id: (\S+)\nevent: (\w+)\ndata: (.*)$/.exec(block) ?? [];
      const envelope = JSON.parse(data) as Envelope;
      assert.equal(id, `${envelope.request_id}:${envelope.seq}`);
      assert.equal(event, envelope.event);
      return envelope;
    });
}

/** What holds of every stream: numbers without a gap, and one `done`, last. */
export function whole(events: Envelope[]): Envelope {
  assert.deepEqual(
    events.map((event) => event.seq),
    events.map((_, at) => at + 1),
  );
  const ends = events.filter((event) => event.type === "done");
  assert.equal(ends.length, 1);
  const last = events.at(-1);
  assert.ok(last);
  assert.equal(last.event, "done");
  return last;
}
