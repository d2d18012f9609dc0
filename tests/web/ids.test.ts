// Checks against IDS files and issues of BCF files, on a model that is really read: what they find, what their numbers
// select, what is said of a file that is none, and that a changed model is checked again.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { during } from "../during.ts";
import { sideways, violations } from "./axe.ts";
import { openGallery } from "./gallery.ts";
import { hasFocus } from "./page.ts";
import { walks } from "./walk.ts";

const { opened: walked, closed } = walks();

const gallery = await during(openGallery());

const house = readFileSync(new URL("../../fixtures/ifc/house-small.ifc", import.meta.url), "utf8");

const value = (name: string, text: string) =>
  `<${name}><simpleValue>${text}</simpleValue></${name}>`;

const ids = (specifications: string) =>
  `<ids xmlns="http://standards.buildingsmart.org/IDS"><info><title>Fire/safety</title></info>
<specifications>${specifications}</specifications></ids>`;

const about = (type: string, occurs = 'maxOccurs="unbounded"') =>
  `<applicability ${occurs}><entity>${value("name", type)}</entity></applicability>`;

const named = (name: string, type: string, schema = "IFC4") =>
  `<specification name="${name}" ifcVersion="${schema}">${about(type)}
<requirements><attribute>${value("name", "Name")}</attribute></requirements></specification>`;

const anyNumber = 'minOccurs="0" maxOccurs="unbounded"';
const dampers = `<specification name="Dampers" ifcVersion="IFC4">${about("IFCDAMPER", anyNumber)}
</specification>`;

const rated = `<specification name="Walls are rated" ifcVersion="IFC4" instructions="Rate them.">${about("IFCWALL")}
<requirements><property dataType="IFCLABEL">${value("propertySet", "Pset_WallCommon")}
${value("baseName", "FireRating")}${value("value", "REI 60")}</property></requirements></specification>`;

const checks = (page: Page) => page.locator("hp-checks");
const status = (page: Page) => page.locator("hp-elements .statusline");

/** A file as it is dropped or picked. */
const take = (page: Page, name: string, content: string | number[]): Promise<void> =>
  page.evaluate(
    ([title, text]) => {
      const bytes = typeof text === "string" ? text : new Uint8Array(text);
      window.hpTake(title, bytes as string);
    },
    [name, content] as const,
  );

async function opened(settings: Parameters<typeof walked>[1] = {}): Promise<Page> {
  const page = await walked("?page=view", settings);
  await page.locator("hp-elements").waitFor({ state: "attached" });
  return page;
}

/** How many elements a link says that it selects. */
const saysOf = async (link: ReturnType<Page["locator"]>): Promise<number> =>
  Number.parseInt(await link.innerText(), 10);

test("a model is checked with an IDS file, numbers select, and what fails goes out and comes in as BCF", async () => {
  const page = await opened();
  await take(page, "Fire safety.ids", ids(named("Doors are named", "IFCDOOR") + rated + dampers));
  await page.locator('hp-checks[data-state="report"]').waitFor();
  assert.equal(await checks(page).locator("#h").evaluate(hasFocus), true);
  assert.equal(
    (await checks(page).locator(".fig .flex").first().innerText())
      .replace(/\s+/g, " ")
      .slice(0, 25),
    "1 of 3 specifications fai",
  );

  // What fails stands first and is open.
  const specifications = checks(page).locator(".specs > details");
  assert.deepEqual(
    await specifications.evaluateAll((all) =>
      all.map((one) => [
        one.querySelector("summary span span")?.textContent,
        (one as HTMLDetailsElement).open,
      ]),
    ),
    [
      ["Walls are rated", true],
      ["Doors are named", false],
      ["Dampers", false],
    ],
  );
  const first = specifications.first();
  await first.getByText("Instruction: Rate them.").waitFor();
  await page.locator("hp-elements").getByText("Coloured by Fire safety.ids").waitFor();
  const whole = first.locator(".req > .line .vlink");
  const n = await saysOf(whole);
  assert.ok(n > 1);
  await whole.press("Enter");
  await status(page)
    .filter({ hasText: `${n} selected` })
    .waitFor();
  assert.equal(await whole.getAttribute("aria-pressed"), "true");

  // A reason: its number, and each of its elements.
  const reason = first.locator(".reasons > li").first();
  assert.match(await reason.locator("summary").innerText(), /Pset_WallCommon/);
  const some = await saysOf(reason.locator(".num .vlink"));
  assert.ok(some <= n);
  await reason.locator("summary").press("Enter");
  const element = reason.locator(".names .vlink").first();
  const name = await element.innerText();
  await element.press("Enter");
  await status(page).filter({ hasText: "1 selected" }).waitFor();
  await page
    .locator("hp-elements [data-row][aria-selected=true]")
    .filter({ hasText: name })
    .waitFor();
  assert.deepEqual(await violations(page), []);

  // As BCF 2.1, and back.
  await checks(page).getByLabel("BCF version").selectOption("2.1");
  const saving = page.waitForEvent("download");
  const button = page.getByTestId("hp-checks-bcf");
  assert.match(await button.innerText(), new RegExp(`1 topic, ${n} elements`));
  await button.press("Enter");
  const file = await saving;
  assert.equal(file.suggestedFilename(), "Fire safety.bcf");
  const bytes = [...(await readFile(await file.path()))];
  await take(page, "Fire safety.bcf", bytes);
  await page.locator('hp-checks[data-state="topics"]').waitFor();
  const topic = checks(page).locator(".topic");
  assert.equal(await topic.count(), 1);
  await topic.locator(".name .vlink").press("Enter");
  await status(page)
    .filter({ hasText: `${n} selected` })
    .waitFor();
  assert.match(await topic.locator(".name").innerText(), /Walls are rated/);

  // Closed, the change is back, and the button shows it again.
  await page.getByTestId("hp-checks-close").press("Enter");
  await checks(page).waitFor({ state: "hidden" });
  await page.locator("hp-workbench").waitFor();
  await page.getByTestId("hp-check").press("Enter");
  await topic.waitFor();
  await closed(page);
});

test("a model that changed is checked again; a file that is none says where, and notes are said", async () => {
  const page = await opened();
  await take(page, "Rated.ids", ids(rated));
  const whole = checks(page).locator(".req > .line .vlink");
  await whole.waitFor();
  const n = await saysOf(whole);
  await take(page, "other.ifc", house.replaceAll("'REI 60'", "'REI 30'"));
  await whole.filter({ hasText: "13 elements" }).waitFor();
  assert.ok(n < 13, "before, some were rated so");
  await page.locator('hp-ids[data-state="same"]').waitFor();

  await take(page, "broken.ids", `${ids(rated)}\n<more/>`);
  const alert = checks(page).getByRole("alert");
  await alert.waitFor();
  assert.match(
    await alert.innerText(),
    /broken\.ids cannot be checked with\.[\s\S]*Line 5, column 1/,
  );
  await take(page, "broken.bcf", "PK");
  await alert.filter({ hasText: "broken.bcf cannot be read as BCF." }).waitFor();

  await take(page, "doors.ids", ids(named("Doors are named", "IFCDOOR", "IFC2X3")));
  await checks(page).getByText("The specification passes").waitFor();
  await checks(page)
    .getByText("It was written for IFC2X3, and the model is IFC4.")
    .first()
    .waitFor();
  await take(page, "dampers.ids", ids(dampers));
  await checks(page).getByText("No specification is about anything in this model").waitFor();
  assert.equal(await page.getByTestId("hp-checks-bcf").count(), 0);
  await closed(page);
});

test("on a narrow page the check has a pane of its own, and a check that runs can be left", async () => {
  const page = await opened({ viewport: { width: 390, height: 844 } });
  await take(page, "Rated.ids", ids(rated));
  await page.locator('hp-checks[data-state="report"]').waitFor();
  assert.equal(await sideways(page), false);
  assert.deepEqual(await violations(page), []);
  await closed(page);

  const states = await gallery.opened("ids-running");
  await states.evaluate(() => {
    window.heard = [];
    document
      .querySelector("hp-page")
      ?.addEventListener("hp-checks", (event) => window.heard.push((event as CustomEvent).detail));
  });
  await states.getByRole("button", { name: "Cancel" }).press("Enter");
  await gallery.show(states, "ids-cancelled", "light");
  await states.getByTestId("hp-checks-again").press("Enter");
  assert.deepEqual(await states.evaluate(() => window.heard), [{ act: "cancel" }]);
  await gallery.show(states, "ids-changed", "light");
  assert.equal(await states.getByTestId("hp-checks-bcf").isDisabled(), true);
  assert.equal(await states.getByTestId("hp-checks-again").isEnabled(), true);
  await states.context().close();
});
