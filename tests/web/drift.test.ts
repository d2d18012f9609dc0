// A new SDK (authoring.md §8): what is installed is tried again, its tests on the canonical fixtures. What is broken is
// off, and is repaired, edited, left or uninstalled; what only names another range gets a new version; all else works.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { sideways, violations } from "./axe.ts";
import { type ExtensionsEdge, pages, type Seed, signed } from "./edge/extensions.ts";

const { opened, closed } = pages();

/** What is installed before the page comes. */
const has = (...all: Seed[]) => ({ given: (edge: ExtensionsEdge) => edge.seed(...all) });

interface Doors {
  name: string;
  range?: string;
  /** What its command answers beyond the doors. */
  more?: number;
  tests?: boolean;
}

const code = (more: number): string =>
  `export default (ctx) => ctx.bim.query.count("IfcDoor") + ${more};\n`;

function doors({ name, range = ">=0.9.0", more = 0, tests = true }: Doors): Seed {
  const id = `doors.${name.toLowerCase()}`;
  const command = `${name.toLowerCase()}.count`;
  const manifest = {
    ...{ manifestVersion: 1, id, name, description: "Counts the doors.", version: "0.1.0" },
    ...{ engines: { ifcLiteSdk: range }, capabilities: ["model.read"], activation: [] },
    entry: { commands: { [command]: "src/count.js" } },
    contributes: { commands: [{ id: command, title: "Count doors" }] },
    tests: tests
      ? [{ name: "counts", command, fixture: "house-small", expect: { equals: 7 } }]
      : [],
  };
  const files = {
    "manifest.json": `${JSON.stringify(manifest, null, 2)}\n`,
    "src/count.js": code(more),
  };
  return { files, sdk: "0.9.0", ...(tests ? {} : { origin: "promoted" }) };
}

const WORKS = doors({ name: "Works" });
const RANGE = doors({ name: "Range", range: "^0.9.0" });
const BROKEN = doors({ name: "Broken", more: 1 });
const UNTESTED = doors({ name: "Untested", tests: false });

const notice = (page: Page) => page.getByTestId("hp-drift-notice");
const sheet = (page: Page) => page.getByTestId("hp-drift");
const act = (page: Page, what: string) => page.getByTestId(`hp-drift-${what}`);
const install = (page: Page) => page.getByTestId("hp-install");

async function shown(page: Page): Promise<void> {
  await notice(page).getByRole("button", { name: "What changed" }).click();
  await sheet(page).waitFor();
}

test("each is tried again: one notice, and a sheet in three parts", async () => {
  const { page } = await opened(has(WORKS, RANGE, BROKEN, UNTESTED));
  await notice(page).waitFor();
  const told = await notice(page).locator(".notice").innerText();
  assert.match(told, /Holdpoint has SDK 1\.0\.0 now\./);
  assert.match(
    told,
    /4 extensions were tried again: 2 work, 1 needs a new version, 1 is switched off\./,
  );
  await shown(page);
  const parts = await sheet(page).locator(".lab").allInnerTexts();
  assert.deepEqual(
    parts.map((part) => part.replace(/\s+/g, " ")),
    ["Switched off 1", "Needs a new version 1", "Work as before 2"],
  );
  const text = (await sheet(page).innerText()).replace(/\s+/g, " ");
  assert.match(text, /Broken 0\.1\.0 Does not work with SDK 1\.0\.0: 1 of 1 tests fails/);
  assert.match(text, /Range 0\.1\.0 → 0\.1\.1 Works with 1\.0\.0, but says “\^0\.9\.0”/);
  assert.match(text, /Untested 0\.1\.0 Stays on, not tested: it has no tests/);
  assert.deepEqual(await violations(page), []);
  await closed(page);
});

test("what is broken is off here and in the project, and stays off", async () => {
  const { page, edge } = await opened(has(BROKEN));
  await notice(page).getByText("Broken does not work with SDK 1.0.0.").waitFor();
  assert.equal(edge.record("doors.broken")?.enabled, false);
  await page.reload();
  await notice(page).waitFor();
  await page.getByTestId("hp-extensions").click();
  await page.getByRole("button", { name: "Switch on" }).click();
  await sheet(page).waitFor();
  assert.equal(edge.record("doors.broken")?.enabled, false, "it cannot be turned on as it is");
  await closed(page);
});

test("a repair is asked for without a plan, keeps to what it is, and is reviewed", async () => {
  const replies = [`\`\`\`hp:file path="src/count.js"\n${code(0)}\`\`\`\n`];
  const { page, edge } = await opened({ ...has(BROKEN, WORKS), replies });
  await shown(page);
  await act(page, "repair").click();
  await install(page).waitFor();
  assert.equal(edge.replies.length, 0, "the model was asked once");
  await page.locator(".wb-body").getByText("0.1.0 → 0.1.1").first().waitFor();
  await signed(page);
  const [body] = edge.installs;
  assert.equal(JSON.parse(body?.files["manifest.json"] ?? "{}").version, "0.1.1");
  assert.equal(body?.files["src/count.js"], code(0));
  // Nothing is left to be told.
  await notice(page).waitFor({ state: "detached" });
  await closed(page);
});

test("a range that does not say so is widened in two lines, in a review", async () => {
  const { page, edge } = await opened(has(RANGE, WORKS));
  await shown(page);
  await act(page, "review").click();
  await signed(page);
  const before = RANGE.files["manifest.json"]?.split("\n") ?? [];
  const after = edge.installs[0]?.files["manifest.json"]?.split("\n") ?? [];
  const changed = after.filter((line, at) => line !== before[at]).map((line) => line.trim());
  assert.deepEqual(changed, ['"version": "0.1.1",', '"ifcLiteSdk": "^0.9.0 || ^1.0.0"']);
  assert.equal(edge.record("doors.range")?.enabled, true);
  await closed(page);
});

test("one that is left off is asked about no more", async () => {
  const { page } = await opened(has(BROKEN));
  await shown(page);
  await act(page, "leave").click();
  await sheet(page).getByText("It stays off. Nobody is asked again.").waitFor();
  await page.reload();
  await page.locator("hp-elements [data-row]").nth(3).waitFor();
  await page.getByTestId("hp-extensions").click();
  await page.getByText("Off", { exact: false }).first().waitFor();
  assert.equal(await notice(page).count(), 0);
  await closed(page);
});

test("edited by hand it opens at its source; uninstalled it can come back", async () => {
  const { page } = await opened(has(BROKEN));
  await shown(page);
  await act(page, "edit").click();
  await page.locator("hp-source").getByText("src/count.js").first().waitFor();
  await page.reload();
  await shown(page);
  await act(page, "remove").click();
  await page.getByTestId("hp-toast-undo").waitFor();
  assert.equal(await sheet(page).count(), 0);
  await closed(page);
});

test("on a narrow page the sheet has no sideways scroll", async () => {
  const { page } = await opened({
    ...has(RANGE, BROKEN),
    viewport: { width: 390, height: 844 },
  });
  await shown(page);
  assert.equal(await sideways(page), false);
  assert.deepEqual(await violations(page), []);
  await closed(page);
});
