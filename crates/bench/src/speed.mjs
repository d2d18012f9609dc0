// The speed of the page's core beside npm `diff`, in Node or in Chromium: the same measuring function in both.
//
// Usage: node speed.mjs node|chromium INPUTS.json FOLDER_WITH_NPM_DIFF. Prints a JSON array.

import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [host, inputsPath, npm] = process.argv.slice(2);
const WASM = resolve("www/core/wasm/core");

if (!existsSync(join(WASM, "core_bg.wasm"))) {
  console.error("The page's core is not built: run `cargo xtask dev` or `cargo xtask test` once.");
  process.exit(1);
}

/** Runs in either host: `core` has `diff` and `call`, `peer` has `structuredPatch`. */
function measure(core, peer, inputs) {
  const RUNS = 101;
  const TIME_MS = 1_500;
  // An engine compiles what runs often a second time, for speed; that is waited for, on both sides.
  const WARM_MS = 700;
  const PEER_TIMEOUT_MS = 5_000;
  // A piece of work that answers false did not end in time, and has no median.
  const median = (work) => {
    const warmed = performance.now() + WARM_MS;
    while (performance.now() < warmed) if (work() === false) return null;
    const times = [];
    const begun = performance.now();
    while (times.length < RUNS && (times.length < 1 || performance.now() - begun < TIME_MS)) {
      const started = performance.now();
      if (work() === false) return null;
      times.push(performance.now() - started);
    }
    return times.sort((one, other) => one - other)[Math.floor(times.length / 2)];
  };
  const spliced = (before, hunks) => {
    const old = before.match(/[^\n]*\n|[^\n]+$/g) ?? [];
    let text = "";
    let next = 0;
    const endings = { lf: "\n", crlf: "\r\n", none: "" };
    for (const hunk of hunks) {
      const start = hunk.old_count === 0 ? hunk.old_start : hunk.old_start - 1;
      text += old.slice(next, start).join("");
      next = start + hunk.old_count;
      for (const line of hunk.lines) if (line.kind !== "delete") text += line.text + endings[line.eol];
    }
    return text + old.slice(next).join("");
  };
  return inputs.map(({ name, before, after }) => {
    let answer;
    const ours = median(() => {
      answer = JSON.parse(core.diff(before, after, 3));
    });
    const valid = answer.hunks !== undefined && spliced(before, answer.hunks) === after;
    const called = median(() => JSON.parse(core.call("text.diff", JSON.stringify({ before, after }))));
    const options = { context: 3, timeout: PEER_TIMEOUT_MS };
    const theirs = median(() => peer.structuredPatch("file", "file", before, after, "", "", options) !== undefined);
    return { name, ours, called, theirs, valid };
  });
}

const inputs = JSON.parse(readFileSync(inputsPath, "utf8"));

async function inNode() {
  const core = await import(pathToFileURL(join(WASM, "core.js")));
  core.initSync({ module: readFileSync(join(WASM, "core_bg.wasm")) });
  const peer = await import(pathToFileURL(join(npm, "node_modules/diff/libesm/index.js")));
  return measure(core, peer, inputs);
}

async function inChromium() {
  const { chromium } = createRequire(resolve("tests/browser/package.json"))("playwright-core");
  const browser = await chromium.launch({
    executablePath: process.env.HOLDPOINT_CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"],
  });
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(0);
    await page.addScriptTag({ path: join(npm, "node_modules/diff/dist/diff.js") });
    const glue = readFileSync(join(WASM, "core.js"), "utf8");
    const wasm = readFileSync(join(WASM, "core_bg.wasm")).toString("base64");
    return await page.evaluate(
      async ({ glue, wasm, inputs, source }) => {
        const core = await import(URL.createObjectURL(new Blob([glue], { type: "text/javascript" })));
        core.initSync({ module: Uint8Array.from(atob(wasm), (letter) => letter.charCodeAt(0)) });
        // The very function that Node runs.
        const measured = await import(URL.createObjectURL(new Blob([`export default ${source}`], { type: "text/javascript" })));
        return measured.default(core, window.Diff, inputs);
      },
      { glue, wasm, inputs, source: measure.toString() },
    );
  } finally {
    await browser.close();
  }
}

console.log(JSON.stringify(host === "node" ? await inNode() : await inChromium()));
