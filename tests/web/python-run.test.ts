// Scripts that run, without the product around them: three real ones, each limit, and the walls.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { FRAME_HASH, FRAME_SCRIPT } from "@holdpoint/core/python-run";
import type { Browser } from "playwright-core";
import { startBrowser } from "./browser.ts";
import { ofEdge } from "./network.ts";
import { runner, SITE } from "./python-run.ts";

let browser: Browser;
let python: Awaited<ReturnType<typeof runner>>;
before(
  async () => {
    browser = await startBrowser();
    python = await runner(browser);
  },
  { timeout: 120_000 },
);
after(() => browser?.close());

const cleaned = `
import csv
from pathlib import Path


def run_tool(input_dir, output_dir):
    with open(Path(input_dir) / "rooms.csv", newline="", encoding="utf-8-sig") as source:
        rows = [{k.strip(): v.strip() for k, v in row.items()} for row in csv.DictReader(source)]
    kept = [row for row in rows if row["area"]]
    with open(Path(output_dir) / "clean.csv", "w", newline="", encoding="utf-8") as target:
        writer = csv.DictWriter(target, list(kept[0]))
        writer.writeheader()
        writer.writerows(kept)
    print("kept", len(kept), "of", len(rows))
    return {"status": "ok", "left_out": len(rows) - len(kept)}
`;
const joined = `
def run(settings, inputs):
    doors = {row["room"]: row for row in inputs["doors"]}
    rows = []
    for room in inputs["rooms"]:
        door = doors.get(room["id"], {})
        width = door.get("width")
        rows.append({"room": room["name"], "width": width, "ok": width is not None and width >= settings["least"]})
    return {"rooms": rows, "pairs": [[row["room"], row["width"]] for row in rows]}
`;
const chart = `
def main(settings, inputs):
    bars = "".join(
        f'<rect x="{20 * i}" y="{100 - n}" width="16" height="{n}"/>' for i, n in enumerate(inputs["counts"])
    )
    chart = f'<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100">{bars}</svg>'
    return {"rows": [{"n": n} for n in range(1_200)], "chart": chart}
`;

test("the frame's script is the one that the edge's policy names", () => {
  const hash = createHash("sha256").update(FRAME_SCRIPT).digest("base64");
  assert.equal(FRAME_HASH, `sha256-${hash}`);
  assert.match(ofEdge("PAGE_POLICY"), new RegExp(`'${FRAME_HASH.replaceAll(/[+/]/g, "\\$&")}'`));
});

test("a CSV is cleaned, a table joined, a chart drawn", async () => {
  const rooms = "\ufeffname, area\nHall , 12.5\nStore,\nKitchen,9\n";
  const csv = await python.run({ entry: "run_tool", text: cleaned, files: { "rooms.csv": rooms } });
  assert.deepEqual([csv.end, csv.printed], ["done", "kept 2 of 3\n"]);
  const [facts, table, file] = csv.outputs;
  assert.deepEqual(facts, {
    is: "facts",
    name: "",
    rows: [
      ["status", "ok"],
      ["left_out", 1],
    ],
  });
  assert.deepEqual(table, {
    ...{ is: "table", name: "clean.csv", columns: ["name", "area"], total: 2 },
    rows: [
      ["Hall", "12.5"],
      ["Kitchen", "9"],
    ],
  });
  assert.ok(file?.is === "file" && file.name === "clean.csv" && file.bytes.length > 20);

  const join = await python.run({
    text: joined,
    settings: { least: 900 },
    inputs: {
      rooms: [
        { id: 1, name: "Hall" },
        { id: 2, name: "Store" },
      ],
      doors: [{ room: 1, width: 1000 }],
    },
  });
  assert.deepEqual(
    join.outputs.map((one) => (one.is === "table" ? [one.name, one.columns, one.rows] : one)),
    [
      [
        "rooms",
        ["room", "width", "ok"],
        [
          ["Hall", 1000, true],
          ["Store", null, false],
        ],
      ],
      [
        "pairs",
        null,
        [
          ["Hall", 1000],
          ["Store", null],
        ],
      ],
    ],
  );

  const drawn = await python.run({ entry: "main", text: chart, inputs: { counts: [10, 60] } });
  const [rows, picture] = drawn.outputs;
  assert.ok(rows?.is === "table" && picture?.is === "file");
  assert.deepEqual([rows.rows.length, rows.total], [1_000, 1_200], "the rest is counted");
  assert.deepEqual([picture.name, picture.picture], ["chart.svg", "image/svg+xml"]);
});

test("each limit ends a run, and the next one begins fresh", async () => {
  const loop = "def run(settings, inputs):\n    print('on')\n    while True:\n        pass\n";
  const late = await python.run({ text: loop, limits: { wallMs: 300 } });
  assert.deepEqual([late.end, late.printed], ["time", "on\n"]);
  const flood = "def run(settings, inputs):\n    while True:\n        print('x' * 999)\n";
  const much = await python.run({ text: flood });
  assert.deepEqual([much.end, much.printed.length], ["print", 1_000_000]);
  const bomb =
    "def run(settings, inputs):\n    held = []\n    while True:\n        held.append(bytearray(10_000_000))\n";
  const memory = await python.run({ text: bomb });
  assert.equal(memory.end, "memory");
  const stopped = await python.run({ text: loop, stopMs: 50 });
  assert.equal(stopped.end, "stopped");
});

const leaves = `
import builtins, json, os, random, sys, time
from pathlib import Path

KEPT = globals().setdefault("KEPT", [])


def seen():
    return {
        "global": len(KEPT),
        "file": sorted(str(one) for one in Path("/run").rglob("left*")) + sorted(os.listdir("/tmp")),
        "module": "left" in sys.modules,
        "path": "/left" in sys.path,
        "patch": json.load == "left" or hasattr(builtins, "left"),
        "variable": os.environ.get("LEFT"),
        "limit": sys.getrecursionlimit(),
        "folder": os.getcwd(),
    }


def run(settings, inputs):
    before = repr(seen())
    KEPT.append(1)
    Path("/run/left.txt").write_text("left")
    Path("/tmp/left.txt").write_text("left")
    Path("/run/left.py").write_text("")
    sys.path[:0] = ["/left", "/run"]
    import left
    json.load = "left"
    builtins.left = True
    os.environ["LEFT"] = "left"
    sys.setrecursionlimit(500)
    os.chdir("/tmp")
    return [{"seen": before, "dice": random.random()}]
`;

test("a run sees nothing of the runs before it: no name, file, module, path, patch, limit or dice", async () => {
  const rows = async () => {
    const { outputs, problem } = await python.run({ text: leaves });
    const [table] = outputs;
    assert.ok(table?.is === "table", problem?.trace);
    return table.rows[0] ?? [];
  };
  // The first starts from the files, or from memory, later ones from memory.
  const other = await runner(browser);
  const first = await other.run({ text: leaves });
  assert.ok(first.outputs[0]?.is === "table", first.problem?.trace);
  await other.page.context().close();
  const all = [first.outputs[0].rows[0] ?? [], await rows(), await rows(), await rows()];
  assert.deepEqual(new Set(all.map(([seen]) => seen)).size, 1, JSON.stringify(all));
  assert.match(
    String(all[0]?.[0]),
    /'global': 0, 'file': \[\], 'module': False, 'path': False, 'patch': False, 'variable': None/,
  );
  assert.equal(new Set(all.map(([, dice]) => dice)).size, all.length, "each throws its own dice");
});

test("after a script took all memory the next ones run, and have what the first had", async () => {
  const bomb =
    "def run(settings, inputs):\n    held = [bytearray(10_000_000) for _ in range(99)]\n";
  const half = "def run(settings, inputs):\n    return len(bytearray(250_000_000))\n";
  for (let n = 0; n < 2; n += 1) {
    assert.equal((await python.run({ text: bomb })).end, "memory");
    const next = await python.run({ text: half });
    assert.deepEqual(
      [next.end, next.outputs],
      ["done", [{ is: "text", name: "", text: "250000000", cut: false }]],
    );
  }
});

test("an interpreter waits for the next run, one alone, until nobody is about to run anything", async () => {
  const other = await runner(browser);
  const text = "def run(settings, inputs):\n    return 1\n";
  assert.equal(await other.workers(0), 0, "none starts before somebody runs something");
  assert.equal((await other.run({ text })).end, "done");
  assert.equal(await other.workers(1), 1, "the one that ran is gone, one waits");
  // Stopped while the waiting one starts, and one that it takes.
  for (let n = 0; n < 3; n += 1)
    assert.equal((await other.run({ text, stopNow: true })).end, "stopped");
  assert.equal(await other.workers(1), 1);
  assert.equal((await other.run({ text })).end, "done");
  assert.equal(await other.workers(1), 1);

  const sight = (hidden: boolean) =>
    other.page.evaluate((hidden) => {
      Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
      document.dispatchEvent(new Event("visibilitychange"));
    }, hidden);
  // A minute is over at once.
  await other.page.evaluate(() => {
    const later = window.setTimeout;
    Object.assign(window, {
      setTimeout: (what: TimerHandler, ms?: number, ...of: unknown[]) =>
        later(what, ms === 60_000 ? 0 : ms, ...of),
    });
  });
  await sight(true);
  assert.equal(await other.workers(0), 0, "it ends when the page is out of sight for long");
  await sight(false);
  assert.equal(await other.workers(1), 1, "and is there again with the page");
  await other.page.evaluate(() => window.hpRest());
  assert.equal(await other.workers(0), 0, "it ends with the page of the script");
  await sight(true);
  await sight(false);
  await other.page.waitForTimeout(200);
  assert.equal(await other.workers(0), 0, "and stays away");
  await other.page.context().close();
});

test("the model is told of the Python that runs", async () => {
  const { outputs } = await python.run({
    text: "import sys\ndef run(settings, inputs):\n    return '.'.join(map(str, sys.version_info[:2]))\n",
  });
  const prompt = readFileSync(
    new URL("../../crates/kind-script/src/prompts/system.rs", import.meta.url),
    "utf8",
  );
  const [, version] = /The runner is Python ([\d.]+) with its standard library/.exec(prompt) ?? [];
  assert.deepEqual(outputs, [{ is: "text", name: "", text: version, cut: false }]);
});

test("an error stands at its line, a package that is not there is named", async () => {
  const problem = async (text: string) => (await python.run({ text })).problem;
  const key = await problem("def run(settings, inputs):\n    row = {}\n    return row['width']\n");
  assert.deepEqual([key?.kind, key?.message, key?.line], ["KeyError", "'width'", 3]);
  assert.doesNotMatch(key?.trace ?? "", /<exec>/, "only what is the script's own");
  const syntax = await problem("def run(settings, inputs):\n    return (\n");
  assert.deepEqual([syntax?.kind, syntax?.line], ["SyntaxError", 2]);
  const numpy = await problem("def run(settings, inputs):\n    import numpy.linalg\n");
  assert.deepEqual([numpy?.kind, numpy?.package, numpy?.line], ["ModuleNotFoundError", "numpy", 2]);
});

test("a script reaches no network, no page and no store, by Python or by what lies below it", async () => {
  const { outputs } = await python.run({
    text: `
def run(settings, inputs):
    kinds = []
    for one in inputs["tries"]:
        try:
            exec(one, {"__builtins__": __builtins__})
            kinds.append("reached")
        except Exception as error:
            kinds.append(type(error).__name__)
    return kinds
`,
    inputs: {
      tries: [
        "import js\njs.fetch('http://run.test/leak')",
        "from pyodide.http import pyfetch",
        "from pyodide.code import run_js",
        "import urllib.request\nurllib.request.urlopen('http://run.test/leak', timeout=2)",
        "import socket\nsocket.create_connection(('run.test', 80), 2)",
      ],
    },
  });
  const [kinds] = outputs;
  assert.ok(kinds?.is === "table");
  const missing = "ModuleNotFoundError";
  assert.deepEqual(kinds.rows.flat().slice(0, 3), [missing, missing, missing]);
  assert.ok(!kinds.rows.flat().includes("reached"));
  // The wall itself: what a script could do if it got at JavaScript.
  const reaches = async (site: string) => {
    const out: Record<string, unknown> = {};
    const tried = async (name: string, what: () => unknown) => {
      out[name] = await Promise.resolve()
        .then(what)
        .then(
          () => "reached",
          () => "refused",
        );
    };
    await tried("request", () => fetch(`${site}/leak`));
    await tried("script", () => import(`${site}/run.js?leak`));
    await tried("store", () => indexedDB.open("x"));
    await tried("code", () => new Function("return 1")());
    await tried("caches", () => caches.keys());
    return { ...out, origin: self.origin };
  };
  const walled = {
    ...{ request: "refused", script: "refused", store: "refused", code: "refused" },
    ...{ caches: "refused", origin: "null" },
  };
  const frame = python.page.frames().find((one) => one !== python.page.mainFrame());
  assert.ok(frame);
  assert.deepEqual(await frame.evaluate(reaches, SITE), walled);
  assert.equal(
    await frame.evaluate(() => {
      try {
        return String(parent.document.title);
      } catch {
        return "refused";
      }
    }),
    "refused",
  );
  const [worker] = python.page.workers();
  assert.ok(worker);
  await worker.evaluate("globalThis.__name = (what) => what");
  assert.deepEqual(await worker.evaluate(reaches, SITE), walled);
  const asked = python.asked.filter((address) => address.includes("leak"));
  assert.deepEqual(asked, [], "nobody was asked for anything");
});
