// The rig of the sandbox: every hostile program natively, in Chromium, in npm `quickjs-emscripten` and as the browser's
// own code, each in a Web Worker that is ended at the same wall clock; then honest programs side by side.
//
// Usage: node --import tsx run.ts FOLDER_WITH_PEERS HONEST.json. Prints JSON.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import type { Json } from "@holdpoint/core/types";
import { type Browser, chromium, type Page } from "playwright-core";
import { type Outcome, sandboxPage } from "../../../../tests/web/sandbox.ts";

const [peers = ".", honestPath = ""] = process.argv.slice(2);
const WALL_MS = 2_500;
/** For a worker that was asked to end by itself. */
const GRACE_MS = 500;
const ROUNDS = 7;
const TRIVIAL = "export default () => 'works';";
const SITE = "http://guest.test";

/** What happened to a program. */
type Happened = "ended" | "late" | "finished" | "through" | "dead";

interface Row {
  class: string;
  title: string;
  wanted: string;
  program: { modules: Record<string, string>; metering: { prefix: string } };
  outcome: Outcome;
  ms: number;
}
type Engine = "quickjs" | "function";
interface Said {
  said: string;
  ms: number;
  works: boolean;
}

const rows = readFileSync(resolve("target/sandbox-native.jsonl"), "utf8")
  .split("\n")
  .filter(Boolean)
  .map((line): Row => JSON.parse(line));
const sources = new Map<string, string>();
for (const name of new Set(rows.map((row) => row.class))) {
  const text = `\n${readFileSync(resolve(`tests/programs/hostile/${name}.js`), "utf8")}`;
  for (const program of text.split("\n//# ").slice(1)) {
    const end = program.indexOf("\n");
    sources.set(`${name} ${program.slice(0, end).replace(/^\S+ /, "")}`, program.slice(end + 1));
  }
}
const sourceOf = (row: Row): string => sources.get(`${row.class} ${row.title}`) ?? "";
const isLimit = (wanted: string): boolean => ["FUEL", "MEMORY", "STACK", "TIMEOUT"].includes(wanted);

/** A value where none may be: of a program that tried to get out, or that caught what ended it. */
function answered(wanted: string, value: string): Happened {
  if (wanted === "OK") return value === '"held"' ? "ended" : "through";
  if (value === '"caught"') return "through";
  return isLimit(wanted) ? "finished" : "ended";
}

function ours(row: Row, outcome: Outcome, works: boolean): Happened {
  if (!works) return "dead";
  const code = outcome.failure?.code;
  if (code === undefined) return answered(row.wanted, JSON.stringify(outcome.value));
  return code === "TIMEOUT" ? "late" : "ended";
}

function theirs(row: Row, { said, works }: Said): Happened {
  if (said === "late") return "late";
  if (!works) return "dead";
  return said.startsWith("value ") ? answered(row.wanted, said.slice(6)) : "ended";
}

async function launched(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.HOLDPOINT_CHROMIUM ?? "/usr/bin/chromium",
    // What the browser's own code takes must not take the machine along.
    args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--js-flags=--max-old-space-size=512"],
  });
}

const esbuild = createRequire(resolve("package.json"))("esbuild");
const guest: string = (
  await esbuild.build({
    stdin: {
      contents: readFileSync(resolve("crates/bench/src/sandbox/guest.ts"), "utf8"),
      resolveDir: resolve(peers),
      loader: "ts",
    },
    bundle: true,
    format: "iife",
    write: false,
  })
).outputFiles[0].text;

/** Runs in the page: one worker an engine, ended when it is late or broken. */
function install(grace: number) {
  const workers: Record<string, Worker> = {};
  const ask = (asked: { engine: string; source: string; wall: number }): Promise<{ said: string; ms: number }> => {
    const { engine, wall } = asked;
    workers[engine] ??= new Worker("/guest.js");
    const worker = workers[engine];
    const begun = performance.now();
    return new Promise((resolve) => {
      const done = (answer: { said: string; ms: number }) => {
        clearTimeout(clock);
        resolve(answer);
      };
      const broken = (said: string) => {
        worker.terminate();
        delete workers[engine];
        done({ said, ms: performance.now() - begun });
      };
      const clock = setTimeout(() => broken("late"), wall + grace);
      worker.onmessage = ({ data }) => done(data);
      worker.onerror = ({ message }) => broken(`broken ${message}`);
      worker.postMessage(asked);
    });
  };
  Object.assign(window, { askGuest: ask });
}

type Guest = Window & { askGuest(asked: object): Promise<{ said: string; ms: number }> };

class Guests {
  #page: Promise<Page>;

  constructor(private readonly browser: Browser) {
    this.#page = this.#opened();
  }

  async #opened(): Promise<Page> {
    const page = await this.browser.newPage();
    await page.addInitScript("globalThis.__name = (what) => what;");
    await page.route(`${SITE}/**`, (route) =>
      route.request().url().endsWith("/guest.js")
        ? route.fulfill({ contentType: "text/javascript", body: guest })
        : route.fulfill({ contentType: "text/html", body: "<!doctype html>" }),
    );
    await page.goto(`${SITE}/`);
    await page.evaluate(install, GRACE_MS);
    return page;
  }

  /** A program, and whether the same worker (a fresh one behind a late program) still works. */
  async run(engine: Engine, source: string): Promise<Said> {
    const page = await this.#page;
    const crashed = new Promise<null>((done) => page.once("crash", () => done(null)));
    const ask = (text: string) =>
      page.evaluate((asked) => (window as unknown as Guest).askGuest(asked), {
        engine,
        source: text,
        wall: WALL_MS,
      });
    const answer = await Promise.race([ask(source), crashed]).catch(() => null);
    if (answer === null) {
      await page.close().catch(() => undefined);
      this.#page = this.#opened();
      return { said: "the page ended", ms: 0, works: false };
    }
    if (answer.said.startsWith("broken")) return { ...answer, works: false };
    const next = await Promise.race([ask(TRIVIAL), crashed]).catch(() => null);
    const works = next?.said === 'value "works"';
    // A broken engine is asked nothing more.
    if (!works) {
      await page.close().catch(() => undefined);
      this.#page = this.#opened();
    }
    return { ...answer, works };
  }
}

/** A program of people's code, as it is and as our sandbox runs it. */
interface Honest {
  name: string;
  source: string;
  modules: Record<string, string>;
  metering: Json;
}

const median = (times: number[]): number => times.sort((a, b) => a - b)[times.length >> 1] ?? 0;

const browser = await launched();
try {
  const guests = new Guests(browser);
  const program = (source: string) => ({ ...rows[0]?.program, modules: { "src/a.js": source } });

  // The first test of a session and later ones, each in a page of its own.
  const [first, later]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    const page = await sandboxPage(browser);
    const ran = await page.run(Array(5).fill(program(TRIVIAL)), WALL_MS);
    first.push(ran[0]?.ms ?? 0);
    later.push(...ran.slice(1).map(({ ms }) => ms));
    await page.close();
  }

  const page = await sandboxPage(browser);
  const hostile = [];
  const again: number[] = [];
  for (const row of rows) {
    const [ran, next] = await page.run([row.program, program(TRIVIAL)], WALL_MS);
    const works = next?.outcome.value === "works";
    if (ran?.lost) again.push(next?.ms ?? 0);
    hostile.push({
      class: row.class,
      native: ours(row, row.outcome, true),
      chromium: ours(row, ran?.outcome ?? {}, works),
      quickjs: theirs(row, await guests.run("quickjs", sourceOf(row))),
      function: theirs(row, await guests.run("function", sourceOf(row))),
    });
  }

  const honest = [];
  for (const { name, source, ...metered } of JSON.parse(readFileSync(honestPath, "utf8")) as Honest[]) {
    const times: Record<string, number[]> = { ours: [], quickjs: [], function: [] };
    const values = new Set<string>();
    for (let round = 0; round < ROUNDS; round += 1) {
      const [ran] = await page.run([{ ...program(""), ...metered }], WALL_MS);
      times.ours?.push(ran?.ms ?? 0);
      values.add(JSON.stringify(ran?.outcome.value));
      for (const engine of ["quickjs", "function"] as const) {
        const { said, ms } = await guests.run(engine, source);
        times[engine]?.push(ms);
        values.add(said.replace(/^value /, ""));
      }
    }
    const [own, quickjs, plain] = [times.ours, times.quickjs, times.function].map((all) =>
      median(all ?? []),
    );
    honest.push({ name, ours: own, quickjs, function: plain, same: values.size === 1 });
  }
  console.log(
    JSON.stringify({
      hostile,
      honest,
      first: median(first),
      later: median(later),
      again: median(again),
      lost: again.length,
    }),
  );
} finally {
  await browser.close();
}
