// A conversation and its field: links show where they lead, the end stays in sight, and no second click hits what has
// taken the place of the first.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { ComposerView, ConversationView, Turn } from "@holdpoint/elements/talk/view";
import type { Page } from "playwright-core";
import { during } from "../during.ts";
import { late, openElements, twice } from "./elements.ts";
import { becomes } from "./page.ts";

const elements = await during(
  openElements(["talk/conversation.ts", "talk/composer.ts", "dock/widget-panel.ts"]),
);

const turn = (id: string, text: string, more: Partial<Turn> = {}): Turn => ({
  id,
  who: "assistant",
  text,
  state: "done",
  at: 0,
  card: null,
  ...more,
});
const conversation = (turns: Turn[], more: Partial<ConversationView> = {}): ConversationView => ({
  state: "ready",
  problem: null,
  offline: false,
  turns,
  outcome: null,
  running: null,
  examples: [],
  intro: null,
  note: null,
  beside: false,
  live: false,
  clearable: false,
  now: 0,
  ...more,
});
const composer = (more: Partial<ComposerView> = {}): ComposerView => ({
  mode: "chat",
  modes: [],
  label: "Message",
  placeholder: "",
  draft: "Hello?",
  last: "",
  hint: "",
  off: "",
  sending: false,
  since: null,
  waits: 0,
  over: null,
  limit: 100,
  now: 0,
  ...more,
});

/** Gives an element its view. */
const give = (page: Page, name: string, view: object): Promise<void> =>
  page
    .locator(name)
    .evaluate((element, value) => Object.assign(element, { view: value }), view)
    .then(() => undefined);

const FOREIGN = [
  "See [the house rules](https://rules.example.com/a?b=1), and [Holdpoint](https://xn--hldpoint-n0a.example/).",
  "[https://bank.example](https://evil.example/steal)",
  "[user](https://bank.example@evil.example/)",
  "[script](javascript:alert(1)) [data](data:text/html,x) [file](file:///etc/passwd) [http](http://a.example/)",
  "[up](/crew) [rel](//evil.example/x) [blob](blob:https://a.example/1) [ Java](\u0001javascript:alert(1))",
].join("\n\n");
const WANTED = [
  ["the house rules (https://rules.example.com/a?b=1)", "https://rules.example.com/a?b=1"],
  ["Holdpoint (https://xn--hldpoint-n0a.example/)", "https://xn--hldpoint-n0a.example/"],
  ["https://bank.example (https://evil.example/steal)", "https://evil.example/steal"],
];

const widget = {
  extension: "a.b",
  dock: "a.b.dock",
  slot: "dock.right",
  title: "Panel",
  version: "0.1.0",
  hash: "sha256:7c1e90ab",
  stored: true,
  enabled: true,
  widget: { type: "Markdown", content: FOREIGN },
  state: {},
  busy: false,
  failure: null,
};
const places: [string, string, object][] = [
  ["a conversation", "hp-conversation", conversation([turn("t1", FOREIGN)])],
  ["a widget", "hp-widget-panel", widget],
];
for (const [where, name, view] of places) {
  test(`a link of ${where} shows its whole address, and only https is one`, async () => {
    const page = await elements.opened(`<${name}></${name}>`);
    await give(page, name, view);
    const links = page.locator(`${name} a`);
    await links.first().waitFor();
    const drawn = await links.evaluateAll((all) =>
      all.map((one) => [(one as HTMLElement).innerText, (one as HTMLAnchorElement).href]),
    );
    assert.deepEqual(drawn, WANTED);
    const first = links.first();
    const of = (attribute: string) => first.getAttribute(attribute);
    assert.equal(await of("target"), "_blank");
    assert.equal(await of("rel"), "noopener noreferrer");
    assert.equal(await of("referrerpolicy"), "no-referrer");
    const text = await page.locator(`${name} .md`).innerText();
    for (const shown of ["javascript:alert(1)", "data:text/html,x", "https://bank.example@evil"])
      assert.ok(text.includes(shown), `${shown} stands there as text`);

    // Nothing but a person opens it.
    const opened: string[] = [];
    page.context().on("page", (one) => opened.push(one.url()));
    await first.evaluate((one) => (one as HTMLElement).click());
    await page.waitForTimeout(200);
    assert.deepEqual(opened, []);
    await page.context().route("**/*", (route) => route.fulfill({ body: "there" }));
    const [there] = await Promise.all([page.context().waitForEvent("page"), first.click()]);
    assert.equal(await there.evaluate(() => window.opener), null);
    await page.context().close();
  });
}

test("a list that follows a sentence, and lines of code, are drawn as such", async () => {
  const text =
    "Ask:\n- one\n- `two`\n\nPut it here:\n```\nA=1\n\nB=- 2\n```\nOne line\nand another";
  const page = await elements.opened("<hp-conversation></hp-conversation>");
  await give(page, "hp-conversation", conversation([turn("t1", text)]));
  const said = page.locator("hp-conversation .md");
  assert.deepEqual(await said.locator("li").allInnerTexts(), ["one", "two"]);
  assert.equal(await said.locator("pre").innerText(), "A=1\n\nB=- 2");
  assert.deepEqual(await said.locator("p").allInnerTexts(), [
    "Ask:",
    "Put it here:",
    "One line\nand another",
  ]);
  await page.context().close();
});

const LOG = `<style>
  body { margin: 0 }
  .column { display: flex; flex-direction: column; height: 400px; width: 380px }
  hp-conversation { flex: 1; min-height: 0; overflow: auto }
  .foot { flex: none }
</style>
<div class="column"><hp-conversation></hp-conversation><div class="foot"></div></div>`;
const said = Array.from({ length: 12 }, (_, i) => turn(`t${i}`, `Line ${i}. `.repeat(20)));
const rest = (page: Page): Promise<number> =>
  page
    .locator("hp-conversation")
    .evaluate((at) => Math.round(at.scrollHeight - at.scrollTop - at.clientHeight));
/** Sizes are told, the log scrolls, and that is told: each in a frame of its own. */
const settled = (page: Page) =>
  page.evaluate(async () => {
    for (let i = 0; i < 6; i += 1) await new Promise((next) => requestAnimationFrame(next));
  });
/** A part of the page that becomes higher after everything was drawn, as a card does whose words come late. */
const grows = (page: Page, where: "log" | "foot", height: number) =>
  page.evaluate(
    ([place, px]) => {
      const log = document.querySelector("hp-conversation")?.shadowRoot?.querySelector(".log");
      const foot = document.querySelector<HTMLElement>(".foot");
      if (place === "foot" && foot) foot.style.height = `${px}px`;
      if (place === "log" && log instanceof HTMLElement) log.style.paddingBottom = `${px}px`;
    },
    [where, height] as const,
  );

test("the end stays in sight, whatever takes another height, in any order", async () => {
  const page = await elements.opened(LOG);
  await give(page, "hp-conversation", conversation(said));
  await settled(page);
  assert.equal(await rest(page), 0);
  for (const [where, height] of [
    ["log", 300],
    ["foot", 180],
    ["log", 0],
    ["foot", 0],
    ["log", 500],
    ["foot", 90],
  ] as const) {
    await grows(page, where, height);
    await settled(page);
    assert.equal(await rest(page), 0, `${where} ${height}`);
  }
  // A refusal: the turn that was being written goes, a card comes, and the field becomes higher a moment later.
  await give(page, "hp-conversation", conversation(said.slice(0, 8), { running: "chat" }));
  await grows(page, "log", 0);
  await grows(page, "foot", 200);
  const outcome = { outcome: "upstream_error", message: "", seconds: 0, waits: 0 };
  const error = { code: "BUDGET_EXCEEDED", message: "No budget is left. ".repeat(20) };
  await give(
    page,
    "hp-conversation",
    conversation(said, { outcome: { ...outcome, error } as never }),
  );
  await grows(page, "log", 260);
  await settled(page);
  assert.equal(await rest(page), 0, "after a refusal");
  await page.context().close();
});

test("who has moved up is not moved, until they come back", async () => {
  const page = await elements.opened(LOG);
  await give(page, "hp-conversation", conversation(said));
  await settled(page);
  await page.mouse.move(100, 100);
  await page.mouse.wheel(0, -60);
  await becomes(
    () => rest(page),
    (left) => left > 30,
  );
  await settled(page);
  const top = () => page.locator("hp-conversation").evaluate((at) => Math.round(at.scrollTop));
  const at = await top();
  assert.ok((await rest(page)) > 30, "a little is enough");
  for (const [where, height] of [
    ["log", 300],
    ["foot", 120],
    ["log", 400],
  ] as const) {
    await grows(page, where, height);
    await give(
      page,
      "hp-conversation",
      conversation([...said, turn("new", "More. ".repeat(height))]),
    );
    await settled(page);
    assert.equal(await top(), at, `${where} ${height}`);
  }
  await page.mouse.wheel(0, 100_000);
  await becomes(
    () => rest(page),
    (left) => left === 0,
  );
  await settled(page);
  await grows(page, "log", 700);
  await settled(page);
  assert.equal(await rest(page), 0, "at the end again");

  // While an answer grows with every frame, a person still gets away from its end.
  const grown = page.locator("hp-conversation").evaluate(async (element) => {
    const log = element.shadowRoot?.querySelector<HTMLElement>(".log");
    for (let i = 0; i < 60; i += 1) {
      if (log) log.style.paddingBottom = `${700 + i * 8}px`;
      await new Promise((done) => requestAnimationFrame(done));
    }
  });
  await page.mouse.wheel(0, -300);
  await grown;
  assert.ok((await rest(page)) > 200, "it was not pulled back");
  await page.context().close();
});

test("a log that was hidden shows its end when it is shown", async () => {
  const page = await elements.opened(LOG);
  const hide = (is: boolean) =>
    page.locator("hp-conversation").evaluate((one, off) => {
      (one as HTMLElement).hidden = off;
      (one as HTMLElement).style.display = off ? "none" : "";
    }, is);
  await hide(true);
  await give(page, "hp-conversation", conversation(said));
  await settled(page);
  await hide(false);
  await settled(page);
  assert.equal(await rest(page), 0);
  await page.context().close();
});

/** What the field said, in order; asking makes it run, as a page does. */
async function talking(page: Page): Promise<() => Promise<string[]>> {
  await give(page, "hp-composer", composer());
  await page.evaluate(() => {
    const heard: string[] = [];
    Object.assign(window, { heard });
    const field = document.querySelector("hp-composer") as HTMLElement & { view: object };
    for (const type of ["hp-ask", "hp-stop"])
      document.addEventListener(type, () => {
        heard.push(type);
        field.view = { ...field.view, since: type === "hp-ask" ? 0 : null };
      });
  });
  return () => page.evaluate(() => (window as unknown as { heard: string[] }).heard);
}
const middle = async (page: Page, id: string): Promise<[number, number]> => {
  const box = await page.getByTestId(id).boundingBox();
  if (!box) throw new Error(`${id} is not drawn`);
  return [box.x + box.width / 2, box.y + box.height / 2];
};

for (const gap of [0, 60, 150, 300]) {
  test(`a second click after ${gap} ms presses nothing that was not seen`, async () => {
    await late(async () => {
      const page = await elements.opened("<hp-composer></hp-composer>");
      try {
        const heard = await talking(page);
        if (!(await twice(page, ...(await middle(page, "hp-send")), gap))) return false;
        assert.deepEqual(await heard(), ["hp-ask"]);
        // Stopping is a click of its own, and again asks nothing by a second one.
        await page.waitForTimeout(550);
        if (!(await twice(page, ...(await middle(page, "hp-cancel")), gap))) return false;
        assert.deepEqual(await heard(), ["hp-ask", "hp-stop"]);
        return true;
      } finally {
        await page.context().close();
      }
    });
  });
}

test("a click that waits until it reaches its button is heard, and Esc stops at once", async () => {
  const page = await elements.opened("<hp-composer></hp-composer>");
  const heard = await talking(page);
  await page.getByTestId("hp-send").click();
  await page.getByTestId("hp-cancel").click();
  assert.deepEqual(await heard(), ["hp-ask", "hp-stop"]);
  await page.getByTestId("hp-send").click();
  await page.getByTestId("hp-ask").press("Escape");
  assert.deepEqual((await heard()).slice(2), ["hp-ask", "hp-stop"]);
  await page.context().close();
});

test("the same action may be pressed twice, and a key that is held presses one action", async () => {
  const page = await elements.opened("<hp-composer></hp-composer>");
  await give(page, "hp-composer", composer({ modes: ["chat", "edit"] }));
  await page.evaluate(() => {
    const heard: string[] = [];
    Object.assign(window, { heard });
    const field = document.querySelector("hp-composer") as HTMLElement & { view: object };
    document.addEventListener("hp-mode", () => heard.push("mode"));
    for (const type of ["hp-ask", "hp-stop"])
      document.addEventListener(type, () => {
        heard.push(type);
        field.view = { ...field.view, since: type === "hp-ask" ? 0 : null };
        setTimeout(() => field.shadowRoot?.querySelector<HTMLElement>(".end .btn")?.focus());
      });
  });
  const heard = () => page.evaluate(() => (window as unknown as { heard: string[] }).heard);
  await page.mouse.dblclick(...(await middle(page, "hp-mode-edit")));
  assert.deepEqual(await heard(), ["mode", "mode"]);
  await page.getByTestId("hp-send").focus();
  for (let i = 0; i < 5; i += 1) {
    // The second and later ones are repeats of a key that is held.
    await page.keyboard.down("Enter");
    await page.waitForTimeout(30);
  }
  await page.keyboard.up("Enter");
  assert.deepEqual((await heard()).slice(2), ["hp-ask"]);
  await page.context().close();
});
