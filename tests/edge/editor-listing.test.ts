// A script is stored in one object and listed in another: what happens when the second does not answer.
import assert from "node:assert/strict";
import { appendFileSync, cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import type { Page, Tool, ToolItem } from "@holdpoint/core/editor";
import { type Desk, startDesk } from "./desk.ts";
import { eventually } from "./workerd.ts";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
/** An account that loses the first words which list a script called `lost N`, N of them, and answers all else. */
const FORGETFUL = `
const answers = Account.prototype.ask;
const lost = new Map();
Account.prototype.ask = async function (text) {
  const [title, count] = /"ListBundle".*(lost (\\d+))/.exec(text)?.slice(1) ?? [];
  const before = lost.get(title) ?? 0;
  if (title === undefined || before >= Number(count)) return answers.call(this, text);
  lost.set(title, before + 1);
  throw new Error("lost");
};
`;

const sound = process.env.HOLDPOINT_EDGE_BUILD ?? join(root, "worker/build");
let build: string;
let desk: Desk;

before(async () => {
  build = mkdtempSync(join(tmpdir(), "holdpoint-forgetful-"));
  cpSync(sound, build, { recursive: true });
  appendFileSync(join(build, "worker.js"), FORGETFUL);
  process.env.HOLDPOINT_EDGE_BUILD = build;
  desk = await startDesk();
});
after(async () => {
  await desk?.stop();
  rmSync(build, { recursive: true, force: true });
});

const make = (title: string) => desk.ask<Tool>("POST", "/tools", { title, sample: "door-report" });
const listed = async (title: string) =>
  (await desk.ask<Page<ToolItem>>("GET", "/tools")).value.items.filter(
    (item) => item.title === title,
  );
/** The list's rows of that title, once there are any. */
const soon = (title: string) =>
  eventually(
    async () => {
      const value = await listed(title);
      return { ok: value.length > 0, value };
    },
    { ms: 20_000 },
  );

test("a list that answers late is asked again before its author hears of it", async () => {
  const unheard = () => desk.edge.log.split('"bundle_unlisted"').length - 1;
  const before = unheard();
  const made = await make("lost 2");
  assert.equal(made.status, 201, made.raw);
  assert.equal(unheard() - before, 2, "two words were lost");
  assert.equal((await listed("lost 2")).length, 1);
  assert.equal((await desk.ask("GET", `/tools/${made.value.tool_id}`)).status, 200);
});

test("a script that cannot be listed is an error, and is listed as soon as the account answers", async () => {
  const got = await make("lost 4");
  assert.deepEqual([got.status, got.value.error.code], [503, "SERVICE_UNAVAILABLE"], got.raw);
  const { tool_id } = got.value.error.details;
  const found = await soon("lost 4");
  assert.deepEqual(
    found.map((item) => item.tool_id),
    [tool_id],
  );
  const opened = await desk.ask<Tool>("GET", `/tools/${tool_id}`);
  assert.equal(opened.status, 200, opened.raw);
  assert.match(opened.value.virtual_files["tool.py"], /def run/);
  assert.equal(opened.value.revision_id, found[0].revision_id);
});

test("a script that could not be listed is listed by the next life of the edge", async () => {
  const got = await make("lost 99");
  assert.equal(got.status, 503, got.raw);
  await desk.edge.kill();
  process.env.HOLDPOINT_EDGE_BUILD = sound;
  await desk.edge.start();
  const found = await soon("lost 99");
  assert.deepEqual(
    found.map((item) => item.tool_id),
    [got.value.error.details.tool_id],
  );
});
