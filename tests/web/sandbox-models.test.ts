// Calls on several models, through the page's client and the real sandbox (ifc-sdk.md §3.2): what they see, what they
// change, and what is left of it when models go off, are closed or opened again, or their thread is lost.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Json } from "@holdpoint/core/types";
import type { Browser, Route } from "playwright-core";
import { startBrowser } from "./browser.ts";
import { type Call, HOUSE, type Network, network, VILLA } from "./network.ts";
import { becomes } from "./page.ts";

let browser: Browser;
let net: Network;
/** Lets requests that wait have their answers. */
const held: (() => void)[] = [];

before(async () => {
  browser = await startBrowser();
});
after(() => browser?.close());

async function answer(route: Route): Promise<void> {
  await new Promise<void>((resolve) => {
    held.push(resolve);
  });
  await route.fulfill({ headers: { "access-control-allow-origin": "*" }, body: "ok" });
}

test.beforeEach(async () => {
  await net?.context.close();
  net = await network(browser, answer);
});

type Models = NonNullable<Call["models"]>;
const both: Models = [{ id: HOUSE }, { id: VILLA }];
const off = (id: string): Models => both.map((one) => ({ ...one, on: one.id !== id }));

const value = async (body: string, models: Models = both, more: Partial<Call> = {}) => {
  const { outcome } = await net.call({ body, models, ...more });
  assert.deepEqual(outcome?.failure, null);
  return outcome?.value as Json;
};
/** How many walls of each model are marked. */
const MARKED = `const { model, query } = ctx.bim, walls = query.byType("IfcWall");
  return model.list().map(({ id }) => [id, walls.filter((one) => one.ref.modelId === id
    && query.property(one, "P", "Mark") !== null).length]);`;
const MARK = `for (const one of ctx.bim.query.byType("IfcWall")) ctx.bim.mutate.setProperty(one, "P", "Mark", 1);
  return ctx.bim.query.count("IfcWall");`;

test("a call spans the models that are on, in their order, with the name and id of each", async () => {
  const seen =
    "return ctx.bim.model.list().map(({ id, name }) => [id, name, id === ctx.bim.model.activeId()]);";
  const [house, villa] = [HOUSE, VILLA].map((id) => [
    id,
    id === HOUSE ? "house-small.ifc" : "villa-2x3.ifc",
  ]);
  assert.deepEqual(await value(seen), [
    [...(house ?? []), true],
    [...(villa ?? []), false],
  ]);
  const turned: Models = [
    { id: VILLA, opening: 2, active: false },
    { id: HOUSE, opening: 1, active: true },
  ];
  assert.deepEqual(await value(seen, turned), [
    [...(villa ?? []), false],
    [...(house ?? []), true],
  ]);
  assert.deepEqual(await value(seen, off(HOUSE)), [[...(villa ?? []), true]]);
  assert.deepEqual(await value(seen, []), []);
  assert.equal(await value('return ctx.bim.query.count("IfcWall");'), 31);
});

test("changes say their model, and stay with it while it is off and when its thread is lost", async () => {
  const { outcome } = await net.call({ body: MARK, models: both });
  const changed = new Set(outcome?.effects.changes?.map(({ modelId }) => modelId));
  assert.deepEqual([outcome?.value, [...changed]], [31, [HOUSE, VILLA]]);
  assert.deepEqual(await value(MARKED, off(VILLA)), [[HOUSE, 13]]);
  const lost = await net.call({ body: "for (;;) ;", models: off(VILLA) });
  assert.match(lost.outcome?.failure?.code ?? "", /^(FUEL|TIMEOUT)$/);
  assert.deepEqual(await value(MARKED), [
    [HOUSE, 13],
    [VILLA, 18],
  ]);
  const preview = await value(MARKED, both, { trial: true, extension: "tests.trial" });
  assert.deepEqual(preview, [
    [HOUSE, 13],
    [VILLA, 18],
  ]);
});

test("a file that is closed and opened again is as it is on the disk, the other as it was left", async () => {
  await value(MARK);
  assert.deepEqual(await value(MARKED, [{ id: HOUSE }]), [[HOUSE, 13]]);
  assert.deepEqual(await value(MARKED, [{ id: HOUSE }, { id: VILLA, opening: 7 }]), [
    [HOUSE, 13],
    [VILLA, 0],
  ]);
});

test("a call that waits goes on while one of its models is open, and has no outcome where none is", async () => {
  const body = `const first = ctx.bim.query.byType("IfcWall").at(-1);
    await ctx.fetch("https://api.example.org/held");
    return [first.ref.modelId, ctx.bim.query.storey(first), ctx.bim.query.count("IfcWall")];`;
  const waits = async (closed: Models) => {
    const coming = net.call({ body, models: both, extension: "tests.waits" });
    const release = await becomes(() => held.pop(), Boolean);
    await value("return 0;", closed);
    release?.();
    return (await coming).outcome;
  };
  assert.deepEqual((await waits([{ id: HOUSE }]))?.value, [VILLA, null, 13]);
  assert.equal(await waits([{ id: HOUSE, opening: 8 }]), null);
});

test("models that cannot be read together say so, and fewer of them are read", async () => {
  await net.patched((large) => {
    const { postMessage } = Worker.prototype;
    Worker.prototype.postMessage = function (this: Worker, message: { name?: string }) {
      if (message.name !== large) return Reflect.apply(postMessage, this, [message]);
      const data = { type: "trapped", code: "MEMORY", message: "Used up." };
      setTimeout(() => this.dispatchEvent(new MessageEvent("message", { data })));
    };
  }, "villa-2x3.ifc");
  const { outcome } = await net.call({ body: "return 1;", models: both });
  assert.equal(outcome?.failure?.code, "FIXTURE_FAILED");
  assert.deepEqual(outcome?.failure?.args, { case: "NOT_READ_TOGETHER" });
  assert.equal(await value("return 1;", [{ id: HOUSE }]), 1);
});
