// Finding in a model that is really read: by every value, by columns, from the tree, by commands; and files of it.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { strToU8, zipSync } from "fflate";
import type { Page } from "playwright-core";
import { sideways, violations } from "./axe.ts";
import { hasFocus } from "./page.ts";
import { walks } from "./walk.ts";

const { opened: walked, closed } = walks();

async function opened(settings: Parameters<typeof walked>[1] = {}): Promise<Page> {
  const page = await walked("?page=view", settings);
  await rows(page).first().waitFor({ state: "attached" });
  return page;
}

const rows = (page: Page) => page.locator("hp-elements [data-row]");
const field = (page: Page) => page.locator("hp-find input");
const option = (page: Page, text: string) =>
  page.locator("hp-find").getByRole("option").filter({ hasText: text }).first();
const status = (page: Page) => page.locator("hp-elements .statusline");
const shows = (page: Page, text: string | RegExp) => status(page).getByText(text).waitFor();

test("every value is searched, a filter is added by keys, counts follow, and one button clears", async () => {
  const page = await opened();
  await shows(page, /^(\d+) of \1 elements$/);
  await field(page).fill("EI 30");
  await option(page, "Contains").waitFor();
  assert.deepEqual(await violations(page), []);
  await field(page).fill("FireRating = ");
  await option(page, "none").waitFor();
  await page.keyboard.press("ArrowDown");
  await page.locator("hp-find [role=option][aria-selected=true]").waitFor();
  const first = page.locator("hp-find [role=option]").first();
  const n = Number((await first.locator(".n").innerText()).replace(/\D/g, ""));
  await page.keyboard.press("Enter");
  await page.locator("hp-find .tok").getByText("FireRating").waitFor();
  await shows(page, new RegExp(`^${n} of `));
  const chips = page.locator("hp-elements .et-wide .chips").last().locator(".n");
  const counts = (await chips.allInnerTexts()).map(Number);
  assert.equal(
    counts.reduce((sum, one) => sum + one, 0),
    n,
    "types count what is left",
  );
  await field(page).focus();
  await page.keyboard.press("Backspace");
  await page.locator("hp-find .tok").waitFor({ state: "detached" });
  await field(page).fill("no such words");
  await page.locator("hp-elements .none").getByText("No matches.").waitFor();
  await page.getByTestId("hp-clear-filters").click();
  await shows(page, /^(\d+) of \1 elements$/);
  assert.equal(await field(page).inputValue(), "");
  await closed(page);
});

test("several columns stand beside each other, and a click on a storey filters where asked", async () => {
  const page = await opened();
  await page.getByTestId("hp-columns-open").click();
  const chooser = page.locator("hp-columns");
  const search = chooser.locator("input[type=search]");
  await search.fill("LoadBearing");
  await chooser.getByRole("checkbox").first().check();
  await search.fill("FireRating");
  await chooser.getByText("any set").first().waitFor();
  await chooser.getByRole("button", { name: "Done" }).press("Enter");
  await chooser.waitFor({ state: "detached" });
  const head = page.locator("hp-elements [role=columnheader]");
  await head.filter({ hasText: "LoadBearing" }).waitFor();
  assert.equal(await head.count(), 6);
  const storey = page.locator("hp-tree [role=treeitem]").filter({ has: page.locator(".count") });
  await storey.first().click();
  await shows(page, /^(\d+) of \1 elements$/);
  await page.getByRole("button", { name: "A click on a storey filters the table" }).press("Enter");
  await storey.last().click();
  await page.getByTestId("hp-clear-filters").waitFor();
  await closed(page);
});

test("what is selected in the table comes into sight in the tree, and values of several select", async () => {
  const page = await opened();
  await field(page).fill("IfcDoor");
  await field(page).press("Escape");
  await rows(page).filter({ hasText: "IfcDoor" }).first().click();
  await page.locator('hp-tree [role=treeitem][aria-selected="true"]').waitFor();
  await page.keyboard.press("Control+a");
  const link = page.locator("hp-properties .vlink").first();
  await link.waitFor();
  const n = /×(\d+)/.exec(await link.innerText())?.[1];
  await link.press("Enter");
  await shows(page, `${n} selected`);
  await closed(page);
});

test("commands are found by keys alone, and the focus returns", async () => {
  const page = await opened();
  await field(page).focus();
  const palette = page.locator("hp-palette");
  await page.keyboard.press("Control+k");
  await palette.locator("input:focus").waitFor();
  assert.deepEqual(await violations(page), []);
  await page.keyboard.press("Escape");
  await palette.waitFor({ state: "detached" });
  assert.equal(await field(page).evaluate(hasFocus), true);
  await page.keyboard.press("Control+k");
  await palette.locator("input:focus").waitFor();
  await page.keyboard.type("choose col");
  await palette.locator('[data-id="do:columns"]').waitFor();
  await page.keyboard.press("Enter");
  await page.locator("hp-columns").waitFor();
  await page.keyboard.press("Control+k");
  await palette.locator("input:focus").waitFor();
  await page.keyboard.type("count");
  const own = palette.getByRole("option").first();
  assert.match(await own.innerText(), /Count\s+Counter/, "commands of extensions stand first");
  await closed(page);
});

test("the table is saved as it is listed, with GlobalIds", async () => {
  const page = await opened();
  await field(page).fill("IfcDoor");
  await shows(page, /^\d+ of /);
  const n = Number(/^(\d+) of/.exec(await status(page).innerText())?.[1]);
  const save = async (format: string): Promise<Buffer> => {
    await page.getByTestId("hp-export").press("Enter");
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByTestId(`hp-export-${format}`).press("Enter"),
    ]);
    return readFileSync(await file.path());
  };
  const lines = (await save("csv")).toString().trimEnd().split("\r\n");
  assert.match(lines[0] ?? "", /^Type,Name,Storey,.*,GlobalId$/);
  assert.equal(lines.length, n + 1);
  const { rows: listed } = JSON.parse((await save("json")).toString());
  assert.deepEqual([listed.length, listed[0].Type, listed[0].GlobalId.length], [n, "IfcDoor", 22]);
  assert.equal((await save("xlsx")).subarray(0, 2).toString(), "PK");
  await closed(page);
});

test("a packed model opens, and one that is none says why; what was open stays", async () => {
  const page = await opened();
  const file = readFileSync(new URL("../../fixtures/ifc/house-small.ifc", import.meta.url), "utf8");
  const take = (name: string, files: Record<string, string>) => {
    const packed = zipSync(
      Object.fromEntries(Object.entries(files).map(([path, text]) => [path, strToU8(text)])),
    );
    return page.evaluate(
      ([called, text]) => {
        const bytes = Uint8Array.from(atob(text ?? ""), (one) => one.charCodeAt(0));
        window.hpTake(called ?? "", bytes as unknown as string);
      },
      [name, Buffer.from(packed).toString("base64")],
    );
  };
  await take("Tower.ifczip", { "Tower A.ifc": file, "Tower B.ifc": file });
  const failed = page.locator("hp-open").getByRole("alert");
  await failed.getByText("Tower A.ifc, Tower B.ifc").waitFor();
  await failed.getByText("house-small.ifc is still open").waitFor();
  assert.ok((await rows(page).count()) > 3);
  await take("Tower.ifczip", { "model/Tower.ifc": file });
  await page.locator("hp-page .doc").getByText("Tower.ifc").waitFor();
  await rows(page).first().waitFor();
  await closed(page);
});

test("on a narrow page filters and columns have room", async () => {
  const page = await opened({ viewport: { width: 390, height: 844 } });
  await page.locator("hp-page .tabs-n button").nth(1).click();
  await field(page).fill("FireRating");
  await option(page, "any set").or(option(page, "Pset")).first().waitFor();
  assert.deepEqual([await sideways(page), await violations(page)], [false, []]);
  await page.keyboard.press("Escape");
  await page.getByTestId("hp-columns-open").press("Enter");
  await page.locator("hp-columns").getByRole("checkbox").first().waitFor();
  assert.deepEqual([await sideways(page), await violations(page)], [false, []]);
  await closed(page);
});

// ── several models ───────────────────────────────────────────────────────────────────────────────────────────────────

const VILLA = readFileSync(new URL("../../fixtures/ifc/villa-2x3.ifc", import.meta.url), "utf8");

const models = (page: Page) => page.locator("hp-models li");

async function two(): Promise<Page> {
  const page = await opened();
  await shows(page, "42 of 42 elements");
  await page.evaluate((text) => window.hpTake("villa.ifc", text, true), VILLA);
  await shows(page, "80 of 80 elements");
  return page;
}

test("two files are open: tree, table and selection span both, and one goes off, on and away", async () => {
  const page = await two();
  assert.equal(await models(page).count(), 2);
  assert.deepEqual(await violations(page), []);
  const tree = page.locator("hp-tree [role=treeitem]");
  await tree.filter({ hasText: "house-small.ifc" }).waitFor();
  await tree.filter({ hasText: "villa.ifc" }).waitFor();
  const search = page.locator("hp-find input");
  await search.fill("IfcDoor");
  await shows(page, "11 of 80 elements");
  await page.locator("hp-elements [data-row]").first().click();
  await page.keyboard.press("Control+a");
  await shows(page, "11 selected");
  const whose = page.locator("hp-properties .vlink");
  await whose.getByText("house-small.ifc ×7").waitFor();
  await whose.getByText("villa.ifc ×4").waitFor();
  await search.fill("");
  await models(page).first().getByRole("checkbox").press("Space");
  await shows(page, "38 of 38 elements");
  await shows(page, "4 selected");
  await page.locator("hp-models").getByText("1 of 2 shown").waitFor();
  await models(page).first().getByRole("checkbox").press("Space");
  await shows(page, "80 of 80 elements");
  await models(page).last().getByRole("button").press("Enter");
  await page.getByRole("menuitem", { name: "Close this model" }).press("Enter");
  await shows(page, "42 of 42 elements");
  await models(page).first().waitFor({ state: "detached" });
  await page.locator("hp-toast").getByRole("button", { name: "Undo" }).press("Enter");
  await shows(page, "80 of 80 elements");
  await closed(page);
});

test("one of them is active, and a person says which", async () => {
  const page = await two();
  const note = page.locator("hp-models .note");
  await note.getByText("house-small.ifc is active").waitFor();
  await models(page).last().getByRole("button").press("Enter");
  await page.getByRole("menuitem", { name: "Make it active" }).press("Enter");
  await note.getByText("villa.ifc is active").waitFor();
  await page.getByRole("button", { name: "Colour by model" }).press("Enter");
  await page.locator("hp-elements .legend li").filter({ hasText: "villa" }).waitFor();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("Add a model");
  await page.locator('hp-palette [data-id="do:add-sample"]').click();
  await shows(page, "80 of 80 elements");
  assert.equal(await models(page).count(), 2, "what is open already is not opened twice");
  await closed(page);
});

test("a filter is named, chosen again, renamed and removed, which one button takes back", async () => {
  const page = await opened();
  const chip = (name: string) => page.locator("hp-saved .chip").filter({ hasText: name });
  await field(page).fill("IfcDoor");
  await shows(page, "7 of 42 elements");
  await page.getByTestId("hp-save-filter").press("Enter");
  const name = page.locator("hp-saved input");
  await page.keyboard.type("Doors");
  await page.keyboard.press("Enter");
  await chip("Doors").waitFor();
  assert.equal(await chip("Doors").getAttribute("aria-pressed"), "true");
  assert.deepEqual(await violations(page), []);
  await page.getByTestId("hp-clear-filters").press("Enter");
  await shows(page, "42 of 42 elements");
  await chip("Doors").press("Enter");
  await shows(page, "7 of 42 elements");
  await page.getByRole("button", { name: "Rename Doors" }).press("Enter");
  assert.equal(await name.inputValue(), "Doors");
  await page.keyboard.type("All doors");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Remove All doors" }).press("Enter");
  await chip("All doors").waitFor({ state: "detached" });
  await page.locator("hp-toast").getByRole("button", { name: "Undo" }).press("Enter");
  await chip("All doors").press("Enter");
  await shows(page, "42 of 42 elements");
  await closed(page);
});

test("a file that was open is offered again, and has to be chosen where no handle is there", async () => {
  const page = await two();
  await models(page).last().getByRole("button").press("Enter");
  await page.getByRole("menuitem", { name: "Close this model" }).press("Enter");
  await models(page).first().waitFor({ state: "detached" });
  await page.getByTestId("hp-models-add").press("Enter");
  const recent = page.getByRole("menuitem", { name: /villa.ifc\s+Has to be chosen again/ });
  await recent.press("Enter");
  await page.locator("hp-toast").getByText("Choose villa.ifc again").waitFor();
  await closed(page);
});
