// Preview before signing (UI.md §5): what is reviewed runs on the open model with exactly what is
// ticked, stores nothing
// and lets no file out; nobody signs a panel that did not stand before his eyes.

import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { plan, replies } from "./doors.ts";
import { ask, pages, reviewed } from "./edge/extensions.ts";

const { opened, closed } = pages();
const ASK = "Make a panel that counts the doors";
/** A model that no test of the extension runs on. */
const OFFICE = fileURLToPath(new URL("../../fixtures/ifc/office-fire.ifc", import.meta.url));
const NARROW = { width: 390, height: 844 };

const panel = (page: Page) => page.locator("hp-widget-panel");
const signs = (page: Page) =>
  page.locator('[data-testid="hp-install"]:not([disabled])').waitFor({ state: "attached" });

test("what is reviewed runs on the open model, with the fingerprint that is signed", async () => {
  const { page, edge } = await opened({ replies: replies() });
  await reviewed(page, ASK);
  await panel(page).getByText("Preview", { exact: true }).waitFor();
  await panel(page).getByRole("heading", { name: "7" }).waitFor();
  await panel(page).getByText("Selected 7 elements").waitFor();
  await signs(page);
  const print = await page.getByTestId("hp-install").locator(".fp").innerText();
  assert.equal(await panel(page).locator(".fp-chip").innerText(), print);
  assert.equal(edge.installs.length, 0);
  const middle = await page.locator("section.mid").boundingBox();
  assert.ok(middle && middle.width >= 480, "the middle keeps its width");
  // Without a permission it is another trial, and runs without it.
  await page.getByTestId("hp-grant-viewer.select").uncheck();
  await panel(page).getByText("Selected 7 elements").waitFor({ state: "detached" });
  await panel(page).getByText("Coloured 7 elements").waitFor();
  await signs(page);
  const less = await page.getByTestId("hp-install").locator(".fp").innerText();
  assert.notEqual(less, print);
  assert.equal(await panel(page).locator(".fp-chip").innerText(), less);
  await page.getByTestId("hp-install").click();
  await page.locator("hp-stamp").waitFor();
  await panel(page).getByText("Preview", { exact: true }).waitFor({ state: "detached" });
  await closed(page);
});

test("nobody signs a panel that he has not seen, on a narrow page neither", async () => {
  const { page } = await opened({ viewport: NARROW, replies: replies() });
  await page.getByRole("button", { name: /^Change/ }).click();
  await ask(page, ASK);
  await page.getByTestId("hp-approve").click();
  const foot = page.locator("hp-approval");
  await foot.getByText("See it on your model before you sign.").waitFor({ timeout: 120_000 });
  assert.ok(await page.getByTestId("hp-install").isDisabled());
  // The panel is not in sight: its menu opens it too.
  assert.match((await foot.locator(".more").getAttribute("aria-label")) ?? "", /, Preview,/);
  await foot.getByRole("button", { name: "Preview", exact: true }).first().click();
  await panel(page).getByRole("heading", { name: "7" }).waitFor();
  await page.getByRole("button", { name: /^Change/ }).click();
  await signs(page);
  await closed(page);
});

test("a file that it makes is held back, and its text can be read", async () => {
  const exporting = replies().map((text) =>
    text
      .replaceAll('"viewer.colorize"]', '"viewer.colorize", "export.create:csv"]')
      .replace('"viewer.colorize"\n', '"viewer.colorize",\n    "export.create:csv"\n')
      .replace(
        "  return { doors:",
        '  ctx.bim.export.csv(doors, { columns: ["Name"], filename: "doors.csv" });\n  return { doors:',
      ),
  );
  const { page } = await opened({ replies: exporting });
  let downloads = 0;
  page.on("download", () => (downloads += 1));
  await reviewed(page, ASK);
  await panel(page).getByText("Would have saved doors.csv").waitFor();
  await panel(page).getByText("Show the text").click();
  await panel(page).locator("pre").getByText("Name").waitFor();
  assert.equal(downloads, 0);
  await closed(page);
});

test("what stops on the open model is signed after a tick only, and leads to its line", async () => {
  const stopping = replies().map((text) =>
    text.replace(
      "  return { doors:",
      '  if (ctx.bim.query.count("IfcDoor") > 7) null.name;\n  return { doors:',
    ),
  );
  const { page } = await opened({ replies: stopping });
  const picks = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Open another model" }).first().click();
  await (await picks).setFiles(OFFICE);
  await page.getByText("office-fire.ifc").first().waitFor();
  await reviewed(page, ASK);
  await panel(page).getByText("It stopped on this model").waitFor();
  await panel(page).getByText("src/count.js").first().waitFor();
  await page.getByText("Tick the point above, or fix what the preview found.").waitFor();
  assert.ok(await page.getByTestId("hp-install").isDisabled());
  await page.getByRole("checkbox", { name: /^I saw that it stops on/ }).check();
  await signs(page);
  // Run again, it is another stop: the tick was for the one before.
  await panel(page).getByRole("button", { name: "Run the preview again" }).click();
  const tick = page.getByRole("checkbox", { name: /^I saw that it stops on/, checked: false });
  await tick.waitFor();
  assert.ok(await page.getByTestId("hp-install").isDisabled());
  await tick.check();
  await signs(page);
  await panel(page).getByRole("button", { name: "Edit source" }).click();
  await page.locator("hp-source .cm-content").getByText("null.name").waitFor();
  await closed(page);
});

/** The doors with a second panel, a lens of its own file, and an activation that reports. */
function wider(): string[] {
  const [, bundle = ""] = replies();
  const more = {
    ...plan,
    contributions: [
      ...plan.contributions,
      {
        kind: "dock",
        id: "doors.more",
        label: "More doors",
        slot: "dock.right",
        widget: "widgets/more.json",
      },
      { kind: "lens", id: "doors.lens", label: "Doors in blue" },
    ],
    triggers: ["onModelLoad"],
    tests: [
      ...plan.tests,
      {
        ...{ name: "blue", fixture: "house-small", contribution: "doors.lens" },
        assertionSummary: "Doors are blue",
      },
    ],
    widgets: [...plan.widgets, { path: "widgets/more.json", description: "The same number." }],
  };
  const written = bundle.replace(/(manifest\.json"\n)([\s\S]*?)(\n```)/, (_, head, text, tail) => {
    const manifest = JSON.parse(text);
    const [dock] = manifest.contributes.dock;
    manifest.contributes.dock.push({
      ...dock,
      id: "doors.more",
      title: "More doors",
      widget: "widgets/more.json",
    });
    manifest.contributes.lenses = [
      { id: "doors.lens", name: "Doors in blue", evaluator: "src/lens.js" },
    ];
    manifest.tests.push({
      ...{ name: "blue", lens: "doors.lens", fixture: "house-small" },
      expect: { at: { "$[0].color": { equals: "#2040C0" } } },
    });
    manifest.activation = ["onModelLoad"];
    manifest.entry.activate = "src/activate.js";
    return `${head}${JSON.stringify(manifest)}${tail}`;
  });
  const files = {
    "src/lens.js": `export default function lens(ctx, args) {
  return args.entities.slice(0, 3).map((one) => ({ ref: one.ref, color: "#2040C0" }));
}`,
    "src/activate.js": `export default function activate(ctx) {
  ctx.bim.viewer.select(ctx.bim.query.byType("IfcDoor").slice(0, 2));
}`,
    "widgets/more.json": `{ "type": "Text", "text": "$.red" }`,
  };
  const fences = Object.entries(files).map(
    ([path, text]) => `\`\`\`hp:file path="${path}"\n${text}\n\`\`\`\n`,
  );
  return [`\`\`\`hp:plan\n${JSON.stringify(more)}\n\`\`\`\n`, written + fences.join("")];
}

test("every panel has to be seen, what activation does is listed, and lenses run", async () => {
  const { page } = await opened({ replies: wider() });
  await reviewed(page, ASK);
  await panel(page).getByRole("heading", { name: "7" }).waitFor();
  await panel(page).getByText("Selected 2 elements").waitFor();
  await page.getByText("See it on your model before you sign.").waitFor();
  assert.ok(await page.getByTestId("hp-install").isDisabled());
  await panel(page).getByRole("button", { name: "More doors" }).click();
  await panel(page).getByText("true").waitFor();
  await signs(page);
  await panel(page).getByRole("button", { name: "Run Doors in blue" }).click();
  await panel(page).getByText("Coloured 3 elements").waitFor();
  await closed(page);
});

test("a closed preview stays closed, and colours of what is installed come back after it", async () => {
  const blue = replies("0.2.0").map((text) => text.replace("#C0392B", "#2040C0"));
  const { page } = await opened({ replies: [...replies(), ...blue] });
  await reviewed(page, ASK);
  await signs(page);
  await page.getByTestId("hp-install").click();
  await page.locator("hp-stamp").waitFor();
  const colour = (hex: string) => page.locator(`hp-elements [style*="${hex}" i]`).first();
  await colour("#C0392B").waitFor();
  await reviewed(page, "Change Door count so that the doors are blue");
  await colour("#2040C0").waitFor();
  await signs(page);
  await panel(page).getByRole("button", { name: "Close the preview" }).click();
  await page.getByTestId("hp-grant-viewer.select").uncheck();
  await page.getByText("See it on your model before you sign.").waitFor();
  assert.equal(await panel(page).getByText("Preview", { exact: true }).count(), 0);
  await page.getByRole("button", { name: "Discard" }).click();
  await colour("#C0392B").waitFor();
  await closed(page);
});

/** The doors with a command that renames them, and says how many had that name before. */
function renaming(): string[] {
  const [, bundle = ""] = replies();
  const rename = { id: "doors.rename", title: "Rename doors" };
  const more = {
    ...plan,
    contributions: [...plan.contributions, { kind: "command", id: rename.id, label: rename.title }],
    capabilities: [...plan.capabilities, "model.mutate:Attribute.Name"],
    tests: [
      ...plan.tests,
      {
        ...{ name: "renames", fixture: "house-small", contribution: rename.id },
        assertionSummary: "No door had that name",
      },
    ],
  };
  const written = bundle.replace(/(manifest\.json"\n)([\s\S]*?)(\n```)/, (_, head, text, tail) => {
    const manifest = JSON.parse(text);
    manifest.capabilities = more.capabilities;
    manifest.contributes.commands.push(rename);
    manifest.entry.commands[rename.id] = "src/rename.js";
    manifest.tests.push({
      ...{ name: "renames", command: rename.id, fixture: "house-small" },
      expect: { at: { "$.named": { equals: 0 } } },
    });
    return `${head}${JSON.stringify(manifest)}${tail}`;
  });
  const file = `export default function rename(ctx) {
  const doors = ctx.bim.query.byType("IfcDoor");
  const named = doors.filter((door) => door.name === "Gate").length;
  for (const door of doors) ctx.bim.mutate.setAttribute(door, "Name", "Gate");
  return { named };
}`;
  return [
    `\`\`\`hp:plan\n${JSON.stringify(more)}\n\`\`\`\n`,
    `${written}\`\`\`hp:file path="src/rename.js"\n${file}\n\`\`\`\n`,
  ];
}

const renames = async (page: Page, before: number) => {
  await panel(page).getByRole("button", { name: "Run Rename doors" }).click();
  await panel(page).getByText("Would have made 7 changes").first().waitFor();
  await panel(page)
    .locator(".answer", { hasText: new RegExp(`\\b${before}\\b`) })
    .waitFor();
};

test("a preview works on a copy: again begins anew, and nobody else sees what it changed", async () => {
  const { page } = await opened({ replies: renaming() });
  await reviewed(page, ASK);
  await panel(page).getByRole("heading", { name: "7" }).waitFor();
  await renames(page, 0);
  await renames(page, 7);
  assert.equal(await page.locator("hp-elements").getByText("Gate").count(), 0);
  await panel(page).getByRole("button", { name: "Run the preview again" }).click();
  await panel(page).getByRole("heading", { name: "7" }).waitFor();
  await renames(page, 0);
  await signs(page);
  await page.getByTestId("hp-install").click();
  await page.locator("hp-stamp").waitFor();
  await panel(page).getByRole("heading", { name: "7" }).waitFor();
  assert.equal(await page.locator("hp-elements").getByText("Gate").count(), 0);
  await closed(page);
});

const selected = (page: Page) => page.locator('hp-elements [data-row][aria-selected="true"]');

test("after Discard the selection is the one of before, unless a person selected something since", async () => {
  const { page } = await opened({ replies: [...replies(), ...replies()] });
  const rows = page.locator("hp-elements [data-row]");
  await rows.nth(1).click();
  const own = await selected(page).first().getAttribute("data-row");
  await reviewed(page, ASK);
  await panel(page).getByText("Selected 7 elements").waitFor();
  await page.getByTestId("hp-discard").click();
  await page.waitForFunction((row) => {
    const table = document
      .querySelector("hp-page, #page")
      ?.shadowRoot?.querySelector("hp-elements");
    const now = [...(table?.shadowRoot?.querySelectorAll('[aria-selected="true"]') ?? [])];
    return now.length === 1 && now[0]?.getAttribute("data-row") === row;
  }, own);
  await reviewed(page, ASK);
  await panel(page).getByText("Selected 7 elements").waitFor();
  await rows.nth(2).click();
  const later = await selected(page).first().getAttribute("data-row");
  await page.getByTestId("hp-discard").click();
  await page.getByRole("heading", { name: "Discarded by you" }).waitFor();
  assert.equal(await selected(page).first().getAttribute("data-row"), later);
  await closed(page);
});
