// The bar of every page keeps its controls inside the window, whatever is open and however narrow it is.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { openGallery } from "./gallery.ts";
import "./page.ts";

const WIDTHS = [320, 390, 768, 800, 1024, 1200, 1280, 1440];
/** A state of each page; of the model page also with the small road in the bar, which a phone has after a scroll. */
const STATES = [
  ...["empty", "review", "apps-list", "apps-workspace", "scripts-list", "scripts-offline"],
  ...[
    "crew-packages",
    "crew-package",
    "crew-workflow",
    "wb-preview",
    "profile-saved",
    "usage-people",
  ],
];
const NAMES = {
  short: "house-small.ifc",
  long: "AAB-2117-Harbour-house-ARK-tower-north-levels-01-to-24-shared-2026-11-30-issued-for-construction-rev-C.ifc",
};

let gallery: Awaited<ReturnType<typeof openGallery>>;
before(
  async () => {
    gallery = await openGallery();
  },
  { timeout: 120_000 },
);
after(() => gallery?.stop());

/** In the page: what is open has this name from now on. */
// biome-ignore lint/suspicious/noExplicitAny: the view of any of the pages
const rename = async (page: any, name: string): Promise<void> => {
  const { view } = page;
  if (view.model)
    page.view = { ...view, model: { ...view.model, facts: { ...view.model.facts, name } } };
  else if (view.script) page.view = { ...view, script: { ...view.script, title: name } };
  else if (view.app) page.view = { ...view, app: { ...view.app, bar: { ...view.app.bar, name } } };
  else if (view.document) page.view = { ...view, document: { ...view.document, name } };
  else if (view.bench) {
    const { bench } = view;
    page.view = { ...view, bench: { ...bench, head: { ...bench.head, project: name } } };
  } else if (view.account) page.view = { ...view, account: name };
  await page.updateComplete;
};

/** Controls of the bar that are drawn, with where each begins and ends. */
async function controls(page: Page) {
  // What the bar leaves out is decided a frame after its sizes are known.
  await page.evaluate(async () => {
    for (let n = 0; n < 4; n += 1) await new Promise((done) => requestAnimationFrame(done));
  });
  const all = await page.locator("header.top :is(a, button)").evaluateAll((found) =>
    found
      .filter((one) => one.checkVisibility())
      .map((one) => {
        const { left, right } = one.getBoundingClientRect();
        const name = one.getAttribute("aria-label") ?? one.textContent?.trim() ?? "";
        return { name, left, right };
      }),
  );
  return all.sort((a, b) => a.left - b.left);
}

for (const lang of ["en", "sv"])
  for (const width of WIDTHS)
    test(`every control of the bar is in sight at ${width} px, ${lang}`, {
      timeout: 300_000,
    }, async (t) => {
      const page = await gallery.opened("empty", { width, lang });
      const states = await page.evaluate(() => window.hpStates);
      for (const state of STATES)
        for (const [length, name] of Object.entries(NAMES))
          await t.test(`${state}, a ${length} name`, async () => {
            assert.ok(states.includes(state), `${state} is a state`);
            await gallery.show(page, state, "light", lang);
            await page.locator("#page").evaluate(rename, name);
            const shown = await controls(page);
            const said = JSON.stringify(shown);
            assert.ok(
              shown.some((one) => one.name === (lang === "en" ? "Account" : "Konto")),
              said,
            );
            for (const [at, { left, right }] of shown.entries()) {
              assert.ok(left >= 0 && right <= width, `outside of ${width}: ${said}`);
              assert.ok(left >= (shown[at - 1]?.right ?? 0) - 1, `one over another: ${said}`);
            }
          });
      await page.context().close();
    });
