// What apps stand on beside the page: a second socket of the same workerd, and a build runner that knows the Worker.
import assert from "node:assert/strict";
import { get } from "node:http";
import { test } from "node:test";
import { during } from "../during.ts";
import { startEdge } from "./workerd.ts";

const edge = await during(startEdge({ runner: true }));

/** An answer of the second socket under the name of an app. */
function asked(
  label: string,
): Promise<{ status: number; headers: NodeJS.Dict<string | string[]> }> {
  const { host } = new URL(edge.previewOrigin.replace("{app}", label));
  return new Promise((done, failed) => {
    const request = get(edge.previewUrl, { headers: { host } }, (answer) => {
      answer.resume();
      answer.once("end", () => done({ status: answer.statusCode ?? 0, headers: answer.headers }));
    });
    request.once("error", failed);
  });
}

test("previews have an origin of their own, which the same Worker answers", async () => {
  assert.notEqual(edge.previewPort, edge.port);
  assert.equal(edge.previewOrigin, `http://{app}.localhost:${edge.previewPort}`);
  for (const label of ["one", "two"]) {
    const { status, headers } = await asked(label);
    assert.equal(status, 404, "an empty deployment shows no app");
    assert.equal(headers["x-content-type-options"], "nosniff");
  }
});

test("the build runner answers who has its token, and nobody else", async () => {
  const { runner } = edge;
  assert.ok(runner);
  const health = (headers: Record<string, string>) => fetch(`${runner.url}/healthz`, { headers });
  const known = await health({ authorization: `Bearer ${runner.token}` });
  assert.equal(known.status, 200);
  const told = (await known.json()) as { ok: boolean; isolation: string };
  assert.equal(told.ok, true);
  assert.equal(told.isolation, runner.isolation);
  assert.match(told.isolation, /^(namespaces|landlock|seatbelt|none)$/);
  const strangers: Record<string, string>[] = [{}, { authorization: `Bearer ${runner.token}0` }];
  for (const headers of strangers) {
    const refused = await health(headers);
    assert.equal(refused.status, 401);
    const { error } = (await refused.json()) as { error: { code: string } };
    assert.equal(error.code, "AUTH_INVALID_TOKEN");
  }
});

test("a build runner that was killed comes again at its address", async () => {
  const { runner } = edge;
  assert.ok(runner);
  const { url, token } = runner;
  await runner.kill();
  await assert.rejects(fetch(`${url}/healthz`));
  await runner.start();
  assert.equal(runner.url, url);
  const health = await fetch(`${url}/healthz`, { headers: { authorization: `Bearer ${token}` } });
  assert.equal(health.status, 200);
  await health.arrayBuffer();
});
