// Every state of the page (UI.md §6, §7) from fixtures: nothing for axe to say, no sideways scroll, in both themes.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";

import { startBrowser } from "./browser.mjs";
import { serveGallery } from "./gallery.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

let gallery, browser;

before(
  async () => {
    gallery = await serveGallery();
    browser = await startBrowser();
  },
  { timeout: 120_000 },
);

after(async () => {
  await browser?.close();
  gallery?.stop();
});

/** A page of its own at a state. */
async function opened(state, width, theme, lang = "en") {
  const context = await browser.newContext({
    viewport: { width, height: width < 500 ? 844 : 900 },
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  await page.goto(gallery.url(state, theme, lang));
  await page.waitForSelector(`html[data-ready="${state}"]`);
  return page;
}

/** Each size in each theme; each language in each size and in each theme. */
const looks = [
  [1440, "light", "en"],
  [1440, "dark", "sv"],
  [390, "light", "sv"],
  [390, "dark", "en"],
];

for (const [width, theme, lang] of looks) {
  test(`axe has nothing to say at ${width} px, ${theme}, ${lang}`, {
    timeout: 600_000,
  }, async (t) => {
    const page = await opened("empty", width, theme, lang);
    await page.evaluate(axe);
    for (const state of await page.evaluate("window.hpStates")) {
      await t.test(state, async () => {
        await gallery.show(page, state, theme, lang);
        const found = await page.evaluate(async () => {
          const answer = await window.axe.run(document, { resultTypes: ["violations"] });
          return answer.violations.map((one) => `${one.id}: ${one.nodes[0].html.slice(0, 120)}`);
        });
        assert.deepEqual(found, []);
        assert.equal(await page.evaluate(() => document.documentElement.lang), lang);
        assert.equal(
          await page.evaluate(() => document.documentElement.scrollWidth > innerWidth),
          false,
          "it scrolls sideways",
        );
      });
    }
    await page.context().close();
  });
}

test("the language changes what is drawn, without loading again", async () => {
  const page = await opened("plan", 1440, "light");
  const button = page.getByTestId("hp-language");
  assert.equal(await button.getAttribute("aria-label"), "EN, language: English");
  assert.equal(
    await page
      .getByTestId("hp-approve")
      .innerText()
      .then((text) => text.split("\n")[0]),
    "Approve plan",
  );
  await page.evaluate(() => {
    const drawn = document.querySelector("hp-page");
    drawn.addEventListener("hp-language", () => window.hpSpeak("sv"));
  });
  await button.click();
  await page
    .getByText("Nothing is written before you approve the plan.")
    .waitFor({ state: "hidden" });
  assert.equal(
    await page
      .getByTestId("hp-approve")
      .innerText()
      .then((text) => text.split("\n")[0]),
    "Godkänn planen",
  );
  assert.equal(await page.evaluate(() => document.documentElement.lang), "sv");
  assert.equal(await button.getAttribute("aria-label"), "SV, språk: svenska");
  await page.context().close();
});

test("Install is there in review and nowhere else", async () => {
  for (const [state, want] of [
    ["plan", 0],
    ["running", 0],
    ["source", 0],
    ["error", 0],
    ["review", 1],
    ["confirm", 1],
  ]) {
    const page = await opened(state, 1440, "light");
    assert.equal(await page.getByTestId("hp-install").count(), want, state);
    await page.context().close();
  }
});

test("a closed signature says why beside it", async () => {
  const page = await opened("confirm", 1440, "light");
  const button = page.getByTestId("hp-install");
  assert.equal(await button.isDisabled(), true);
  const reason = await button.evaluate(
    (node) => node.getRootNode().getElementById(node.getAttribute("aria-describedby")).textContent,
  );
  assert.match(reason, /fire\.coverage/);
  await page.context().close();
});

test("what was typed to allow a high risk is shown, wherever the person was meanwhile", async () => {
  const page = await opened("confirm", 1440, "light");
  assert.equal(await page.locator("hp-capability-review #typed").inputValue(), "fire.cov");
  await page.context().close();
});

test("a call that is asked again by itself says when, and its button is off until then", async () => {
  const page = await opened("problem-waits", 1440, "light");
  const again = page.getByTestId("hp-again");
  assert.equal(await again.isDisabled(), true);
  assert.equal(
    await again.evaluate(
      (node) =>
        node.getRootNode().getElementById(node.getAttribute("aria-describedby")).textContent,
    ),
    "By itself in 3 seconds.",
  );
  await gallery.show(page, "problem", "light");
  assert.equal(await again.isEnabled(), true);
  await page.context().close();
});

test("a request that was stopped is not lost: it comes into the field and is not sent", async () => {
  const page = await opened("cancelled", 1440, "light");
  await page.evaluate(() => {
    window.sent = 0;
    document.querySelector("hp-page").addEventListener("hp-ask", () => (window.sent += 1));
  });
  await page.getByRole("button", { name: "Put the request into the field" }).click();
  assert.equal(
    await page.getByTestId("hp-ask").inputValue(),
    "Add a panel that shows fire-rating coverage by storey",
  );
  assert.equal(await page.evaluate("window.sent"), 0);
  await page.context().close();
});

test("the focus is not left on nothing when what had it is gone", async () => {
  const page = await opened("words", 1440, "light");
  const at = () =>
    page.evaluate(() => {
      let node = document.activeElement;
      while (node?.shadowRoot?.activeElement) node = node.shadowRoot.activeElement;
      return node?.id || node?.tagName.toLowerCase();
    });
  await page.getByTestId("hp-ask").focus();
  await page.evaluate("window.hpGo('planning')");
  await page.waitForTimeout(300);
  assert.equal(await at(), "h-w", "after ask: the heading of the plan that is made");
  await page.evaluate("window.hpGo('plan')");
  await page.getByTestId("hp-approve").focus();
  await page.evaluate("window.hpGo('running')");
  await page.waitForTimeout(300);
  assert.equal(await at(), "h-wb", "never the button that stops the run");
  await page.evaluate("window.hpGo('signin-wrong')");
  await page.waitForTimeout(300);
  assert.equal(await at(), "tok");
  await page.context().close();
});

test("a person who writes in another pane is not taken from it", async () => {
  const page = await opened("running", 1440, "light");
  await page.locator("hp-elements input[type=search]").fill("door");
  await page.evaluate("window.hpGo('review')");
  await page.getByTestId("hp-install").waitFor();
  assert.equal(
    await page
      .locator("hp-elements input[type=search]")
      .evaluate((node) => node.getRootNode().activeElement === node),
    true,
  );
  await page.context().close();
});

test("where no panel is open, one button leads to the extensions, also on a narrow page", async () => {
  const page = await opened("empty", 390, "light");
  await page.goto(`${gallery.url("empty", "light")}&pane=panels`);
  await page.waitForSelector('html[data-ready="empty"]');
  const asked = page.evaluate(
    () =>
      new Promise((resolve) =>
        document
          .querySelector("hp-page")
          .addEventListener("hp-popover", (event) => resolve(event.detail.kind), { once: true }),
      ),
  );
  await page.locator("hp-widget-panel").getByRole("button", { name: "Extensions" }).click();
  assert.equal(await asked, "extensions");
  await page.evaluate(axe);
  assert.deepEqual(
    await page.evaluate(async () =>
      (await window.axe.run(document, { resultTypes: ["violations"] })).violations.map(
        (one) => one.id,
      ),
    ),
    [],
  );
  await page.context().close();
});

test("Mod Enter brings focus to the signature and does not press it", async () => {
  const page = await opened("review", 1440, "light");
  let signed = false;
  await page.exposeFunction("told", () => (signed = true));
  await page.evaluate(() =>
    document.querySelector("hp-page").addEventListener("hp-act", () => window.told()),
  );
  await page.keyboard.press("Control+Enter");
  assert.equal(
    await page
      .getByTestId("hp-install")
      .evaluate((node) => node.getRootNode().activeElement === node),
    true,
  );
  assert.equal(signed, false);
  await page.context().close();
});

test("F6 goes through the panes and back", async () => {
  const page = await opened("installed", 1440, "light");
  const at = () =>
    page.evaluate(
      () =>
        document.querySelector("hp-page").shadowRoot.activeElement?.closest("[data-f6]")
          ?.className ?? "",
    );
  const seen = [];
  for (let i = 0; i < 4; i += 1) {
    await page.keyboard.press("F6");
    seen.push((await at()).split(" ")[1]);
  }
  assert.deepEqual(new Set(seen), new Set(["left", "mid", "dock", "work"]));
  await page.context().close();
});

test("the table draws the rows in sight and no more, and extends a selection by keys", async () => {
  const page = await opened("table", 1440, "light");
  const rows = page.locator("hp-elements [data-row]");
  assert.ok((await rows.count()) < 80, "418 rows are not all drawn");
  const chosen = page.evaluate(
    () =>
      new Promise((resolve) =>
        document
          .querySelector("hp-page")
          .addEventListener("hp-select", (event) => resolve(event.detail.ids.length), {
            once: true,
          }),
      ),
  );
  await page.locator('hp-elements .body[tabindex="0"]').focus();
  await page.keyboard.press("Shift+ArrowDown");
  assert.equal(await chosen, 2);
  await page.context().close();
});

test("a key of an extension asks for its command, but not where somebody writes or a menu is open", async () => {
  const page = await opened("installed", 1440, "light");
  await page.evaluate(() => {
    window.asked = [];
    document
      .querySelector("hp-page")
      .addEventListener("hp-command", ({ detail }) =>
        window.asked.push(`${detail.extension} ${detail.id}`),
      );
  });
  await page.keyboard.press("Control+Shift+U");
  await page.keyboard.press("Control+U");
  assert.deepEqual(await page.evaluate("window.asked"), ["walls walls.select"]);
  await page.context().close();
  const open = await opened("context", 1440, "light");
  await open.evaluate(() => {
    window.asked = [];
    document
      .querySelector("hp-page")
      .addEventListener("hp-command", ({ detail }) => window.asked.push(detail.id));
  });
  await open.keyboard.press("Control+Shift+U");
  assert.deepEqual(await open.evaluate("window.asked"), []);
  await open.context().close();
});

test("a menu stands where it was asked for; what does not fit stands one step further", async () => {
  const page = await opened("context", 1440, "light");
  const menu = page.locator("hp-menu");
  const box = await menu.getByRole("menu").boundingBox();
  assert.deepEqual([Math.round(box.x), Math.round(box.y)], [320, 240]);
  await menu.getByRole("menuitem", { name: "2 more" }).click();
  await menu.getByRole("menuitem", { name: "Check the width" }).waitFor();
  assert.equal(await menu.getByRole("menuitem").count(), 2);
  await page.keyboard.press("Escape");
  assert.equal(await menu.getByRole("menuitem").count(), 3, "back, not away");
  await page.context().close();
});

test("a menu is asked for by row: what is not selected is selected first", async () => {
  const page = await opened("table", 1440, "light");
  await page.evaluate(() => {
    window.heard = [];
    for (const type of ["hp-select", "hp-context"])
      document
        .querySelector("hp-page")
        .addEventListener(type, ({ detail }) =>
          window.heard.push(`${type} ${detail.slot ?? detail.ids.length}`),
        );
  });
  await page.locator("hp-elements .body:not(.sel)").first().click({ button: "right" });
  await page
    .locator('hp-tree [role="treeitem"][aria-selected="false"]')
    .first()
    .click({ button: "right" });
  const [select, entity, , tree] = await page.evaluate("window.heard");
  assert.deepEqual(
    [select, entity, tree],
    ["hp-select 1", "hp-context contextMenu.entity", "hp-context contextMenu.tree"],
  );
  await page.context().close();
});

test("what a person types into a form stays when the first data arrives, and gives way to what a command makes of it", async () => {
  const page = await opened("installed", 1440, "light");
  const field = page.locator("hp-widget-panel .w-field input");
  const show = (more) =>
    page.evaluate((change) => {
      const panel = document.querySelector("hp-page").shadowRoot.querySelector("hp-widget-panel");
      window.told = [];
      panel.addEventListener("hp-dock-state", (event) => window.told.push(event.detail.state));
      panel.view = { ...panel.view, dock: "form", ...change };
      return panel.updateComplete;
    }, more);
  await show({ state: undefined, busy: true });
  await field.pressSequentially("stair");
  await show({ state: { filter: "", headline: "3 found" }, busy: false });
  assert.equal(await field.inputValue(), "stair");
  assert.equal(await page.locator("hp-widget-panel .w-heading").innerText(), "3 found");
  assert.deepEqual(await page.evaluate("window.told.at(-1)"), {
    filter: "stair",
    headline: "3 found",
  });
  await page.getByRole("button", { name: "Export CSV" }).first().click();
  await show({ state: { filter: "stair", headline: "3 found" }, busy: true });
  await show({ state: { filter: "", headline: "saved" }, busy: false });
  assert.equal(await field.inputValue(), "");
  await page.context().close();
});

test("the table brings into sight what is selected elsewhere, and stays where it is for what is in sight", async () => {
  const page = await opened("table", 1440, "light");
  const select = (which) =>
    page.evaluate(async (index) => {
      const table = document.querySelector("hp-page").shadowRoot.querySelector("hp-elements");
      const shown = [...table.rows].sort((a, b) =>
        (a.name ?? "").localeCompare(b.name ?? "", "en", { numeric: true }),
      );
      table.selected = [shown.at(index).id];
      await table.updateComplete;
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      return table.renderRoot.querySelector(".m-scroll").scrollTop;
    }, which);
  const inSight = () =>
    page.evaluate(() => {
      const scroller = document
        .querySelector("hp-page")
        .shadowRoot.querySelector("hp-elements")
        .renderRoot.querySelector(".m-scroll");
      const row = scroller.querySelector('[aria-selected="true"]')?.getBoundingClientRect();
      const box = scroller.getBoundingClientRect();
      return row !== undefined && row.top >= box.top + 30 && row.bottom <= box.bottom + 1;
    });
  const down = await select(300);
  assert.ok(down > 1000 && (await inSight()), "scrolled down to it");
  assert.equal(await select(302), down, "a row below it is in sight");
  assert.ok((await select(20)) < down && (await inSight()), "and up, below the head");
  await page.context().close();
});

test("an example fills the composer and sends nothing", async () => {
  const page = await opened("empty", 1440, "light");
  await page.evaluate(() =>
    document.querySelector("hp-page").addEventListener("hp-ask", () => (window.asked = true)),
  );
  await page.getByRole("button", { name: /^Make a button that selects/ }).click();
  assert.equal(
    await page.locator("hp-composer textarea").inputValue(),
    "Make a button that selects external walls without a U-value",
  );
  assert.equal(
    await page.evaluate(
      () =>
        document
          .querySelector("hp-page")
          .shadowRoot.querySelector("hp-workbench")
          .shadowRoot.querySelector("hp-composer").shadowRoot.activeElement?.tagName,
    ),
    "TEXTAREA",
  );
  assert.equal(await page.evaluate(() => window.asked === true), false);
  await page.context().close();
});
