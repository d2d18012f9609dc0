// A script as a whole, in the list and in its own page: renamed, duplicated, deleted and brought back, handed on as a
// file and taken from one.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { strToU8, unzipSync, zipSync } from "fflate";
import type { Page } from "playwright-core";
import { violations } from "./axe.ts";
import * as script from "./script-walk.ts";

/** One page for all of it: the first test opens it, the last closes it. */
let page: Page;

const rows = () => page.locator("hp-tools tbody tr");
const named = async () => (await rows().locator("th a").allInnerTexts()).sort();
const list = async () => {
  await page.evaluate(() => window.hpApp.go(null));
  await page.locator("hp-tools tbody tr").first().waitFor();
};
/** Opens a script's menu by keyboard and chooses an entry of it. */
async function choose(title: string, entry: string) {
  await page.getByRole("button", { name: `More: ${title}`, exact: true }).press("Enter");
  await page.getByRole("menuitem", { name: entry, exact: true }).press("Enter");
}
const toast = (words: string | RegExp) => page.locator("hp-toast").getByText(words).waitFor();

test("a script is renamed from the list, by keyboard; a refusal changes nothing", async () => {
  page = await script.opened();
  await list();
  await choose("Fire door report", "Rename");
  const field = page.getByTestId("hp-ask-name");
  assert.equal(await field.inputValue(), "Fire door report");
  assert.equal(await field.evaluate((one) => one.matches(":focus")), true);
  assert.deepEqual(await violations(page), []);
  await field.fill("");
  await field.press("Enter");
  assert.equal(await field.isVisible(), true, "no name is no answer");
  await field.fill("Fire doors");
  script.fails({ code: "SERVICE_UNAVAILABLE", status: 503 });
  await field.press("Enter");
  await page.getByTestId("hp-problem").getByText("Not renamed.").waitFor();
  assert.deepEqual(await named(), ["Fire door report"]);
  await choose("Fire door report", "Rename");
  await field.fill("Fire doors");
  await field.press("Enter");
  await toast("Renamed to Fire doors");
  assert.deepEqual(await named(), ["Fire doors"]);
  assert.equal(await page.getByTestId("hp-problem").count(), 0);
});

test("a copy has its texts and opens; its own page has the same menu", async () => {
  await choose("Fire doors", "Duplicate");
  await page.getByTestId("hp-ask-name").press("Enter");
  await page.getByRole("heading", { name: "Fire doors, copy", exact: true }).waitFor();
  await page.locator('.cm-content[data-file="tool.py"]').waitFor();
  assert.equal(await script.text(page), script.stored());
  await choose("Fire doors, copy", "Rename");
  await page.getByTestId("hp-ask-name").fill("Other doors");
  await page.getByTestId("hp-ask-name").press("Enter");
  await page.getByRole("heading", { name: "Other doors", exact: true }).waitFor();
  await list();
  assert.deepEqual(await named(), ["Fire doors", "Other doors"]);
});

test("what is deleted comes back from the toast, and later from the list", async () => {
  await choose("Other doors", "Delete");
  await toast("Other doors was deleted");
  assert.deepEqual(await named(), ["Fire doors"]);
  const gone = page.getByTestId("hp-deleted");
  await gone.getByText("Other doors").waitFor();
  assert.deepEqual(await violations(page), []);
  await page.getByTestId("hp-toast-undo").press("Enter");
  await gone.waitFor({ state: "detached" });
  assert.deepEqual(await named(), ["Fire doors", "Other doors"]);

  // From its own page: the list is in front, and the way back is still there when it is opened again.
  await page.evaluate(() => window.hpApp.go("t1"));
  await page.locator('.cm-content[data-file="tool.py"]').waitFor();
  await script.type(page, "# mine\n");
  await choose("Fire doors", "Delete");
  await toast("Fire doors was deleted");
  assert.deepEqual(await named(), ["Other doors"]);
  await page.getByRole("button", { name: "Close" }).press("Enter");
  await list();
  await page.getByRole("button", { name: "Bring back: Fire doors" }).press("Enter");
  await toast("Fire doors is back");
  assert.deepEqual(await named(), ["Fire doors", "Other doors"]);
  await page.evaluate(() => window.hpApp.go("t1"));
  await page.waitForFunction(() => window.hpApp.tool?.editors.text("tool.py").startsWith("# mine"));
});

test("a script is handed on as an archive, with what is not saved yet, and an archive is a script again", async () => {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    choose("Fire doors", "Download"),
  ]);
  assert.equal(download.suggestedFilename(), "Fire doors.zip");
  await toast("With your edits that are not saved here yet.");
  const bytes = new Uint8Array(await readFile(await download.path()));
  const found = unzipSync(bytes);
  assert.deepEqual(Object.keys(found).length, 5);
  assert.match(new TextDecoder().decode(found["tool.py"]), /^# mine/);
  await list();
  const upload = async (name: string, buffer: Uint8Array) => {
    await page
      .locator("hp-tools #file")
      .setInputFiles({ name, mimeType: "application/zip", buffer: Buffer.from(buffer) });
  };
  const inside = Object.entries(found).map(([path, text]) => [`doors/${path}`, text]);
  const more = { "doors/notes.txt": strToU8("x"), "__MACOSX/._tool.py": strToU8("x") };
  await upload("Doors again.zip", zipSync({ ...Object.fromEntries(inside), ...more }));
  await page.getByRole("heading", { name: "Doors again", exact: true }).waitFor();
  await toast(/left out: doors\/notes\.txt$/);
  assert.match(await script.text(page), /^# mine/);
  await list();
  const refused = page.getByTestId("hp-problem");
  const cases: [string, Uint8Array, string][] = [
    ["a.zip", zipSync({ "other.py": strToU8("x") }), "There is no tool.py in it."],
    ["b.zip", strToU8("no archive"), "Choose tool.py or a ZIP archive"],
    ["c.zip", zipSync({ "tool.py": new Uint8Array([0xff, 0xfe]) }), "no text in UTF-8"],
    ["d.zip", zipSync({ "tool.py": new Uint8Array(1_100_000) }), "at most 1 MiB"],
    ["e.zip", zipSync({ "tool.py": strToU8("a"), "b/tool.py": strToU8("b") }), "in it twice"],
  ];
  for (const [name, buffer, words] of cases) {
    await upload(name, buffer);
    await refused.getByText(words).waitFor();
  }
  assert.equal((await named()).length, 3, "nothing was made of them");
  await upload("Plain.py", strToU8("def run_tool(): pass\n"));
  await page.getByRole("heading", { name: "Plain", exact: true }).waitFor();
  assert.equal(await script.text(page), "def run_tool(): pass\n");
  await script.closed(page);
});
