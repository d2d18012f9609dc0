// What a newcomer met in panels: a dock stands where the plan says, no column of a table is hidden, values stand beside
// their titles with their units, and a bar of a share shows the share.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { violations } from "./axe.ts";
import { replies } from "./doors.ts";
import { pages, reviewed } from "./edge/extensions.ts";

const { opened, closed } = pages();
const ASK = "Make a panel that counts the doors";

/** The answers of the model with another place for the panel. */
const at = (slot: string) => replies().map((text) => text.replaceAll("dock.right", slot));

/** The answers of the model with another widget, and rows for it. */
const drawing = (widget: object, rows: object[]) =>
  replies().map((text) =>
    text
      .replace(/\{"type":"Text".*\}/, JSON.stringify(widget))
      .replace("return { doors", `return { rows: ${JSON.stringify(rows)}, doors`),
  );

async function installed(page: Page): Promise<void> {
  await reviewed(page, ASK);
  await page.getByTestId("hp-install").click();
  await page.locator("hp-stamp").waitFor();
}
const box = async (page: Page, part: string) => {
  const found = await page.locator(part).boundingBox();
  if (!found) throw new Error(`${part} is not drawn`);
  return found;
};

for (const slot of ["left", "right", "bottom"])
  test(`a panel of the ${slot} dock stands there`, async () => {
    const { page } = await opened({ replies: at(`dock.${slot}`) });
    await installed(page);
    await page.locator("hp-widget-panel").getByRole("heading", { name: "7" }).waitFor();
    const [dock, mid, work, tree] = [
      await box(page, "section.dock"),
      await box(page, "section.mid"),
      await box(page, "section.work"),
      await box(page, "section.left"),
    ];
    assert.ok(tree.x < Math.min(dock.x, mid.x) && work.x > Math.max(dock.x, mid.x));
    if (slot === "left") assert.ok(dock.x + dock.width <= mid.x);
    if (slot === "right") assert.ok(dock.x >= mid.x + mid.width);
    if (slot === "bottom") assert.ok(dock.x === mid.x && dock.y >= mid.y + mid.height);
    assert.ok(Math.abs(work.height - tree.height) < 2 && mid.width > 300);
    await closed(page);
  });

test("a table with more columns than the dock has room for hides none", async () => {
  const names = ["storey", "doors", "windows", "walls", "slabs", "stairs"];
  const widget = {
    type: "Table",
    data: "$.rows",
    columns: names.map((field) => ({ field, title: `The ${field} of it` })),
  };
  const row = Object.fromEntries(names.map((name, n) => [name, `${name} ${n} of Level 1`]));
  const { page } = await opened({ replies: drawing(widget, [row]) });
  await installed(page);
  const table = page.locator("hp-widget-panel .w-table");
  await table.getByText("stairs 5 of Level 1").waitFor();
  const frame = await table.boundingBox();
  for (const name of names) {
    const cell = await table.getByText(new RegExp(`^${name} \\d`)).boundingBox();
    assert.ok(
      frame && cell && cell.x >= frame.x && cell.x + cell.width <= frame.x + frame.width + 1,
      name,
    );
  }
  assert.equal(await table.getByRole("cell").count(), 5);
  assert.equal(await table.evaluate((scrolls) => scrolls.scrollWidth - scrolls.clientWidth), 0);
  await closed(page);
});

test("numbers stand with their units, beside their titles where a row has no room", async () => {
  const names = ["storey", "mark", "width", "area", "rooms", "colour"];
  const titles = ["Storey", "Number", "Width (m)", "Area", "Rooms (all)", "Colour"];
  const row = { storey: "Level 1", mark: "A102", width: 1.25, area: { value: 30.5, unit: "m²" } };
  const widget = {
    ...{ type: "Stack", direction: "vertical" },
    children: [
      { type: "KeyValueGrid", rows: [{ label: "Widest (m)", value: "$.rows[0].width" }] },
      {
        ...{ type: "Table", data: "$.rows" },
        columns: names.map((field, i) => ({ field, title: titles[i] })),
      },
    ],
  };
  const { page } = await opened({
    replies: drawing(widget, [{ ...row, rooms: 3, colour: "#c0392b" }]),
  });
  await installed(page);
  const panel = page.locator("hp-widget-panel");
  const cell = (title: string) => panel.locator(`td[data-title="${title}"]`);
  assert.equal(await cell("Number").innerText(), "A102");
  assert.equal(await cell("Width").innerText(), "1.25\u00a0m");
  assert.equal(await cell("Area").innerText(), "30.5\u00a0m²");
  assert.equal(await cell("Rooms (all)").innerText(), "3");
  assert.equal((await cell("Colour").innerText()).trim(), "#c0392b");
  const swatch = cell("Colour").locator(".swatch");
  const painted = await swatch.evaluate((box) => getComputedStyle(box).backgroundColor);
  assert.equal(painted, "rgb(192, 57, 43)");
  assert.equal(await panel.locator(".kv").innerText(), "Widest\n1.25\u00a0m");
  // A row of five columns has no room here: its titles are drawn beside its values, with a space for who hears them.
  assert.equal(await cell("Width").evaluate((td) => getComputedStyle(td).display), "grid");
  const beside = await cell("Width").evaluate((td) => getComputedStyle(td, "::before").content);
  assert.match(beside, /^"Width" *" "|^"Width "/);
  await panel.getByTestId("hp-export-panel").click();
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("menuitem", { name: /semicolon/i }).click(),
  ]);
  const text = readFileSync(await file.path(), "utf8");
  assert.match(
    text,
    /Storey;Number;Width \(m\);Area \(m²\);Rooms \(all\);Colour\r\nLevel 1;A102;1,25;30,5;3;#c0392b/,
  );
  await closed(page);
});

test("a heading of what is not there is none", async () => {
  const heading = (text: string) => ({ type: "Text", variant: "heading", text });
  const widget = {
    type: "Stack",
    direction: "vertical",
    children: [
      heading("$.absent"),
      heading("$.doors"),
      { type: "EmptyState", heading: "$.absent", body: "Nothing here" },
    ],
  };
  const { page } = await opened({ replies: drawing(widget, []) });
  await installed(page);
  const panel = page.locator("hp-widget-panel");
  await panel.getByRole("heading", { name: "7" }).waitFor();
  assert.deepEqual(await panel.locator("h3").allInnerTexts(), ["7"]);
  assert.deepEqual(await violations(page), []);
  await closed(page);
});

test("the bar of a share is as long as the share", async () => {
  const widget = {
    type: "Chart",
    variant: "bar",
    data: "$.rows",
    xField: "storey",
    yField: "share",
  };
  const rows = [
    { storey: "Ground", share: 0.08 },
    { storey: "Roof", share: 0.04 },
  ];
  const { page } = await opened({ replies: drawing(widget, rows) });
  await installed(page);
  const bars = page.locator("hp-widget-panel .bars");
  await bars.getByText("8%").waitFor();
  const widths = await bars
    .locator(".bar > i")
    .evaluateAll((all) =>
      all.map((one) => one.getBoundingClientRect().width / (one.parentElement?.clientWidth ?? 1)),
    );
  assert.deepEqual(
    widths.map((width) => Math.round(width * 100)),
    [8, 4],
  );
  await closed(page);
});
