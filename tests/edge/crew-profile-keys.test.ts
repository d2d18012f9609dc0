// A user's key at rest: nowhere to be read, sealed anew when its key is old, and of no use without an active one
// (ai-sessions.md §8 "Key", gateway.md §10).
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { during } from "../during.ts";
import { own, PLAIN, save, secrets, show, startOwn, tryOut, userKey } from "./profile.ts";
import { answer, last, startUpstream, told } from "./upstream.ts";
import type { Edge } from "./workerd.ts";

let refuses = false;
const server = await during(
  startUpstream((call) =>
    refuses ? told(call, 401, `{"error":{"message":"not ${PLAIN}"}}`) : answer(call, "ok"),
  ),
);

/** Every file of the objects, also those that SQLite keeps beside its databases. */
function stored(edge: Edge): [string, Buffer][] {
  const dir = join(edge.dir, "objects");
  const files = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((one) =>
    one.isFile(),
  );
  return files.map((one) => {
    const path = join(one.parentPath, one.name);
    return [path, readFileSync(path)];
  });
}
const holds = (edge: Edge, text: string) =>
  stored(edge).filter(([, bytes]) => bytes.includes(Buffer.from(text)));

test("no byte of a key stands in storage, logs, errors or answers", async () => {
  const edge = await startOwn({ ...secrets("k1"), CAPTURE_MODE: "errors" });
  try {
    const keys = await edge.keys();
    const token = await userKey(edge, keys, "ann");
    const answers = [await save(edge, token, own(server.url))];
    answers.push(await show(edge, token));
    const tests = [await tryOut(edge, token)];
    refuses = true;
    tests.push(await tryOut(edge, token), await tryOut(edge, token, { body: own(server.url) }));
    refuses = false;
    answers.push(await save(edge, token, own(server.url, { timeoutSeconds: 0 })));
    answers.push(await save(edge, token, own(server.url, { apiKey: `${PLAIN}ö` })));
    assert.equal(last(server.calls).headers.authorization, `Bearer ${PLAIN}`, "it was used");

    for (const { raw } of [...answers, ...tests]) assert.ok(!raw.includes("SECRETWORD"), raw);
    const audit = await edge.ask("GET", "/gateway/v1/ledger", { token: keys.admin_token });
    assert.ok(!audit.raw.includes("SECRETWORD"));
    assert.deepEqual(holds(edge, "SECRETWORD"), []);
    assert.ok(holds(edge, "sk-***4b7e").length > 0, "the mask is what is kept");
    assert.ok(holds(edge, "llm_profile.put").length > 0, "the save is audited");
    assert.ok(!edge.log.includes("SECRETWORD"), edge.log);
    assert.ok(edge.log.includes("llm_profile.tested"), "it logs");
    assert.ok(!edge.log.includes("writer-large"), "no names either");
  } finally {
    await edge.stop();
  }
});

test("an older key opens, the active one seals at the next use, and without it nothing works", async () => {
  const stateDir = mkdtempSync(join(tmpdir(), "holdpoint-own-"));
  const both = secrets("k1", "k2");
  const onlyOf = (kid: string) => {
    const all = JSON.parse(both.SECRETS_KEYS) as Record<string, string>;
    return { SECRETS_KEYS: JSON.stringify({ [kid]: all[kid] }), SECRETS_ACTIVE_KID: kid };
  };
  let token = "";
  let edge: Edge | undefined;
  const restart = async (variables: Record<string, string>) => {
    await edge?.stop();
    edge = await startOwn(variables, stateDir);
    return edge;
  };
  try {
    const first = await restart(onlyOf("k1"));
    token = await userKey(first, await first.keys(), "ann");
    assert.equal((await save(first, token, own(server.url))).status, 200);
    assert.equal((await tryOut(first, token)).value.data.ok, true);

    const rotated = await restart({ ...both, SECRETS_ACTIVE_KID: "k2" });
    assert.equal((await tryOut(rotated, token)).value.data.ok, true);
    assert.equal(last(server.calls).headers.authorization, `Bearer ${PLAIN}`);

    const later = await restart(onlyOf("k2"));
    assert.equal((await tryOut(later, token)).value.data.ok, true, "sealed anew at its use");
    assert.equal((await show(later, token)).value.data.apiKeyMasked, "sk-***4b7e");

    const lost = await restart(onlyOf("k1"));
    const opened = await tryOut(lost, token);
    assert.deepEqual(
      [opened.status, opened.value.error?.code],
      [500, "LLM_PROFILE_ENCRYPTION_ERROR"],
    );

    const bare = await restart({});
    const before = (await show(bare, token)).value.data;
    assert.equal(before.effectiveAvailability.code, "LLM_PROFILE_INCOMPLETE");
    const used = await tryOut(bare, token);
    assert.deepEqual([used.status, used.value.error?.code], [500, "LLM_PROFILE_ENCRYPTION_ERROR"]);
    const refused = await save(bare, token, own(server.url, { model: "other" }));
    assert.deepEqual(
      [refused.status, refused.value.error?.code],
      [500, "LLM_PROFILE_ENCRYPTION_ERROR"],
    );
    assert.deepEqual((await show(bare, token)).value.data, before, "nothing is stored");
    const cleared = await save(bare, token, own(server.url, { apiKey: null }));
    assert.deepEqual([cleared.status, cleared.value.data.apiKeyMasked], [200, null]);
    assert.equal(
      (await tryOut(bare, token)).value.data.ok,
      true,
      "a server that asks for no key needs none",
    );
  } finally {
    await edge?.stop();
    rmSync(stateDir, { recursive: true, force: true });
  }
});
