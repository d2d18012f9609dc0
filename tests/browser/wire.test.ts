// What the first page costs on the wire: everything that shrinks comes compressed ahead of time, and is what was built.
// The sums are printed; docs/sizes.md holds them.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { Response } from "playwright-core";
import { rows } from "./road.ts";
import { browser, stack, withStack } from "./stack.ts";

const DIST = process.env.HOLDPOINT_DIST ?? new URL("../../www/app/dist", import.meta.url).pathname;
const SHRINKS = /\.(html|js|css|wasm|ifc)$/;
/** As the answer of a module must be called to be compiled while it comes. */
const MODULE = "application/wasm";

withStack();

test("the first page comes compressed, byte for byte what was built", {
  timeout: 120_000,
}, async (t) => {
  const context = await browser.newContext({ serviceWorkers: "block" });
  const page = await context.newPage();
  const answers: Response[] = [];
  page.on("response", (answer) => answers.push(answer));
  await page.goto(stack.url);
  await rows(page);
  await page.waitForLoadState("networkidle");

  const files = answers.filter((answer) => !/^\/(api|gateway|v1)\//.test(pathOf(answer)));
  let [wire, built, core] = [0, 0, 0];
  for (const answer of files) {
    const path = pathOf(answer) === "/" ? "/index.html" : pathOf(answer);
    const headers = await answer.allHeaders();
    // The page may have let its own copy go.
    const body = await (await context.request.get(answer.url())).body();
    const { responseBodySize } = await answer.request().sizes();
    assert.ok(body.equals(readFileSync(DIST + path)), path);
    assert.equal(headers["content-encoding"], SHRINKS.test(path) ? "br" : undefined, path);
    assert.equal(headers.vary, "Accept-Encoding", path);
    if (path.endsWith(".wasm")) assert.equal(headers["content-type"], MODULE, path);
    if (SHRINKS.test(path)) assert.ok(responseBodySize < body.length, path);
    wire += responseBodySize;
    built += body.length;
    if (/core_bg/.test(path)) core += 1;
  }
  assert.equal(core, 1, "the core is among them");
  t.diagnostic(`first page: ${wire} bytes on the wire in ${files.length} files, ${built} without`);
  await context.close();
});

const pathOf = (answer: Response): string => new URL(answer.url()).pathname;
