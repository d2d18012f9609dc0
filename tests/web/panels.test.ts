// Several panels at once: docks on three sides, tabs in a dock, what was open is open after a reload, and a panel whose
// data is on its way says so.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { PanelView } from "@holdpoint/elements";
import {
  closed as closing,
  docksOf,
  moved,
  noPanels,
  opened as opening,
  type Place,
  placeOf,
  together,
} from "@holdpoint/elements/dock/open-panels";
import type { Page } from "playwright-core";
import { arranged } from "../../www/app/src/pages/model/arrangement.ts";
import { violations } from "./axe.ts";
import { replies } from "./doors.ts";
import { pages, ready, reviewed } from "./edge/extensions.ts";

const { opened, closed } = pages();

const all = ["a", "b", "c"].map((dock) => ({ dock, title: dock }) as PanelView);
const shape = (docks: ReturnType<typeof docksOf>) =>
  docks.map(({ place, tabs, front }) => [place, tabs.map((tab) => tab.dock).join(""), front]);

test("a dock has its panels in the order in which they were opened, in front the one seen last", () => {
  let open = opening(opening(opening(noPanels, "a", "right"), "b", "right"), "c", "left");
  assert.deepEqual(shape(docksOf(open, all)), [
    ["left", "c", "c"],
    ["right", "ab", "b"],
  ]);
  open = opening(open, "a", "bottom");
  assert.deepEqual(shape(docksOf(open, all))[1], ["right", "ab", "a"], "it stands where it stood");
  open = moved(open, "a", "bottom");
  assert.deepEqual(shape(docksOf(open, all)), [
    ["left", "c", "c"],
    ["bottom", "a", "a"],
    ["right", "b", "b"],
  ]);
  assert.deepEqual(shape(together(docksOf(open, all), "b")), [["right", "cab", "b"]]);
  assert.deepEqual(shape(docksOf(closing(open, "b"), all)).at(-1), ["bottom", "a", "a"]);
  assert.deepEqual(docksOf(open, []), [], "what is gone is not drawn");
  assert.deepEqual(together([], null), []);
  assert.deepEqual(["dock.left", "dock.bottom", "dock.right", ""].map(placeOf), [
    "left",
    "bottom",
    "right",
    "right",
  ]);
});

test("panes fold before the model starves: the tree, then change and right dock share, then all docks", () => {
  const widths = { tree: 264, left: 336, bottom: 280, dock: 336, work: null };
  const at = (width: number, ...places: Place[]) => {
    const docks = places.map((place) => ({ place, tabs: all, front: "a" }));
    const panes = arranged(width, { docks, panel: "a", widths }, 416, false);
    const middle = width - panes.tree - panes.left - panes.right - panes.work;
    return { ...panes, middle, places: panes.docks.map((dock) => dock.place).join(" ") };
  };
  const { rail, shares } = at(1440, "right");
  assert.deepEqual([rail, shares], [false, false]);
  assert.deepEqual([at(1280, "right").rail, at(1280, "right").shares], [true, false]);
  assert.deepEqual(
    [at(1440, "left", "right").shares, at(1920, "left", "right").shares],
    [true, false],
  );
  assert.deepEqual(
    [at(1200, "left", "right").shares, at(1200, "left", "right").places],
    [true, "left right"],
  );
  assert.equal(at(1000, "left", "right").places, "right");
  widths.left = 480;
  assert.equal(at(1200, "left", "bottom", "right").places, "right");
  widths.left = 336;
  for (const width of [1200, 1280, 1366, 1440, 1600, 1920, 2560])
    for (const places of [[], ["right"], ["left"], ["left", "right"], ["left", "bottom", "right"]])
      assert.ok(at(width, ...(places as Place[])).middle >= 400, `${width} ${places}`);
});

/** Another extension with a panel of its own. */
const other = (slot: string) =>
  replies().map((text) =>
    text
      .replaceAll(/doors\.(count|panel|json)/g, "gates.$1")
      .replaceAll("Door count", "Gate count")
      .replaceAll('"Doors"', '"Gates"')
      .replaceAll("dock.right", slot),
  );
const head = (page: Page, name: string) =>
  page.locator("hp-widget-panel").getByRole("heading", { name, exact: true });
const figure = (page: Page, title: string) =>
  page
    .locator("hp-widget-panel")
    .filter({ has: page.getByRole("heading", { name: title, exact: true }) })
    .getByRole("heading", { name: "7" });

async function install(page: Page, words: string): Promise<void> {
  await reviewed(page, words);
  await page.getByTestId("hp-install").click();
  await page.locator("hp-stamp").waitFor();
}

test("two panels stand on two sides, come back after a reload, and share a dock where a person moves one", async () => {
  const { page } = await opened({
    replies: [...replies(), ...other("dock.bottom")],
    viewport: { width: 1600, height: 1000 },
  });
  await install(page, "Make a panel that counts the doors");
  await page.getByRole("button", { name: "New change" }).first().click();
  await install(page, "Make a panel that counts the gates");
  await figure(page, "Doors").waitFor();
  await figure(page, "Gates").waitFor();
  assert.equal(await page.locator("section.dock").count(), 2);
  assert.deepEqual(await violations(page), []);

  await page.reload();
  await ready(page);
  await figure(page, "Doors").waitFor();
  await figure(page, "Gates").waitFor();

  const separator = page.getByRole("separator", { name: "Panels below the model" });
  const height = async () =>
    (await page.locator('[data-place="bottom"]').boundingBox())?.height ?? 0;
  const was = await height();
  await separator.focus();
  await page.keyboard.press("ArrowUp");
  await page.waitForFunction(
    (old) =>
      (document.querySelector("hp-page")?.shadowRoot?.querySelector('[data-place="bottom"]')
        ?.clientHeight ?? 0) > old,
    was,
  );

  await page.locator('[data-place="bottom"]').getByRole("button", { name: "Options" }).click();
  await page.getByRole("menuitem", { name: "Move to the right" }).click();
  const tabs = page.locator("hp-dock").getByRole("tab");
  await tabs.nth(1).waitFor();
  assert.deepEqual(await tabs.allInnerTexts(), ["Doors", "Gates"]);
  assert.equal(await page.locator("section.dock").count(), 1);
  await figure(page, "Gates").waitFor();
  assert.equal(await figure(page, "Doors").isVisible(), false);
  assert.deepEqual(await violations(page), []);

  await tabs.nth(1).focus();
  await page.keyboard.press("ArrowRight");
  await figure(page, "Doors").waitFor();
  assert.equal(await tabs.nth(0).evaluate((tab) => tab.matches(":focus")), true);
  await page.keyboard.press("Delete");
  await tabs.first().waitFor({ state: "detached" });
  await head(page, "Gates").waitFor();
  assert.equal(await page.locator("hp-widget-panel").count(), 1);

  await page.reload();
  await ready(page);
  await figure(page, "Gates").waitFor();
  await page.getByRole("button", { name: "Close the panel" }).click();
  await page.locator("section.dock").waitFor({ state: "hidden" });
  await page.locator("#main:focus").waitFor();
  await closed(page);
});

test("a panel whose data is on its way says Working, and never that there is none", async () => {
  const table = { type: "Table", data: "$.rows", columns: [{ field: "n", title: "Number" }] };
  const { page } = await opened({
    replies: replies().map((text) =>
      text
        .replace(/\{"type":"Text".*\}/, JSON.stringify(table))
        .replace("return { doors", "return { rows: [{ n: 1102 }], doors"),
    ),
  });
  await install(page, "Make a panel that counts the doors");
  const cell = page.locator("hp-widget-panel").getByText(/1.102/);
  await cell.waitFor();
  await page.addInitScript(() => {
    window.heard = [];
    setInterval(() => {
      const dock = document.querySelector("hp-page")?.shadowRoot?.querySelector("hp-dock");
      const panel = dock?.shadowRoot?.querySelector("hp-widget-panel")?.shadowRoot;
      const text = panel?.querySelector(".widget")?.textContent?.trim();
      if (text) window.heard.push(text);
    }, 4);
  });
  await page.reload();
  await cell.waitFor();
  const said = new Set((await page.evaluate(() => window.heard)) as string[]);
  assert.ok(said.has("Working"), [...said].join(" | "));
  assert.ok(![...said].some((text) => text.includes("Nothing to show")));
  await closed(page);
});
