// Walks through the script editor over an edge in memory: what is shown is what is signed, one apply, one undo, no edit
// lost.

import assert from "node:assert/strict";
import { test } from "node:test";
import type {
  ChatEvent,
  EditOp,
  EditOpsAnswer,
  EditOpsRequest,
  FileId,
} from "@holdpoint/core/editor";
import type { Page, ViewportSize } from "playwright-core";
import type { FakeEdge } from "../../www/app/gallery/fake-edge.ts";
import { copied, description } from "./page.ts";
import { walks } from "./walk.ts";

const tool = [
  "--- a/tool.py",
  "+++ b/tool.py",
  "@@ -8,2 +8,3 @@",
  " def rank(rating):",
  "-    return RATINGS.index(rating) if rating in RATINGS else -1",
  '+    text = (rating or "").strip().upper()',
  "+    return RATINGS.index(text) if text in RATINGS else -1",
  "@@ -20,3 +21,3 @@",
  "     missing = []",
  "     for door in doors:",
  '-        if not door["FireRating"]:',
  '+        if rank(door["FireRating"]) < 0:',
  "",
].join("\n");
const settings = [
  "--- a/settings_schema.json",
  "+++ b/settings_schema.json",
  "@@ -4,1 +4,2 @@",
  '-    "language": { "type": "string", "enum": ["en", "sv"] }',
  '+    "language": { "type": "string", "enum": ["en", "sv"] },',
  '+    "lowest": { "type": "string" }',
  "",
].join("\n");
const ops: EditOp[] = [
  { op: "patch", target_file: "tool.py", patch: tool },
  { op: "patch", target_file: "settings_schema.json", patch: settings },
];
/** The same place, said to be 28 lines further down. */
const moved: EditOp[] = [
  {
    op: "patch",
    target_file: "tool.py",
    patch: `${tool.split("\n@@ -20")[0].replace("@@ -8,2 +8,3 @@", "@@ -36,2 +36,3 @@")}\n`,
  },
];
const elsewhere: EditOp[] = [
  {
    op: "patch",
    target_file: "tool.py",
    patch: "--- a/tool.py\n+++ b/tool.py\n@@ -1,2 +1,2 @@\n import os\n-import sys\n+import io\n",
  },
];

const { opened: walked, closed } = walks();

/** The editor with the sample script open. */
async function opened(viewport?: ViewportSize) {
  const page = await walked("", { ...(viewport ? { viewport } : {}), timeout: 60_000 });
  await page.locator('.cm-content[data-file="tool.py"]').waitFor();
  return page;
}

const text = (page: Page, path: FileId = "tool.py") =>
  page.evaluate((name) => window.hpApp.tool.editors.text(name), path);
const stored = (page: Page, path: FileId = "tool.py") =>
  page.evaluate((name) => window.hpEdge.head.virtual_files[name], path);
const calls = (page: Page) => page.evaluate(() => window.hpEdge.calls.splice(0));
const edge = (page: Page, change: Partial<Pick<FakeEdge, "failing" | "wait">>) =>
  page.evaluate((more) => void Object.assign(window.hpEdge, more), change);
const answers = (page: Page, ...all: Partial<EditOpsAnswer>[]) =>
  page.evaluate(
    (list) => window.hpEdge.answers.push(...list),
    all.map((one) => ({ outcome: "ok" as const, assistant_message: "I change it.", ...one })),
  );
const open = (page: Page) =>
  page.waitForFunction(() => {
    const proposal = document.querySelector("#page")?.shadowRoot?.querySelector("hp-proposal");
    const found = proposal?.shadowRoot?.querySelector<HTMLButtonElement>("#apply");
    return found && !found.disabled;
  });

async function ask(page: Page, words = "Let me choose the lowest rating") {
  await page.getByTestId("hp-ask").fill(words);
  await page.keyboard.press("Enter");
}

/** From the words to a proposal that can be signed. */
async function proposed(page: Page, list = ops) {
  await answers(page, { ops: list });
  await ask(page);
  await page.getByTestId("hp-proposal").waitFor();
}

async function type(page: Page, words: string) {
  await page.getByRole("tab", { name: "tool.py" }).click();
  await page.locator('.cm-content[data-file="tool.py"]').click();
  await page.keyboard.press("Control+Home");
  await page.keyboard.insertText(words);
}

test("a part of a proposal is applied in one task a file, taken back in one step, and made again", async () => {
  const page = await opened();
  const [code, form] = [await text(page), await text(page, "settings_schema.json")];
  await proposed(page);
  assert.equal(
    await page.getByTestId("hp-ask").inputValue(),
    "",
    "the words go when there is a preview",
  );
  assert.equal(await page.locator("hp-diff .hunk").count(), 3);
  await open(page);
  await page.getByTestId("hp-leave").nth(1).click();
  await page.getByText("Apply 2 places").waitFor();
  await open(page);
  await page.getByTestId("hp-apply").click();
  await page.getByTestId("hp-applied").waitFor();
  const done = await text(page);
  assert.match(done, /text = \(rating/);
  assert.doesNotMatch(done, /< 0/, "what was left is not there");
  assert.match(await text(page, "settings_schema.json"), /lowest/);
  assert.equal(await stored(page), done);

  await page.locator('.cm-content[data-file="tool.py"]').click();
  await page.keyboard.press("Control+z");
  assert.deepEqual(
    [await text(page), await text(page, "settings_schema.json")],
    [code, form],
    "the native undo takes it back in both files",
  );
  await page.waitForFunction((want) => window.hpEdge.head.virtual_files["tool.py"] === want, code);
  await page.getByTestId("hp-redo").click();
  assert.equal(await text(page), done);
  await page.waitForFunction((want) => window.hpEdge.head.virtual_files["tool.py"] === want, done);

  await type(page, "# mine");
  await page.waitForFunction(() => window.hpApp.tool.view().undo.on === false);
  assert.equal(await page.getByTestId("hp-undo").isDisabled(), true);
  const why = (await page.getByTestId("hp-undo").getAttribute("title")) ?? "";
  assert.match(why, /tool\.py changed since/);
  await page.keyboard.press("Control+z");
  assert.equal(await text(page), done, "what was typed goes first");
  await page.getByTestId("hp-undo").click();
  assert.deepEqual([await text(page), await text(page, "settings_schema.json")], [code, form]);
  await closed(page);
});

test("one correlation id goes through generate, preview and apply", async () => {
  const page = await opened();
  await page.evaluate(() => {
    window.heard = [];
    const { hpEdge } = window;
    const methods = hpEdge as unknown as Record<string, (...all: unknown[]) => unknown>;
    for (const name of ["generate", "preview", "apply"]) {
      const was = methods[name].bind(hpEdge);
      methods[name] = (body, id, ...more) => {
        window.heard.push(id);
        return was(body, id, ...more);
      };
    }
  });
  await proposed(page);
  await open(page);
  await page.getByTestId("hp-apply").click();
  await page.getByTestId("hp-applied").waitFor();
  const ids = await page.evaluate(() => window.heard);
  assert.ok(ids.length >= 3);
  assert.equal(new Set(ids).size, 1);
  await closed(page);
});

test("a proposal that moved wants a tick; a new choice takes it away", async () => {
  const page = await opened();
  await proposed(page, moved);
  await page.getByTestId("hp-confirm").waitFor();
  await page.getByText("stands 28 lines higher").waitFor();
  assert.equal(await page.getByTestId("hp-apply").isDisabled(), true);
  await page.getByTestId("hp-confirm-tick").check();
  await open(page);
  await page.getByTestId("hp-leave").first().click();
  await page.getByTestId("hp-take").first().click();
  await page.waitForFunction(() => window.hpApp.tool.proposing.confirmed === false);
  assert.equal(await page.getByTestId("hp-apply").isDisabled(), true);
  await page.getByTestId("hp-confirm-tick").check();
  await open(page);
  await page.getByTestId("hp-apply").click();
  await page.getByTestId("hp-applied").waitFor();
  await closed(page);
});

test("a targeted text that moves makes the proposal stale at once, without a call", async () => {
  const page = await opened();
  await proposed(page);
  await open(page);
  await calls(page);
  await type(page, "# mine\n");
  await page.getByRole("tab", { name: "Proposal" }).click();
  await page.getByTestId("hp-stale").waitFor();
  assert.deepEqual(
    (await calls(page)).filter((name: string) => name !== "save"),
    [],
  );
  assert.equal(await page.getByTestId("hp-apply").isDisabled(), true);
  await page.getByTestId("hp-preview-again").click();
  await open(page);
  await page.getByTestId("hp-apply").click();
  await page.getByTestId("hp-applied").waitFor();
  assert.match(
    await text(page),
    /^# mine\n[\s\S]*text = \(rating/,
    "the edit is saved before the proposal is applied",
  );
  await closed(page);
});

test("another save before the apply: nothing is dispatched, the fresh preview has to be signed", async () => {
  const page = await opened();
  await proposed(page);
  await open(page);
  const was = await text(page);
  await page.evaluate(
    (code) => window.hpEdge.saveElsewhere({ "tool.py": `# theirs\n${code}` }),
    was,
  );
  await page.getByTestId("hp-apply").click();
  await page.waitForFunction(() =>
    window.hpApp.tool.editors.text("tool.py").startsWith("# theirs"),
  );
  assert.doesNotMatch(await text(page), /text = \(rating/, "the proposal was not applied");
  await open(page);
  await page.getByTestId("hp-apply").click();
  await page.getByTestId("hp-applied").waitFor();
  assert.match(await stored(page), /^# theirs\n[\s\S]*text = \(rating/);
  await closed(page);
});

test("nothing can be typed between sending and the answer", async () => {
  const page = await opened();
  await proposed(page);
  await open(page);
  await edge(page, { wait: 4_000 });
  await page.getByTestId("hp-apply").click();
  await page.getByRole("tab", { name: "tool.py" }).click();
  await page.locator('.cm-content[data-file="tool.py"]').click();
  await page.keyboard.type("x");
  await page.getByTestId("hp-applied").waitFor();
  assert.equal(await text(page), await stored(page));
  await closed(page);
});

test("ops that fit nowhere: what was expected, what is there, and the failure goes back to the model", async () => {
  const page = await opened();
  await answers(page, { ops: elsewhere });
  await ask(page);
  await page.getByTestId("hp-error").waitFor();
  await page.getByText("import sys").first().waitFor();
  assert.equal(await page.getByTestId("hp-apply").isDisabled(), true);
  await page.evaluate(() => {
    const was = window.hpEdge.generate.bind(window.hpEdge);
    window.hpEdge.generate = (body, ...more) => {
      window.heard = [body];
      return was(body, ...more);
    };
  });
  await answers(page, { ops });
  await page.getByTestId("hp-regenerate").click();
  await open(page);
  const asked = await page.evaluate(() => window.heard[0] as EditOpsRequest);
  assert.equal(asked.message, "Let me choose the lowest rating");
  assert.equal(asked.feedback?.error_details.length, 1);
  assert.equal(asked.feedback.ops.length, 1);
  assert.equal(
    await page.locator("hp-conversation .said").count(),
    2,
    "the answer that failed is replaced, the question is not repeated",
  );
  await closed(page);
});

test("selection and a fresh cursor go along; an old cursor does not", async () => {
  const page = await opened();
  const at = () => page.evaluate(() => window.hpApp.tool.editors.location("tool.py"));
  assert.deepEqual(await at(), {}, "nobody pointed anywhere");
  await page.locator('.cm-content[data-file="tool.py"]').click();
  await page.keyboard.press("Control+Home");
  assert.deepEqual(await at(), { cursor: { pos: 0 } });
  await page.keyboard.press("Shift+ArrowRight");
  assert.deepEqual(await at(), { selection: { from: 0, to: 1 }, cursor: { pos: 1 } });
  await page.keyboard.press("ArrowLeft");
  assert.deepEqual(
    await page.evaluate(() => window.hpApp.tool.editors.location("tool.py", Date.now() + 46_000)),
    {},
  );
  await closed(page);
});

test("the chat streams, stops in the middle and keeps what came", async () => {
  const page = await opened();
  await edge(page, { wait: 150 });
  const events: ChatEvent[] = [
    {
      event: "meta",
      data: { enabled: true, correlation_id: "c", turn_id: "t", assistant_message_id: "m" },
    },
    ...["It ", "reads ", "doors ", "and ", "more ", "and ", "more."].map((part) => ({
      event: "delta" as const,
      data: { text: part },
    })),
    { event: "done", data: { enabled: true, reason: "stop" } },
  ];
  await page.evaluate((all) => window.hpEdge.said.push(all), events);
  await page.getByTestId("hp-mode-chat").click();
  await ask(page, "What does it do?");
  await page.locator("hp-conversation").getByText("It reads").waitFor();
  await edge(page, { wait: 60_000 });
  await page.getByTestId("hp-cancel").click();
  await page.locator("hp-conversation").getByText("stopped by you").waitFor();
  const came = await page.locator("hp-conversation .said").last().textContent();
  await page.waitForTimeout(500);
  assert.equal(
    await page.locator("hp-conversation .said").last().textContent(),
    came,
    "late events are dropped",
  );
  assert.equal(await page.getByTestId("hp-send").isVisible(), true);
  await closed(page);
});

test("a stopped generation proposes nothing", async () => {
  const page = await opened();
  await edge(page, { wait: 60_000 });
  await answers(page, { ops });
  await ask(page);
  await page.getByTestId("hp-cancel").click();
  await page.getByTestId("hp-outcome").waitFor();
  assert.equal(await page.getByTestId("hp-proposal").count(), 0);
  assert.equal(
    await page.getByTestId("hp-ask").inputValue(),
    "Let me choose the lowest rating",
    "the words are kept",
  );
  await closed(page);
});

test("each outcome has its words", async () => {
  const page = await opened();
  const cases: [EditOpsAnswer["outcome"], string][] = [
    ["truncated", "The answer was cut"],
    ["parse_failed", "No usable suggestion"],
    ["non_patch_ops", "No usable suggestion"],
    ["incompatible_ops", "No place named"],
    ["timeout", "The model took too long"],
    ["upstream_error", "The model did not answer"],
    ["context_exceeded", "Too much text at once"],
    ["remote_fallback_required", "Wants an outside model"],
  ];
  for (const [outcome, words] of cases) {
    await answers(page, {
      outcome,
      ops: [],
      assistant_message: "",
      enabled: outcome !== "remote_fallback_required",
    });
    await ask(page, `Case ${outcome}`);
    await page.locator("hp-outcome").getByRole("heading", { name: words }).waitFor();
    assert.equal(await page.locator("hp-outcome").getAttribute("data-state"), outcome);
  }
  await closed(page);
});

test("an edge that asked no model is not heard as the model", async () => {
  const page = await opened();
  await answers(page, {
    outcome: "empty",
    ops: [],
    assistant_message: "The assistant is switched off here.",
    enabled: false,
    code: "FEATURE_OFF",
  });
  await ask(page, "Wider");
  await page.locator("hp-outcome").getByText("The assistant is switched off here.").waitFor();
  assert.equal(await page.locator("hp-outcome").getAttribute("data-state"), "upstream_error");
  assert.equal(
    await page
      .locator("hp-conversation .said")
      .getByText("The assistant is switched off here.")
      .count(),
    0,
  );
});

test("over budget: nothing was asked, the message stays, and the sizes are said", async () => {
  const page = await opened();
  await edge(page, {
    failing: {
      code: "MESSAGE_OVER_BUDGET",
      status: 422,
      details: { budget: 12_032, system: 1_820, user: 11_540 },
    },
  });
  await ask(page);
  await page.getByTestId("hp-over").waitFor();
  assert.equal(await page.getByTestId("hp-ask").inputValue(), "Let me choose the lowest rating");
  assert.equal(await page.getByTestId("hp-send").isDisabled(), true);
  await page.getByText("12,032 tokens").waitFor();
  await page.getByTestId("hp-ask").fill("Shorter");
  await page.getByTestId("hp-over").waitFor({ state: "detached" });
  await closed(page);
});

test("two tabs on one text: both are kept, each place is decided, saved together", async () => {
  const page = await opened();
  const was = await text(page);
  await type(page, "# mine\n");
  await page.evaluate(
    (code) => window.hpEdge.saveElsewhere({ "tool.py": code.replace("indent=2", "indent=4") }),
    was,
  );
  await page.keyboard.press("Control+s");
  await page.getByTestId("hp-save-together").waitFor();
  assert.equal(await page.getByTestId("hp-save-together").isDisabled(), true);
  await page.getByTestId("hp-take").first().click();
  await page.getByTestId("hp-leave").nth(1).click();
  await page.getByTestId("hp-save-together").click();
  await page.waitForFunction(() =>
    window.hpEdge.head.virtual_files["tool.py"].startsWith("# mine"),
  );
  assert.match(await stored(page), /indent=4/);
  assert.equal(await text(page), await stored(page));
  await closed(page);
});

test("what only the other tab changed is taken over, and the save goes on", async () => {
  const page = await opened();
  await type(page, "# mine\n");
  await page.evaluate(() => window.hpEdge.saveElsewhere({ "entrypoint.txt": "main\n" }));
  await page.keyboard.press("Control+s");
  await page.waitForFunction(() =>
    window.hpEdge.head.virtual_files["tool.py"].startsWith("# mine"),
  );
  assert.deepEqual(
    [await stored(page, "entrypoint.txt"), await text(page, "entrypoint.txt")],
    ["main\n", "main\n"],
  );
  await closed(page);
});

test("closed and opened again: the unsaved text, the words, the proposal and the undo are back", async () => {
  const page = await opened();
  const was = await text(page);
  await proposed(page);
  await open(page);
  await page.getByTestId("hp-apply").click();
  await page.getByTestId("hp-applied").waitFor();
  const done = await text(page);
  await proposed(page, [
    { op: "patch", target_file: "entrypoint.txt", patch: "@@ -1,1 +1,1 @@\n-run_tool\n+main\n" },
  ]);
  await page.getByTestId("hp-ask").fill("Half a thought");
  await page.waitForTimeout(500);
  const again = () =>
    page.evaluate(async () => {
      window.hpApp.go(null);
      await new Promise((go) => setTimeout(go, 200));
      window.hpApp.go("t1");
    });
  await again();
  await page.getByTestId("hp-ask").waitFor();
  await page.waitForFunction(() => window.hpApp.tool?.view().panel === "proposal");
  assert.equal(await page.getByTestId("hp-ask").inputValue(), "Half a thought");
  assert.equal(await text(page), done);
  await page.getByTestId("hp-undo").click();
  assert.equal(await text(page), was, "undo after it was opened again");
  await type(page, "# mine\n");
  await page.waitForTimeout(500);
  await again();
  await page.waitForFunction(() => window.hpApp.tool?.editors.text("tool.py").startsWith("# mine"));
  assert.doesNotMatch(await stored(page), /^# mine/, "nobody saved it");
  await closed(page);
});

test("without a network: typing, the diff and undo work; asking and applying say why not", async () => {
  const page = await opened();
  await proposed(page);
  await open(page);
  await page.getByTestId("hp-apply").click();
  await page.getByTestId("hp-applied").waitFor();
  await proposed(page, [
    { op: "patch", target_file: "entrypoint.txt", patch: "@@ -1,1 +1,1 @@\n-run_tool\n+main\n" },
  ]);
  await open(page);
  await page.evaluate(() => {
    window.hpEdge.offline = true;
    window.hpApp.setOffline(true);
  });
  await page.getByTestId("hp-leave").first().click();
  await page.getByTestId("hp-take").first().click();
  await page.getByText("Applying needs a connection").waitFor();
  await page.getByText("Asking needs a connection; this draft is kept").waitFor();
  await page.getByTestId("hp-undo").click();
  assert.doesNotMatch(await text(page), /text = \(rating/);
  await page.evaluate(() => {
    window.hpEdge.offline = false;
    window.hpApp.setOffline(false);
  });
  await open(page);
  await closed(page);
});

test("a version is compared with now and restored; a checkpoint is kept", async () => {
  const page = await opened();
  const was = await text(page);
  await type(page, "# mine\n");
  await page.keyboard.press("Control+s");
  await page.waitForFunction(() =>
    window.hpEdge.head.virtual_files["tool.py"].startsWith("# mine"),
  );
  await page.getByTestId("hp-history").click();
  await page.getByTestId("hp-checkpoint-name").fill("It works");
  await page.getByTestId("hp-checkpoint").click();
  await page.locator("hp-history").getByText("It works").waitFor();
  await page.locator('[data-version="rev_1"]').click();
  await page.locator("hp-compare hp-diff .hunk").first().waitFor();
  await page.getByTestId("hp-restore").click();
  await page.waitForFunction((want) => window.hpApp.tool.editors.text("tool.py") === want, was);
  assert.equal(await stored(page), was);
  await closed(page);
});

test("two versions that are ticked are compared, the older on the left", async () => {
  const page = await opened();
  const save = async (words: string) => {
    await type(page, words);
    await page.keyboard.press("Control+s");
    await page.waitForFunction(
      (want) => window.hpEdge.head.virtual_files["tool.py"].startsWith(want),
      words,
    );
  };
  await save("# one\n");
  await save("# two\n");
  await page.getByTestId("hp-history").click();
  await page.locator('[data-tick="rev_3"]').check();
  const compare = page.getByTestId("hp-compare");
  assert.equal(await compare.isDisabled(), true);
  await page.locator("hp-history").getByText("Tick another version").waitFor();
  await page.locator('[data-tick="rev_2"]').check();
  await compare.click();
  const hunk = page.locator("hp-compare hp-diff .hunk");
  await hunk.first().waitFor();
  assert.deepEqual(
    await hunk.first().locator("table.split td.code.ins").allInnerTexts(),
    ["# two"],
    "only what the newer has more",
  );
  assert.equal(
    await page.getByTestId("hp-restore").count(),
    0,
    "what is compared is no version to restore",
  );
  await page.locator('[data-tick="rev_1"]').check();
  assert.deepEqual(
    await page.evaluate(() => window.hpApp.tool.versions.ticked),
    ["rev_2", "rev_1"],
    "two at most",
  );
  await page.locator("hp-compare").getByRole("button", { name: "Back" }).click();
  await page.locator("hp-compare").waitFor({ state: "detached" });
  await closed(page);
});

test("by keyboard alone: ask, choose a place, sign, undo", async () => {
  const page = await opened();
  await answers(page, { ops });
  const focused = () =>
    page.evaluate(() => {
      let node = document.activeElement;
      while (node?.shadowRoot?.activeElement) node = node.shadowRoot.activeElement;
      return {
        id: node instanceof HTMLElement ? (node.dataset.testid ?? "") : "",
        tag: node?.tagName ?? "",
        look: node?.className ?? "",
      };
    });
  for (let i = 0; i < 60 && (await focused()).id !== "hp-ask"; i += 1)
    await page.keyboard.press("Tab");
  await page.keyboard.type("Let me choose");
  await page.keyboard.press("Enter");
  await open(page);
  assert.equal(
    (await focused()).tag,
    "H2",
    "the proposal's heading has the focus, not its signature",
  );
  for (let i = 0; i < 20 && !(await focused()).look.includes("hunk"); i += 1)
    await page.keyboard.press("Tab");
  await page.keyboard.press("j");
  await page.keyboard.press("l");
  await page.getByText("Apply 2 places").waitFor();
  await open(page);
  await page.keyboard.press("Control+Enter");
  assert.equal((await focused()).id, "hp-apply");
  assert.equal(await page.getByTestId("hp-applied").count(), 0, "focus alone signs nothing");
  await page.keyboard.press("Enter");
  await page.getByTestId("hp-applied").waitFor();
  await page.keyboard.press("Control+z");
  await page.getByTestId("hp-applied").waitFor({ state: "detached" });
  await closed(page);
});

test("a narrow page has one pane at a time, and a proposal comes to the front", async () => {
  const page = await opened({ width: 390, height: 844 });
  await page.getByRole("button", { name: "Chat" }).click();
  await proposed(page);
  await open(page);
  await page.getByTestId("hp-apply").click();
  await page.getByTestId("hp-applied").waitFor();
  assert.equal(await page.locator('.cm-content[data-file="tool.py"]').isVisible(), true);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false);
  await closed(page);
});

test("a refused save is said above the page with what was kept, until one is stored", async () => {
  const page = await opened();
  await type(page, "# mine\n");
  await edge(page, { failing: { code: "SERVICE_UNAVAILABLE", status: 503 } });
  await page.keyboard.press("Control+s");
  const said = page.getByTestId("hp-problem");
  await said.getByRole("alert").waitFor();
  assert.match(
    await said.getByRole("alert").innerText(),
    /Not saved\. Your text is kept on this device\.\s+The server is not ready/,
  );
  assert.equal(await page.locator("hp-toast .toast").count(), 0, "a failure is no toast");
  assert.match(await text(page), /^# mine/);
  await page.keyboard.press("Control+s");
  await said.waitFor({ state: "detached" });
  assert.match(await stored(page), /^# mine/);
  await closed(page);
});

test("where another request runs, the page says when one may ask again, and asks nothing before", async () => {
  const page = await opened();
  await edge(page, { failing: { code: "REQUEST_IN_FLIGHT", status: 409, retryMs: 3_000 } });
  await ask(page);
  const again = page.getByTestId("hp-way-again");
  await again.waitFor();
  await page
    .locator("hp-outcome")
    .getByText(/One request at a time/)
    .waitFor();
  assert.equal(await again.isDisabled(), true);
  assert.match(await again.evaluate(description), /^In [123] seconds?\.$/);
  assert.equal(await page.locator("hp-outcome hp-copy").evaluate(copied), "REQUEST_IN_FLIGHT");
  const send = page.getByTestId("hp-send");
  assert.equal(await send.isDisabled(), true, "the composer waits too");
  assert.match(await send.evaluate(description), /^Ask opens in [123] seconds?$/);
  await calls(page);
  await page.getByTestId("hp-ask").press("Enter");
  assert.deepEqual(await calls(page), [], "Enter asks nothing while it waits");
  await answers(page, { ops });
  await page.locator("hp-outcome button:enabled").first().waitFor();
  await again.click();
  await open(page);
  await closed(page);
});

test("an undo from the bar that goes leaves the focus with the texts; the list of versions follows", async () => {
  const page = await opened();
  await page.getByTestId("hp-history").click();
  const lines = page.locator("hp-history [data-version]");
  await lines.getByText("Created").waitFor();
  await page.getByRole("button", { name: "Back to the chat" }).click();
  await proposed(page);
  await open(page);
  await page.getByTestId("hp-apply").click();
  await page.getByTestId("hp-applied").waitFor();
  await page.getByTestId("hp-history").click();
  await lines.getByText("Applied a proposal").waitFor();
  await page.getByRole("button", { name: "Undo all" }).click();
  await lines.getByText("Undone").waitFor();
  assert.equal(
    await page.evaluate(
      () => document.querySelector("#page")?.shadowRoot?.activeElement?.localName,
    ),
    "hp-file-tabs",
  );
  await closed(page);
});

test("an error that there was no connection goes with the connection", async () => {
  const page = await opened();
  await page.locator('.cm-content[data-file="tool.py"]').click();
  await page.keyboard.type("x");
  await page.evaluate(() => window.hpApp.setOffline(true));
  await page.keyboard.press("Control+s");
  const line = page.getByTestId("hp-problem");
  await line.getByText("There is no connection.").waitFor();
  await page.evaluate(() => window.hpApp.setOffline(false));
  await line.waitFor({ state: "detached" });
  await closed(page);
});

test("versions and a conversation that could not be read say so with their details, and are read again", async () => {
  const page = await opened();
  const failing = { code: "SERVICE_UNAVAILABLE", status: 503, details: { part: "project" } };
  const back = page.getByRole("button", { name: "Back to the chat" });
  const parts: [() => Promise<void>, string][] = [
    [() => page.getByTestId("hp-history").click(), "hp-history"],
    [
      () => back.click().then(() => page.evaluate(() => window.hpApp.tool.talking.load())),
      "hp-conversation",
    ],
  ];
  for (const [show, within] of parts) {
    await edge(page, { failing });
    await show();
    const part = page.locator(within).getByTestId("hp-unread");
    await part.getByText("The server is not ready.").waitFor();
    assert.match(
      await part.locator("hp-copy").evaluate(copied),
      /^SERVICE_UNAVAILABLE\n[\s\S]*"part": "project"/,
    );
    await part.getByRole("button", { name: "Try again" }).click();
    await part.waitFor({ state: "detached" });
  }
  await closed(page);
});

test("what comes soon is not said to be loading", async () => {
  const page = await opened();
  const seen = () =>
    page.evaluate(
      () =>
        document
          .querySelector("#page")
          ?.shadowRoot?.querySelector("hp-drawer")
          ?.shadowRoot?.querySelector("hp-history")
          ?.shadowRoot?.querySelector(".late")
          ?.checkVisibility({ visibilityProperty: true }) ?? null,
    );
  await edge(page, { wait: 1_500 });
  await page.getByTestId("hp-history").click();
  assert.equal(await seen(), false);
  await page.locator("hp-history").getByText("Reading the versions").waitFor();
  assert.equal(await seen(), true);
  await closed(page);
});

test("a script that could not be opened is asked for again", async () => {
  const page = await opened();
  await page.evaluate(() => window.hpApp.go(null));
  await page.locator("hp-tools tbody tr").waitFor();
  await edge(page, { failing: { code: "SERVICE_UNAVAILABLE", status: 503 } });
  await page.evaluate(() => window.hpApp.go("t1"));
  await page.getByRole("heading", { name: "could not be opened" }).waitFor();
  await page.getByRole("button", { name: "Try again" }).click();
  await page.locator('.cm-content[data-file="tool.py"]').waitFor();
  await closed(page);
});

test("Restore carries the fingerprint of what it changes", async () => {
  const page = await opened();
  const was = await text(page);
  await type(page, "# mine\n");
  await page.keyboard.press("Control+s");
  await page.waitForFunction(() =>
    window.hpEdge.head.virtual_files["tool.py"].startsWith("# mine"),
  );
  await page.getByTestId("hp-history").click();
  await page.locator('[data-version="rev_1"]').click();
  const shown = await page.getByTestId("hp-restore").locator(".fp").innerText();
  const want = await page.evaluate(async (code) => {
    const bytes = new TextEncoder();
    const field = (value: string) => {
      const body = bytes.encode(value);
      const length = new DataView(new ArrayBuffer(8));
      length.setBigUint64(0, BigInt(body.length));
      return [...new Uint8Array(length.buffer), ...body];
    };
    const hash = new Uint8Array(
      await crypto.subtle.digest("SHA-256", new Uint8Array([...field("tool.py"), ...field(code)])),
    );
    return [...hash.slice(0, 4)]
      .map((byte) => byte.toString(16).padStart(2, "0"))
      .join("")
      .toUpperCase();
  }, was);
  assert.equal(shown.replace(" ", ""), want);
  await closed(page);
});
