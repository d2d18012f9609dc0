// States of the page (UI.md §6, §7) from fixtures: what they say, what they offer, and what pressing does. How each of
// them looks is in `looks-*.test.ts`.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { PanelView, WidgetPanel } from "../../www/elements/src/dock/widget-panel.ts";
import type { Elements } from "../../www/elements/src/model/elements.ts";
import { during } from "../during.ts";
import { violations } from "./axe.ts";
import { openGallery } from "./gallery.ts";
import { becomes, description, focusOn, hasFocus } from "./page.ts";

const gallery = await during(openGallery());

/** What events of the page bring, as far as tests look at it. */
interface Heard {
  type: string;
  kind?: string;
  ids?: number[];
  slot?: string;
  extension?: string;
  id?: string;
}

/** In the page: what the next event of this type brings. */
const next = (type: string): Promise<Heard> =>
  new Promise((resolve) => {
    const hear = (event: Event) => resolve({ ...(event as CustomEvent<Heard>).detail, type });
    document.querySelector("hp-page")?.addEventListener(type, hear, { once: true });
  });

/** In the page: what events of these types bring stands in `heard`. */
const hears = (types: string[]): void => {
  window.heard = [];
  for (const type of types)
    document.querySelector("hp-page")?.addEventListener(type, (event) => {
      const { extension, id, slot, ids } = (event as CustomEvent<Heard>).detail ?? {};
      window.heard.push(JSON.parse(JSON.stringify({ type, extension, id, slot, ids })));
    });
};

test("the language changes what is drawn, without loading again", async () => {
  const page = await gallery.opened("plan");
  const button = page.getByTestId("hp-language");
  assert.equal(await button.getAttribute("aria-label"), "EN, language: English");
  assert.equal(
    await page
      .getByTestId("hp-approve")
      .innerText()
      .then((text: string) => text.split("\n")[0]),
    "Approve plan",
  );
  await page.evaluate(() => {
    const drawn = document.querySelector("hp-page");
    drawn?.addEventListener("hp-language", () => window.hpSpeak("sv"));
  });
  await button.click();
  await page
    .getByText("Nothing is written before you approve the plan.")
    .waitFor({ state: "hidden" });
  assert.equal(
    await page
      .getByTestId("hp-approve")
      .innerText()
      .then((text: string) => text.split("\n")[0]),
    "Godkänn planen",
  );
  assert.equal(await page.evaluate(() => document.documentElement.lang), "sv");
  assert.equal(await button.getAttribute("aria-label"), "SV, språk: svenska");
  await page.context().close();
});

test("Install is there in review and nowhere else", async () => {
  const states: [string, number][] = [
    ["plan", 0],
    ["running", 0],
    ["source", 0],
    ["error", 0],
    ["review", 1],
    ["confirm", 1],
  ];
  for (const [state, want] of states) {
    const page = await gallery.opened(state);
    assert.equal(await page.getByTestId("hp-install").count(), want, state);
    await page.context().close();
  }
});

test("a closed signature says why beside it", async () => {
  const page = await gallery.opened("confirm");
  const button = page.getByTestId("hp-install");
  assert.equal(await button.isDisabled(), true);
  const reason = await button.evaluate(description);
  assert.match(reason, /fire\.coverage/);
  await page.context().close();
});

test("what was typed to allow a high risk is shown, wherever the person was meanwhile", async () => {
  const page = await gallery.opened("confirm");
  assert.equal(await page.locator("hp-capability-review #typed").inputValue(), "fire.cov");
  await page.context().close();
});

test("a call that is asked again by itself says when, and its button is off until then", async () => {
  const page = await gallery.opened("problem-waits");
  const again = page.getByTestId("hp-again");
  assert.equal(await again.isDisabled(), true);
  assert.equal(await again.evaluate(description), "By itself in 3 seconds.");
  await gallery.show(page, "problem", "light");
  assert.equal(await again.isEnabled(), true);
  await page.context().close();
});

test("a request that was stopped is not lost: it comes into the field and is not sent", async () => {
  const page = await gallery.opened("cancelled");
  await page.evaluate(() => {
    window.heard = [];
    document.querySelector("hp-page")?.addEventListener("hp-ask", () => window.heard.push("ask"));
  });
  await page.getByRole("button", { name: "Put the request into the field" }).click();
  assert.equal(
    await page.getByTestId("hp-ask").inputValue(),
    "Add a panel that shows fire-rating coverage by storey",
  );
  assert.deepEqual(await page.evaluate(() => window.heard), []);
  await page.context().close();
});

test("the focus is not left on nothing when what had it is gone", async () => {
  const page = await gallery.opened("words");
  const at = () =>
    page.evaluate(() => {
      let node = document.activeElement;
      while (node?.shadowRoot?.activeElement) node = node.shadowRoot.activeElement;
      return node?.id || node?.tagName.toLowerCase();
    });
  await page.getByTestId("hp-ask").focus();
  await page.evaluate(() => window.hpGo("planning"));
  assert.equal(
    await becomes(at, (id) => id === "h-w"),
    "h-w",
    "after ask: the heading of the plan that is made",
  );
  await page.evaluate(() => window.hpGo("plan"));
  await page.getByTestId("hp-approve").focus();
  await page.evaluate(() => window.hpGo("running"));
  assert.equal(
    await becomes(at, (id) => id === "h-wb"),
    "h-wb",
    "never the button that stops the run",
  );
  await page.evaluate(() => window.hpGo("signin-wrong"));
  assert.equal(await becomes(at, (id) => id === "tok"), "tok");
  await page.context().close();
});

test("a person who writes in another pane is not taken from it", async () => {
  const page = await gallery.opened("running");
  await page.locator("hp-elements input[type=search]").fill("door");
  await page.evaluate(() => window.hpGo("review"));
  await page.getByTestId("hp-install").waitFor();
  assert.equal(await page.locator("hp-elements input[type=search]").evaluate(hasFocus), true);
  await page.context().close();
});

test("where no panel is open, one button leads to the extensions, also on a narrow page", async () => {
  const page = await gallery.opened("empty", { width: 390 });
  await page.goto(`${gallery.url("empty", "light")}&pane=panels`);
  await page.waitForSelector('html[data-ready="empty"]');
  const asked = page.evaluate(next, "hp-popover");
  await page.locator("hp-widget-panel").getByRole("button", { name: "Extensions" }).click();
  assert.equal((await asked).kind, "extensions");
  assert.deepEqual(await violations(page), []);
  await page.context().close();
});

test("Mod Enter brings focus to the signature and does not press it", async () => {
  const page = await gallery.opened("review");
  let signed = false;
  await page.exposeFunction("told", () => {
    signed = true;
  });
  await page.evaluate(() =>
    document.querySelector("hp-page")?.addEventListener("hp-act", () => window.told()),
  );
  await page.keyboard.press("Control+Enter");
  await focusOn(page.getByTestId("hp-install"));
  assert.equal(signed, false);
  await page.context().close();
});

test("F6 goes through the panes and back", async () => {
  const page = await gallery.opened("installed");
  const at = () =>
    page.evaluate(
      () =>
        document.querySelector("hp-page")?.shadowRoot?.activeElement?.closest("[data-f6]")
          ?.className ?? "",
    );
  const seen: (string | undefined)[] = [];
  for (let i = 0; i < 4; i += 1) {
    await page.keyboard.press("F6");
    seen.push((await at()).split(" ")[1]);
  }
  assert.deepEqual(new Set(seen), new Set(["left", "mid", "dock", "work"]));
  await page.context().close();
});

test("the table draws the rows in sight and no more, and extends a selection by keys", async () => {
  const page = await gallery.opened("table");
  const rows = page.locator("hp-elements [data-row]");
  assert.ok((await rows.count()) < 80, "418 rows are not all drawn");
  const chosen = page.evaluate(next, "hp-select");
  await page.locator('hp-elements .body[tabindex="0"]').focus();
  await page.keyboard.press("Shift+ArrowDown");
  assert.equal((await chosen).ids?.length, 2);
  await page.context().close();
});

test("a key of an extension asks for its command, but not where somebody writes or a menu is open", async () => {
  const page = await gallery.opened("installed");
  await page.evaluate(hears, ["hp-command"]);
  await page.keyboard.press("Control+Shift+U");
  await page.keyboard.press("Control+U");
  assert.deepEqual(await page.evaluate(() => window.heard), [
    { type: "hp-command", extension: "walls", id: "walls.select" },
  ]);
  await page.context().close();
  const open = await gallery.opened("context");
  await open.evaluate(hears, ["hp-command"]);
  await open.keyboard.press("Control+Shift+U");
  assert.deepEqual(await open.evaluate(() => window.heard), []);
  await open.context().close();
});

test("a menu stands where it was asked for; what does not fit stands one step further", async () => {
  const page = await gallery.opened("context");
  const menu = page.locator("hp-menu");
  const box = await menu.getByRole("menu").boundingBox();
  assert.ok(box);
  assert.deepEqual([Math.round(box.x), Math.round(box.y)], [320, 240]);
  await menu.getByRole("menuitem", { name: "2 more" }).click();
  await menu.getByRole("menuitem", { name: "Check the width" }).waitFor();
  assert.equal(await menu.getByRole("menuitem").count(), 2);
  await page.keyboard.press("Escape");
  assert.equal(await menu.getByRole("menuitem").count(), 3, "back, not away");
  await page.context().close();
});

test("a menu is asked for by row: what is not selected is selected first", async () => {
  const page = await gallery.opened("table");
  await page.evaluate(hears, ["hp-select", "hp-context"]);
  await page.locator("hp-elements .body:not(.sel)").first().click({ button: "right" });
  await page
    .locator('hp-tree [role="treeitem"][aria-selected="false"]')
    .first()
    .click({ button: "right" });
  const heard = (await page.evaluate(() => window.heard)) as Heard[];
  const [select, entity, , tree] = heard;
  assert.deepEqual(
    [select.type, select.ids?.length, entity.slot, tree.slot],
    ["hp-select", 1, "contextMenu.entity", "contextMenu.tree"],
  );
  await page.context().close();
});

test("what is typed into a form stays when the first data arrives; what a command makes of it wins", async () => {
  const page = await gallery.opened("installed");
  const field = page.locator("hp-widget-panel .w-field input");
  const show = (more: object) =>
    page.evaluate((change) => {
      const shown = document.querySelector("hp-page")?.shadowRoot?.querySelector("hp-dock");
      const panel = shown?.shadowRoot?.querySelector("hp-widget-panel") as WidgetPanel;
      window.heard = [];
      panel.addEventListener("hp-dock-state", (event) =>
        window.heard.push((event as CustomEvent<{ state: unknown }>).detail.state),
      );
      panel.view = { ...(panel.view as PanelView), dock: "form", ...change };
      return panel.updateComplete;
    }, more);
  await show({ state: undefined, busy: true });
  await field.pressSequentially("stair");
  await show({ state: { filter: "", headline: "3 found" }, busy: false });
  assert.equal(await field.inputValue(), "stair");
  assert.equal(await page.locator("hp-widget-panel .w-heading").innerText(), "3 found");
  assert.deepEqual(await page.evaluate(() => window.heard.at(-1)), {
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
  const page = await gallery.opened("table");
  const select = (which: number) =>
    page.evaluate(async (index) => {
      const page = document.querySelector("hp-page")?.shadowRoot;
      const table = page?.querySelector("hp-elements") as Elements;
      const shown = [...table.rows].sort((a, b) =>
        (a.name ?? "").localeCompare(b.name ?? "", "en", { numeric: true }),
      );
      table.selected = [shown[index].id];
      await table.updateComplete;
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      return table.renderRoot.querySelector(".m-scroll")?.scrollTop ?? 0;
    }, which);
  const inSight = () =>
    page.evaluate(() => {
      const table = document.querySelector("hp-page")?.shadowRoot?.querySelector("hp-elements");
      const scroller = table?.shadowRoot?.querySelector(".m-scroll");
      const row = scroller?.querySelector('[aria-selected="true"]')?.getBoundingClientRect();
      const box = scroller?.getBoundingClientRect();
      return (
        row !== undefined &&
        box !== undefined &&
        row.top >= box.top + 30 &&
        row.bottom <= box.bottom + 1
      );
    });
  const down = await select(300);
  assert.ok(down > 1000 && (await inSight()), "scrolled down to it");
  assert.equal(await select(302), down, "a row below it is in sight");
  assert.ok((await select(20)) < down && (await inSight()), "and up, below the head");
  await page.context().close();
});

test("an example fills the composer and sends nothing", async () => {
  const page = await gallery.opened("empty");
  await page.evaluate(hears, ["hp-ask"]);
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
          ?.shadowRoot?.querySelector("hp-workbench")
          ?.shadowRoot?.querySelector("hp-composer")?.shadowRoot?.activeElement?.tagName,
    ),
    "TEXTAREA",
  );
  assert.deepEqual(await page.evaluate(() => window.heard), []);
  await page.context().close();
});

test("on a narrow page the words of a notice have the room, not what can be copied", async () => {
  const page = await gallery.opened("scripts-refused-save", { width: 390 });
  const words = await page.locator("hp-notice p").first().boundingBox();
  const copy = await page.locator("hp-notice hp-copy").first().boundingBox();
  assert.ok(words && copy && words.width > 280, `${words?.width} px`);
  assert.ok(copy.y >= words.y + words.height, "it stands below them");
  await page.context().close();
});
