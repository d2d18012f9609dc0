// Which model writes apps: the one that the deployment names, and none where it names one that is not there
// (app-builder.md §15).
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { heard, Maker, whole } from "./apps.ts";
import { speaks } from "./talk.ts";
import { startUpstream, type Upstream } from "./upstream.ts";
import { type Edge, startEdge } from "./workerd.ts";

let says = "It is in src/App.tsx.";
let upstream: Upstream;
let edge: Edge | undefined;

const row = (model: string) => ({
  ...{ provider: "p", model, version: 1, context_window: 200_000, max_output: 8_000 },
  ...{ image_tokens_max: 1_600, document_tokens_max: 5_000, audio_tokens_max: 2_000 },
  price: { input: 1_000_000, output: 1_000_000 },
});
const model = (alias: string, name: string) => ({
  ...{ alias, display: `The ${name}` },
  candidates: [{ provider: "p", model: name }],
});

before(async () => {
  upstream = await startUpstream((call) => speaks(call, says));
});
after(async () => {
  await edge?.stop();
  await upstream?.stop();
});

/** An edge whose model is this one, and a user of it. */
async function started(name: string, variables: Record<string, string> = {}): Promise<Maker> {
  await edge?.stop();
  const GATEWAY_CONFIG = JSON.stringify({
    providers: [{ id: "p", kind: "openai", base_url: upstream.url }],
    models: [model("default", "plain-1"), model("builder", "strong-1")],
    prices: [row("plain-1"), row("strong-1")],
  });
  edge = await startEdge({ variables: { GATEWAY_CONFIG, BUILDER_MODEL_NAME: name, ...variables } });
  upstream.calls.length = 0;
  return new Maker(edge, (await edge.keys()).user_token);
}

/** What a question comes to where apps are written by this model. */
async function asked(name: string) {
  const ada = await started(name);
  const app = await ada.make("Whose");
  return ada.ask("POST", `/${app.id}/builder/chat/stream`, {
    ...{ input: "Where is the heading?", mode: "answer" },
    base_revision_id: app.current_draft_revision_id,
  });
}

for (const [named, called] of [
  ["builder", "strong-1"],
  ["", "plain-1"],
] as const)
  test(`apps are written by the model of "${named}"`, async () => {
    const events = heard((await asked(named)).raw);
    const { outcome, usage } = whole(events).data;
    assert.equal(outcome, "answered");
    // 100 tokens in and 20 out, a unit of money a million of them.
    assert.equal(usage?.cost_micros, 120);
    const told = { model: "", ...events[0]?.data };
    assert.equal(told.model, named || "default");
    assert.deepEqual(
      upstream.calls.map(({ body }) => (body as { model?: string }).model),
      [called],
    );
  });

test("a model that is named and not there is none, and nothing is sent", async () => {
  const answer = await asked("nobodys");
  assert.deepEqual([answer.status, answer.value.error.code], [503, "MODEL_UNAVAILABLE"]);
  assert.equal(upstream.calls.length, 0);
});

test("without the loop a model is sent no tools, and its one answer is a proposal", async () => {
  const operations = [{ op: "upsert_file", path: "src/new.ts", content: "export {};\n" }];
  says = JSON.stringify({ operations, summary: "A file." });
  const ada = await started("", { BUILDER_AGENTIC_LOOP_ENABLED: "0" });
  const app = await ada.make("Once");
  const answer = await ada.ask("POST", `/${app.id}/builder/chat/stream`, {
    input: "Add a file.",
    base_revision_id: app.current_draft_revision_id,
  });
  const { outcome, proposal_id } = whole(heard(answer.raw)).data;
  assert.equal(outcome, "unverified", "nothing was built");
  assert.equal(upstream.calls.length, 1);
  assert.equal((upstream.calls[0]?.body as { tools?: unknown } | undefined)?.tools, undefined);
  const { files } = await ada.good("GET", `/${app.id}/builder/proposals/${proposal_id}`);
  assert.deepEqual(
    files.map((file: { path: string }) => file.path),
    ["src/new.ts"],
  );
});
