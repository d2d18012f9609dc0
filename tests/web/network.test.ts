// `ctx.fetch` of extensions on a page (ifc-sdk.md §2): who is asked, with what, and what holds it back.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser, Route } from "playwright-core";
import { startBrowser } from "./browser.ts";
import { type Came, type Network, network, ofEdge } from "./network.ts";

const CORS = { "access-control-allow-origin": "*" };
const MIB = 1 << 20;

let browser: Browser;
let net: Network;
/** Every request that left for a host. */
let left: { url: string; method: string; headers: Record<string, string>; body: string | null }[];
/** Requests that a test holds, by path. */
const held = new Map<string, () => void>();

async function answer(route: Route, { pathname }: URL): Promise<void> {
  const request = route.request();
  left.push({
    url: request.url(),
    method: request.method(),
    headers: await request.allHeaders(),
    body: request.postData(),
  });
  if (pathname === "/away") return route.abort("internetdisconnected");
  if (pathname === "/closed")
    return route.fulfill({
      headers: { "access-control-allow-origin": "https://elsewhere.example.org" },
    });
  if (pathname === "/moved")
    return route.fulfill({
      status: 302,
      headers: { ...CORS, location: "https://other.example.org/x" },
    });
  if (pathname === "/never") return;
  if (pathname.startsWith("/held"))
    await new Promise<void>((resolve) => {
      held.set(pathname, resolve);
    });
  const size = /^\/mib\/(\d+)/.exec(pathname)?.[1];
  const body = size ? "x".repeat(Number(size) * MIB) : JSON.stringify({ path: pathname });
  const status = pathname === "/none" ? 404 : 200;
  await route.fulfill({ status, headers: { ...CORS, "set-cookie": "a=b" }, body });
}

before(async () => {
  browser = await startBrowser();
});
after(() => browser?.close());

/** A page of its own: minutes are counted by the page. */
async function fresh(): Promise<void> {
  await net?.context.close();
  left = [];
  held.clear();
  net = await network(browser, answer);
}
test.beforeEach(fresh);

const ask = (path: string, more = "") =>
  `await ctx.fetch("https://api.example.org/${path}"${more})`;
const failure = (path: string, more = "") =>
  `try { ${ask(path, more)}; } catch (error) { return [error.code, error.message]; }`;

/** Code and message that a body answered. */
const caught = ({ outcome }: Came): string[] => (outcome?.value ?? []) as string[];

test("an answer comes with its status, its headers and its body, also one that says no", async () => {
  const body = `const r = ${ask("a")}; const none = ${ask("none")};
    return [r.status, (await r.json()).path, r.headers["set-cookie"] ?? null, none.status];`;
  const { outcome, asked } = await net.call({ body });
  assert.deepEqual(outcome?.failure, null);
  assert.deepEqual(outcome?.value, [200, "/a", null, 404]);
  assert.deepEqual(asked, ["GET api.example.org", "GET api.example.org"]);
});

test("no cookie, no credentials and no referrer leave the page, and what is sent is what was asked for", async () => {
  const cookie = { name: "session", value: "secret", domain: "api.example.org", path: "/" };
  await net.context.addCookies([{ ...cookie, secure: true, sameSite: "None" }]);
  const more = `, { method: "POST", headers: { "X-Own": "1" }, body: "content" }`;
  const { outcome } = await net.call({ body: `return (${ask("post", more)}).status;` });
  assert.equal(outcome?.value, 200, JSON.stringify(outcome?.failure));
  const [sent] = left.filter((one) => one.method === "POST");
  assert.equal(sent?.body, "content");
  assert.equal(sent?.headers["x-own"], "1");
  for (const name of ["cookie", "referer", "authorization"])
    assert.equal(sent?.headers[name], undefined, name);
});

test("requests of one call run side by side", async () => {
  const coming = net.call({
    body: `const all = await Promise.all([
        ctx.fetch("https://api.example.org/held/1"),
        ctx.fetch("https://api.example.org/held/2"),
      ]);
      return all.map((one) => one.status);`,
  });
  await until(() => held.size === 2);
  for (const go of held.values()) go();
  assert.deepEqual((await coming).outcome?.value, [200, 200]);
});

test("an extension that waits for its host lets others between, and its own next call waits", async () => {
  const waits = { body: `return (${ask("held/slow")}).status;`, extension: "tests.slow" };
  const done: string[] = [];
  const slow = net.call(waits).finally(() => done.push("slow"));
  await until(() => held.size === 1);
  const own = net.call(waits).finally(() => done.push("own"));
  const other = await net.call({ body: "return 'other';", extension: "tests.other" });
  assert.deepEqual([other.outcome?.value, done], ["other", []]);
  held.get("/held/slow")?.();
  held.clear();
  assert.equal((await slow).outcome?.value, 200);
  await until(() => held.size === 1);
  held.get("/held/slow")?.();
  assert.equal((await own).outcome?.value, 200);
  assert.deepEqual(done, ["slow", "own"]);
});

test("a call that has changed the model keeps others out until it has ended", async () => {
  const wall = "const wall = ctx.bim.query.byType('IfcWall')[0];";
  const writes = `${wall} ctx.bim.mutate.setProperty(wall, "P", "A", "new"); ${ask("held/one")};
    throw new Error("no");`;
  const reads = `${wall} return ctx.bim.query.property(wall, "P", "A");`;
  const failed = net.call({ body: writes, extension: "tests.writes" });
  await until(() => held.size === 1);
  const read = net.call({ body: reads, extension: "tests.reads" });
  held.get("/held/one")?.();
  assert.equal((await failed).outcome?.failure?.code, "THREW");
  assert.equal((await read).outcome?.value, null, "what was taken back was seen by nobody");
});

test("another host is not asked where a host sends on to it", async () => {
  const [code, message] = caught(await net.call({ body: failure("moved") }));
  assert.equal(code, "NETWORK_FAILED");
  assert.match(String(message), /api\.example\.org sends the request on/);
  assert.deepEqual(
    left.map((one) => one.url),
    ["https://api.example.org/moved"],
  );
});

test("no network, a host that lets no page ask it, and one that is late say so", async () => {
  for (const [path, more, said] of [
    ["away", "", /did not answer\. Try again when the network is back/],
    ["closed", "", /let other pages ask it \(CORS\)/],
    ["never", ", { timeoutMs: 50 }", /did not answer in time/],
  ] as const) {
    const [code, message] = caught(await net.call({ body: failure(path, more) }));
    assert.equal(code, "NETWORK_FAILED", path);
    assert.match(String(message), said);
  }
});

test("an answer is cut at 5 MiB", async () => {
  const length = await net.call({ body: `return (await (${ask("mib/5")}).text()).length;` });
  assert.equal(length.outcome?.value, 5 * MIB, JSON.stringify(length.outcome?.failure));
  assert.equal(caught(await net.call({ body: failure("mib/6") }))[0], "SDK_LIMIT");
});

test("the 61st request within a minute is not sent, and another extension asks all the same", async () => {
  const body = `let n = 0; try { for (;;) { ${ask("n")}; n += 1; } } catch (error) { return [n, error.code]; }`;
  const half = "for (let n = 0; n < 30; n++) await ctx.fetch('https://api.example.org/n');";
  const split = `${half} return ctx.meta.extensionId;`;
  for (const _ of [1, 2])
    assert.equal((await net.call({ body: split })).outcome?.value, "tests.one");
  const sent = left.length;
  const refused = await net.call({ body: split });
  assert.equal(refused.outcome?.failure?.sdk_code, "SDK_LIMIT");
  assert.deepEqual([sent, left.length, refused.asked], [60, 60, []]);
  const other = await net.call({ body, extension: "tests.other" });
  assert.deepEqual(other.outcome?.value, [60, "SDK_LIMIT"]);
});

test("a trial sends nothing: its request is held back and told", async () => {
  const came = await net.call({ body: failure("a"), trial: true });
  assert.equal(caught(came)[0], "NETWORK_HELD");
  assert.deepEqual([came.asked, left], [["GET api.example.org"], []]);
});

test("a host that was not granted is not asked", async () => {
  const came = await net.call({ body: failure("a"), granted: ["model.read"] });
  assert.equal(caught(came)[0], "CAPABILITY_DENIED");
  assert.deepEqual(left, []);
});

test("the end of an extension ends what it waits for", async () => {
  const call = { body: failure("never") };
  const coming = net.call(call);
  await until(() => left.length === 1);
  await net.end(call);
  assert.match(String((await coming).outcome?.value), /^NETWORK_FAILED,.*was ended before/);
});

test("a call whose thread is ended while it waits says so, and the next one runs", async () => {
  const waits = { body: `return (${ask("held/one")}).status;`, extension: "tests.waits" };
  const lost = net.call(waits);
  await until(() => held.size === 1);
  const late = { body: `return /^(a+)+$/.test("a".repeat(60) + "b");`, extension: "tests.late" };
  assert.equal((await net.call(late)).outcome?.failure?.code, "TIMEOUT");
  held.get("/held/one")?.();
  const { code, args } = (await lost).outcome?.failure ?? {};
  assert.deepEqual([code, args?.case], ["SANDBOX_FAULT", "LOST"]);
  held.clear();
  const next = net.call(waits);
  await until(() => held.size === 1);
  held.get("/held/one")?.();
  assert.equal((await next).outcome?.value, 200);
});

test("the page itself reaches no other host; only the worker that sends does", async () => {
  assert.equal(await net.ofPage("https://api.example.org/a"), "refused");
  assert.deepEqual(left, []);
  assert.match(ofEdge("PAGE_POLICY"), /connect-src 'self';/);
  assert.match(
    ofEdge("NETWORK_POLICY"),
    /^default-src 'none'; script-src 'self'; connect-src https:;/,
  );
});

/** Waits until something is so, as the page gets there. */
async function until(is: () => boolean): Promise<void> {
  while (!is()) await new Promise((resolve) => setImmediate(resolve));
}
