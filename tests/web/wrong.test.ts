// Something is wrong (UI.md §11, authoring.md §7): a person points at a value of the preview and says what it
// should have been. A test that fails comes first, then its repair; nothing is installed meanwhile.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { sideways, violations } from "./axe.ts";
import { replies } from "./doors.ts";
import { pages, reviewed, signed } from "./edge/extensions.ts";

const { opened, closed } = pages();
const ASK = "Make a panel that counts the doors";

const [planned = "", bundle = ""] = replies();
const manifest = /path="manifest.json"\n([\s\S]*?)\n```/.exec(bundle)?.[1] ?? "";
const code = /path="src\/count.js"\n([\s\S]*?)\n```/.exec(bundle)?.[1] ?? "";

const block = (path: string, text: string): string =>
  `\`\`\`hp:file path="${path}"\n${text}\n\`\`\`\n`;

/** The manifest with a test that the code does not pass. */
function withTest(version = "0.1.0"): string {
  const value = { ...JSON.parse(manifest), version };
  value.tests.push({
    ...{ name: "says what it counts", command: "doors.count", fixture: "house-small" },
    expect: { at: { "$.text": { equals: "7 doors" } } },
  });
  return block("manifest.json", JSON.stringify(value, null, 2));
}

const mended = block(
  "src/count.js",
  code.replace("return {", 'return { text: doors.length + " doors",'),
);
const SHOWS = [withTest(), mended];

const foot = (page: Page, name: string) =>
  page.locator("hp-approval").getByRole("button", { name, exact: false }).first();
const field = (page: Page, label: string) => page.locator("hp-wrong").getByLabel(label);
const value = (page: Page) => page.locator("hp-widget-panel .widget h3").first();

/** At the form, with the value pointed at. */
async function pointed(more: string[], viewport?: { width: number; height: number }) {
  const { page, edge } = await opened({
    replies: [planned, bundle, ...more],
    ...(viewport ? { viewport } : {}),
  });
  await reviewed(page, ASK);
  await page.locator('[data-testid="hp-install"]:not([disabled])').waitFor();
  await foot(page, "Something is wrong").click();
  await page.locator("hp-wrong").waitFor();
  await value(page).click();
  return { page, edge };
}

test("the value that is pointed at stands in the form, and its click does nothing else", async () => {
  const { page } = await pointed([]);
  assert.equal(await field(page, "What is wrong").inputValue(), "Doors");
  assert.equal(await field(page, "It shows").inputValue(), "7");
  assert.equal(await page.getByTestId("hp-install").count(), 0, "install is closed");
  assert.ok(await page.getByTestId("hp-wrong-go").isDisabled());
  assert.deepEqual(await violations(page), []);
  await foot(page, "Back to review").click();
  await page.getByTestId("hp-install").waitFor();
  await closed(page);
});

test("the test comes first and fails, then the code is mended and reviewed", async () => {
  const { page, edge } = await pointed(SHOWS);
  await field(page, "It should have been").fill("7 doors");
  await field(page, "Why").fill("A number alone says nothing.");
  await page.getByTestId("hp-wrong-go").click();
  await page.locator('[data-testid="hp-install"]:not([disabled])').waitFor();
  const [asked = "", repair = ""] = edge.heard.slice(-2);
  assert.match(asked, /TASK: test/);
  assert.match(asked, /In Door count, Doors shows 7\. It should have been 7 doors\./);
  assert.match(repair, /TASK: repair[\s\S]*|EXPECT_FAILED/);
  await signed(page);
  const files = edge.installs[0]?.files ?? {};
  assert.match(files["manifest.json"] ?? "", /says what it counts/);
  assert.match(files["src/count.js"] ?? "", /text: doors/);
  await closed(page);
});

test("only the test: it stands and fails, and a person goes on by hand", async () => {
  const { page } = await pointed(SHOWS.slice(0, 1));
  await field(page, "It should have been").fill("7 doors");
  await foot(page, "Only add the test").click();
  await page.getByText("The test stands and fails, as it should.").first().waitFor();
  await page.locator("hp-run-timeline").getByText("Fails now, as it should").waitFor();
  await page.getByRole("button", { name: "Open the source and fix it" }).click();
  await page.locator("hp-source").getByText("manifest.json").first().waitFor();
  await closed(page);
});

test("selected elements are named where a person says so, and nothing else of the model is sent", async () => {
  const { page, edge } = await pointed(SHOWS);
  await page.locator("hp-elements [data-row]").first().click();
  await page.locator("hp-wrong").getByRole("button", { name: "Take the selected one" }).click();
  await field(page, "It should have been").fill("6");
  await page.getByTestId("hp-wrong-go").click();
  await page.locator('[data-testid="hp-install"]:not([disabled])').waitFor();
  assert.match(edge.heard.at(-2) ?? "", /These should not count: .+ \(Ifc\w+\)\./);
  await closed(page);
});

test("by keyboard and on a narrow page it is described", async () => {
  const { page } = await opened({
    replies: [planned, bundle, ...SHOWS],
    viewport: { width: 390, height: 844 },
  });
  await reviewed(page, ASK);
  await page.getByRole("button", { name: /^More/ }).last().click();
  await page.getByRole("menuitem", { name: "Something is wrong" }).click();
  await page
    .getByTestId("hp-tab-change")
    .click()
    .catch(() => undefined);
  await field(page, "What is wrong").fill("The number of doors");
  await field(page, "It should have been").fill("7 doors");
  assert.equal(await sideways(page), false);
  assert.deepEqual(await violations(page), []);
  await page.getByTestId("hp-wrong-go").click();
  await page.getByTestId("hp-install").waitFor();
  await closed(page);
});

/** An installed panel of which a person says that it is wrong. */
async function installedWrong(more: string[]) {
  const { page, edge } = await opened({ replies: [planned, bundle, ...more] });
  await reviewed(page, ASK);
  await page.locator('[data-testid="hp-install"]:not([disabled])').waitFor();
  await signed(page);
  await page
    .locator("hp-widget-panel")
    .getByRole("button", { name: "Options of this panel" })
    .click();
  await page.getByRole("menuitem", { name: "Something is wrong" }).click();
  await page.locator("hp-wrong").waitFor();
  return { page, edge };
}

test("of an installed panel a value is pointed at, and its repair is a new version to be signed", async () => {
  const { page, edge } = await installedWrong([withTest("0.1.1"), mended]);
  await value(page).click();
  assert.equal(await field(page, "What is wrong").inputValue(), "Doors");
  assert.equal(await field(page, "It shows").inputValue(), "7");
  await page.getByText("What is installed stays").waitFor({ state: "detached" });
  await field(page, "It should have been").fill("7 doors");
  await page.getByText("What is installed stays until you sign the repair.").waitFor();
  assert.match(await page.getByTestId("hp-wrong-go").innerText(), /up to .+tokens/);
  assert.deepEqual(await violations(page), []);
  await page.getByTestId("hp-wrong-go").click();
  await page.locator('[data-testid="hp-install"]:not([disabled])').waitFor();
  assert.match(
    edge.heard.at(-2) ?? "",
    /In Door count, Doors shows 7\. It should have been 7 doors\./,
  );
  assert.equal(edge.installs.length, 1, "nothing is installed before it is signed");
  await signed(page);
  const files = edge.installs[1]?.files ?? {};
  assert.equal(JSON.parse(files["manifest.json"] ?? "{}").version, "0.1.1");
  assert.match(files["src/count.js"] ?? "", /text: doors/);
  await closed(page);
});
