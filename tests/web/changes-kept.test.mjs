// Nothing is lost (UI.md §1.6): the column stays after an undo.

import assert from "node:assert/strict";
import { test } from "node:test";

import { replies } from "./doors.mjs";
import { pages, reviewed } from "./edge.mjs";

const { opened, closed } = pages();
const ASK = "Make a panel that counts the doors";

/** Where the column of the change stands. */
const column = (page) => page.locator("section.work").boundingBox();

for (const width of [1440, 1000])
  test(`after an undo the column of the change stands where it stood before the install, ${width} px`, async () => {
    const { page } = await opened({ viewport: { width, height: 900 }, replies: replies() });
    const before = await column(page);
    await reviewed(page, ASK);
    await page.getByTestId("hp-install").click();
    await page.locator("hp-widget-panel").getByText("7").waitFor();
    await page.locator("hp-workbench").getByTestId("hp-undo").click();
    await page.locator("hp-stamp").waitFor({ state: "detached" });
    await page.locator("hp-toast").getByText("Door count").waitFor();
    assert.deepEqual(await column(page), before);
    await closed(page);
  });
