// What should not happen, and does: odd files, endless code, a wrong token, a spent budget. The page says what and
// stays whole.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { Review } from "@holdpoint/core/types";
import type { Page } from "playwright-core";
import { ask, opened, rows, thrown } from "./road.ts";
import { browser, edge, stack, withStack } from "./stack.ts";

const HOUSE = readFileSync(new URL("../../fixtures/ifc/house-small.ifc", import.meta.url));
/** How long a click may stay unanswered, in ms, or so many times as long as where nothing runs. */
const ANSWER_MS = 100;
const ANSWER_TIMES = 5;
/** Fits a plan and no generation. */
const POOR_TOKENS = 60_000;

withStack();

/** A file dropped on the page. */
async function drop(page: Page, name: string, bytes: Buffer) {
  const data = await page.evaluateHandle(
    ([file, text]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([text], file));
      return transfer;
    },
    [name, bytes.toString("latin1")],
  );
  for (const type of ["dragover", "drop"])
    await page.locator("hp-page").dispatchEvent(type, { dataTransfer: data });
}

test("a file with nothing to read, or one that is cut off, leaves the open model as it is", {
  timeout: 120_000,
}, async () => {
  const page = await opened(browser, stack.url);
  const callout = page.locator("hp-open");
  const odd: [string, Buffer][] = [
    ["plan.pdf", Buffer.from("%PDF-1.7\nnothing of ours")],
    ["empty.ifc", Buffer.alloc(0)],
    ["cut.ifc", HOUSE.subarray(0, 40)],
  ];
  for (const [name, bytes] of odd) {
    await drop(page, name, bytes);
    await callout.locator("[role=alert]").getByText(name).first().waitFor();
    await page.locator("hp-page header").getByText("house-small.ifc").waitFor();
    assert.ok((await page.locator("hp-elements [data-row]").count()) > 3, "the rows stay");
  }
  await drop(page, "half.ifc", HOUSE.subarray(0, HOUSE.length / 2));
  await callout.getByText("half.ifc is cut off").waitFor();
  await page.locator("hp-page header").getByText("house-small.ifc").waitFor();
  await drop(page, "house-again.ifc", HOUSE);
  await page.locator("hp-page header").getByText("house-again.ifc").waitFor();
  assert.deepEqual(thrown.get(page), []);
  await page.context().close();
});

const SPIN = {
  "manifest.json": JSON.stringify({
    manifestVersion: 1,
    id: "spin.forever",
    name: "Spinner",
    description: "Never ends.",
    version: "0.1.0",
    engines: { ifcLiteSdk: "^1.0.0" },
    capabilities: [],
    activation: [],
    entry: { commands: { "spin.start": "src/spin.js" } },
    contributes: {
      commands: [{ id: "spin.start", title: "Spin" }],
      toolbar: [{ command: "spin.start", slot: "toolbar.right" }],
    },
    tests: [
      {
        name: "it spins",
        command: "spin.start",
        fixture: "empty-model",
        expect: { noEffect: true },
      },
    ],
  }),
  "src/spin.js": "export default function spin() {\n  let turns = 0;\n  for (;;) turns += 1;\n}\n",
};

test("an extension that never ends holds up nothing, is ended, and is switched off with its reason", {
  timeout: 120_000,
}, async () => {
  const path = "/api/v1/extensions";
  const review = await edge<Review>("POST", `${path}/review`, {
    files: SPIN,
    base_hash: null,
    granted: [],
  });
  const { base_hash, patch_id, result_hash, confirm_token } = review;
  await edge("POST", path, {
    files: SPIN,
    base_hash,
    patch_id,
    result_hash,
    granted: [],
    origin: "hand",
    ...(confirm_token ? { confirm_token } : {}),
  });

  const page = await opened(browser, stack.url);
  const spin = page.getByRole("toolbar").getByRole("button", { name: "Spin" });
  await spin.waitFor();
  const most = Math.max(ANSWER_MS, ANSWER_TIMES * (await answered(page)));
  await spin.click();
  await page.waitForTimeout(1_500);
  const took = await answered(page);
  assert.ok(took < most, `a click was answered after ${took} ms, of ${most}`);

  await spin.waitFor({ state: "detached", timeout: 120_000 });
  await page.getByTestId("hp-extensions").click();
  await page
    .locator("hp-extensions")
    .getByText(/Off: .*(longer|more|end)/)
    .waitFor();
  await page.reload();
  await rows(page);
  assert.equal(await spin.count(), 0, "it stays off");
  assert.deepEqual(thrown.get(page), []);
  await page.context().close();
});

/** The middle one of five answers. */
async function answered(page: Page): Promise<number> {
  const took = [];
  for (let i = 0; i < 5; i += 1) took.push(await answer(page));
  return took.sort((a, b) => a - b)[2] ?? 0;
}

/** Milliseconds from a click on the theme to the page that shows it. */
function answer(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const shown = document.querySelector("hp-page")?.shadowRoot;
        const button = shown?.querySelector<HTMLElement>(
          'button[aria-label="Switch between light and dark"]',
        );
        const before = document.documentElement.dataset.theme;
        const began = performance.now();
        const look = () =>
          document.documentElement.dataset.theme === before
            ? requestAnimationFrame(look)
            : resolve(performance.now() - began);
        button?.click();
        look();
      }),
  );
}

test("a token that nobody knows leads to the sign-in, and the right one back", {
  timeout: 120_000,
}, async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const wrong = `${stack.user_token.slice(0, -4)}0000`;
  await page.goto(`${stack.origin}/#token=${wrong}`);
  const field = page.getByTestId("hp-token");
  await field.waitFor({ timeout: 120_000 });
  assert.equal(new URL(page.url()).hash, "");
  await field.fill(stack.user_token);
  await page.getByTestId("hp-sign-in").click();
  await rows(page);
  assert.equal(await field.count(), 0);
  await context.close();
});

test("a budget that does not reach closes the plan and says what is missing", {
  timeout: 120_000,
}, async () => {
  const user = `poor-${Date.now()}`;
  await edge(
    "PUT",
    `/gateway/v1/budgets/${user}`,
    { scope: `user:${user}`, unit: "tokens", period: "total", limit: POOR_TOKENS },
    stack.admin_token,
  );
  const { key } = await edge<{ key: string }>(
    "POST",
    "/gateway/v1/keys",
    { label: user, user_id: user, scopes: ["llm", "usage", "edit"] },
    stack.admin_token,
  );
  const page = await opened(browser, `${stack.origin}/#token=${key}`);
  await ask(page, "Add a panel that shows fire-rating coverage by storey");
  const approve = page.getByTestId("hp-approve");
  await approve.waitFor();
  await page.locator('hp-workbench[data-state="overbudget"]').waitFor();
  assert.equal(await approve.isDisabled(), true);
  assert.match(await page.locator("hp-approval #why").innerText(), /tokens/);
  assert.deepEqual(thrown.get(page), []);
  await page.context().close();
});
