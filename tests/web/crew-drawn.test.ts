// Graphs as drawings: a proposal as a graph, what is selected in a large graph, words that do not fit.

import assert from "node:assert/strict";
import { test } from "node:test";
import { during } from "../during.ts";
import { violations } from "./axe.ts";
import { openGallery } from "./gallery.ts";
import { fitted } from "./page.ts";

const gallery = await during(openGallery());

test("a proposal that changes a graph is shown as a graph, too", async () => {
  const page = await gallery.opened("wb-preview");
  await page.getByTestId("wb-as-graph").click();
  const graphs = page.getByTestId("wb-graph").locator("hp-crew-graph");
  assert.equal(await graphs.count(), 2);
  await graphs.nth(0).locator(".nd.removed").getByText("Ask the police").waitFor();
  await graphs.nth(1).locator(".nd.added").getByText("Fraud review").waitFor();
  assert.equal(await graphs.nth(1).locator(".nd.changed").count(), 1);
  assert.deepEqual(await violations(page), []);
  await page.getByTestId("wb-graph").getByRole("button", { name: "Close", exact: true }).click();
  assert.equal(await graphs.count(), 0);
  await page.context().close();
});

test("in a graph of two hundred nodes the selected one is in view, and not under the key", async () => {
  const page = await gallery.opened("crew-workflow-many");
  await fitted(page);
  const [node, key] = await Promise.all([
    page.locator('hp-crew-graph [data-node="n120"]').boundingBox(),
    page.locator("hp-crew-graph .gkey").boundingBox(),
  ]);
  assert.ok(node && key);
  assert.ok(node.y > 96 && node.y + node.height < key.y);
  await page.context().close();
});

test("no button of a crew page is cut off, however narrow, in Swedish", {
  timeout: 300_000,
}, async () => {
  for (const width of [320, 980]) {
    const page = await gallery.opened("crew-packages", { width, lang: "sv" });
    await page.waitForFunction(() => window.hpStates);
    const states = await page.evaluate(() => window.hpStates);
    for (const state of states.filter((name: string) => /^crew-/.test(name))) {
      await gallery.show(page, state, "light", "sv");
      const cut = await page.evaluate(() => {
        const all: string[] = [];
        const read = (root: ParentNode): void => {
          for (const one of root.querySelectorAll<HTMLElement>("*")) {
            if (one.shadowRoot && !one.matches("hp-crew-graph")) read(one.shadowRoot);
            const { width: wide, right } = one.getBoundingClientRect();
            const tab = one.closest("[role=tablist]");
            if (wide && right > innerWidth + 1 && one.matches("button, .btn, h1, select") && !tab)
              all.push(one.innerText || one.className);
          }
        };
        read(document.querySelector("#page")?.shadowRoot ?? document);
        return all;
      });
      assert.deepEqual(cut, [], `${state} at ${width} px`);
    }
    await page.context().close();
  }
});
