// The page on which a person runs a script on this device: its present texts, a proposal beside them, kept examples.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { violations } from "./axe.ts";
import * as script from "./script-walk.ts";

const DOORS = "Name,FireRating\nD1,EI 30\nD2,\nD3,ei 60\n";
const state = (page: Page, side = "now") =>
  page.locator(`hp-run-result[data-side="${side}"]`).getByTestId("hp-run-state");
const run = (page: Page) => page.getByTestId("hp-run-start").press("Enter");
const ended = (page: Page, words: RegExp, side = "now") =>
  state(page, side).filter({ hasText: words }).waitFor();
const give = async (page: Page, text: string) => {
  await page.locator("hp-run-fields #files").setInputFiles({
    ...{ name: "doors.csv", mimeType: "text/csv" },
    buffer: Buffer.from(text),
  });
  await page.getByRole("button", { name: "Remove doors.csv" }).waitFor();
};

test("a person runs a script, goes from its error to the line and a question, and stops an endless one", async () => {
  const page = await script.opened();
  await page.getByRole("tab", { name: "Run" }).press("Enter");
  await page.getByText("Python is loaded once, 12.2 MB").waitFor();
  assert.deepEqual(await violations(page), []);
  await run(page);
  await ended(page, /Stopped by an error/);
  await page.getByText("Drop it under Files with this name: doors.csv").waitFor();
  await page.getByTestId("hp-run-ask").press("Enter");
  assert.match(
    await page.getByTestId("hp-ask").inputValue(),
    /^Running the script stops at line 13 of tool\.py: FileNotFoundError/,
  );
  await page.getByTestId("hp-run-line").press("Enter");
  assert.equal(await page.evaluate(() => window.hpApp.tool.front), "tool.py");

  // Without a network, once it has run.
  await page.context().setOffline(true);
  await script.type(page, 'print("off the net")\n');
  await page.getByRole("tab", { name: "Run" }).press("Enter");
  await page.getByText("Changed since this was run.").waitFor();
  await give(page, DOORS);
  await run(page);
  await ended(page, /Done/);
  await page.getByText('"doors": 3').waitFor();
  assert.equal(await page.getByTestId("hp-run-printed").innerText(), "off the net");
  assert.deepEqual(await violations(page), []);

  await script.type(page, "while True: pass\n");
  await page.getByRole("tab", { name: "Run" }).press("Enter");
  await run(page);
  await ended(page, /Running/);
  await page.getByTestId("hp-run-stop").press("Enter");
  await ended(page, /Stopped/);
  await script.closed(page);
});

test("the proposal runs beside the present texts on one input before it is applied, named as signed", async () => {
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
  await page.getByRole("button", { name: "Remove doors.csv" }).click();
  await run(page);
  for (const side of ["now", "proposed"]) await ended(page, /Stopped by an error/, side);
  assert.equal(await page.getByTestId("hp-run-same").count(), 0, "runs without a result compare");
  await give(page, DOORS);
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
