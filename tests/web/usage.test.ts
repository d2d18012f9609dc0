// The usage page over an edge in memory: what operators and everybody else see, budgets, calls, keys, requests.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, test } from "node:test";
import type { Page } from "playwright-core";
import { sideways, violations } from "./axe.ts";
import { budget, call, type UsageEdge, usage } from "./edge/usage.ts";
import { pageModules } from "./source.ts";

const { opened, closed } = usage();
const MICROS = 1_000_000;

let csv: typeof import("../../www/app/src/pages/usage/csv.ts");
before(async () => {
  [csv] = await pageModules<[typeof csv]>("pages/usage/csv.ts");
});

const rows = (page: Page) => page.locator("hp-ledger tbody tr");

test("an operator sees the account: budgets, people, models, calls, keys, changes", async () => {
  const { page } = await opened();
  await page.getByText("$120.00 spent of $200.00").waitFor();
  await page.getByRole("heading", { name: "Account budget this month" }).waitFor();
  await page.getByTestId("hp-sums").getByRole("rowheader", { name: "ann" }).waitFor();
  await page.getByTestId("hp-models").getByRole("rowheader", { name: "writer" }).waitFor();
  await page.getByText("3 of 41 calls are estimated (7%)").waitFor();
  await page.getByText("Whole answer after 2.0 s, 95 of 100 within 9.0 s.").waitFor();
  await page.locator("hp-keys").getByRole("cell", { name: "hp_***k1" }).waitFor();
  assert.equal(await page.locator("hp-keys").getByText("yesterday").count(), 2);
  const changes = page.locator("hp-usage-changes");
  await changes.getByText("Made the key Laptop").waitFor();
  await changes.getByText("Key Viewer").waitFor();
  assert.equal(await rows(page).count(), 40);
  assert.deepEqual(await violations(page), []);
  assert.equal(await sideways(page), false);
  await closed(page);
});

test("whoever is no operator sees their own calls, and of the rest nothing, not even a refusal", async () => {
  const { page, edge } = await opened({ token: "hp_bea" });
  await page.getByText("$120.00 spent of $20.00").waitFor();
  await page.getByTestId("hp-sums").getByRole("rowheader", { name: "Own client" }).waitFor();
  await edge.until("GET /budgets");
  for (const part of [
    "hp-keys",
    "hp-usage-changes",
    '[role="alert"]',
    '[data-testid="hp-by-user"]',
  ])
    assert.equal(await page.locator(part).count(), 0, part);
  assert.equal(edge.of("GET /keys").length + edge.of("GET /audit").length, 0);
  assert.deepEqual(await violations(page), []);
  await closed(page);
});

test("a month is asked for by its days, and the days of it are gone through by keys", async () => {
  const { page, edge } = await opened();
  await page.getByTestId("hp-by-tag").click();
  await page.getByTestId("hp-month").selectOption({ index: 1 });
  const now = new Date();
  const day = (month: number, date: number) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + month, date))
      .toISOString()
      .slice(0, 10);
  const last = await edge.until("GET /usage", 6);
  const spans = edge.of("GET /usage").map(({ query }) => `${query.get("from")} ${query.get("to")}`);
  assert.equal(spans[0], `${day(0, 1)} ${day(1, 0)}`);
  assert.equal(`${last.query.get("from")} ${last.query.get("to")}`, `${day(-1, 1)} ${day(0, 0)}`);
  const chart = page.getByTestId("hp-chart");
  await chart.focus();
  await page.keyboard.press("Home");
  const words = () => chart.getAttribute("aria-valuetext");
  await page.locator("hp-usage-chart .tip").getByText("41 calls, 3 estimated").waitFor();
  assert.match((await words()) ?? "", /^1 \w+: \$120\.00, 41 calls, 3 estimated$/);
  await page.keyboard.press("ArrowRight");
  await page.locator("hp-usage-chart .tip").getByText("no calls").waitFor();
  assert.match((await words()) ?? "", /^2 \w+: no calls$/);
  await closed(page);
});

test("where nothing has a price, tokens are counted", async () => {
  const { page } = await opened({
    given: (edge) => {
      edge.priced = false;
      edge.calls = [call(1, { cost: 0, held_cost: 0 })];
    },
  });
  await page.locator("hp-usage-chart .legend").getByText("Tokens each day").waitFor();
  await page.getByTestId("hp-sums").getByRole("cell", { name: "1M tokens" }).first().waitFor();
  await rows(page).getByText("4K tokens").first().waitFor();
  assert.doesNotMatch(await rows(page).innerText(), /\$/);
  await closed(page);
});

test("calls: how each ended, those that did not finish, and more of them", async () => {
  const { page } = await opened({
    given: (edge) => {
      const outcomes = ["ok", "client_gone", "upstream_cut", "cancelled", "expired", "corrected"];
      edge.calls = Array.from({ length: 60 }, (_, n) =>
        call(n + 1, n < outcomes.length ? { outcome: outcomes[n] } : { usage_source: "estimated" }),
      );
    },
  });
  await rows(page).first().waitFor();
  const words = await page.locator("hp-ledger .badge").allInnerTexts();
  assert.deepEqual(words.slice(0, 7), [
    ...["Done", "Client left, billed as used", "Model did not answer", "Stopped", "Expired"],
    ...["Corrected", "Estimated: no usage reported"],
  ]);
  assert.match(await rows(page).first().innerText(), /\$0\.46\s+\$0\.14\s+\$0\.32/);
  await page.getByTestId("hp-show-unfinished").click();
  assert.equal(await rows(page).count(), 5);
  await page.getByTestId("hp-show-all").click();
  await page.getByTestId("hp-calls-more").click();
  await page.waitForFunction(() => {
    const ledger = document.querySelector("hp-usage-page")?.shadowRoot?.querySelector("hp-ledger");
    return ledger?.shadowRoot?.querySelectorAll("tbody tr").length === 60;
  });
  assert.equal(await page.getByTestId("hp-calls-more").count(), 0);
  await closed(page);
});

test("what runs is shown, and is a row of its own once it has ended and somebody asks", async () => {
  const { page, edge } = await opened({
    given: (edge) => {
      edge.running = [
        { ...call(0), request_id: "req_a", tokens: 4_000, cost: 460_000, deadline: 0 },
      ];
    },
  });
  await page.getByTestId("hp-show-running").getByText("1").waitFor();
  await page.getByTestId("hp-show-running").click();
  await rows(page).getByText("Running").waitFor();
  edge.running = [];
  edge.calls = [call(0, { request_id: "req_a" }), ...edge.calls];
  await page.getByTestId("hp-calls-refresh").click();
  await page.getByText("No call is running.").waitFor();
  await page.getByTestId("hp-show-all").click();
  assert.equal(await page.locator('hp-ledger [data-call="req_a"]').getByText("Done").count(), 1);
  assert.equal(await rows(page).count(), 41, "what was loaded before stays");
  await closed(page);
});

test("calls are saved as a file, page by page; it can be cancelled, and no cell is a formula", async () => {
  const { page, edge } = await opened({
    given: (edge) => {
      edge.calls = Array.from({ length: 1_200 }, (_, n) => call(n + 1, { tag: "=1+1" }));
    },
  });
  await rows(page).first().waitFor();
  edge.faults.set("GET /usage/calls", [{ late: 400 }]);
  await page.getByTestId("hp-csv").click();
  await page.getByTestId("hp-csv-stop").click();
  await page.getByTestId("hp-csv").waitFor();
  edge.faults.clear();
  const download = page.waitForEvent("download");
  await page.getByTestId("hp-csv").click();
  const file = await download;
  const month = new Date().toISOString().slice(0, 7);
  assert.equal(file.suggestedFilename(), `calls-${month}.csv`);
  const text = readFileSync(await file.path(), "utf8");
  const lines = text.trimEnd().split("\r\n");
  assert.equal(lines.length, 1_201);
  assert.match(lines[0] ?? "", /^request_id,at,closed_at,user_id/);
  assert.match(lines[1] ?? "", /,'=1\+1,/);
  await closed(page);
});

test("list and file are of the month, and so are the days that are asked for", async () => {
  const begins = (back: number) => {
    const now = new Date();
    return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1);
  };
  const { page, edge } = await opened({
    given: (edge) => {
      const last = (n: number) => call(10_000 + n, { at: begins(0) - (n + 1) * 1_000 });
      edge.calls = [
        ...Array.from({ length: 700 }, (_, n) => call(n + 1)),
        ...Array.from({ length: 60 }, (_, n) => last(n)),
        ...Array.from({ length: 30 }, (_, n) => call(20_000 + n, { at: begins(1) - 1_000 - n })),
      ];
      edge.running = [{ ...call(0), request_id: "req_a", cost: 460_000, deadline: 0 }];
    },
  });
  await rows(page).first().waitFor();
  await page.getByTestId("hp-show-running").click();
  await page.getByTestId("hp-month").selectOption({ index: 1 });
  await page.locator('[data-call="req_10000"]').waitFor();
  assert.equal(await rows(page).count(), 40);
  await page.getByTestId("hp-calls-more").click();
  await page.locator('[data-call="req_10059"]').waitFor();
  assert.equal(await rows(page).count(), 60);
  assert.equal(await page.getByTestId("hp-calls-more").count(), 0, "what comes is older");
  const asked = edge.of("GET /usage/calls");
  assert.equal(asked.length, 3, "a page of this month, two of the last");
  const day = (at: number) => new Date(at).toISOString().slice(0, 10);
  assert.deepEqual(
    ["from", "to"].map((name) => asked[1]?.query.get(name)),
    [day(begins(1)), day(begins(0) - 1)],
  );
  assert.equal(await page.getByTestId("hp-show-running").count(), 0, "what runs is of now");
  const download = page.waitForEvent("download");
  await page.getByTestId("hp-csv").click();
  const file = await download;
  assert.equal(
    file.suggestedFilename(),
    `calls-${new Date(begins(1)).toISOString().slice(0, 7)}.csv`,
  );
  assert.equal(
    readFileSync(await file.path(), "utf8")
      .trimEnd()
      .split("\r\n").length,
    61,
  );
  await page.getByTestId("hp-month").selectOption({ index: 3 });
  await page.locator("hp-ledger").getByText("No calls in this month.").waitFor();
  assert.equal(await page.getByTestId("hp-csv").isDisabled(), true);
  edge.calls = Array.from({ length: 12_000 }, (_, n) => call(n + 1));
  edge.looked = 500;
  await page.getByTestId("hp-month").selectOption({ index: 1 });
  await page.getByText("The calls of this month lie further back.").waitFor();
  await page.getByTestId("hp-calls-more").click();
  await page.locator("hp-ledger").getByText("No calls in this month.").waitFor();
  await closed(page);
});

test("a cell that a spreadsheet would take for a formula is none", () => {
  const cases = [
    ...["=1+1", "+1", "-1", "@SUM(A1)", "\tx"].map((text) => [text, `'${text}`]),
    ...[
      ["plain", "plain"],
      ["", ""],
      ["a,b", '"a,b"'],
      ['say "x"', '"say ""x"""'],
    ],
    ['=HYPERLINK("x")', '"\'=HYPERLINK(""x"")"'],
  ];
  for (const [text, want] of cases) assert.equal(csv.cell(text ?? ""), want);
});

test("one part that fails says so in its own place, and leaves the rest", async () => {
  const { page, edge } = await opened({
    given: (edge) =>
      void edge.faults.set("GET /usage/calls", [{ status: 503, code: "LEDGER_UNAVAILABLE" }]),
  });
  const ledger = page.locator("hp-ledger");
  await ledger.getByText("Could not load the calls").waitFor();
  await page.locator("hp-keys").getByRole("cell", { name: "hp_***k1" }).waitFor();
  assert.deepEqual(await violations(page), []);
  edge.faults.clear();
  await ledger.getByTestId("hp-part-again").click();
  await rows(page).first().waitFor();
  assert.equal(await ledger.getByRole("alert").count(), 0);
  await closed(page);
});

test("where the budgets cannot be read, nobody is taken for an operator until they can", async () => {
  const { page, edge } = await opened({
    given: (edge) =>
      void edge.faults.set("GET /budgets", [{ status: 503, code: "LEDGER_UNAVAILABLE" }]),
  });
  const budgets = page.locator("hp-usage-budget");
  await budgets.getByText("Could not").waitFor();
  await page.getByTestId("hp-sums").getByRole("rowheader", { name: "Own client" }).waitFor();
  assert.equal(await page.locator("hp-keys").count(), 0);
  edge.faults.clear();
  await budgets.getByTestId("hp-part-again").click();
  await page.locator("hp-keys").getByRole("cell", { name: "hp_***k1" }).waitFor();
  await page.getByTestId("hp-sums").getByRole("rowheader", { name: "ann" }).waitFor();
  assert.equal(await budgets.getByRole("alert").count(), 0);
  await closed(page);
});

test("what runs is looked after every half minute at most, while the page is looked at", async () => {
  const { page, edge } = await opened({
    clock: true,
    given: (edge) => {
      edge.running = [{ ...call(0), request_id: "req_a", cost: 460_000, deadline: 0 }];
    },
  });
  await page.getByTestId("hp-show-running").getByText("1").waitFor();
  await page.clock.fastForward(20_000);
  assert.equal(edge.of("GET /usage/running").length, 1);
  edge.running = [];
  edge.calls = [call(0, { request_id: "req_a" }), ...edge.calls];
  await page.clock.fastForward(11_000);
  await page.locator('hp-ledger [data-call="req_a"]').getByText("Done").waitFor();
  assert.equal(edge.of("GET /usage/running").length, 2);
  assert.equal(edge.of("GET /usage/calls").length, 2, "what ran has ended: calls are read again");
  await closed(page);
});

test("without a network what was loaded stays, and a sentence says so", async () => {
  const { page, edge } = await opened();
  await rows(page).first().waitFor();
  await page.locator("hp-keys").getByRole("cell", { name: "hp_***k1" }).waitFor();
  edge.away = true;
  await page.getByTestId("hp-calls-refresh").click();
  await page.getByText("You are offline.").waitFor();
  await page.getByText("What was loaded stays. Nothing can be changed.").waitFor();
  assert.equal(await rows(page).count(), 40);
  for (const id of ["hp-key-new", "hp-budget-new", "hp-csv", "hp-calls-refresh"])
    assert.equal(await page.getByTestId(id).isDisabled(), true, id);
  edge.away = false;
  await page.getByRole("button", { name: "Try again" }).first().click();
  await page.getByText("You are offline.").waitFor({ state: "detached" });
  assert.equal(await page.getByTestId("hp-key-new").isDisabled(), false);
  await closed(page);
});

test("a key that ended is asked for, in the place of the page", async () => {
  const { page, edge } = await opened();
  await rows(page).first().waitFor();
  edge.faults.set("GET /usage/running", [{ status: 401, code: "KEY_REVOKED" }]);
  await page.getByTestId("hp-calls-refresh").click();
  await page.locator("hp-sign-in").waitFor();
  assert.equal(await page.locator("hp-ledger").count(), 0);
  await closed(page);
});

test("of many budgets the tightest stand first, and the rest are drawn when somebody asks", async () => {
  const { page } = await opened({
    given: (edge) => {
      const more = Array.from({ length: 9 }, (_, n) =>
        budget(`p${n}`, `user:p${n}`, { used_permille: 100 * n, remaining: 1 }),
      );
      edge.budgets = [...edge.budgets, ...more];
    },
  });
  const others = page.getByRole("list", { name: "Other budgets" }).getByRole("listitem");
  await others.getByText("p8, this month").waitFor();
  assert.equal(await others.count(), 6);
  await page.getByRole("button", { name: "Show all 10" }).click();
  assert.equal(await others.count(), 10);
  await closed(page);
});

test("nothing yet: what to do is said", async () => {
  const { page } = await opened({
    given: (edge) => {
      edge.calls = [];
      edge.budgets = [];
    },
  });
  await page.locator("hp-ledger").getByText("No calls yet").waitFor();
  await page.getByText("There is no budget yet.").waitFor();
  await closed(page);
});

test("a narrow page has its parts behind tabs, and what a key can be done to in a menu", async () => {
  const { page } = await opened({ viewport: { width: 390, height: 844 } });
  await page.getByText("$120.00 spent of $200.00").waitFor();
  assert.equal(await page.locator("hp-ledger").isVisible(), false);
  const tab = (name: string) => page.getByRole("navigation").getByRole("button", { name });
  await tab("Calls").click();
  await rows(page).first().waitFor();
  assert.equal(await page.locator("hp-usage-budget").isVisible(), false);
  assert.equal(await sideways(page), false);
  await tab("Keys").click();
  await page.getByTestId("hp-key-menu").first().click();
  await page.getByRole("menuitem", { name: "Revoke" }).click();
  await page.getByRole("heading", { name: "Revoke the key Laptop?" }).waitFor();
  assert.deepEqual(await violations(page), []);
  await page.getByTestId("hp-answer-stay").click();
  await closed(page);
});

test("the budget in the bar leads here", async () => {
  const { page } = await opened({
    token: "hp_bea",
    given: (edge) => {
      edge.own = budget("bea", "user:bea", { limit: 300 * MICROS });
    },
  });
  await page.locator("hp-budget .budget").click();
  assert.equal(await page.getByTestId("hp-usage-link").getAttribute("href"), "/usage");
  const link = page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Usage" });
  assert.equal(await link.getAttribute("aria-current"), "page");
  await closed(page);
});

test("the budget in the bar says which model answers and who pays", async () => {
  const answering = async (models: UsageEdge["answering"]): Promise<string[]> => {
    const { page } = await opened({
      token: "hp_bea",
      given: (edge) => {
        edge.own = budget("bea", "user:bea", { limit: 300 * MICROS });
        edge.answering = models;
      },
    });
    await page.locator("hp-budget .budget").click();
    const said = await page.locator("hp-budget .rows li").allInnerTexts();
    await closed(page);
    return said.map((one) => one.trim()).filter((one) => one.includes("answers"));
  };
  const model = { name: "Writer large", local: false };
  assert.deepEqual(await answering({}), [], "no model answers");
  assert.deepEqual(await answering({ model }), ["Writer large answers; this budget pays."]);
  assert.deepEqual(await answering({ model: { name: "qwen3", local: true } }), [
    "qwen3 answers on a local server; its tokens count here.",
  ]);
  assert.deepEqual(await answering({ model, own_model: "my-model" }), [
    "Writer large answers about extensions and scripts; this budget pays.",
    "Your own model my-model answers about crew packages and apps; you pay its provider.",
  ]);
});
