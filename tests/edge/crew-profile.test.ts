// The routes of a user's own model: what may stand in a profile, whose it is, what a call would use
// (ai-sessions.md §3, §8).
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { during } from "../during.ts";
import {
  own,
  PLAIN,
  type Profile,
  save,
  secrets,
  show,
  startOwn,
  tryOut,
  userKey,
} from "./profile.ts";
import { startEdge } from "./workerd.ts";

const URL_OK = "https://llm.example.com/v1";

const edge = await during(startEdge({ variables: secrets("k1") }));
const keys = await edge.keys();

const unset = {
  provider: "disabled",
  baseUrl: null,
  model: null,
  apiKeyMasked: null,
  apiKeyOrigin: null,
  timeoutSeconds: 60,
  contextWindow: null,
  healthStatus: "unknown",
  lastTestedAt: null,
  savedAt: null,
};
const plain = ({ effectiveAvailability, resolution, ...rest }: Profile) => rest;

test("the first look makes a profile that is nobody's choice", async () => {
  const ann = await userKey(edge, keys, "first");
  for (const _ of [1, 2]) {
    const { status, headers, value } = await show(edge, ann);
    assert.equal(status, 200);
    assert.match(headers.get("x-request-id") ?? "", /^req_/);
    assert.equal(value.error, null);
    assert.deepEqual(plain(value.data), unset);
    assert.equal(value.data.effectiveAvailability.code, "OK");
    assert.deepEqual(value.data.resolution, {
      policy: "allow-all",
      profile: "off",
      system: "used",
      systemModel: "Scripted model",
    });
  }
});

test("a saved profile comes back without its key, and to its user only", async () => {
  const [ann, bob] = [await userKey(edge, keys, "ann"), await userKey(edge, keys, "bob")];
  const saved = await save(edge, ann, own(URL_OK, { timeoutSeconds: 9, contextWindow: 16_000 }));
  assert.equal(saved.status, 200, saved.raw);
  assert.deepEqual(
    { ...plain(saved.value.data), savedAt: null },
    {
      ...unset,
      provider: "openai-compatible",
      baseUrl: URL_OK,
      model: "writer-large",
      apiKeyMasked: "sk-***4b7e",
      apiKeyOrigin: "https://llm.example.com",
      timeoutSeconds: 9,
      contextWindow: 16_000,
    },
  );
  assert.match(saved.value.data.savedAt ?? "", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  assert.equal(saved.value.data.resolution.profile, "used");
  assert.deepEqual((await show(edge, ann)).value.data, saved.value.data);
  assert.ok(!saved.raw.includes(PLAIN) && !saved.raw.includes("SECRETWORD"));
  assert.deepEqual(plain((await show(edge, bob)).value.data), unset);
});

test("each member is refused with its code, and nothing is stored", async () => {
  const token = await userKey(edge, keys, "members");
  assert.equal((await save(edge, token, own(URL_OK))).status, 200);
  const before = await show(edge, token);
  const rows: [object, string, string][] = [
    [{ provider: "openai" }, "LLM_PROFILE_INVALID_PROVIDER", "/provider"],
    [{ provider: undefined }, "LLM_PROFILE_INVALID_PROVIDER", "/provider"],
    [{ baseUrl: undefined }, "LLM_PROFILE_MISSING_BASE_URL", "/baseUrl"],
    [{ baseUrl: "" }, "LLM_PROFILE_MISSING_BASE_URL", "/baseUrl"],
    [{ baseUrl: `${URL_OK}/${"a".repeat(500)}` }, "LLM_PROFILE_INVALID_BASE_URL", "/baseUrl"],
    [{ baseUrl: 5 }, "LLM_PROFILE_INVALID_BASE_URL", "/baseUrl"],
    [{ model: undefined }, "LLM_PROFILE_MISSING_MODEL", "/model"],
    [{ model: "m".repeat(201) }, "LLM_PROFILE_MISSING_MODEL", "/model"],
    [{ apiKey: "sk-***4b7e" }, "LLM_PROFILE_INVALID_API_KEY", "/apiKey"],
    [{ apiKey: "sk-ö" }, "LLM_PROFILE_INVALID_API_KEY", "/apiKey"],
    [{ apiKey: "k".repeat(1_001) }, "LLM_PROFILE_INVALID_API_KEY", "/apiKey"],
    [{ apiKey: {} }, "LLM_PROFILE_INVALID_API_KEY", "/apiKey"],
    [{ timeoutSeconds: "60" }, "LLM_PROFILE_INVALID_TIMEOUT", "/timeoutSeconds"],
    [{ timeoutSeconds: 0 }, "LLM_PROFILE_INVALID_TIMEOUT", "/timeoutSeconds"],
    [{ timeoutSeconds: 601 }, "LLM_PROFILE_INVALID_TIMEOUT", "/timeoutSeconds"],
    [{ contextWindow: 1_023 }, "LLM_PROFILE_INVALID_CONTEXT_WINDOW", "/contextWindow"],
    [{ contextWindow: 10_000_001 }, "LLM_PROFILE_INVALID_CONTEXT_WINDOW", "/contextWindow"],
  ];
  for (const [change, code, pointer] of rows) {
    const { status, value, raw } = await save(edge, token, own(URL_OK, change));
    assert.deepEqual([status, value.error?.code], [400, code], raw);
    assert.equal(value.data, null);
    assert.equal(value.error.details?.pointer, pointer, raw);
    assert.ok(!raw.includes("SECRETWORD"), raw);
  }
  assert.deepEqual((await show(edge, token)).value.data, before.value.data);
});

test("a body that is no profile is refused as everywhere", async () => {
  const token = await userKey(edge, keys, "bodies");
  for (const [body, status, code] of [
    ["{", 422, "INVALID_INPUT"],
    ["[]", 422, "INVALID_INPUT"],
    ['{"provider":"disabled","provider":"disabled"}', 422, "INVALID_INPUT"],
    [`{"provider":"${"d".repeat(5 << 20)}"}`, 413, "INPUT_TOO_LARGE"],
  ] as const) {
    const answer = await save(edge, token, body);
    assert.deepEqual([answer.status, answer.value.error?.code], [status, code], answer.raw);
  }
  const nobody = await edge.ask<{ data: null }>("GET", "/users/me/llm-profile");
  assert.deepEqual([nobody.status, nobody.value.error.code], [401, "AUTH_MISSING_TOKEN"]);
  const stranger = await edge.ask("GET", "/users/ann/llm-profile", { token });
  assert.equal(stranger.status, 404);
});

test("a refusal is said in its reader's language", async () => {
  const token = await userKey(edge, keys, "reader");
  const body = { provider: "openai" };
  const told = await edge.ask<{ data: null }>("PUT", "/users/me/llm-profile", {
    token,
    body,
    headers: { "accept-language": "sv-SE, en;q=0.5" },
  });
  assert.equal(
    told.value.error.message,
    "Välj `openai-compatible`, `system` eller `disabled` som leverantör.",
  );
  const shown = await show(edge, token, { headers: { "accept-language": "sv" } });
  const { effectiveAvailability, resolution } = shown.value.data;
  assert.equal(
    effectiveAvailability.message,
    `Holdpoints modell används: ${resolution.systemModel}.`,
  );
});

interface Case {
  id: string;
  method: string;
  input: {
    url: string;
    allow_http?: boolean;
    allow_private?: boolean;
    allow_origins?: string[];
    own_hosts?: string[];
    resolved?: string[];
  };
  expect: { ok: boolean; code?: string; normalized?: string };
}
const CORPUS = fileURLToPath(new URL("../corpus/gateway.jsonl", import.meta.url));
/** Cases that a route can show: what a deployment lists itself, and what a name resolves to, no request can say. */
const addresses = readFileSync(CORPUS, "utf8")
  .split("\n")
  .filter((line) => line.includes('"url.check"'))
  .map((line) => JSON.parse(line) as Case)
  .filter(({ input }) => !(input.allow_origins ?? input.own_hosts ?? input.resolved));

for (const open of [false, true]) {
  test(`every address of the corpus is judged at the save${open ? ", in development" : ""}`, async () => {
    const at = open ? await startOwn(secrets("k1")) : edge;
    const token = await userKey(at, await at.keys(), "addresses");
    let seen = 0;
    for (const { id, input, expect } of addresses) {
      if ((input.allow_private ?? false) !== open) continue;
      seen += 1;
      const { status, value, raw } = await save(at, token, own(input.url));
      if (expect.ok) {
        assert.deepEqual([status, value.data?.baseUrl], [200, expect.normalized], `${id} ${raw}`);
      } else {
        const told = [status, value.error?.code, value.error?.details?.code];
        assert.deepEqual(told, [400, "LLM_PROFILE_INVALID_BASE_URL", expect.code], `${id} ${raw}`);
        const tried = await tryOut(at, token, { body: own(input.url) });
        if (tried.status === 429) continue;
        assert.deepEqual(
          [tried.status, tried.value.data.ok, tried.value.data.code],
          [200, false, "LLM_PROFILE_INVALID_BASE_URL"],
          `${id} ${tried.raw}`,
        );
      }
    }
    assert.ok(seen >= (open ? 3 : 15), `${seen} cases`);
    if (open) await at.stop();
  });
}

test("our own name is no provider", async () => {
  const named = await startEdge({
    variables: {
      ...secrets("k1"),
      OWN_HOSTS: "desk.example.com",
      PREVIEW_ORIGIN: "https://{app}.apps.example.com",
    },
  });
  try {
    const token = await userKey(named, await named.keys(), "self");
    for (const url of ["https://Desk.example.com/v1", "https://one.apps.example.com"]) {
      const { status, value } = await save(named, token, own(url));
      assert.deepEqual([status, value.error?.details?.code], [400, "URL_SELF"], url);
    }
  } finally {
    await named.stop();
  }
});

test("another origin asks for its own key", async () => {
  const token = await userKey(edge, keys, "mover");
  assert.equal((await save(edge, token, own(URL_OK))).status, 200);
  const keep = { apiKey: undefined };
  for (const url of ["https://other.example.com/v1", "https://llm.example.com:8443/v1"]) {
    const { status, value } = await save(edge, token, own(url, keep));
    assert.deepEqual([status, value.error?.code], [400, "LLM_PROFILE_API_KEY_REQUIRED"]);
    assert.match(value.error.message, /llm\.example\.com/);
  }
  assert.equal((await show(edge, token)).value.data.baseUrl, URL_OK, "nothing moved");
  const path = await save(edge, token, own("https://llm.example.com/other", keep));
  assert.equal(path.value.data.apiKeyMasked, "sk-***4b7e");
  // Switched off and emptied, then on again elsewhere: the key stays with its origin.
  assert.equal((await save(edge, token, { provider: "disabled" })).status, 200);
  const back = await save(edge, token, own("https://other.example.com/v1", keep));
  assert.equal(back.value.error?.code, "LLM_PROFILE_API_KEY_REQUIRED");
  const cleared = await save(edge, token, own("https://other.example.com/v1", { apiKey: null }));
  assert.deepEqual([cleared.status, cleared.value.data.apiKeyMasked], [200, null]);
});

test("an organisation that allows nothing blocks saves and calls, and lets one switch off", async () => {
  const closed = await startEdge({
    variables: { ...secrets("k1"), LLM_ORG_POLICY_MODE: "disable-all" },
  });
  try {
    const token = await userKey(closed, await closed.keys(), "blocked");
    const refused = await save(closed, token, own(URL_OK));
    assert.deepEqual(
      [refused.status, refused.value.error?.code],
      [403, "LLM_PROFILE_ORG_POLICY_BLOCKED"],
    );
    const shown = (await show(closed, token)).value.data;
    assert.deepEqual(plain(shown), unset);
    assert.equal(shown.effectiveAvailability.code, "LLM_PROFILE_ORG_POLICY_BLOCKED");
    assert.equal(shown.effectiveAvailability.available, false);
    assert.deepEqual(
      [shown.resolution.policy, shown.resolution.system],
      ["disable-all", "blocked"],
    );
    const tried = (await tryOut(closed, token, { body: own(URL_OK) })).value.data;
    assert.deepEqual([tried.ok, tried.code], [false, "LLM_PROFILE_ORG_POLICY_BLOCKED"]);
    assert.ok(tried.hints.length > 0);
    const theirs = await save(closed, token, { provider: "system" });
    assert.deepEqual(
      [theirs.status, theirs.value.error?.code],
      [403, "LLM_PROFILE_ORG_POLICY_BLOCKED"],
    );
    const off = await save(closed, token, { provider: "disabled" });
    assert.deepEqual([off.status, off.value.data.effectiveAvailability.code], [200, "AI_DISABLED"]);
  } finally {
    await closed.stop();
  }
});

test("the middle policy allows both, and a word that is none allows nothing", async () => {
  for (const [mode, status] of [
    ["allow-openai-compatible-only", 200],
    ["alow-all", 403],
  ] as const) {
    const at = await startEdge({ variables: { ...secrets("k1"), LLM_ORG_POLICY_MODE: mode } });
    try {
      const token = await userKey(at, await at.keys(), "mode");
      assert.equal((await save(at, token, own(URL_OK))).status, status, mode);
      assert.equal((await save(at, token, { provider: "disabled" })).status, 200, mode);
    } finally {
      await at.stop();
    }
  }
});

test("without a model of the platform nothing is resolved", async () => {
  const narrow = await userKey(edge, keys, "narrow", { models: ["other-*"] });
  const shown = (await show(edge, narrow)).value.data;
  assert.deepEqual(
    [shown.effectiveAvailability.code, shown.resolution.system, shown.resolution.systemModel],
    ["AI_DISABLED", "off", null],
  );
  const bare = await startEdge({ variables: { LLM_SYSTEM_DEFAULT: "off" } });
  try {
    const token = await userKey(bare, await bare.keys(), "bare");
    assert.equal((await show(bare, token)).value.data.effectiveAvailability.code, "AI_DISABLED");
    const chosen = (await save(bare, token, { provider: "system" })).value.data;
    assert.deepEqual(
      [chosen.provider, chosen.effectiveAvailability.code, chosen.resolution.system],
      ["system", "AI_DISABLED", "off"],
    );
    assert.match(chosen.effectiveAvailability.message, /Holdpoint offers no model here/);
  } finally {
    await bare.stop();
  }
});
