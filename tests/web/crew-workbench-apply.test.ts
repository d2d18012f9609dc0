// A proposal in the workbench over an edge in memory: looked at, signed, out of date, taken back, ended.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { ApplyBody, SetFinding } from "@holdpoint/core/crew";
import type { Page } from "playwright-core";
import { AFTER, ask, BEFORE, benches, type CrewEdge, changed } from "./edge/crew.ts";
import { focusOn } from "./page.ts";

const bench = benches();

const warning = (code: string, more: Partial<SetFinding> = {}): SetFinding => ({
  code,
  severity: "warning",
  path: "",
  message: `${code} is meant.`,
  ...more,
});
const error = (code: string, path: string): SetFinding => ({
  code,
  severity: "error",
  path,
  message: `${code} is wrong.`,
  hints: [`Mend ${code}.`],
});
const invalid = {
  valid: false,
  schemaFailed: false,
  errors: [error("AGENT_NOT_FOUND", "operations[1]"), error("STEP_EMPTY_SECTION", "operations[2]")],
  warnings: [],
};
/** One of each kind, not in the order of the list. */
const four = [
  changed({
    object: "asset:assets/old.md",
    file: "assets/old.md",
    status: "D",
    before: "old\n",
    after: null,
  }),
  changed({
    object: "agent:senior",
    file: "agents/senior.json",
    status: "A",
    before: null,
    after: '{"id":"senior","metadata":{"name":"Senior assessor"}}\n',
  }),
  changed(),
  changed({ object: "step:end", file: "workflows/1/steps/end.md", status: "unchanged" }),
  changed({
    object: "workflow:1",
    file: "workflows/1/workflow.md",
    before: "a\nb\n",
    after: "a\nc\nd\n",
  }),
];

/** A proposal came. */
async function proposed(
  page: Page,
  edge: CrewEdge,
  given: Parameters<CrewEdge["proposes"]>[1],
  more: Parameters<CrewEdge["proposes"]>[2] = {},
): Promise<void> {
  const next = edge.turns.length + 1;
  await ask(page, "Improve it");
  await edge.begun(next);
  edge.proposes("I improve it.", given, more);
  await page.getByTestId("wb-file").first().waitFor();
}

const apply = (page: Page) => page.getByTestId("wb-apply");
const open = (page: Page) =>
  page.waitForFunction(() => {
    const foot = document
      .querySelector("hp-workbench-page")
      ?.shadowRoot?.querySelector("hp-approval");
    return (foot as HTMLElement | null)?.dataset.state === "waits";
  });

test("files stand by kind and path, with letter, name and lines of the shown diff", async () => {
  const { page, edge } = await bench.opened();
  await proposed(page, edge, {
    changed: four,
    impact: {
      objects: ["workflow:1", "step:collect", "agent:senior", "asset:assets/old.md"],
      riskFlags: ["cross-object", "delete"],
    },
    validation: {
      valid: true,
      schemaFailed: false,
      errors: [],
      warnings: [warning("AI_NO_EFFECT")],
      meta: { affected: ["step:end"] },
    },
  });
  const rows = await page
    .getByTestId("wb-file")
    .evaluateAll((all) =>
      all.map((one) => [
        (one as HTMLElement).dataset.letter,
        one.querySelector("[translate]")?.textContent,
        one.querySelector(".pm")?.textContent?.replace(/\s+/g, " ").trim(),
      ]),
    );
  assert.deepEqual(rows, [
    ["M", "Motor claim", "+2 −1"],
    ["M", "Take the claim", "+1 −1"],
    ["A", "Senior assessor", "+1 −0"],
    ["D", "old.md", "+0 −1"],
  ]);
  const check = page.getByTestId("wb-validation");
  await check.getByText("Check passed").waitFor();
  await check.getByText("1 warning").waitFor();
  const impact = page.getByTestId("wb-impact");
  await impact.getByText("Deletes 1 asset").waitFor();
  await impact.getByText("4 kinds of objects").waitFor();
  assert.equal(
    await impact.getByRole("link", { name: "Claim closed" }).getAttribute("href"),
    "/crew/prj_1/workflows/1",
  );
  await page.getByTestId("wb-file").nth(1).getByRole("button").click();
  const place = page.locator('[data-path="workflows/1/steps/collect.md"] .hunk').first();
  await focusOn(place, "a file leads to its first place");
  await bench.closed(page);
});

test("what is shown is what is signed; then the bench is empty, and undo is offered", async () => {
  const { page, edge } = await bench.opened();
  assert.equal(await apply(page).isDisabled(), true);
  await proposed(page, edge, { changed: [changed()] });
  await open(page);
  assert.match((await apply(page).innerText()).replace(/\s+/g, " "), /Apply 1 change 1111 1111/);
  edge.warnings = [
    warning("AI_REVISION_BASE_MISMATCH", { field: "agentsRevision", provided: 7, current: 8 }),
  ];
  await apply(page).click();
  await page.getByTestId("wb-applied").waitFor();
  assert.deepEqual(edge.applied, [
    {
      changeSetId: "cs_0000000000000001",
      confirmSource: "ui_manual_apply",
      revisionBase: { workflowRevision: 3 },
      preview: {
        baseHash: `sha256:${"b".repeat(64)}`,
        resultHash: `sha256:11111111${"0".repeat(56)}`,
      },
    },
  ]);
  await page.getByTestId("wb-warnings").getByText("Applied over a newer version").waitFor();
  await page.getByRole("row", { name: "Agents 7 8" }).waitFor();
  assert.equal(await page.getByTestId("wb-file").count(), 0, "nothing is proposed any more");
  await page.getByText("Applied", { exact: true }).first().waitFor();
  await page.locator('[data-card="applied"]').waitFor();
  await focusOn(page.locator("#h-ap"), "the result has the focus");
  await bench.closed(page);
});

test("undo all is one press, and one version; so is what brings it back", async () => {
  const { page, edge } = await bench.opened();
  await proposed(page, edge, { changed: [changed()] });
  await open(page);
  await apply(page).click();
  // What it brings back is deleted again by nobody: no dialog asks once more.
  edge.confirms = { confirm: ["delete"], confirmToken: "ct_1" };
  await page.getByTestId("wb-undo").press("Enter");
  await page.getByTestId("wb-applied").getByText("Undone").waitFor();
  const [, undone] = edge.applied;
  assert.equal(edge.applied.length, 2, "nothing is left to be applied");
  assert.deepEqual(
    [undone.changeSetId, undone.confirmToken, undone.preview?.resultHash.slice(0, 15)],
    ["cs_0000000000000002", "ct_1", "sha256:22222222"],
    "it names what it takes back as a signature does",
  );
  assert.equal(await page.getByTestId("wb-file").count(), 0, "nothing is proposed");
  await page.getByText("Undone by you", { exact: false }).waitFor();
  await page.getByRole("button", { name: "Redo all" }).waitFor();
  await page.keyboard.press("Control+Shift+Z");
  await page.getByRole("button", { name: "Undo all" }).waitFor();
  assert.equal(edge.applied[2].changeSetId, "cs_0000000000000003");
  await bench.closed(page);
});

test("what was changed since is not undone over: the way back is shown, and asks", async () => {
  const { page, edge } = await bench.opened();
  await proposed(page, edge, { changed: [changed()] });
  await open(page);
  await apply(page).click();
  await page.getByTestId("wb-undo").waitFor();
  edge.faults.set("POST /apply", [{ status: 409, code: "CONFLICT", details: { objects: [] } }]);
  await page.getByTestId("wb-undo").press("Enter");
  await page.getByTestId("wb-conflict").waitFor();
  assert.equal(edge.applied.length, 1, "nothing was taken back");
  await page.getByTestId("wb-diff").getByText("Take it, and thank for it.").first().waitFor();
  await open(page);
  await apply(page).click();
  await page.getByTestId("wb-applied").getByText("Undone").waitFor();
  await bench.closed(page);
});

test("a conflict applies nothing, shows the fresh change and asks again", async () => {
  const { page, edge } = await bench.opened();
  await proposed(page, edge, { changed: four });
  await open(page);
  edge.faults.set("POST /apply", [
    {
      status: 409,
      code: "CONFLICT",
      details: { objects: ["step:collect"] },
    },
  ]);
  // Somebody saved: the change is made again on it.
  const fresh = four.map((one) =>
    one.object === "step:collect"
      ? { ...one, before: `${BEFORE}More.\n`, after: `${AFTER}More.\n` }
      : one,
  );
  edge.preview = {
    ...edge.preview,
    changed: fresh,
    validation: edge.preview?.validation ?? null,
    impact: edge.preview?.impact ?? null,
    preview: {
      changeSetId: "cs_0000000000000001",
      baseHash: "sha256:cc",
      resultHash: `sha256:90c417ae${"0".repeat(56)}`,
      confirm: [],
      confirmToken: null,
    },
  };
  await apply(page).click();
  const call = page.getByTestId("wb-conflict");
  await call.getByText("Out of date: nothing was applied").waitFor();
  await call.getByText("Take the claim", { exact: false }).first().waitFor();
  await call.getByText("3 files are the same.", { exact: false }).waitFor();
  assert.equal(await call.locator("del").innerText(), "1111 1111");
  assert.equal(await call.locator("b").innerText(), "90C4 17AE");
  assert.deepEqual(edge.applied, [], "nothing was applied");
  const flagged = page.getByTestId("wb-file").filter({ hasText: "Different from what you saw" });
  assert.equal(await flagged.count(), 1);
  await open(page);
  await apply(page).click();
  await page.getByTestId("wb-applied").waitFor();
  assert.equal(
    (edge.applied as ApplyBody[])[0].preview.baseHash,
    "sha256:cc",
    "only the fresh one is signed",
  );
  await bench.closed(page);
});

test("a delete is confirmed by its name first; Esc goes back, and the tick opens the signature", async () => {
  const { page, edge } = await bench.opened();
  await proposed(page, edge, {
    changed: four,
    preview: {
      changeSetId: "cs_0000000000000001",
      baseHash: "sha256:aa",
      resultHash: "sha256:3e7a51c8",
      confirm: ["delete"],
      confirmToken: "token-1",
    },
    validation: {
      valid: true,
      schemaFailed: false,
      errors: [],
      warnings: [],
      meta: { affected: ["step:end"] },
    },
  });
  await open(page);
  await apply(page).click();
  const dialog = page.getByTestId("wb-confirm");
  await dialog.getByRole("heading", { name: "This change deletes 1 asset" }).waitFor();
  await dialog.getByText("assets/old.md").waitFor();
  await dialog.getByText("4 bytes, 1 line. Still cited by Claim closed in Motor claim.").waitFor();
  await focusOn(page.locator("hp-wb-confirm h2"));
  const sign = dialog.getByTestId("wb-confirm-apply");
  assert.equal(await sign.isDisabled(), true);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  assert.deepEqual(edge.applied, []);
  await apply(page).click();
  assert.equal(await sign.isDisabled(), true, "the tick was not for this time");
  await dialog.getByTestId("wb-confirm-tick").check();
  assert.match(await sign.innerText(), /3E7A 51C8/);
  await sign.click();
  await page.getByTestId("wb-applied").waitFor();
  assert.equal((edge.applied as ApplyBody[])[0].confirmToken, "token-1");
  await bench.closed(page);
});

test("an invalid change shows every error, keeps the signature closed and can be mended by asking", async () => {
  const { page, edge } = await bench.opened();
  await proposed(page, edge, { changed: [changed()], validation: invalid });
  const errors = page.getByTestId("wb-errors");
  await errors.getByText("AGENT_NOT_FOUND is wrong.").waitFor();
  await errors.getByText("Mend STEP_EMPTY_SECTION.").waitFor();
  await errors.getByText("operations[2]").waitFor();
  await page.getByTestId("wb-validation").getByText("Check failed: 2 errors").waitFor();
  assert.equal(await apply(page).isDisabled(), true);
  await page.getByText("Apply opens when the check passes. Nothing was written.").waitFor();
  await page.getByRole("button", { name: "Ask to fix 2 errors" }).click();
  await edge.begun(2);
  assert.match(edge.sent[1].content, /AGENT_NOT_FOUND[\s\S]*STEP_EMPTY_SECTION/);
  await page.getByText("Apply opens when the change is complete and checked.").waitFor();
  edge.proposes("Mended.", { changed: [changed()] });
  await open(page);
  await bench.closed(page);
});

test("what the summary says and the change does not is said beside it, and closes nothing", async () => {
  const { page, edge } = await bench.opened();
  await proposed(
    page,
    edge,
    { changed: four },
    {
      warnings: [
        warning("SUMMARY_CLAIMS_UNCHANGED", { args: { object: "step:end", name: "Claim closed" } }),
        warning("SUMMARY_OMITS_CHANGE", { args: { object: "agent:senior" } }),
      ],
    },
  );
  const claims = page.getByTestId("hp-claims");
  await claims.getByText("Said, not done").waitFor();
  await claims.getByText("Adds the agent Senior assessor").waitFor();
  const row = page.getByTestId("wb-file").filter({ hasText: "Senior assessor" });
  await row.getByText("Not said").waitFor();
  await page.getByTestId("wb-validation").getByText("2 warnings").waitFor();
  await page.getByText("You apply what is shown, not what is said. 2 points differ.").waitFor();
  assert.equal(await apply(page).isEnabled(), true);
  await bench.closed(page);
});

test("a change without a set says so", async () => {
  const { page, edge } = await bench.opened();
  await ask(page, "Improve it");
  await edge.begun();
  edge.proposes("I improve it.", { changed: [] }, { changeSetId: null, latestSuggestion: null });
  await page.getByTestId("wb-preview-unavailable").waitFor();
  assert.equal(await apply(page).isDisabled(), true);
  await bench.closed(page);
});

test("an apply that fails keeps conversation and preview and says what helps", async () => {
  const { page, edge } = await bench.opened();
  await proposed(page, edge, { changed: [changed()] });
  await open(page);
  edge.faults.set("POST /apply", [
    { status: 500, code: "AI_APPLY_FAILED", hints: ["Try it again."] },
  ]);
  await apply(page).click();
  await page.getByTestId("hp-problem").getByText("Try it again.", { exact: false }).waitFor();
  assert.equal(await page.getByTestId("wb-file").count(), 1);
  assert.equal(await page.getByTestId("wb-message").count(), 2);
  await open(page);
  await apply(page).click();
  await page.getByTestId("wb-applied").waitFor();
  await bench.closed(page);
});

test("ending without applying is said to the edge, then leads back; leaving alone says nothing", async () => {
  const { page, edge } = await bench.opened({
    part: "?targetType=workflow&targetId=1&workflowId=1&returnTo=/scripts",
  });
  await proposed(page, edge, { changed: [changed()] });
  await page.reload();
  await page.getByTestId("wb-file").waitFor();
  assert.equal(edge.status, "active", "a reload cancels nothing");
  await page.getByTestId("wb-cancel").click();
  await page.waitForURL("**/scripts");
  assert.equal(edge.status, "cancelled");
  assert.deepEqual(edge.applied, []);
  await bench.closed(page);
});

test("everything goes by keyboard: panes, tabs, ask, look, sign", async () => {
  const { page, edge } = await bench.opened();
  const inside = () =>
    page.evaluate(() => {
      const names: string[] = [];
      for (let at = document.activeElement; at; at = at.shadowRoot?.activeElement ?? null)
        names.push(at.tagName.toLowerCase());
      return names;
    });
  await page.getByTestId("wb-composer").waitFor();
  for (let i = 0; i < 6 && !(await inside()).includes("hp-wb-talk"); i += 1)
    await page.keyboard.press(i === 0 ? "F6" : "Tab");
  const tab = page.getByTestId("wb-tab-chat");
  await tab.focus();
  await page.keyboard.press("ArrowRight");
  await focusOn(page.getByTestId("wb-tab-ctx"));
  await page.keyboard.press("ArrowLeft");
  assert.equal(await tab.getAttribute("aria-selected"), "true");
  for (let i = 0; i < 3; i += 1) await page.keyboard.press("Tab");
  assert.ok((await inside()).includes("textarea"), `${await inside()}`);
  await page.keyboard.type("Improve it");
  await page.keyboard.press("Enter");
  await edge.begun();
  edge.proposes("I improve it.", { changed: [changed()] });
  await open(page);
  await page.keyboard.press("Control+Enter");
  await focusOn(apply(page), "the signature has the focus");
  assert.deepEqual(edge.applied, [], "and is not given by that");
  await page.keyboard.press("Enter");
  await page.getByTestId("wb-applied").waitFor();
  await bench.closed(page);
});

test("a narrow page has one pane and three tabs; a proposal waits behind its tab", async () => {
  const { page, edge } = await bench.opened({ viewport: { width: 390, height: 844 } });
  assert.equal(await page.getByTestId("wb-preview").isVisible(), false);
  await ask(page, "Improve it");
  await edge.begun();
  edge.proposes("I improve it.", { changed: [changed()] });
  const tab = page
    .getByRole("navigation", { name: "Panes" })
    .getByRole("button", { name: /^Change/ });
  await tab.getByText("waits for you", { exact: false }).waitFor({ state: "attached" });
  await tab.click();
  await page.getByTestId("wb-file").waitFor();
  assert.equal(await page.getByTestId("wb-composer").isVisible(), false);
  assert.equal(await page.getByTestId("wb-cancel").isVisible(), false, "it is in the menu");
  await apply(page).click();
  await page.getByTestId("wb-applied").waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false);
  await bench.closed(page);
});

test("what happens is read out in one live region", async () => {
  const { page, edge } = await bench.opened();
  const live = page.getByTestId("wb-live");
  assert.equal(await page.getByTestId("wb-live").getAttribute("aria-live"), "polite");
  await ask(page, "Improve it");
  const turn = await edge.begun();
  turn.thinks("validating");
  await live.getByText("The model is at work: Checking").waitFor({ state: "attached" });
  edge.proposes("I improve it.", { changed: [changed()] });
  await live.getByText("A change of 1 file is proposed").waitFor({ state: "attached" });
  await apply(page).click();
  await live.getByText("Applied").waitFor({ state: "attached" });
  await bench.closed(page);
});

test("a change of 20,000 lines is drawn in slices: little at once, the rest as it is looked at", async () => {
  const { page, edge } = await bench.opened();
  const lines = (each: (i: number) => string) =>
    `${Array.from({ length: 20_000 }, (_, i) => each(i)).join("\n")}\n`;
  const before = lines((i) => `line ${i} of the table`);
  const many = lines((i) => (i % 20 ? `line ${i} of the table` : `row ${i} of the table`));
  await proposed(page, edge, {
    changed: [
      changed({ object: "asset:assets/a.md", file: "assets/a.md", before, after: many }),
      changed({
        object: "asset:assets/b.md",
        file: "assets/b.md",
        status: "A",
        before: null,
        after: before,
      }),
    ],
  });
  await page.getByTestId("wb-file").filter({ hasText: "+1,000 −1,000" }).waitFor();
  await page.getByTestId("wb-file").filter({ hasText: "+20,000 −0" }).waitFor();
  const box = page.locator('hp-diff [data-path="assets/a.md"]');
  const places = () => box.locator(".hunk").count();
  const few = await places();
  assert.ok(few > 0 && few < 60, `${few} places at first`);
  await box.getByRole("button", { name: /^Show \d+ more changes/ }).scrollIntoViewIfNeeded();
  await page.waitForFunction(
    ([had]) => {
      const middle = document
        .querySelector("hp-workbench-page")
        ?.shadowRoot?.querySelector("hp-wb-middle");
      const diff = middle?.shadowRoot?.querySelector("hp-diff")?.shadowRoot;
      return (diff?.querySelectorAll('[data-path="assets/a.md"] .hunk').length ?? 0) > had;
    },
    [few],
  );
  const other = page.locator('hp-diff [data-path="assets/b.md"]');
  const rows = () => other.locator("tr").count();
  const first = await rows();
  assert.ok(first > 0 && first < 400, `${first} lines at first`);
  await other.getByRole("button", { name: /^Show 19,\d+ more lines/ }).click();
  await other.getByRole("button", { name: /^Show 16,\d+ more lines/ }).waitFor();
  assert.ok((await rows()) < 4_000, "a press brings some");
  await bench.closed(page);
});
