// npm `diff` for the benchmark: a JSON line in, a JSON line out. The time is that of the call alone.

import { createInterface } from "node:readline";

import { applyPatch } from "diff";

for await (const line of createInterface({ input: process.stdin })) {
  const { base, patch } = JSON.parse(line);
  const started = process.hrtime.bigint();
  let after = null;
  try {
    const text = applyPatch(base, patch);
    after = text === false ? null : text;
  } catch {
    // A patch that it cannot read is refused.
  }
  const microseconds = Number(process.hrtime.bigint() - started) / 1e3;
  process.stdout.write(`${JSON.stringify({ after, microseconds })}\n`);
}
