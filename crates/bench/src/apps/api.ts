// The routes of apps, as a client that measures asks them.

/** An event of a run, and the milliseconds from the request to it. */
export interface Told {
  ms: number;
  event: string;
  // biome-ignore lint/suspicious/noExplicitAny: the event says what it holds
  data: { stage: string; type?: string; data: any };
}

export interface App {
  id: string;
  catalog_version: string;
  current_draft_revision_id: string;
}

export interface Revision {
  id: string;
  entry_file: string;
  files: Record<string, string>;
}

interface Build {
  build_status: string;
  build_error: string | null;
}

interface Answer<T> {
  status: number;
  value: T;
  code: string | undefined;
}

/** How long a build may take, its first packages included. */
const BUILD_MS = 600_000;
const LOOK_MS = 20;

export class Api {
  readonly #origin: string;
  readonly #headers: Record<string, string>;

  constructor(origin: string, token: string) {
    this.#origin = `${origin}/admin/apps`;
    this.#headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  }

  #fetch(method: string, path: string, body?: unknown): Promise<Response> {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    return fetch(`${this.#origin}${path}`, { method, headers: this.#headers, ...sent });
  }

  async ask<T>(method: string, path: string, body?: unknown): Promise<Answer<T>> {
    const answer = await this.#fetch(method, path, body);
    const value = await answer.json();
    return { status: answer.status, value, code: value?.error?.code };
  }

  async good<T>(method: string, path: string, body?: unknown): Promise<T> {
    const { status, value } = await this.ask<T>(method, path, body);
    if (status === 200) return value;
    throw new Error(`${method} ${path}: ${status} ${JSON.stringify(value).slice(0, 2_000)}`);
  }

  /** The end of the build of a revision. */
  async built(app: string, revision: string): Promise<Build> {
    const until = performance.now() + BUILD_MS;
    while (performance.now() < until) {
      const build = await this.good<Build>(
        "GET",
        `/${app}/builder/revisions/${revision}/build`,
      );
      if (["succeeded", "failed"].includes(build.build_status)) return build;
      await new Promise((done) => setTimeout(done, LOOK_MS));
    }
    throw new Error(`the build of ${revision} does not end`);
  }

  /** The events of a stream, each when it came. */
  async stream(path: string, body: unknown): Promise<Told[]> {
    const from = performance.now();
    const answer = await this.#fetch("POST", path, body);
    if (answer.status !== 200 || !answer.body)
      throw new Error(`POST ${path}: ${answer.status} ${await answer.text()}`);
    const told: Told[] = [];
    let text = "";
    for await (const piece of answer.body.pipeThrough(new TextDecoderStream())) {
      const blocks = (text + piece).split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) {
        const [, event = "", data = ""] = /^event: (\w+)\ndata: (.*)$/m.exec(block) ?? [];
        if (event) told.push({ ms: performance.now() - from, event, data: JSON.parse(data) });
      }
    }
    return told;
  }
}
