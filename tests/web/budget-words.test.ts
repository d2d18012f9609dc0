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
let more: typeof import("../../www/elements/src/shell/ask-more.ts");
let elements: Awaited<ReturnType<typeof openElements>>;

before(async () => {
  [shortfall, view, format, texts, more] = await modules<
    [typeof shortfall, typeof view, typeof format, typeof texts, typeof more]
  >(
    "change/shortfall.ts",
    "change/view.ts",
    "base/format.ts",
    "text/index.ts",
    "shell/ask-more.ts",
  );
  elements = await openElements(["change/workbench.ts", "apps/talk.ts", "shell/notice.ts"]);
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
      budget: "dev-day",
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
    "It needs more than is left.",
    "where nobody knows which budget refused, none is named",
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
  assert.equal(shortfall.roomAgain(refused({ problem: null })), true, "nobody knows what it needs");
  const held = { code: "BUDGET_HELD", message: "Held." };
  assert.equal(shortfall.roomAgain(refused({ problem: held })), true);
});

test("what was granted of the budget that refused lets it go on, whatever the budget in the bar", async () => {
  const details = { budget: "mine", unit: "tokens", need: 55_983, remaining: 115, limit: 115 };
  const problem = { code: "BUDGET_EXCEEDED", message: "No room.", details };
  const of = (n: number) => ({ tokens: n, cost: 0 });
  const day = { ...refused().purse, left: of(4_887_568), limit: of(5_000_000) };
  const mine = (left: number, granted = 0) => ({
    ...{ budget: "mine", currency: "", period: "month", resets_at: NOON },
    ...{ left: of(left), limit: of(left), granted: of(granted) },
  });
  const after = (left: number, granted?: number): ChangeView =>
    refused({ problem, purse: { ...day, others: [mine(left, granted)] } });
  const said = (view: ChangeView): string => {
    const found = shortfall.shortfallOf(view);
    assert.ok(found);
    return shortfall.missing(found, "");
  };
  assert.equal(
    shortfall.roomAgain(after(115)),
    false,
    "the day has room, the person's own has none",
  );
  assert.equal(
    said(after(115)),
    "It needs up to 55,983 tokens, with 115 tokens of 115 tokens left this month.",
  );
  assert.equal(shortfall.roomAgain(after(62_115, 62_000)), true);
  assert.equal(
    said(after(62_115, 62_000)),
    "62,000 tokens more were granted. There is room by now: it needs up to 55,983 tokens, with 62,115 tokens " +
      "of 62,115 tokens left this month.",
  );
  const page = await elements.opened("<hp-workbench></hp-workbench>");
  await page.evaluate((view) => {
    Object.assign(document.querySelector("hp-workbench") ?? {}, { view });
  }, after(62_115, 62_000) as object);
  await page.getByRole("heading", { name: "This did not fit your budget" }).waitFor();
  await page.getByRole("button", { name: "Run again" }).waitFor();
  assert.equal(await page.getByRole("link", { name: "Ask for more" }).count(), 0);
  await page.context().close();
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

test("a refusal leads to the form that asks for more, and a quote to the same with what is missing", () => {
  const after = (details: unknown) => more.moreAfter({ code: "E", message: "", details });
  assert.equal(after({ extension_url: "/usage?budget=a&ask=7" }), "/usage?budget=a&ask=7");
  for (const at of ["https://bank.example/usage?budget=a", "//bank.example", "javascript:x", 7])
    assert.equal(after({ extension_url: at }), "", `${at}`);
  assert.deepEqual([more.moreAfter(null), after(undefined), after(null)], ["", "", ""]);
  const kept = (code: string) => more.moreAfter({ code, message: "" });
  assert.deepEqual([kept("BUDGET_HELD"), kept("BUDGET_EXCEEDED")], ["", "/usage?budget="]);

  const budget = { id: "a b", unit: "cost", limit: 100, spent: 70, held: 10, overrun: 0 };
  const quote = (max: number, of: object = {}) =>
    more.moreFor({
      ...{ fits: false, tokens: { min: 0, max: 9_000 }, cost: { min: 0, max } },
      budget: { ...budget, ...of },
    } as never);
  assert.equal(quote(50), "/usage?budget=a%20b&ask=30");
  assert.equal(quote(25), "", "it fits once the running calls have ended");
  assert.equal(quote(0, { unit: "tokens", limit: 9_000 }), "/usage?budget=a%20b&ask=80");
  assert.equal(quote(0, { unit: "requests", spent: 100 }), "/usage?budget=a%20b&ask=11");
  assert.equal(more.moreFor({ fits: false } as never), "", "nobody said which");

  assert.equal(shortfall.shortfallOf(refused({ problem: null }))?.ask, "/usage?budget=");
  const gate = refused({
    quote: { ...{ fits: false, tokens: { max: 9 }, cost: { max: 50 } }, budget },
  });
  assert.equal(
    shortfall.shortfallOf({ ...gate, run: { ...gate.run, state: "gate" } } as ChangeView)?.ask,
    "/usage?budget=a%20b&ask=30",
  );
});

test("more is asked for with room for the next request", () => {
  const cases = [
    [1, 1],
    [9, 9],
    [10, 11],
    [55_868, 62_000],
    [2_500_000, 2_800_000],
    [99, 110],
  ] as const;
  for (const [missing, asked] of cases) assert.equal(more.withRoom(missing), asked, `${missing}`);
});

test("every place that tells of a refusal has the one link to ask for more, and of another refusal none", async () => {
  const at = "/usage?budget=mei&ask=2500000";
  const error = { code: "BUDGET_EXHAUSTED", message: "No.", details: { extension_url: at } };
  const other = { code: "UPSTREAM_TIMEOUT", message: "No." };
  const turn = { id: "t1", who: "assistant", text: "", at: null, state: "failed" };
  const outcome = { outcome: "upstream_error", message: "", seconds: 0, waits: 0 };
  const talk = (failed: object, off: object) => ({
    conversation: {
      ...{ state: "ready", problem: null, offline: false, turns: [turn], running: null },
      ...{ examples: [], intro: null, note: null, beside: false, live: false, clearable: false },
      ...{ now: 0, outcome: { ...outcome, error: failed } },
    },
    composer: {
      ...{ mode: "edit", modes: [], label: "Request", placeholder: "", draft: "", last: "" },
      ...{ hint: "", sending: false, since: null, waits: 0, over: null, limit: 9, now: 0, ...off },
    },
    extras: { t1: { run: null, outcome: null, error: failed, card: null } },
  });
  const page = await elements.opened("");
  const show = (view: object, more: string) =>
    page.evaluate(
      ([shown, href]) => {
        const drawn = {
          "hp-app-talk": { view: shown },
          "hp-notice": { heading: "No.", more: href },
        };
        const all = Object.entries(drawn).map(([tag, value]) =>
          Object.assign(document.createElement(tag), value),
        );
        document.body.replaceChildren(...all);
      },
      [view, more] as const,
    );
  const links = page.getByRole("link", { name: "Ask for more" });
  await show(talk(error, { off: "This does not fit your budget.", more: at }), at);
  await links.nth(3).waitFor();
  const all = await links.evaluateAll((found) =>
    found.map((one) => [
      (one.getRootNode() as ShadowRoot).host.localName,
      one.getAttribute("href"),
    ]),
  );
  const places = ["hp-outcome", "hp-conversation", "hp-composer", "hp-notice"];
  assert.deepEqual(all.sort(), places.map((place) => [place, at]).sort());
  await show(talk(other, { off: "" }), "");
  await links.first().waitFor({ state: "detached" });
  assert.equal(await links.count(), 0);
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
