// What a person took out of a plan, or wrote into it, stays so: it is part of what is approved, the model is told, the
// bundle is judged by it, and the review says in words whether it is as in the plan.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { violations } from "./axe.ts";
import { plan, replies } from "./doors.ts";
import { ask, pages, reviewed, signed } from "./edge/extensions.ts";

const { opened, closed } = pages();
const ASK = "Make a panel that counts the doors";

/** A second command with a test of its own. */
const more = {
  ...plan,
  contributions: [
    ...plan.contributions,
    { kind: "command", id: "doors.list", label: "List doors" },
  ],
  tests: [
    ...plan.tests,
    {
      name: "lists",
      fixture: "house-small",
      contribution: "doors.list",
      assertionSummary: "7 rows",
    },
  ],
};
const planned = (value: object): string => `\`\`\`hp:plan\n${JSON.stringify(value)}\n\`\`\`\n`;

/** The bundle of the plan with changes to its manifest. */
function bundle(change: (manifest: Manifest) => void): string {
  const text = replies()[1] ?? "";
  const [head = "", ...rest] = text.split("\n```\n");
  const manifest = JSON.parse(head.slice(head.indexOf("{"))) as Manifest;
  change(manifest);
  const first = `${head.slice(0, head.indexOf("{"))}${JSON.stringify(manifest, null, 2)}`;
  return [first, ...rest].join("\n```\n");
}
interface Manifest {
  entry: { commands: Record<string, string> };
  contributes: { commands: object[]; dock: { title: string }[] };
  tests: { name: string; fixture: string; command: string; expect: object }[];
}

/** With the second command and its test. */
const whole = (id = "doors.list", name = "lists") =>
  bundle(({ entry, contributes, tests }) => {
    entry.commands[id] = "src/count.js";
    contributes.commands.push({ id, title: "List doors" });
    tests.push({
      name,
      command: id,
      fixture: "house-small",
      expect: { at: { "$.doors": { equals: 7 } } },
    });
  });

const card = (page: Page) => page.locator("hp-plan-card");
const part = (page: Page, name: string) =>
  card(page).getByRole("checkbox", { name: new RegExp(`^${name}`) });
const approve = async (page: Page) => {
  await page.locator('[data-testid="hp-approve"]:not([disabled])').click();
};

/** A person writes a name on the card. */
async function names(page: Page, before: string, after: string): Promise<void> {
  await card(page)
    .locator("button.inplace")
    .filter({ hasText: new RegExp(`^\\s*${before}`) })
    .first()
    .click();
  await card(page).locator("#field").fill(after);
  await page.keyboard.press("Enter");
}

test("a command that was struck out does not come back: it is repaired, and the review is as in the plan", async () => {
  const { page, edge } = await opened({ replies: [planned(more), whole(), replies()[1] ?? ""] });
  await ask(page, ASK);
  await page.getByTestId("hp-approve").waitFor();
  await part(page, "Command List doors").uncheck();
  await approve(page);
  await page.getByTestId("hp-install").waitFor({ timeout: 120_000 });
  await page.locator("hp-workbench").getByText("attempt 2 of 5").waitFor();
  await page.locator("hp-capability-review").getByText("as in the plan, nothing more").waitFor();
  await page.locator('[data-testid="hp-install"]:not([disabled])').click();
  await page.locator("hp-stamp").waitFor();
  const { files, plan: sent } = edge.installs[0] as unknown as {
    files: Record<string, string>;
    plan: { declined: object[] };
  };
  assert.doesNotMatch(files["manifest.json"] ?? "", /doors\.list|lists/);
  assert.deepEqual(sent.declined, [
    { kind: "command", id: "doors.list" },
    { kind: "test", id: "lists" },
  ]);
  await closed(page);
});

test("a name that a person wrote is the name of the result", async () => {
  const named = bundle(({ contributes }) => {
    for (const dock of contributes.dock) dock.title = "Doors of mine";
  });
  const { page, edge } = await opened({ replies: [planned(plan), replies()[1] ?? "", named] });
  await ask(page, ASK);
  await page.getByTestId("hp-approve").waitFor();
  await names(page, "Doors", "Doors of mine");
  await approve(page);
  await page.getByTestId("hp-install").waitFor({ timeout: 120_000 });
  await page.locator("hp-workbench").getByText("attempt 2 of 5").waitFor();
  await page.locator('[data-testid="hp-install"]:not([disabled])').click();
  await page.locator("hp-stamp").waitFor();
  assert.match(edge.installs[0]?.files["manifest.json"] ?? "", /"Doors of mine"/);
  await closed(page);
});

for (const [lang, title, differs] of [
  ["en", "Not as in the plan", "Not planned: the command “List doors”"],
  ["sv", "Inte som i planen", "Inte planerat: kommandot ”List doors”"],
] as const)
  test(`a command that nobody planned is named in the review, ${lang}`, async () => {
    const { page } = await opened({
      replies: [planned(plan), whole("doors.other", "other")],
      locale: lang,
    });
    await ask(page, ASK);
    await approve(page);
    await page.getByTestId("hp-install").waitFor({ timeout: 120_000 });
    const callout = page.locator("hp-workbench section.call").filter({ hasText: title });
    await callout.waitFor();
    assert.match(await callout.innerText(), new RegExp(differs));
    assert.equal(await page.getByText(/nothing more|inget mer/).count(), 0);
    assert.deepEqual(await violations(page), []);
    await closed(page);
  });

test("a test that ran on another model than planned is named in the review", async () => {
  const elsewhere = bundle(({ tests }) => {
    const counts = tests.find((one) => one.name === "counts");
    if (counts) {
      counts.fixture = "empty-model";
      counts.expect = { at: { "$.doors": { equals: 0 } } };
    }
  });
  const { page } = await opened({ replies: [planned(plan), elsewhere] });
  await ask(page, ASK);
  await approve(page);
  await page.getByTestId("hp-install").waitFor({ timeout: 120_000 });
  await page
    .locator("hp-workbench section.call")
    .getByText("Tested on another model than planned: “counts”, planned was the small two-storey")
    .waitFor();
  await closed(page);
});

test("what was put back is no longer out, and an undo leads to the plan as it was", async () => {
  const { page, edge } = await opened({ replies: [planned(more), whole()] });
  await ask(page, ASK);
  await page.getByTestId("hp-approve").waitFor();
  await part(page, "Command List doors").uncheck();
  await part(page, "Command List doors").check();
  await approve(page);
  await page.getByTestId("hp-install").waitFor({ timeout: 120_000 });
  await page.locator('[data-testid="hp-install"]:not([disabled])').click();
  await page.locator("hp-stamp").waitFor();
  const sent = (edge.installs[0] as unknown as { plan: object }).plan;
  assert.deepEqual(sent, more);
  await closed(page);
});

test("an approved behaviour that is lost goes back to the model, and is there again before the review", async () => {
  const [fresh = "", first = ""] = replies();
  const [, next = ""] = replies("0.1.1");
  // It asks for any number where seven was approved.
  const less = next.replace('"equals": 7', '"type": "number"');
  assert.notEqual(less, next);
  const { page, edge } = await opened({ replies: [fresh, first, fresh, less, next] });
  await reviewed(page, ASK);
  await signed(page);
  await reviewed(page, "Change the Door count panel so that it counts faster");
  assert.match(edge.heard.at(-1) ?? "", /BEHAVIOUR_LOST/);
  assert.deepEqual(await violations(page), []);
  await signed(page);
  const { tests } = JSON.parse(edge.installs[1]?.files["manifest.json"] ?? "{}");
  assert.deepEqual(tests[0].expect, { at: { "$.doors": { equals: 7 } } });
  await closed(page);
});
