// A revoked key ends what runs under it at its next call of a model (gateway.md §3 "Revocation").
import assert from "node:assert/strict";
import { test } from "node:test";
import { during } from "../during.ts";
import type { Budget, NewKey } from "./gateway.ts";
import { calls, chat, replies, startTalk, Talk } from "./talk.ts";
import { told } from "./upstream.ts";
import { eventually } from "./workerd.ts";

const talk = await during(startTalk({ MAX_OPEN_RUNS: "4" }));

/** Somebody whose key is revoked as soon as a call of theirs reaches the model. */
async function soon_gone(name: string) {
  const { admin_token } = talk.keys;
  const made = await talk.edge.ask<NewKey>("POST", "/gateway/v1/keys", {
    token: admin_token,
    body: { label: name, user_id: name, scopes: ["llm", "usage", "edit"] },
  });
  assert.equal(made.status, 201, made.raw);
  const own = new Talk(talk.edge, talk.upstream, { user_token: made.value.key, admin_token });
  const revoke = () =>
    talk.edge.ask("POST", `/gateway/v1/keys/${made.value.id}/revoke`, { token: admin_token });
  return { own, revoke };
}

const nothing_held = () =>
  eventually(async () => {
    const token = talk.keys.admin_token;
    const { value } = await talk.edge.ask<Budget>("GET", "/gateway/v1/budgets/dev-day", { token });
    return { ok: value.held === 0, value: value.held };
  });

test("a turn that calls tools ends at the call behind them", async () => {
  const { own, revoke } = await soon_gone("tools");
  const session = await own.session();
  const { made } = talk.script(
    async (call) => {
      await revoke();
      calls(call, { id: "t1", name: "builder.asset.read", args: { path: "assets/a.md" } });
    },
    (call) => replies(call, chat("Never asked.")),
  );
  const answer = await own.say(session, "Read it.");
  assert.ok(answer.status >= 400, answer.raw);
  assert.equal(made.length, 1);
  assert.doesNotMatch(answer.raw, /Never asked/);
  await nothing_held();
});

test("a call that is tried again is not tried for a revoked key", async () => {
  const { own, revoke } = await soon_gone("again");
  const { made } = talk.script(
    async (call) => {
      await revoke();
      told(call, 500, "{}");
    },
    (call) => replies(call, chat("Never asked.")),
  );
  const given = await talk.edge.ask("POST", "/v1/chat/completions", {
    token: own.keys.user_token,
    body: { model: "default", messages: [{ role: "user", content: "x" }] },
  });
  assert.deepEqual([given.status, given.value.error.code], [502, "UPSTREAM_ERROR"]);
  assert.equal(made.length, 1);
  await nothing_held();
});
