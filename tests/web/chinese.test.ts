// Crew pages in Chinese: every state says nothing in English that has a Chinese text, fits, and names its language; the
// switch offers Chinese there and nowhere else.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser } from "playwright-core";
import { sideways, violations } from "./axe.ts";
import { startBrowser } from "./browser.ts";
import { serveGallery } from "./gallery.ts";
import { type Site, serve } from "./site.ts";
import { modules } from "./source.ts";

let gallery: Awaited<ReturnType<typeof serveGallery>>;
let site: Site;
let browser: Browser;
/** The name of a template, which a package has that was made of it. */
const OWN_NAME = "crew.new.claims";
/** English texts without values that have a Chinese one of other words. */
let english: string[];

before(
  async () => {
    const [{ en }, { zh }] = await modules<
      [{ en: Record<string, unknown> }, { zh: Record<string, string> }]
    >("text/en.ts", "text/zh.ts");
    english = Object.entries(zh).flatMap(([key, text]) => {
      const source = en[key];
      return key !== OWN_NAME && typeof source === "string" && source !== text && / /.test(source)
        ? [source]
        : [];
    });
    gallery = await serveGallery();
    site = await serve("page");
    browser = await startBrowser();
  },
  { timeout: 180_000 },
);

after(async () => {
  await browser?.close();
  gallery?.stop();
  site?.stop();
});

/** In the page: every text that is drawn or read out, also inside of elements. */
const texts = (): string[] => {
  const all: string[] = [];
  const read = (root: ParentNode): void => {
    for (const element of root.querySelectorAll("*")) {
      for (const name of ["aria-label", "placeholder", "title", "aria-description"]) {
        const value = element.getAttribute(name);
        if (value) all.push(value.trim());
      }
      for (const node of element.childNodes)
        if (node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim())
          all.push(node.nodeValue.trim().replace(/\s+/g, " "));
      if (element.shadowRoot) read(element.shadowRoot);
    }
  };
  read(document.querySelector("#page")?.shadowRoot ?? document);
  return all;
};

for (const [width, theme] of [
  [1440, "dark"],
  [390, "light"],
] as const)
  test(`crew pages are Chinese at ${width} px, ${theme}`, { timeout: 600_000 }, async (t) => {
    const context = await browser.newContext({
      viewport: { width, height: width < 500 ? 844 : 900 },
      reducedMotion: "reduce",
    });
    const page = await context.newPage();
    await page.goto(gallery.url("empty", theme, "zh"));
    await page.waitForSelector('html[data-ready="empty"]');
    // The page of models has no Chinese texts: it says that it is English, and its bar that it is not.
    const langs = () => [
      document.documentElement.lang,
      document.querySelector("#page")?.shadowRoot?.querySelector("header")?.lang,
    ];
    assert.deepEqual(await page.evaluate(langs), ["en", "zh"]);
    await page.waitForFunction(() => window.hpStates);
    const states = await page.evaluate(() => window.hpStates);
    const ours = states.filter((state: string) => /^(wb|crew)-/.test(state));
    assert.ok(ours.length > 10, `${ours}`);
    for (const state of ours)
      await t.test(state, async () => {
        await gallery.show(page, state, theme, "zh");
        const shown = new Set<string>(await page.evaluate(texts));
        assert.deepEqual(
          english.filter((text) => shown.has(text)),
          [],
        );
        assert.deepEqual(await page.evaluate(langs), ["zh", "zh"]);
        assert.deepEqual(await violations(page), []);
        assert.equal(await sideways(page), false, "it scrolls sideways");
      });
    await context.close();
  });

test("the switch offers what the page is in, and a choice stays on the device", async () => {
  const context = await browser.newContext({ locale: "zh-CN", serviceWorkers: "block" });
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  const button = page.getByTestId("hp-language");
  const spoken = async () => [
    await button.getAttribute("aria-label"),
    await page.evaluate(() => document.documentElement.lang),
  ];
  const all: Record<string, (string | null)[]> = {
    zh: ["ZH，语言：中文", "zh"],
    en: ["EN, language: English", "en"],
    sv: ["SV, språk: svenska", "sv"],
  };
  await page.goto(`${site.origin}/crew`);
  await page.getByText("这个页面需要你的访问令牌").waitFor();
  assert.deepEqual(await spoken(), all.zh);
  for (const next of ["en", "sv", "zh"]) {
    await button.click();
    await page.locator(`html[lang="${next}"]`).waitFor();
    assert.deepEqual(await spoken(), all[next]);
  }
  await page.goto(site.origin);
  await page.getByText("这个页面需要你的访问令牌").waitFor();
  for (const next of ["en", "sv", "en"]) {
    await button.click();
    await page.locator(`html[lang="${next}"]`).waitFor();
    assert.deepEqual(await spoken(), all[next]);
  }
  await page.goto(`${site.origin}/crew`);
  await page.getByText("This page needs your access token").waitFor();
  assert.deepEqual(await spoken(), all.en);
  await context.close();
});
