// A proposal that came as search and replace blocks: what was tolerated is seen in its place, by mouse, by keyboard and
// by who hears the page, and what is signed is what is written.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { EditOp } from "@holdpoint/core/editor";
import type { Page } from "playwright-core";
import { sideways, violations } from "./axe.ts";
import * as script from "./script-walk.ts";

const block = (old: string, now: string): string =>
  `<<<<<<< SEARCH\n${old}=======\n${now}>>>>>>> REPLACE\n`;
const patch = (target_file: EditOp["target_file"], ...blocks: string[]): EditOp => ({
  op: "patch",
  target_file,
  patch: `I change it.\n\n\`${target_file}\`\n\`\`\`python\n${blocks.join("```\n\n```\n")}\`\`\`\n`,
});

const reads = ['path, newline="", encoding="utf-8"', 'path, newline="", encoding="utf-8-sig"'];
const report = (name: string): string =>
  `def run_tool(input_dir, output_dir):\n    # ... as it is ...\n    report = {\n        "tool": "${name}",\n`;
const writes = "    out.write_text(json.dumps(report, indent=2))\n";
const replied: EditOp[] = [
  patch(
    "tool.py",
    block(`${reads[0]}\n`, `${reads[1]}\n`),
    block(report("fire-doors"), report("fire-rating")),
    block(writes, `${writes}${writes.replace("report", "reports")}`),
    block("from pathlib import Path\n", "from pathlib import Path\nimport json\n"),
    block('        "tool": "fire-rating",\n', '        "tool": "fire-ratings",\n'),
  ),
  patch("usage_instructions.md", block("", "\nThe report is `report.json`.\n")),
];

const said = (page: Page): Promise<string[]> =>
  page.locator("hp-confirm li > span").evaluateAll((all) =>
    all.map((one) =>
      [...one.childNodes]
        .filter((node) => node.nodeType === Node.TEXT_NODE)
        .map((node) => node.textContent?.trim())
        .join(""),
    ),
  );
/** What a person sees of these in a diff, whichever layout is drawn. */
const seen = (page: Page, what: string): Promise<string[]> =>
  page
    .locator(`hp-diff ${what}`)
    .evaluateAll((all) =>
      all.filter((one) => one.checkVisibility()).map((one) => one.textContent?.trim() ?? ""),
    );
/** The numbers of the lines that carry a mark of this look, as they stand now. */
const marked = (page: Page, look: string): Promise<string[]> =>
  seen(page, `tr > td.ln.${look}:first-child`);

test("each doubt of a reply stands in its place, and a tick and a signature write what is shown", async () => {
  const page = await script.opened();
  const was = await script.text(page);
  await script.proposed(page, replied);
  await page.getByTestId("hp-confirm").waitFor();
  assert.deepEqual(await said(page), [
    "Change 4 stands at the end of the file: the suggestion names no lines that it belongs to.",
    "In change 2 only a part of the line is replaced; the rest of the line stays.",
    "In change 3 the suggestion left lines out with dots; they stay as they are.",
    "A new line in change 3 is almost the line beside it, which stays. It looks like a forgotten “-”.",
    "The new lines of change 1 stand there already; afterwards they stand there twice.",
  ]);
  assert.deepEqual(await seen(page, ".hunk-h .badge"), [
    "Stands there already",
    "Part of the line",
    "Left-out lines stay",
    "Looks like a forgotten “-”",
    "At the end of the file",
  ]);
  const parts = await page
    .locator("hp-diff table.split tr:has(span.part)")
    .evaluateAll((rows) =>
      rows.flatMap((row) =>
        [...row.querySelectorAll("td.code")].map((cell) =>
          [...cell.querySelectorAll("span.part")].map((one) => one.textContent).join(""),
        ),
      ),
    );
  assert.deepEqual(parts, reads, "on both sides, and no more of the line than was replaced");
  assert.deepEqual(await marked(page, "there"), ["2"]);
  assert.deepEqual(await marked(page, "copy"), ["30"]);
  assert.deepEqual(await marked(page, "stays"), ["22", "23"], "what a place shows of them");
  assert.deepEqual(await violations(page), []);

  await page.getByText("Noted while reading").click();
  await page.getByText("The suggestion came as search and replace blocks.").waitFor();
  await page.getByText("A change builds on what an earlier one made.").waitFor();

  await page.getByTestId("hp-confirm-tick").check();
  await script.open(page);
  await page.getByTestId("hp-apply").click();
  await page.getByTestId("hp-applied").waitFor();
  const want = was
    .replace(reads[0], reads[1])
    .replace("fire-doors", "fire-ratings")
    .replace(writes, writes + writes.replace("report", "reports"))
    .replace("from pathlib import Path\n", "from pathlib import Path\nimport json\n");
  assert.equal(await script.text(page), want);
  assert.equal(script.stored(), want);
  assert.match(script.stored("usage_instructions.md"), /\n\nThe report is `report\.json`\.\n$/);
  await script.closed(page);
});

test("the lines that dots stand for are folded, and come by keyboard", async () => {
  const page = await script.opened();
  await script.proposed(page, replied);
  await page.getByTestId("hp-confirm").waitFor();
  const folds = page.locator("hp-diff .fold-line");
  assert.deepEqual(await seen(page, ".fold-line"), [
    "3 unchanged lines",
    "The lines between stay: 5 unchanged lines, left out with dots",
  ]);
  await folds.nth(1).focus();
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => {
    const diff = document
      .querySelector("#page")
      ?.shadowRoot?.querySelector("hp-proposal")
      ?.shadowRoot?.querySelector("hp-review")
      ?.shadowRoot?.querySelector("hp-diff");
    return diff?.shadowRoot?.querySelectorAll(".fold-line").length === 1;
  });
  assert.deepEqual(await marked(page, "stays"), ["18", "19", "20", "21", "22", "23"]);
  assert.deepEqual(await violations(page), []);
  await script.closed(page);
});

test("lines that were left out above the first place or below the last are shown there, too", async () => {
  const page = await script.opened();
  const ranks =
    "def rank(rating):\n    return RATINGS.index(rating) if rating in RATINGS else -1\n";
  await script.proposed(page, [
    patch(
      "tool.py",
      block(
        `import csv\n...\n${ranks}...\n    missing = []\n`,
        `import csv\n...\n${ranks.replace("else -1", "else None")}...\n    missing = []\n`,
      ),
    ),
  ]);
  await page.getByTestId("hp-confirm").waitFor();
  assert.deepEqual(await seen(page, ".fold-line"), [
    "The lines between stay: 4 unchanged lines, left out with dots",
    "The lines between stay: 7 unchanged lines, left out with dots",
  ]);
  assert.deepEqual(await marked(page, "stays"), ["6", "7", "10", "11", "12"]);
  await script.closed(page);
});

test("a narrow page shows the same in one column", async () => {
  const page = await script.opened({ width: 390, height: 844 });
  await page.getByRole("button", { name: "Chat" }).click();
  await script.proposed(page, replied);
  await page.getByTestId("hp-confirm").waitFor();
  const parts = await page
    .locator("hp-diff table.uni tr:has(span.part) td.code")
    .evaluateAll((cells) =>
      cells.map((cell) =>
        [...cell.querySelectorAll("span.part")].map((one) => one.textContent).join(""),
      ),
    );
  assert.deepEqual(parts, reads);
  assert.equal(
    await page.locator("hp-diff table.uni td.sg.copy .vh").innerText(),
    "This line stays; a new line beside it is almost the same.",
  );
  assert.equal(await sideways(page), false);
  assert.deepEqual(await violations(page), []);
  await script.closed(page);
});
