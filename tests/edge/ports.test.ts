// Ports for what tests start: whoever asks for one, at whatever moment, has it alone.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { freePort } from "../ports.ts";

test("no port is handed out twice, in one process or in several at once", async () => {
  const asks = `import { freePort } from ${JSON.stringify(new URL("../ports.ts", import.meta.url).href)};
    const ports = await Promise.all(Array.from({ length: 120 }, freePort));
    process.stdout.write(JSON.stringify(ports) + "\\n");
    process.stdin.resume();`;
  const children = [1, 2].map(() =>
    spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", asks], {
      stdio: ["pipe", "pipe", "inherit"],
    }),
  );
  const handed = await Promise.all(
    children.map(async ({ stdout }): Promise<number[]> => {
      for await (const line of createInterface({ input: stdout })) return JSON.parse(line);
      return [];
    }),
  );
  for (const child of children) child.stdin.end();
  const all = [...handed.flat(), await freePort(), await freePort()];
  assert.deepEqual([all.length, new Set(all).size], [242, 242]);
});
