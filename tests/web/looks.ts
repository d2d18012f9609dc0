// Every state of the page (UI.md §6, §7) from fixtures: nothing for axe to say, no sideways scroll. A state is seen in
// both sizes, both themes and both languages, and each size in each theme over all of them: `HOLDPOINT_LOOKS=all` looks
// at every state in all four ways.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { sideways, violations } from "./axe.ts";
import { openGallery } from "./gallery.ts";

/** States take turns: what is light and English in one size is dark and Swedish in the other. */
const LOOKS = [
  { theme: "light", lang: "en" },
  { theme: "dark", lang: "sv" },
];
const ALL = process.env.HOLDPOINT_LOOKS === "all";

/** All states at a width; `turn` says which of them begin light. */
export function looks(width: number, turn: 0 | 1): void {
  let gallery: Awaited<ReturnType<typeof openGallery>>;
  before(
    async () => {
      gallery = await openGallery();
    },
    { timeout: 120_000 },
  );
  after(() => gallery?.stop());

  for (const [number, { theme, lang }] of LOOKS.entries())
    test(`axe has nothing to say at ${width} px, ${theme}, ${lang}`, {
      timeout: 600_000,
    }, async (t) => {
      const page = await gallery.opened("empty", { width, theme, lang });
      const states = await page.evaluate(() => window.hpStates);
      for (const state of states.filter((_, i) => ALL || (i + number) % 2 === turn)) {
        await t.test(state, async () => {
          await gallery.show(page, state, theme, lang);
          assert.deepEqual(await violations(page), []);
          assert.equal(await page.evaluate(() => document.documentElement.lang), lang);
          assert.equal(await sideways(page), false, "it scrolls sideways");
        });
      }
      await page.context().close();
    });
}
