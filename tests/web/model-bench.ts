// How long models take to open beside npm `web-ifc`, what they hold, and how long the page is busy with a large one.
//
// Usage: node --import tsx model-bench.ts FOLDER_WITH_WEB_IFC FILE.ifc …; writes docs/bench/model.md. `--print`: writes
// nothing. A file of 100,000 elements is made, and is the last that is measured.

import {
  createReadStream,
  existsSync,
  openSync,
  readFileSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import { basename, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { manyElements } from "../many-elements.ts";
import { startBrowser } from "./browser.ts";
import { busy } from "./model-bench-page.ts";
import { lists, meshes, type Side } from "./model-bench-parts.ts";
import { serve } from "./site.ts";

const TABLE = new URL("../../docs/bench/model.md", import.meta.url);
const PEER = new URL("../../crates/bench/src/model-peer.mjs", import.meta.url);
const GENERATED = fileURLToPath(new URL("../../target/generated/ifc", import.meta.url));
const ELEMENTS = 100_000;
/** Files from this size on are opened less often. */
const LARGE = 50_000_000;
/** The file whose geometry is measured: the one nearest to this size. */
const MESHED = 20_000_000;
const SIDES: Side[] = ["ours", "theirs"];
const TYPES: Record<string, string> = {
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".wasm": "application/wasm",
};

const words = process.argv.slice(2).filter((word) => word !== "--print");
const [npm = "", ...named] = words;

function many(): string {
  const path = join(GENERATED, `many-${ELEMENTS}.ifc`);
  if (existsSync(path)) return path;
  const file = openSync(path, "w");
  for (const piece of manyElements(ELEMENTS)) writeSync(file, piece);
  return path;
}

const files = [...named, many()];
const site = await serve("walk", async (pathname, _request, response) => {
  const [, place, name = ""] = /^\/(peer|files)\/(.+)$/.exec(pathname) ?? [];
  if (!place) return false;
  const peer = join(npm, "node_modules/web-ifc", name);
  const own = name === "worker.mjs" ? fileURLToPath(PEER) : peer;
  const path = place === "files" ? (files[Number(name)] ?? "") : own;
  response.writeHead(200, {
    "content-type": TYPES[extname(path)] ?? "application/octet-stream",
  });
  createReadStream(path).pipe(response);
  return true;
});

const median = (times: number[]): number =>
  [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;

async function bare(browser: Browser): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  page.setDefaultTimeout(0);
  await page.goto(`${site.origin}/walk.html?page=bare`);
  await page.waitForSelector('html[data-ready="walk"]', { state: "attached" });
  return page;
}

interface Measured {
  name: string;
  bytes: number;
  rows: Record<Side, number>;
  open: Record<Side, number>;
  sets: Record<Side, number>;
  /** Most memory of the page and its workers above what they had before, by the size of the file; null: not known. */
  memory: Record<Side, number | null>;
}

/** Both sides in turn, each run in a fresh worker. */
async function opened(path: string, at: number): Promise<Measured> {
  const bytes = statSync(path).size;
  const browser = await startBrowser();
  const page = await bare(browser);
  const all = { ours: { open: [], sets: [] }, theirs: { open: [], sets: [] } } as Record<
    Side,
    { open: number[]; sets: number[] }
  >;
  const rows = { ours: 0, theirs: 0 };
  for (let run = 0; run < (bytes < LARGE ? 7 : 3); run += 1)
    for (const side of SIDES) {
      const one = await page.evaluate(lists, { url: `/files/${at}`, side, sets: true });
      all[side].open.push(one.open);
      all[side].sets.push(one.sets);
      rows[side] = one.rows;
    }
  await browser.close();
  const of = (what: "open" | "sets") => ({
    ours: median(all.ours[what]),
    theirs: median(all.theirs[what]),
  });
  const memory = { ours: await held("ours", at, bytes), theirs: await held("theirs", at, bytes) };
  return { name: basename(path), bytes, rows, open: of("open"), sets: of("sets"), memory };
}

/** Of a browser of its own, in which a file is opened once and its lists are read. */
async function held(side: Side, at: number, bytes: number): Promise<number | null> {
  const browser = await startBrowser();
  try {
    const page = await bare(browser);
    const session = await browser.newBrowserCDPSession();
    const { processInfo } = await session.send("SystemInfo.getProcessInfo");
    const pids = processInfo.filter(({ type }) => type === "renderer").map(({ id }) => id);
    const before = new Map(pids.map((pid) => [pid, memoryOf(pid, "VmRSS")]));
    // From here on the highest is counted anew.
    for (const pid of pids) writeFileSync(`/proc/${pid}/clear_refs`, "5");
    await page.evaluate(lists, { url: `/files/${at}`, side, sets: false });
    return Math.max(...pids.map((pid) => memoryOf(pid, "VmHWM") - (before.get(pid) ?? 0))) / bytes;
  } catch (error) {
    process.stderr.write(`The memory is not known: ${error}\n`);
    return null;
  } finally {
    await browser.close();
  }
}

function memoryOf(pid: number, what: "VmRSS" | "VmHWM"): number {
  const [, kilobytes = "0"] =
    new RegExp(`${what}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) * 1024;
}

const load = loadavg()[0] ?? 0;
const beside = load > 1 ? ", so other work ran beside it" : "";
const measured: Measured[] = [];
for (const [at, path] of files.entries()) {
  const one = await opened(path, at);
  process.stderr.write(`${JSON.stringify(one)}\n`);
  measured.push(one);
}
const meshedAt = measured.reduce(
  (best, { bytes }, at) =>
    Math.abs(bytes - MESHED) < Math.abs((measured[best]?.bytes ?? 0) - MESHED) ? at : best,
  0,
);
const meshed = measured[meshedAt];
const shapes: Record<Side, { first: number; all: number }[]> = { ours: [], theirs: [] };
let tasks: Awaited<ReturnType<typeof busy>> = [];
const browser = await startBrowser();
try {
  for (let run = 0; run < 3; run += 1)
    for (const side of SIDES) {
      const page = await bare(browser);
      shapes[side].push(await page.evaluate(meshes, { url: `/files/${meshedAt}`, side }));
      await page.context().close();
    }
  tasks = await busy(
    browser,
    `${site.origin}/walk.html?page=view`,
    `/files/${files.length - 1}`,
    ELEMENTS,
  );
} finally {
  await browser.close();
  site.stop();
}

const version = JSON.parse(
  readFileSync(join(npm, "node_modules/web-ifc/package.json"), "utf8"),
).version;
const round = (ms: number): string => String(Math.round(ms));
const times = (n: number | null): string => (n === null ? "–" : n.toFixed(1));
const pair = ({ ours, theirs }: Record<Side, number>): string =>
  `${round(ours)} | ${round(theirs)} | ${(ours / theirs).toFixed(2)}`;
const rows = measured.map(
  ({ name, bytes, rows, open, sets, memory }) =>
    `| ${name} | ${(bytes / 1e6).toFixed(1)} | ${rows.ours} (${rows.theirs}) | ${pair(open)} | ${pair(sets)} | ` +
    `${times(memory.ours)} | ${times(memory.theirs)} |`,
);
const shape = (what: "first" | "all") => ({
  ours: median(shapes.ours.map((one) => one[what])),
  theirs: median(shapes.theirs.map((one) => one[what])),
});
const text = `# Opening models

Written by \`cargo xtask bench model\`: medians in milliseconds in one Chromium on ${availableParallelism()} cores
(load of the minute before: ${load.toFixed(2)}${beside}), ours and npm \`web-ifc\` ${version} in turn
on the same file. What is compared stands side by side in one run: on a machine that is shared, the ratios say more than
the times.

"Open" is for both from a fresh Web Worker until tree and rows are in the page; "sets" is that and every set read.
\`web-ifc\` counts openings and spatial structure as rows too. Memory is the most that the page and its worker held
above what they had before, from opening until the lists were there, as a multiple of the file.

| file | MB | rows | open | web-ifc | ratio | sets | web-ifc | ratio | memory | web-ifc |
|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|
${rows.join("\n")}

## Geometry

Of ${meshed?.name}, which opens in ${round(meshed?.open.ours ?? 0)} ms; from a fresh worker.

| | ours | web-ifc | ratio |
|---|--:|--:|--:|
| first shape | ${pair(shape("first"))} |
| all shapes | ${pair(shape("all"))} |

## The page with ${ELEMENTS.toLocaleString("en")} elements

The longest task of the main thread of the built page in milliseconds: on the clock, which counts what other programs
had of the processor meanwhile, and on the processor alone.

| while | on the clock | on the processor |
|---|--:|--:|
${tasks.map((one) => `| ${one.name} | ${round(one.longest)} | ${round(one.onProcessor)} |`).join("\n")}
`;
process.stdout.write(text);
if (!process.argv.includes("--print")) writeFileSync(TABLE, text);
