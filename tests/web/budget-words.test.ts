// What a person reads where a budget refuses: what is missing, when it comes back, what helps; and no way on that ends
// the same.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { ChangeView } from "../../www/elements/src/change/view.ts";
import { openElements } from "./elements.ts";
import { modules } from "./source.ts";

let shortfall: typeof import("../../www/elements/src/change/shortfall.ts");
let view: typeof import("../../www/elements/src/change/view.ts");
let format: typeof import("../../www/elements/src/base/format.ts");
let texts: typeof import("../../www/elements/src/text/index.ts");
let elements: Awaited<ReturnType<typeof openElements>>;

before(async () => {
  [shortfall, view, format, texts] = await modules<
    [typeof shortfall, typeof view, typeof format, typeof texts]
  >("change/shortfall.ts", "change/view.ts", "base/format.ts", "text/index.ts");
  elements = await openElements(["change/workbench.ts"]);
});
after(() => elements.stop());

const NOON = new Date(2026, 10, 28, 12).getTime();
const MINUTE = 60_000;

/** A request that a budget refused before anything was planned. */
const refused = (more: object = {}, run: object = {}): ChangeView =>
  ({
    screen: "change",
    number: 4,
    elsewhere: null,
    title: "",
    run: {
      state: "failed",
      reason: "tokens",
      request: "Count the doors",
      asked_at: NOON,
      approved_at: null,
      answer: null,
      plan: null,
      attempts: [],
      versions: [],
      replies: [],
      best: null,
      files: {},
      tests: [],
      notices: [],
      ...run,
    },
    gateway: null,
    quote: null,
    purse: {
      currency: "",
      left: { tokens: 1_200, cost: 0 },
      limit: { tokens: 50_000, cost: 0 },
      period: "day",
      resets_at: NOON + 56 * MINUTE,
    },
    problem: {
      code: "BUDGET_EXCEEDED",
      message: "No room.",
      details: { unit: "tokens", need: 9_000, remaining: 1_200, limit: 50_000 },
    },
    waits: 0,
    now: NOON,
    offline: false,
    settled: true,
    sending: false,
    draft: "",
    turns: [],
    answering: "m",
    modelReady: true,
    log: null,
    history: null,
    grants: null,
    review: null,
    stale: "",
    installed: null,
    ...more,
  }) as unknown as ChangeView;

test("times are said as people say them", () => {
  const cases: [number, string][] = [
    [56 * MINUTE, "in 56 minutes"],
    [20_000, "in 1 minute"],
    [59.5 * MINUTE, "in 1 hour"],
    [3 * 60 * MINUTE, "in 3 hours"],
    [2.2 * 24 * 60 * MINUTE, "in 3 days"],
    [-MINUTE, "in 1 minute"],
  ];
  for (const [ms, said] of cases) assert.equal(format.until(NOON + ms, NOON), said);
  assert.equal(format.again(NOON + 56 * MINUTE, NOON), "12:56, in 56 minutes");
  assert.match(format.again(NOON + 72 * 60 * MINUTE, NOON), /^1 December, in 3 days$/);
  texts.setLanguage("sv");
  assert.equal(format.until(NOON + 56 * MINUTE, NOON), "om 56 minuter");
  texts.setLanguage("en");
});

test("one sentence says what is missing, of the budget that refused", () => {
  const said = (of: ChangeView): string => {
    const found = shortfall.shortfallOf(of);
    assert.ok(found);
    return shortfall.missing(found, "");
  };
  assert.equal(
    said(refused()),
    "It needs up to 9,000 tokens, with 1,200 tokens of 50,000 tokens left today.",
  );
  const details = { unit: "tokens", need: 9_000, remaining: 0, limit: 8_000 };
  const other = { code: "BUDGET_EXHAUSTED", message: "No.", details };
  assert.equal(
    said(refused({ problem: other })),
    "It needs up to 9,000 tokens, with nothing of 8,000 tokens left.",
    "the period of another budget is not that of the one in the bar",
  );
  assert.equal(
    said(refused({ problem: null })),
    "It needs more than is left: 1,200 tokens of 50,000 tokens today.",
    "after a reload only the purse is known",
  );
  const held = { code: "BUDGET_HELD", message: "Held." };
  assert.match(said(refused({ problem: held })), /held by a running call/);
});

test("a request that was refused before its plan stands at the plan, which nobody approved", () => {
  const at = view.road(refused(), "error");
  assert.deepEqual([at.now, at.failed], ["plan", true]);
  const later = view.road(refused({}, { approved_at: NOON, attempts: [] }), "error");
  assert.deepEqual([later.now, later.unplanned], ["write", false]);
});

test("it is offered again only where there is room by now", () => {
  assert.equal(shortfall.roomAgain(refused()), false);
  const purse = { ...refused().purse, left: { tokens: 9_000, cost: 0 } };
  assert.equal(shortfall.roomAgain(refused({ purse })), true);
  assert.equal(shortfall.roomAgain(refused({ problem: null })), false);
  const held = { code: "BUDGET_HELD", message: "Held." };
  assert.equal(shortfall.roomAgain(refused({ problem: held })), true);
});

test("the sheet of a refused request says it all, and its road says no word of an approval", async () => {
  const page = await elements.opened("<hp-workbench></hp-workbench>");
  const show = (shown: object) =>
    page.evaluate((value) => {
      Object.assign(document.querySelector("hp-workbench") ?? {}, { view: value });
    }, shown);
  await show(refused());
  const sheet = page.getByRole("alert");
  await sheet.getByText("It needs up to 9,000 tokens").waitFor();
  await sheet.getByText("in 56 minutes").waitFor();
  await sheet.getByText("Ask for less, use a model key of your own").waitFor();
  assert.equal(await page.getByRole("button", { name: "Run again" }).count(), 0);
  assert.equal(await page.getByText("held no bundle").count(), 0);
  assert.equal(await page.locator("hp-road").getByText("approved").count(), 0);
  await page.evaluate(() =>
    document.addEventListener("hp-draft", (event) =>
      Object.assign(window, { drafted: (event as CustomEvent<{ text: string }>).detail.text }),
    ),
  );
  await page.getByRole("button", { name: "Ask for less" }).click();
  assert.equal(await page.evaluate(() => Reflect.get(window, "drafted")), "Count the doors");
  await page.context().close();
});

test("what came past the plan without one is not called approved", async () => {
  const page = await elements.opened("<hp-road></hp-road>");
  const words = (unplanned: boolean) =>
    page.evaluate(async (value) => {
      const road = document.querySelector("hp-road") as HTMLElement & {
        view: unknown;
        updateComplete: Promise<unknown>;
      };
      road.view = { now: "review", gate: "waits", failed: false, done: false, unplanned: value };
      await road.updateComplete;
      return road.shadowRoot?.textContent ?? "";
    }, unplanned);
  assert.match(await words(false), /Plan\s*, hold point, approved/);
  const without = await words(true);
  assert.doesNotMatch(without, /approved/);
  assert.match(without, /Plan\s*, hold point, without a plan/);
  await page.context().close();
});
