// Scripts that run on this device: three real ones, each limit, the walls around them, and the page on which a person
// runs the present texts and a proposal.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, test } from "node:test";
import { FRAME_HASH, FRAME_SCRIPT } from "@holdpoint/core/python-run";
import type { Browser, Page } from "playwright-core";
import { violations } from "./axe.ts";
import { startBrowser } from "./browser.ts";
import { ofEdge } from "./network.ts";
import { runner, SITE } from "./python-run.ts";
import * as script from "./script-walk.ts";

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
    return {"chart": f'<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100">{bars}</svg>'}
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
  const [picture] = drawn.outputs;
  assert.ok(picture?.is === "file");
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
  const rows = "def run(settings, inputs):\n    return [{'n': n} for n in range(5_000)]\n";
  const table = await python.run({ text: rows });
  const [first] = table.outputs;
  assert.ok(first?.is === "table");
  assert.deepEqual([first.rows.length, first.total], [1_000, 5_000]);
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
  const entry = await problem("def other():\n    pass\n");
  assert.deepEqual([entry?.kind, entry?.message], ["EntryMissing", "run"]);
});

test("a script reaches no network, no page and no store, by Python or by what lies below it", async () => {
  const tries = [
    "import js\n    js.fetch('http://run.test/leak')",
    "from pyodide.http import pyfetch",
    "from pyodide.code import run_js",
    "import urllib.request\n    urllib.request.urlopen('http://run.test/leak', timeout=2)",
    "import socket\n    socket.create_connection(('run.test', 80), 2)",
  ];
  const kinds = [];
  for (const one of tries) {
    const { end, problem } = await python.run({ text: `def run(settings, inputs):\n    ${one}\n` });
    assert.equal(end, "failed", one);
    kinds.push(problem?.kind);
  }
  assert.deepEqual(kinds.slice(0, 3), Array(3).fill("ModuleNotFoundError"));
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

// ── the page ─────────────────────────────────────────────────────────────────────────────────────────────────────

const DOORS = "Name,FireRating\nD1,EI 30\nD2,\nD3,ei 60\n";
const state = (page: Page, side = "now") =>
  page.locator(`hp-run-result[data-side="${side}"]`).getByTestId("hp-run-state");
const run = async (page: Page) => {
  await page.getByTestId("hp-run-start").press("Enter");
  await page.getByTestId("hp-run-stop").waitFor();
};
const ended = (page: Page, words: RegExp, side = "now") =>
  state(page, side).filter({ hasText: words }).waitFor();
const give = async (page: Page, text: string) => {
  await page.locator("hp-run-fields #files").setInputFiles({
    ...{ name: "doors.csv", mimeType: "text/csv" },
    buffer: Buffer.from(text),
  });
  await page.getByRole("button", { name: "Remove doors.csv" }).waitFor();
};

test("a person runs a script, goes from its error to the line and to a question, and stops an endless one", async () => {
  const page = await script.opened(undefined, "3000");
  await page.getByRole("tab", { name: "Run" }).press("Enter");
  await page.getByText("Python is loaded once, 12.2 MB").waitFor();
  assert.deepEqual(await violations(page), []);
  await run(page);
  await ended(page, /Stopped by an error/);
  await page.getByText("Drop it under Files with this name: doors.csv").waitFor();
  await give(page, DOORS);
  await run(page);
  await ended(page, /Done/);
  await page.getByText('"doors": 3').waitFor();
  assert.deepEqual(await violations(page), []);

  // Without a network, in a page that has run before.
  await page.context().setOffline(true);
  await script.type(page, 'print("off the net")\n');
  await page.getByRole("tab", { name: "Run" }).click();
  await page.getByText("Changed since this was run.").waitFor();
  await run(page);
  await ended(page, /Done/);
  assert.equal(await page.getByTestId("hp-run-printed").innerText(), "off the net");
  await page.context().setOffline(false);

  await script.type(page, "undefined_name\n");
  await page.getByRole("tab", { name: "Run" }).click();
  await run(page);
  await ended(page, /Stopped by an error/);
  await page.getByText("NameError: name 'undefined_name' is not defined").first().waitFor();
  await page.getByTestId("hp-run-ask").press("Enter");
  assert.match(
    await page.getByTestId("hp-ask").inputValue(),
    /^Running the script stops at line 1 of tool\.py: NameError/,
  );
  await page.getByTestId("hp-run-line").press("Enter");
  await page.locator('.cm-content[data-file="tool.py"]').waitFor();
  assert.equal(await page.evaluate(() => window.hpApp.tool.front), "tool.py");

  await script.type(page, "while True: pass\n");
  await page.getByRole("tab", { name: "Run" }).click();
  await run(page);
  await ended(page, /Running/);
  await page.getByTestId("hp-run-stop").press("Enter");
  await ended(page, /Stopped/);
  await run(page);
  await ended(page, /Took too long/);
  await page.getByText("A run takes at most 3 seconds.").waitFor();
  await script.closed(page);
});

test("the proposal runs beside the present texts on the same input before it is applied, named as it is signed", async () => {
  const page = await script.opened();
  await page.getByRole("tab", { name: "Run" }).click();
  await give(page, DOORS);
  await run(page);
  await ended(page, /Done/);
  await page.getByTestId("hp-run-keep").press("Enter");
  await page.getByTestId("hp-run-examples").getByText("Example 1").waitFor();

  await script.proposed(page, [
    {
      op: "patch",
      target_file: "tool.py",
      patch: [
        "--- a/tool.py",
        "+++ b/tool.py",
        "@@ -20,3 +20,3 @@",
        "     missing = []",
        "     for door in doors:",
        '-        if not door["FireRating"]:',
        '+        if rank(door["FireRating"]) < 0:',
        "",
      ].join("\n"),
    },
  ]);
  await page.getByTestId("hp-examples-break").getByText("Example 1").waitFor();
  await script.open(page);
  const print = await page.getByTestId("hp-apply").locator(".fp").innerText();
  await page.getByTestId("hp-run-proposal").press("Enter");
  await run(page);
  await ended(page, /Done/, "proposed");
  await page.getByTestId("hp-run-same").getByText("What differs is marked").waitFor();
  const proposed = page.locator('hp-run-result[data-side="proposed"]');
  assert.equal(await proposed.getByTestId("hp-run-print").innerText(), print);
  await proposed.getByText('"D3"').waitFor();
  assert.equal(await page.locator('hp-run-result[data-side="now"]').getByText('"D3"').count(), 0);
  assert.ok((await proposed.getByTestId("hp-run-differs").count()) > 0);
  assert.deepEqual(await violations(page), []);
  await page.getByRole("tab", { name: "Proposal" }).click();
  await script.open(page);
  await page.getByTestId("hp-apply").press("Enter");
  await page.getByTestId("hp-applied").waitFor();
  await script.closed(page);
});

test("forms come from the schemas, faults stand at their fields, and the last input comes back", async () => {
  const page = await script.opened({ width: 390, height: 844 });
  const schema = {
    type: "object",
    required: ["width", "kinds"],
    properties: {
      width: { type: "integer", title: "Least width", minimum: 600 },
      kinds: { type: "array", title: "Kinds", items: { enum: ["in", "out"] }, minItems: 1 },
      day: { type: "string", format: "date", title: "Day" },
      all: { type: "boolean", title: "All of them", default: true },
    },
  };
  await page.evaluate(
    (settings) =>
      window.hpApp.tool.editors.replace({
        "settings_schema.json": settings,
        "input_schema.json": "",
        "entrypoint.txt": "run",
        "tool.py": "def run(settings, inputs):\n    return dict(settings)\n",
      }),
    JSON.stringify(schema),
  );
  await page.getByRole("navigation").getByRole("button", { name: "Run" }).click();
  await page.getByLabel("Least width").fill("500");
  await page.getByTestId("hp-run-start").press("Enter");
  assert.deepEqual(await page.getByTestId("hp-run-fault").allInnerTexts(), [
    "Write 600 or more.",
    "Take at least 1.",
  ]);
  await page.getByText("Fix 2 fields to run it.").waitFor();
  await page.waitForFunction(() => {
    let at = document.activeElement;
    while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
    return at?.id === "settings-width";
  });
  assert.deepEqual(await violations(page), []);
  await page.getByLabel("Least width").fill("900");
  await page.getByLabel("out").check();
  await page.getByLabel("Day").fill("2026-11-30");
  await run(page);
  await ended(page, /Done/);
  const result = page.locator("hp-run-result");
  for (const one of ["900", "2026-11-30", "yes"]) await result.getByText(one).first().waitFor();
  // Another tab on the same script has what was given last.
  const back = await page.evaluate(async () => {
    const kept = await window.hpStore.get<{ settings: Record<string, unknown> }>(
      "drafts",
      "script-run:t1",
    );
    return kept?.settings.width;
  });
  assert.equal(back, "900");
  await script.closed(page);
});
