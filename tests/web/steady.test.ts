// Whatever takes the place of a button that was clicked, the second click of a double click does not press it: another
// button, the same one with other words, a link, what lay below a menu.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { during } from "../during.ts";
import { late, openElements, twice } from "./elements.ts";

const elements = await during(openElements(["shell/copy.ts"]));

/** What happens at a click on the button `first`, as code of the page; `root` is where it stands. */
const swaps: Record<string, string> = {
  "another button": `first.replaceWith(button("second"))`,
  "the same button with other words": `first.textContent = "second"; first.onclick = () => heard.push("second")`,
  "the same button with another name": [
    `first.setAttribute("aria-label", "second")`,
    `first.onclick = () => heard.push("second")`,
  ].join(";"),
  "a link": `const link = sized(document.createElement("a")); link.href = "#second";
    link.onclick = () => heard.push("second"); first.replaceWith(link)`,
  "what moved there": `const one = button("second"); first.before(one)`,
  "what lay below": `const one = button("second"); const { x, y } = first.getBoundingClientRect();
    one.style.cssText += ";position:fixed;left:" + x + "px;top:" + y + "px"; root.append(one); first.remove()`,
  "a row that is clicked": `const row = sized(document.createElement("p"));
    row.onclick = () => heard.push("second"); first.replaceWith(row)`,
};

/** An element of ours with a button at its corner, and what was pressed. */
async function opened(swap: string): Promise<{ page: Page; heard: () => Promise<string[]> }> {
  const page = await elements.opened("<hp-copy></hp-copy><hp-probe></hp-probe>");
  await page.addScriptTag({
    content: `
      const heard = [];
      window.heard = heard;
      const root = document.querySelector("hp-probe").attachShadow({ mode: "open" });
      const sized = (one) => {
        one.textContent ||= "second";
        one.style.cssText = "display:block;width:90px;height:30px;margin:0";
        return one;
      };
      const button = (text) => {
        const one = sized(document.createElement("button"));
        one.textContent = text;
        one.onclick = () => heard.push(text);
        return one;
      };
      const first = button("first");
      first.onclick = () => { heard.push("first"); ${swap} };
      root.append(first);`,
  });
  return {
    page,
    heard: () => page.evaluate(() => (window as unknown as { heard: string[] }).heard),
  };
}

for (const [name, swap] of Object.entries(swaps)) {
  test(`a second click does not press ${name}`, async () => {
    for (const gap of [0, 40, 250])
      await late(async () => {
        const { page, heard } = await opened(swap);
        try {
          const box = await page.locator("hp-probe button").boundingBox();
          assert.ok(box);
          const place = [box.x + 20, box.y + 10] as const;
          if (!(await twice(page, ...place, gap))) return false;
          assert.deepEqual(await heard(), ["first"], `${gap} ms`);
          await page.waitForTimeout(550);
          await page.mouse.click(...place);
          assert.deepEqual(await heard(), ["first", "second"], "a click of its own is heard");
          return true;
        } finally {
          await page.context().close();
        }
      });
  });
}

test("what stays may be pressed as fast as anybody likes, and so may what lies elsewhere", async () => {
  const { page, heard } = await opened("root.append(button('other'))");
  const box = await page.locator("hp-probe button").first().boundingBox();
  assert.ok(box);
  for (let i = 0; i < 4; i += 1) await page.mouse.click(box.x + 20, box.y + 10);
  await page.mouse.click(box.x + 20, box.y + 40);
  assert.deepEqual(await heard(), ["first", "first", "first", "first", "other"]);
  await page.context().close();
});

test("what changes its words while it is pressed is another action, which nobody pressed", async () => {
  const { page, heard } = await opened("");
  const first = page.locator("hp-probe button");
  const box = await first.boundingBox();
  assert.ok(box);
  await page.mouse.move(box.x + 20, box.y + 10);
  await page.mouse.down();
  await first.evaluate((one) => {
    one.textContent = "second";
  });
  await page.mouse.up();
  assert.deepEqual(await heard(), []);
  await page.mouse.click(box.x + 20, box.y + 10);
  assert.deepEqual(await heard(), ["first"]);
  await page.context().close();
});

test("keys and programs are no second click, and elements of others are left alone", async () => {
  const { page, heard } = await opened(`first.replaceWith(button("second"))`);
  await page.locator("hp-probe button").click();
  await page.locator("hp-probe button").evaluate((one) => (one as HTMLElement).click());
  assert.deepEqual(await heard(), ["first", "second"]);
  await page.context().close();
  const plain = await elements.opened("<hp-copy></hp-copy><div id=plain></div>");
  await plain.addScriptTag({
    content: `
      window.heard = [];
      const place = document.querySelector("#plain");
      place.innerHTML = "<button>first</button>";
      place.onclick = () => { heard.push(place.textContent); place.innerHTML = "<button>second</button>"; };`,
  });
  await plain.locator("#plain button").dblclick();
  const told = await plain.evaluate(() => (window as unknown as { heard: string[] }).heard);
  assert.deepEqual(told, ["first", "second"]);
  await plain.context().close();
});
