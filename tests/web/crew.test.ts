// Walks through the crew pages: packages, a package and its parts, versions; what is edited by hand is what is stored.

import assert from "node:assert/strict";
import { test } from "node:test";
import { claims } from "../../www/app/gallery/crew-package.ts";
import * as crew from "./crew-walk.ts";

test("a package is made from nothing, and opens with a workflow and an agent that hold", async () => {
  const page = await crew.opened("list");
  await page.getByTestId("hp-create").click();
  await page.getByText("Give the package a name.").waitFor();
  await page.getByTestId("hp-package-name").fill("Press room");
  await page.getByTestId("hp-create").click();
  await page.getByRole("heading", { name: "Press room" }).waitFor();
  await crew.checked(page);
  await page.getByText("No errors.").or(page.getByText("No findings").first()).first().waitFor();
  const errors = await page.evaluate(() =>
    window.hpCrewApp.opened?.checked.findings.filter((one) => one.severity === "error"),
  );
  assert.deepEqual(errors, []);
  assert.match(page.url(), /\/crew\/prj_/);
  await crew.closed(page);
});

test("an import whose name is taken asks for another one and keeps the file", async () => {
  const page = await crew.opened("list");
  const file = { name: "Claims desk.zip", mimeType: "application/zip", buffer: Buffer.from("zip") };
  await page.locator("hp-crew-packages input[type=file]").setInputFiles(file);
  await page.getByText("A package is already called Claims desk").waitFor();
  assert.equal(
    await page.getByLabel("Name", { exact: true }).first().inputValue(),
    "Claims desk-imported",
  );
  await page.getByTestId("hp-import-go").click();
  await page.getByRole("heading", { name: "Claims desk-imported" }).waitFor();
  await crew.closed(page);
});

test("a package goes only after a tick, and Esc keeps it", async () => {
  const page = await crew.opened("list");
  const menu = async () => {
    await page.getByRole("button", { name: "More: Claims desk" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("heading", { name: "Delete Claims desk?" }).waitFor();
  };
  await menu();
  assert.equal(await page.getByTestId("hp-ask-go").isDisabled(), true);
  await page.keyboard.press("Escape");
  await page.getByRole("heading", { name: "Delete Claims desk?" }).waitFor({ state: "detached" });
  await menu();
  await page.getByTestId("hp-ask-tick").check();
  await page.getByTestId("hp-ask-go").click();
  await page.getByText("How it goes").waitFor();
  await crew.closed(page);
});

test("the check stands at the foot; with an error the export is off and says why", async () => {
  const page = await crew.opened();
  await page.getByText("No errors.").waitFor();
  assert.equal(await page.getByTestId("hp-export").isDisabled(), false);
  await page.evaluate(() =>
    window.hpCrewApp.opened?.edit({ "workflows/1/steps/assess.md": null }, "test"),
  );
  await page.getByText("Fix 1 error to export.").waitFor();
  assert.equal(await page.getByTestId("hp-export").isDisabled(), true);
  const first = page.getByTestId("hp-findings").locator("li").first();
  assert.equal(await first.getAttribute("data-code"), "STEP_FILE_MISSING");
  await crew.closed(page);
});

test("a finding leads to the step that it is about", async () => {
  const page = await crew.opened();
  await page.getByTestId("hp-findings").getByText("Motor claim, Assess damage").click();
  await page.getByRole("heading", { name: "Assess damage" }).waitFor();
  assert.match(page.url(), /workflows\/1\?node=assess$/);
  await page.goBack();
  await page.getByTestId("hp-findings").waitFor();
  await crew.closed(page);
});

test("words are found in every file, also in edits that are not saved", async () => {
  const page = await crew.opened();
  await page.evaluate(() =>
    window.hpCrewApp.opened?.edit({ "assets/guides/assessment.md": "# A zebra\n" }, "test"),
  );
  await page.getByTestId("hp-search").fill("ZEBRA");
  await page.getByText("1 place").waitFor();
  await page.getByRole("link", { name: "assets/guides/assessment.md" }).click();
  await page.getByText("# A zebra").waitFor();
  await crew.closed(page);
});

test("a workflow is made, renamed, made the first and deleted; the last one stays", async () => {
  const page = await crew.opened();
  await page.getByTestId("hp-new-workflow").click();
  await page.getByTestId("hp-part-name").fill("Theft");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Theft" }).waitFor();
  await page.goBack();
  await page.getByRole("button", { name: "More: Theft" }).click();
  await page.getByRole("menuitem", { name: "Rename" }).click();
  await page.getByTestId("hp-ask-name").fill("Stolen car");
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: "Stolen car", exact: true }).waitFor();
  for (const name of ["Stolen car", "Complaint", "Water damage"]) {
    await page.getByRole("button", { name: `More: ${name}` }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("link", { name, exact: true }).waitFor({ state: "detached" });
  }
  await page.getByRole("button", { name: "More: Motor claim" }).click();
  assert.equal(await page.getByRole("menuitem", { name: /Delete/ }).isDisabled(), true);
  await crew.closed(page);
});

test("an agent: a text that is too long keeps it from being saved, its other members stay", async () => {
  const page = await crew.opened("/agents/loss-assessor");
  const style = page.getByLabel("Way of speaking");
  await style.fill("x".repeat(201));
  await page.getByText("201 of 200 characters. Move details to the principles.").waitFor();
  assert.equal(await page.getByTestId("hp-save").isDisabled(), true);
  assert.equal(await style.getAttribute("aria-invalid"), "true");
  await style.fill("Figures first.");
  await crew.saved(page);
  const { agents } = JSON.parse(crew.stored("agents.json") ?? "");
  assert.equal(agents[2].persona.communication_style, "Figures first.");
  assert.deepEqual(agents[2].prompts, [{ id: "sum", content: "Add it up." }]);
  assert.deepEqual(
    agents.map((one: { id: string }) => one.id),
    JSON.parse(claims["agents.json"]).agents.map((one: { id: string }) => one.id),
  );
  assert.deepEqual(crew.asked(), [`PUT /projects/${crew.ID}/agents on 1`]);
  await crew.closed(page);
});

test("an asset that gets a new path is moved: the new file is written, the old one goes", async () => {
  const page = await crew.opened("/assets/assets%2Fguides%2Fassessment.md");
  await page.getByLabel("Path").fill("assets/tables/excess-2025.json");
  await page.getByText("There is an asset with this path.").first().waitFor();
  assert.equal(await page.getByTestId("hp-save").isDisabled(), true);
  await page.getByLabel("Path").fill("assets/guides/motor.md");
  await page.getByTestId("hp-save").click();
  await page.getByRole("heading", { name: "assets/guides/motor.md" }).waitFor();
  await page.waitForFunction(() => window.hpCrewApp.opened?.edits().size === 0);
  assert.equal(crew.stored("assets/guides/motor.md"), claims["assets/guides/assessment.md"]);
  assert.equal(crew.stored("assets/guides/assessment.md"), undefined);
  await crew.closed(page);
});

test("two versions beside each other, and the old one back", async () => {
  const page = await crew.opened("/workflows/1?node=assess");
  await page.getByLabel("Title").fill("Look at the damage");
  await crew.saved(page);
  await page.getByRole("link", { name: "Versions" }).click();
  await page.locator("hp-history input[type=checkbox]").nth(1).check();
  await page.locator("hp-history input[type=checkbox]").nth(0).check();
  await page.getByTestId("hp-compare").click();
  await page.getByRole("heading", { name: "Version 1 beside 2" }).waitFor();
  await page.getByRole("table").getByText("Look at the damage").first().waitFor();
  await page.getByTestId("hp-restore").click();
  await page.getByText("Version 1 is back, as a new version").waitFor();
  assert.equal(crew.stored("workflows/1/steps/assess.md"), claims["workflows/1/steps/assess.md"]);
  await crew.closed(page);
});

test("without a network the package is exported by the page itself", async () => {
  const page = await crew.opened();
  await crew.offline(page, true);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByTestId("hp-export").click(),
  ]);
  assert.equal(download.suggestedFilename(), "Claims desk.zip");
  assert.deepEqual(crew.asked(), []);
  await crew.closed(page);
});

test("a narrow page has findings first, and nothing scrolls sideways", async () => {
  const page = await crew.opened("/", { width: 390, height: 844 });
  const [findings, workflows] = await Promise.all(
    ["Findings", "Workflows"].map((name) =>
      page.getByRole("heading", { name, exact: true }).boundingBox(),
    ),
  );
  assert.ok((findings?.y ?? 0) < (workflows?.y ?? 0));
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false);
  await crew.closed(page);
});

test("an example is imported under the name that a person gave it", async () => {
  const page = await crew.opened("list");
  await page.getByText("Incident post-mortem").click();
  await page.getByTestId("hp-package-name").fill("Our incidents");
  await page.getByTestId("hp-create").click();
  await page.getByRole("heading", { name: "Our incidents" }).waitFor();
  await crew.closed(page);
});

test("a path is walked without a model: what each step reads, writes and would be told", async () => {
  const page = await crew.opened("/paths");
  await page.getByRole("table").getByRole("button", { name: "Walk path 1" }).waitFor();
  const figure = await page.locator("hp-crew-paths dd").first().innerText();
  const of = await page.getByRole("button", { name: /^Motor claim \d/ }).innerText();
  assert.equal(figure.split(",")[0], of.replace(/\s+/g, " ").split(" ")[2], "both count the same");
  assert.match(await page.getByRole("tab", { name: /^Paths/ }).innerText(), /\d/);

  const over = page
    .getByRole("row", { name: /Assess damage.*Fraud review.*Claim closed/s })
    .first();
  await over.getByRole("button", { name: "Walk" }).press("Enter");
  const step = page.getByTestId("hp-walk-step");
  await step.getByText("Take the claim").waitFor();
  for (let n = 0; n < 3; n += 1) await page.keyboard.press("ArrowRight");
  await step.getByText("Assess damage").waitFor();
  await step.getByRole("link", { name: "assets/tables/excess-2025.json" }).waitFor();
  await step.locator("code", { hasText: "loss_amount" }).waitFor();
  const prompts = await page.locator("hp-crew-walk pre").allInnerTexts();
  assert.match(prompts[0] ?? "", /^You are Loss assessor[\s\S]*Principles:\n- Every figure/);
  assert.match(
    prompts[1] ?? "",
    /^# Assess damage[\s\S]*Variables to set:\n- loss_amount\n- photos_ok$/,
  );
  const tokens = await page.getByTestId("hp-walk-tokens").innerText();
  const counted = await page.evaluate(
    (messages) =>
      window.hpCrewApp.around.core.call("tokens.estimate", { kind: "crew-package", messages }),
    [
      { role: "system", content: prompts[0] },
      { role: "user", content: prompts[1] },
    ],
  );
  assert.equal(tokens.replace(/\D/g, ""), String((counted as { tokens: number }).tokens));

  await page.keyboard.press("ArrowRight");
  const missing = step.locator('[data-is="missing"]');
  assert.match(await missing.innerText(), /excess_amount\s+Missing: nothing on this path sets it/);
  assert.match(
    await step.locator('[data-is="set"]').innerText(),
    /loss_amount\s+set by Assess damage/,
  );
  await page.keyboard.press("End");
  await step.getByText("The path ends here.").waitFor();
  await page.keyboard.press("ArrowRight");
  await step.getByText("Claim closed").waitFor();
  assert.deepEqual(crew.asked(), [], "nothing was asked of anybody");
  await page.keyboard.press("Escape");
  await page.locator("hp-crew-walk").waitFor({ state: "detached" });
  const focused = await page.evaluate(() => {
    let at = document.activeElement;
    while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
    return at?.getAttribute("aria-label") ?? "";
  });
  assert.match(focused, /^Walk path \d+$/, "the focus is where the walk began");
  await crew.closed(page);
});
