// A script is run by keyboard alone: its forms, a file, Run, Stop, what came of it, a question, a kept example.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { arrives, focusedName, press, tabTo, typed } from "./page.ts";
import * as script from "./script-walk.ts";

const settings = {
  type: "object",
  required: ["width", "side"],
  properties: {
    width: { type: "integer", title: "Least width", minimum: 600 },
    side: { type: "string", title: "Side", enum: ["left", "right"] },
    kinds: { type: "array", title: "Kinds", items: { enum: ["in", "out"] } },
    all: { type: "boolean", title: "All of them" },
  },
};
const input = {
  type: "object",
  required: ["doors"],
  properties: { doors: { type: "string", title: "Doors", format: "file" } },
};
const tool = `
import csv


def run(settings, inputs):
    with open(inputs["doors"], newline="") as source:
        rows = [row for row in csv.DictReader(source) if int(row["width"]) >= settings["width"]]
    print("kept", len(rows), settings["side"], settings.get("kinds"), settings.get("all"))
    while settings["width"] == 9999:
        pass
    open("output/wide.csv", "w").write("name\\n" + "\\n".join(row["name"] for row in rows) + "\\n")
    return {"rows": rows, "longest": rows[0]["name"]}
`;

async function opened(): Promise<Page> {
  const page = await script.opened();
  await page.evaluate(
    ([settings, input, tool]) =>
      window.hpApp.tool.editors.replace({
        "settings_schema.json": settings,
        "input_schema.json": input,
        "entrypoint.txt": "run",
        "tool.py": tool,
      }),
    [JSON.stringify(settings), JSON.stringify(input), tool] as const,
  );
  return page;
}

/** Chooses a file where the browser's own choice opens. */
async function choose(page: Page, what: RegExp, text: string): Promise<void> {
  await tabTo(page, what);
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    page.keyboard.press("Enter"),
  ]);
  await chooser.setFiles({ name: "doors.csv", mimeType: "text/csv", buffer: Buffer.from(text) });
}

const ended = (page: Page, words: RegExp) =>
  page.getByTestId("hp-run-state").filter({ hasText: words }).waitFor();

test("a script is run, stopped, asked about and kept without a mouse", {
  timeout: 240_000,
}, async () => {
  const page = await opened();
  await tabTo(page, /^tool\.py/);
  await page.keyboard.press("End");
  await arrives(page, /^Run/, "the last tab");
  await page.keyboard.press("Enter");

  await typed(page, /Least width/, "500");
  await page.keyboard.press("Enter");
  await page.getByText("Fix 3 fields to run it.").waitFor();
  await arrives(page, /Least width/, "Enter in a form leads to what is in the way");
  await typed(page, /Least width/, "900");
  await tabTo(page, /Side/);
  await page.keyboard.press("ArrowDown");
  await press(page, /\bout$/, "Space");
  await press(page, /All of them/, "Space");
  await choose(page, /Choose a file/, "name,width\nD1,800\nD2,1000\n");
  await arrives(page, /^Remove doors\.csv/, "the file that was chosen has the focus");

  await press(page, /hp-run-start/);
  await arrives(page, /hp-run-stop|hp-run-start/, "Stop stands where Run was");
  await ended(page, /Done/);
  await arrives(page, /hp-run-start/, "and Run again where Stop was");
  await tabTo(page, /hp-run-printed/, "Shift+Tab");
  await page.getByText("kept 1 left ['out'] True").waitFor();
  await tabTo(page, /hp-run-save/);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.keyboard.press("Enter"),
  ]);
  assert.equal(download.suggestedFilename(), "wide.csv");
  await press(page, /hp-run-keep/);
  await page.getByTestId("hp-run-examples").getByText("Example 1").waitFor();

  // One that does not end.
  await typed(page, /Least width/, "9999");
  await tabTo(page, /Side/);
  await page.keyboard.press("ArrowDown");
  await tabTo(page, /hp-run-start/);
  await page.keyboard.press("Enter");
  await arrives(page, /hp-run-stop/, "Stop stands where Run was");
  await ended(page, /Running/);
  await page.keyboard.press("Enter");
  await ended(page, /Stopped/);
  await arrives(page, /hp-run-start/, "and Run where Stop was");

  // One that fails: no door is so wide.
  await typed(page, /Least width/, "5000");
  await page.keyboard.press("Enter");
  await ended(page, /Stopped by an error/);
  await arrives(page, /Least width/, "who runs from a field stays in it");
  await press(page, /hp-run-ask/);
  await arrives(page, /hp-ask/, "the question is written where it can be sent");
  assert.match(await page.getByTestId("hp-ask").inputValue(), /IndexError/);

  // The example brings its input back, and goes.
  await tabTo(page, /^Example 1/, "Shift+Tab");
  await page.keyboard.press("Enter");
  await tabTo(page, /^Remove Example 1/);
  await page.keyboard.press("Enter");
  await page.getByTestId("hp-run-examples").waitFor({ state: "detached" });
  assert.notEqual(await focusedName(page), "", "the focus is not lost with the example");
  await tabTo(page, /Least width/, "Shift+Tab");
  assert.equal(await page.getByLabel("Least width").inputValue(), "900");
  assert.equal(await page.getByLabel("Side").inputValue(), "left");
  await script.closed(page);
});
