// An extension over two open models, in its real sandbox: counts, selection, colours, changes and checks name
// their model.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { expressIdOf, modelPlaceOf } from "@holdpoint/core/types";
import type { Elements } from "@holdpoint/elements/model/elements";
import type { Page } from "playwright-core";
import { becomes } from "./page.ts";
import { walks } from "./walk.ts";

const { opened: walked, closed } = walks();

const VILLA = readFileSync(new URL("../../fixtures/ifc/villa-2x3.ifc", import.meta.url), "utf8");
/** Two trades of one building, which others wrote. */
const SCENE = ["Building-Architecture.ifc", "Building-Structural.ifc"].map((name) => ({
  name,
  text: readFileSync(
    new URL(`../../fixtures/ifc/foreign/sample-scene/${name}`, import.meta.url),
    "utf8",
  ),
}));

const shows = (page: Page, text: string) =>
  page.locator("hp-elements .statusline").getByText(text).waitFor();
const panel = (page: Page) => page.locator("hp-widget-panel");
const models = (page: Page) => page.locator("hp-models li");
const button = (page: Page, name: string) =>
  page.getByRole("toolbar").getByRole("button", { name, exact: true });

/** The panel shows these numbers, model by model. */
async function counted(page: Page, ...wanted: string[]): Promise<void> {
  const rows = async () => {
    const all = await panel(page).locator("tbody tr").allInnerTexts();
    return all.map((row) => row.trim().replace(/\s+/g, " "));
  };
  assert.deepEqual(await becomes(rows, (now) => now.join() === wanted.join()), wanted);
}

/** What is selected: the place of each element's model, and its express id. */
const selected = async (page: Page): Promise<[place: number, id: number][]> => {
  const ids = await page.locator("hp-elements").evaluate((one) => (one as Elements).selected);
  return ids.map((id) => [modelPlaceOf(id), expressIdOf(id)]);
};

async function opened(text = VILLA, name = "villa.ifc"): Promise<Page> {
  const page = await walked("?page=several");
  await shows(page, "42 of 42 elements");
  await page.getByTestId("hp-extensions").click();
  await page.locator("hp-extensions").getByRole("button", { name: "Walls", exact: true }).click();
  await counted(page, "house-small.ifc 13 0");
  await page.evaluate(([text, name]) => window.hpTake(name ?? "", text ?? "", true), [text, name]);
  return page;
}

test("a panel counts over both models, and its click selects elements of the second", async () => {
  const page = await opened();
  await counted(page, "house-small.ifc 13 0", "villa.ifc 18 0");
  await panel(page).getByText("Loaded villa.ifc.").waitFor();
  await panel(page).getByRole("button", { name: "18" }).click();
  await shows(page, "18 selected");
  const chosen = await selected(page);
  assert.ok(chosen.every(([place]) => place === 1));
  await panel(page).getByText("Selected 18 of villa.ifc.").waitFor();
  await button(page, "Last wall").click();
  await shows(page, "1 selected");
  assert.deepEqual(await selected(page), [chosen.at(-1)]);
  await closed(page);
});

test("colours lie on both models, and those of a model that is closed go with it", async () => {
  const page = await opened();
  await counted(page, "house-small.ifc 13 0", "villa.ifc 18 0");
  await button(page, "Colour walls").click();
  const legend = page.locator("hp-elements .legend li");
  await becomes(
    () => legend.allInnerTexts(),
    (all) => all.length === 2,
  );
  const coloured = () =>
    page.locator("hp-elements").evaluate((one) => {
      const { colouring } = one as Elements;
      return colouring?.groups.map(({ color, ids }) => [color, ids.length]) ?? [];
    });
  assert.deepEqual(await coloured(), [
    ["#c0392b", 13],
    ["#2980b9", 18],
  ]);
  await models(page).last().getByRole("button").press("Enter");
  await page.getByRole("menuitem", { name: "Close this model" }).press("Enter");
  await shows(page, "42 of 42 elements");
  assert.deepEqual(await coloured(), [["#c0392b", 13]]);
  await counted(page, "house-small.ifc 13 0");
  await closed(page);
});

test("what is changed stands in both models, and in the panel again when one is off and on", async () => {
  const page = await opened();
  await counted(page, "house-small.ifc 13 0", "villa.ifc 18 0");
  await button(page, "Mark walls").click();
  await page.locator("hp-toast").getByText("Walls").first().waitFor();
  const search = page.locator("hp-find input");
  await search.fill("Mark = ");
  await page.locator("hp-find [role=option]").first().click();
  await shows(page, "31 of 80 elements");
  const second = models(page).last().getByRole("checkbox");
  await second.press("Space");
  await counted(page, "house-small.ifc 13 13");
  await second.press("Space");
  await counted(page, "house-small.ifc 13 13", "villa.ifc 18 18");
  await models(page).first().getByRole("checkbox").press("Space");
  await counted(page, "villa.ifc 18 18");
  await second.press("Space");
  await panel(page).getByText("model").first().waitFor();
  assert.equal(await panel(page).locator("tbody tr").count(), 0, "no model, no numbers");
  await closed(page);
});

test("numbers alone mean the active model, and a check names every model's elements", async () => {
  const page = await opened();
  await counted(page, "house-small.ifc 13 0", "villa.ifc 18 0");
  const first = panel(page).getByRole("button", { name: "First wall of the active model" });
  await first.click();
  await shows(page, "1 selected");
  const [[place]] = (await selected(page)) as [[number, number]];
  assert.equal(place, 0);
  await models(page).last().getByRole("button").press("Enter");
  await page.getByRole("menuitem", { name: "Make it active" }).press("Enter");
  await page.locator("hp-models .note").getByText("villa.ifc is active").waitFor();
  await panel(page).getByText("Loaded villa.ifc.").waitFor();
  await first.click();
  const places = async () => (await selected(page)).map(([place]) => place);
  assert.deepEqual(await becomes(places, ([place]) => place === 1), [1]);
  await page.locator("hp-elements [data-row]").first().press("Escape");
  await page.getByTestId("hp-extensions").click();
  await page.getByRole("button", { name: "Walls have marks" }).click();
  await page.getByText("31 of 31 are not right").waitFor();
  await page.locator("hp-verdicts button").last().click();
  assert.deepEqual(await becomes(places, (all) => all.length === 1), [1], "of the second model");
  await closed(page);
});

test("models of several trades that others wrote are one to an extension", async () => {
  const [architecture, structure] = SCENE;
  const page = await opened(architecture?.text, architecture?.name);
  await counted(page, "house-small.ifc 13 0", "Building-Architecture.ifc 4 0");
  await page.evaluate(
    ([text, name]) => window.hpTake(name ?? "", text ?? "", true),
    [structure?.text, structure?.name],
  );
  const all = [
    ...["house-small.ifc 13 0", "Building-Architecture.ifc 4 0"],
    "Building-Structural.ifc 4 0",
  ];
  await counted(page, ...all);
  await panel(page).getByRole("button", { name: "4", exact: true }).last().click();
  await shows(page, "4 selected");
  assert.ok((await selected(page)).every(([place]) => place === 2));
  await panel(page).getByText("Selected 4 of Building-Structural.ifc.").waitFor();
  await models(page).nth(1).getByRole("button").press("Enter");
  await page.getByRole("menuitem", { name: "Close this model" }).press("Enter");
  await counted(page, "house-small.ifc 13 0", "Building-Structural.ifc 4 0");
  await shows(page, "4 selected");
  await page.locator("hp-toast").getByRole("button", { name: "Undo" }).press("Enter");
  await counted(
    page,
    "house-small.ifc 13 0",
    "Building-Structural.ifc 4 0",
    "Building-Architecture.ifc 4 0",
  );
  await closed(page);
});
