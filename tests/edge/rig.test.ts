// The rig of the gateway's bench always comes to an end: what does not start says so, and leaves no process behind.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  answering,
  begin,
  listening,
  type Started,
  within,
} from "../../crates/bench/src/gateway/processes.ts";
import { freePort } from "../ports.ts";
import { eventually } from "./workerd.ts";

const node = (program: string): [string, string[]] => [process.execPath, ["-e", program]];
const is_alive = (pid: number | undefined) => {
  try {
    return pid !== undefined && process.kill(pid, 0);
  } catch {
    return false;
  }
};
const gone = (started: Started) =>
  eventually(async () => ({ ok: !is_alive(started.pid), value: started.pid }));

test("one that accepts and never answers is stopped when its time is over", async () => {
  const port = await freePort();
  const silent = begin(...node(`require("node:net").createServer(() => {}).listen(${port})`));
  const asked = answering(silent, `http://127.0.0.1:${port}/`, 2_500);
  await assert.rejects(asked, /it did not answer within 2\.5 s/);
  await gone(silent);
});

test("one that ends says so at once, and one that is not there too", async () => {
  const begun = performance.now();
  await assert.rejects(listening(...node("process.exit(3)")), /it ended with 3/);
  await assert.rejects(listening("/nowhere/gateway", []), /it could not be started/);
  assert.ok(performance.now() - begun < 20_000);
});

test("one that names no port, will not go and has children is ended with them", async () => {
  const stubborn = `process.on("SIGTERM", () => {});
    const { pid } = require("node:child_process").spawn(process.execPath, ["-e", "setInterval(() => {}, 1e6)"]);
    require("node:fs").writeSync(2, "child " + pid + "\\n");
    setInterval(() => {}, 1e6);`;
  let said = "";
  const started = begin(...node(stubborn), { stdio: ["ignore", "ignore", "pipe"] });
  started.child.stderr?.on("data", (part) => {
    said += part;
  });
  const child = await eventually(async () => {
    const pid = Number(/child (\d+)/.exec(said)?.[1] ?? Number.NaN);
    return { ok: Number.isFinite(pid), value: pid };
  });
  assert.ok(is_alive(child));
  await started.stop();
  await gone(started);
  await eventually(async () => ({ ok: !is_alive(child), value: child }));
  await assert.rejects(listening(...node("setInterval(() => {}, 1e6)"), {}, 300), /named no port/);
});

test("a started one is handed on with its port, and work in time is not cut", async () => {
  const server = `const s = require("node:http").createServer((_, a) => a.end("ok"));
    s.listen(0, "127.0.0.1", () => console.log(s.address().port))`;
  const started = await listening(...node(server));
  await answering(started, `http://127.0.0.1:${started.port}/`);
  assert.equal(await within(1_000, "late", Promise.resolve("in time")), "in time");
  await started.stop();
  await gone(started);
});
