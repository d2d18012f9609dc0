// Walks through the model page over an edge in memory: the account menu leads on, and a failure is no toast.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { SandboxFailure } from "@holdpoint/core/types";
import type { Page } from "playwright-core";
import { focusOn } from "./page.ts";
import { walks } from "./walk.ts";

const { opened: walked, closed } = walks();

/** The page with the sample and one extension. */
const opened = () => walked("?page=model", { permissions: ["clipboard-read", "clipboard-write"] });

/** How the next call of the extension fails; null: it does not. */
const fails = (page: Page, how: Pick<SandboxFailure, "code" | "message" | "name"> | null) =>
  page.evaluate((failure) => {
    window.hpFails = failure && { ...failure, sdk_code: null, details: null, at: null };
  }, how);

const toasts = (page: Page) => page.locator("hp-toast .toast").count();

/** The line above the page, and what its button copies. */
async function refused(page: Page) {
  const line = page.getByTestId("hp-problem");
  await line.getByRole("alert").waitFor();
  const words = await line.getByRole("alert").locator("p").innerText();
  await line.getByTestId("hp-copy").click();
  await line.getByText("Copied").waitFor();
  return {
    words: words.replace(/\s+/g, " ").trim(),
    copied: await page.evaluate(() => navigator.clipboard.readText()),
  };
}

test("words that belong to no change are cleared, and the field has the focus", async () => {
  const page = await opened();
  await page.getByTestId("hp-ask").fill("Paint the doors red");
  await page.keyboard.press("Enter");
  await page.locator("hp-conversation").getByRole("button", { name: "Make a tool" }).waitFor();
  await page.getByTestId("hp-clear").click();
  await page.getByText("What should the viewer do?").waitFor();
  await focusOn(page.getByTestId("hp-ask"));
  await page.reload();
  await page.waitForSelector('html[data-ready="walk"]');
  assert.equal(await page.locator("hp-conversation").count(), 0);
  await closed(page);
});

test("the account menu leads to the scripts", async () => {
  const page = await opened();
  await page.route("**/scripts", (route) => route.fulfill({ body: "the scripts" }));
  await page.getByRole("button", { name: "Account" }).click();
  await page.locator("hp-menu").getByRole("menuitem", { name: "Scripts" }).click();
  await page.waitForURL("**/scripts");
  await closed(page);
});

test("a command that failed stands above the page with its details, until one is done", async () => {
  const page = await opened();
  await fails(page, {
    code: "THREW",
    message: "walls is not defined",
    name: "ReferenceError",
  });
  const command = page.getByRole("toolbar").getByRole("button", { name: "Count" });
  await command.click();
  assert.deepEqual(await refused(page), {
    words: "Counter did not finish. walls is not defined",
    copied: "THREW: walls is not defined",
  });
  assert.equal(await toasts(page), 0, "a failure is no toast");
  await page.evaluate(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
  await page.getByTestId("hp-problem").getByTestId("hp-copy").click();
  await page.getByTestId("hp-problem").getByText("THREW: walls is not defined").waitFor();
  await fails(page, null);
  await command.click();
  await page.getByTestId("hp-problem").waitFor({ state: "detached" });
  await closed(page);
});

test("what never ends is switched off, and that is said above the page", async () => {
  const page = await opened();
  await fails(page, {
    code: "TIMEOUT",
    message: "The code ran longer than 5 seconds. Look for a loop that does not end.",
    name: null,
  });
  await page.getByRole("toolbar").getByRole("button", { name: "Count" }).click();
  assert.match(
    (await refused(page)).words,
    /^Counter \(Count\) was switched off\. The code ran longer than 5 seconds\./,
  );
  assert.equal(await toasts(page), 0);
  await closed(page);
});

test("a refused change of an extension says what stays, and a person can put it away", async () => {
  const page = await opened();
  await page.getByTestId("hp-extensions").click();
  await page.locator("hp-extensions").getByRole("button", { name: "Switch off" }).click();
  const { words, copied } = await refused(page);
  assert.equal(words, "Counter is still on. The server is not ready. Try again in a moment.");
  assert.match(copied, /^SERVICE_UNAVAILABLE: Not ready\.\n\{\n {2}"part": "account"\n\}$/);
  assert.equal(await toasts(page), 0);
  await page.getByTestId("hp-problem").getByRole("button", { name: "Close" }).click();
  await page.getByTestId("hp-problem").waitFor({ state: "detached" });
  await closed(page);
});
