// Captures of calls: what failed, or everything in development, without secrets, for a while, and never by itself
// (gateway.md §13 "Capture").
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { during } from "../during.ts";
import { answer, type Call, play, startUpstream } from "./upstream.ts";
import { type Answer, type Edge, eventually, startEdge } from "./workerd.ts";

const KEY = "own-upstream-key-4b7e9d";
const PLANTED = "sk-planted-0123456789abcdef";

let plays: (call: Call) => unknown = () => {};

const upstream = await during(startUpstream((call) => plays(call)));

interface Captured {
  version: number;
  request_id: string;
  model: string;
  outcome: string;
  status: number;
  request: { messages: { content: string }[] };
  answer: unknown;
}

/** An edge with these variables, ended behind the work. */
async function within(variables: Record<string, string>, work: (edge: Edge) => Promise<void>) {
  const edge = await startEdge({
    variables: { UPSTREAM_BASE_URL: upstream.url, UPSTREAM_KEY: KEY, ...variables },
  });
  try {
    await work(edge);
  } finally {
    await edge.stop();
  }
}

async function asks(edge: Edge, more: object = {}): Promise<Answer> {
  const { user_token: token } = await edge.keys();
  const messages = [{ role: "user", content: `My key is ${PLANTED}.` }];
  const body = { model: "default", max_tokens: 40, messages, ...more };
  return edge.ask("POST", "/v1/chat/completions", { token, body });
}

const folder = (edge: Edge) => join(edge.dir, "artifacts/captures");
const kept = (edge: Edge): string[] =>
  existsSync(folder(edge))
    ? readdirSync(folder(edge), { recursive: true, encoding: "utf8" }).filter((name) =>
        name.endsWith(".json"),
      )
    : [];
/** What was captured of a call, once it is there. */
const captured = (edge: Edge, { headers }: Answer): Promise<Captured> => {
  const id = headers.get("x-request-id") ?? "";
  return eventually(() => {
    const name = kept(edge).find((one) => one.endsWith(`${id}.json`));
    const text = name ? readFileSync(join(folder(edge), name), "utf8") : "";
    assert.ok(!text.includes(PLANTED) && !text.includes(KEY), text);
    if (!name || text === "") return { ok: false };
    assert.match(name, /^20\d\d-\d\d-\d\d\/req_\w+\.json$/);
    return { ok: true, value: JSON.parse(text) as Captured };
  });
};

test("a call that failed is captured without secrets, one that did not is not", () =>
  within({ CAPTURE_MODE: "errors" }, async (edge) => {
    plays = (call) => answer(call, "fine");
    assert.equal((await asks(edge)).status, 200);
    plays = (call) => {
      call.head(400, { "content-type": "application/json" });
      call.end(JSON.stringify({ error: { message: `Bad, says ${KEY}.` } }));
    };
    const refused = await asks(edge);
    assert.equal(refused.status, 400);
    const found = await captured(edge, refused);
    assert.deepEqual(
      [found.version, found.request_id, found.outcome, found.status],
      [1, refused.headers.get("x-request-id"), "released", 400],
    );
    assert.equal(found.request.messages[0]?.content, "My key is ***REDACTED***.");
    assert.deepEqual(found.answer, { error: { message: "Bad, says ***REDACTED***." } });
    plays = (call) => call.cut();
    const cut = await asks(edge);
    assert.equal((await captured(edge, cut)).outcome, "upstream_error");
    assert.equal(kept(edge).length, 2);
  }));

test("in development all calls are captured where that is said, also streams", () =>
  within({ CAPTURE_MODE: "all" }, async (edge) => {
    plays = (call) => (call.body.stream ? play(call, ["fi", "ne"]) : answer(call, "fine"));
    assert.match(JSON.stringify((await captured(edge, await asks(edge))).answer), /"fine"/);
    const { answer: streamed, outcome } = await captured(edge, await asks(edge, { stream: true }));
    assert.equal(outcome, "ok");
    assert.match(String(streamed), /"fi".*"ne".*\[DONE\]/s);
  }));

test("captures go when their time is over, and nothing serves them before", () =>
  within({ CAPTURE_MODE: "errors", CAPTURE_TTL_MS: "900" }, async (edge) => {
    plays = (call) => call.cut();
    const failed = await asks(edge);
    await captured(edge, failed);
    const [name] = kept(edge);
    const { status } = await edge.ask("GET", `/captures/${name}`);
    assert.equal(status, 404);
    await eventually(() => ({ ok: kept(edge).length === 0, value: kept(edge) }));
  }));

test("without a word nothing is captured, and in production never everything", async () => {
  plays = (call) => call.cut();
  await within({}, async (edge) => {
    assert.equal((await asks(edge)).status, 502);
    assert.deepEqual(kept(edge), []);
  });
  const secret = "a-secret-of-thirty-two-characters";
  const first = { FIRST_ACCOUNT: "org:acme", FIRST_ACCOUNT_SECRET: secret };
  const variables = { ENVIRONMENT: "production", CAPTURE_MODE: "all", ALLOW_NO_BUDGET: "1" };
  await within({ ...variables, ...first }, async (edge) => {
    const made = await edge.ask<{ key: { key: string } }>("POST", "/gateway/v1/accounts", {
      token: secret,
    });
    const body = { model: "default", max_tokens: 9, messages: [{ role: "user", content: "x" }] };
    const token = made.value.key.key;
    const failed = await edge.ask("POST", "/v1/chat/completions", { token, body });
    assert.equal(failed.status, 502, failed.raw);
    assert.deepEqual(kept(edge), []);
  });
});
