// The script editor on the real stack: propose, preview, take a part, confirm, apply, one undo, redo; two tabs; stop;
// budget; reload.

import assert from "node:assert/strict";
import { test } from "node:test";
import type {
  ChatHistory,
  FileId,
  Page as List,
  Tool,
  ToolRevision,
  VirtualFiles,
} from "@holdpoint/core/editor";
import type { Page } from "playwright-core";
import { askFor, created, editor, script, signable, storedTool, typed } from "./editor.ts";
import { thrown } from "./road.ts";
import { browser, stack, withStack } from "./stack.ts";

withStack();

const closed = async (page: Page) => {
  assert.deepEqual(thrown.get(page), []);
  await page.context().close();
};
/** Until the stored text is what it should be. */
async function becomes(
  tool: Tool,
  found: (text: string) => boolean,
  path: FileId = "tool.py",
): Promise<VirtualFiles> {
  for (let i = 0; i < 100; i += 1) {
    const { virtual_files } = await storedTool(tool);
    if (found(virtual_files[path])) return virtual_files;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return assert.fail(`${path} did not become so`);
}

test("a script is created from the list, opened at its own address, and listed with its findings", {
  timeout: 150_000,
}, async () => {
  const page = await script(browser, null);
  const title = `Stair widths ${Date.now()}`;
  await page.getByTestId("hp-tool-name").fill(title);
  await page.getByTestId("hp-create").click();
  await page.locator('.cm-content[data-file="tool.py"]').getByText("Door report").first().waitFor();
  assert.match(new URL(page.url()).pathname, /^\/scripts\/.+/);
  await page.reload();
  await page.locator('.cm-content[data-file="tool.py"]').getByText("Door report").first().waitFor();
  await page.goBack();
  await page.getByRole("row", { name: title }).getByText("No findings").waitFor();
  await closed(page);
});

test("two files in one proposal: one place left, applied, one undo over both, redo, and the same after a reload", {
  timeout: 150_000,
}, async () => {
  const tool = await created("Doors");
  const page = await script(browser, tool);
  await askFor(page, "Add a setting that lists every door.");
  await page.getByTestId("hp-proposal").waitFor();
  await page.getByText("Applies cleanly").first().waitFor();
  await signable(page);
  assert.equal(await page.getByTestId("hp-diff-file").count(), 2);
  const whole = await page.getByTestId("hp-apply").textContent();
  await page.getByTestId("hp-leave").last().click();
  await page.waitForFunction((was) => {
    const page = document.querySelector("#page")?.shadowRoot;
    const proposal = page?.querySelector("hp-proposal")?.shadowRoot;
    const foot = proposal?.querySelector("hp-approval")?.shadowRoot;
    const button = foot?.querySelector<HTMLButtonElement>("#main");
    return button !== undefined && !button?.disabled && button?.textContent !== was;
  }, whole);
  await page.getByTestId("hp-take").last().click();
  await signable(page);
  await page.getByTestId("hp-apply").click();
  await page.getByTestId("hp-applied").waitFor();
  const applied = await becomes(tool, (text) => text !== tool.virtual_files["tool.py"]);
  assert.notEqual(applied["settings_schema.json"], tool.virtual_files["settings_schema.json"]);

  await page.getByTestId("hp-undo").click();
  assert.deepEqual(
    await becomes(tool, (text) => text === tool.virtual_files["tool.py"]),
    tool.virtual_files,
  );
  await page.getByTestId("hp-redo").click();
  await becomes(tool, (text) => text === applied["tool.py"]);

  await page.reload();
  await page.locator('.cm-content[data-file="tool.py"]').waitFor();
  await page.locator("hp-conversation").getByText("Add a setting that lists every door.").waitFor();
  await page.locator('[data-testid="hp-undo"]:not([disabled])').waitFor();
  await page.getByTestId("hp-undo").click();
  assert.deepEqual(
    await becomes(tool, (text) => text === tool.virtual_files["tool.py"]),
    tool.virtual_files,
  );
  await closed(page);
});

test("a doubt is shown and wants a tick before it can be signed", {
  timeout: 150_000,
}, async () => {
  const tool = await created("Doors");
  const page = await script(browser, tool);
  await askFor(page, "Put the narrowest door first.");
  await page.getByTestId("hp-confirm").waitFor();
  assert.equal(await page.getByTestId("hp-apply").isDisabled(), true);
  await page.getByTestId("hp-confirm-tick").check();
  await signable(page);
  await page.getByTestId("hp-apply").click();
  await page.getByTestId("hp-applied").waitFor();
  await closed(page);
});

test("an answer that fits nowhere says why, and can be asked again", {
  timeout: 150_000,
}, async () => {
  const tool = await created("Doors");
  const page = await script(browser, tool);
  await askFor(page, "Rename the report.");
  await page.getByTestId("hp-error").waitFor();
  assert.equal(await page.getByTestId("hp-apply").isDisabled(), true);
  await page.getByTestId("hp-regenerate").waitFor();
  assert.deepEqual((await storedTool(tool)).virtual_files, tool.virtual_files);
  await closed(page);
});

test("an apply after somebody else saved: nothing is dispatched, the fresh preview stands", {
  timeout: 150_000,
}, async () => {
  const tool = await created("Doors");
  const page = await script(browser, tool);
  await askFor(page, "Leave out rows without a width.");
  await signable(page);
  await editor("PUT", `/tools/${tool.tool_id}`, {
    base_revision_id: tool.revision_id,
    virtual_files: { "tool.py": `# theirs\n${tool.virtual_files["tool.py"]}` },
  });
  await page.getByTestId("hp-apply").click();
  await page
    .locator('.cm-content[data-file="tool.py"]')
    .getByText("# theirs")
    .waitFor({ state: "attached" });
  assert.equal((await storedTool(tool)).virtual_files["tool.py"].startsWith("# theirs\n"), true);
  await signable(page);
  await page.getByTestId("hp-apply").click();
  await page.getByTestId("hp-applied").waitFor();
  await becomes(
    tool,
    (text) =>
      text.startsWith("# theirs\n") && text.length > tool.virtual_files["tool.py"].length + 10,
  );
  await closed(page);
});

test("two tabs on one script: neither edit is lost", { timeout: 150_000 }, async () => {
  const tool = await created("Doors");
  const first = await script(browser, tool);
  const second = await script(browser, tool, { context: first.context() });
  await typed(first, "# first\n");
  await typed(second, "# second\n");
  await first.keyboard.press("Control+s");
  await becomes(tool, (text) => text.startsWith("# first"));
  await second.keyboard.press("Control+s");
  await second.getByTestId("hp-save-together").waitFor();
  await second.getByTestId("hp-take").first().click();
  await second.getByTestId("hp-save-together").click();
  await becomes(tool, (text) => text.startsWith("# second"));
  await first.locator('.cm-content[data-file="tool.py"]').getByText("# second").waitFor();
  const own = `/tools/${tool.tool_id}`;
  const { items } = await editor<List<ToolRevision>>("GET", `${own}/revisions`);
  assert.ok(
    items.filter((one) => one.cause === "hand").length >= 2,
    "what was saved first is a version",
  );
  await closed(first);
});

test("unsaved text survives a reload and is nobody else's", { timeout: 150_000 }, async () => {
  const tool = await created("Doors");
  const page = await script(browser, tool);
  await typed(page, "# not saved\n");
  await page.waitForTimeout(1_000);
  await page.reload();
  await page.locator('.cm-content[data-file="tool.py"]').getByText("# not saved").waitFor();
  assert.deepEqual((await storedTool(tool)).virtual_files, tool.virtual_files);
  await closed(page);
});

test("the chat streams and stops; a stopped generation proposes nothing", {
  timeout: 150_000,
}, async () => {
  const tool = await created("Doors");
  const page = await script(browser, tool);
  await askFor(page, "What does this script do?", "chat");
  await page.locator("hp-conversation").getByText("800 mm").waitFor();
  await page.getByTestId("hp-send").waitFor();
  await askFor(page, "Take your time.", "chat");
  await page.locator("hp-conversation").getByText("step by step").first().waitFor();
  await page.getByTestId("hp-cancel").click();
  await page.locator('hp-conversation [data-state="cancelled"]').waitFor();
  await askFor(page, "Take your time.");
  await page.getByTestId("hp-cancel").click();
  await page.getByTestId("hp-outcome").waitFor();
  assert.equal(await page.getByTestId("hp-proposal").count(), 0);
  await closed(page);
});

test("what the model does not deliver is told apart", { timeout: 150_000 }, async () => {
  const tool = await created("Doors");
  const page = await script(browser, tool);
  for (const [words, outcome] of [
    ["Rewrite the whole script.", "truncated"],
    ["Send the report by mail.", "parse_failed"],
    ["The model is full.", "context_exceeded"],
    ["The model is down.", "upstream_error"],
  ]) {
    await askFor(page, words);
    await page.locator(`hp-outcome[data-state="${outcome}"]`).waitFor();
    assert.equal(await page.getByTestId("hp-proposal").count(), 0, words);
  }
  await closed(page);
});

test("too much text is refused before a model is asked, and the thread stays as it was", {
  timeout: 150_000,
}, async () => {
  const tool = await created("Doors");
  const page = await script(browser, tool);
  await editor("PUT", `/tools/${tool.tool_id}`, {
    base_revision_id: tool.revision_id,
    virtual_files: { "usage_instructions.md": "word ".repeat(30_000) },
  });
  await page.reload();
  await page.locator('.cm-content[data-file="tool.py"]').waitFor();
  await askFor(page, "Leave out rows without a width.");
  await page.getByTestId("hp-over").waitFor();
  assert.equal(await page.getByTestId("hp-ask").inputValue(), "Leave out rows without a width.");
  assert.deepEqual((await editor<ChatHistory>("GET", `/tools/${tool.tool_id}/chat`)).messages, []);
  await closed(page);
});

test("without a network a script that was open opens again; typing and its diff work", {
  timeout: 180_000,
}, async () => {
  const tool = await created("Doors");
  const page = await script(browser, tool);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
  await page.waitForFunction(
    async () =>
      (await caches.match("../", { ignoreSearch: true })) !== undefined ||
      (await caches.match("/", { ignoreSearch: true })) !== undefined,
  );
  await page.context().setOffline(true);
  await page.reload();
  await page.locator('.cm-content[data-file="tool.py"]').getByText("Door report").first().waitFor();
  await page.getByText("Asking needs a connection; this draft is kept").waitFor();
  await typed(page, "# offline\n");
  await page.locator("hp-scripts-page").getByText("Kept on this device").first().waitFor();
  await page.context().setOffline(false);
  await page.locator("hp-notice").waitFor({ state: "detached", timeout: 120_000 });
  await page.keyboard.press("Control+s");
  await becomes(tool, (text) => text.startsWith("# offline"));
  await closed(page);
});

test("in Swedish the words are Swedish, and the examples are still known", {
  timeout: 150_000,
}, async () => {
  const tool = await created("Dörrar");
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: "reduce",
    locale: "sv-SE",
  });
  const page = await script(browser, tool, { context });
  assert.equal(await page.evaluate(() => document.documentElement.lang), "sv");
  await page.locator("hp-conversation .ex-b").nth(1).click();
  await page.getByTestId("hp-send").click();
  await signable(page);
  await page.getByText("Kan införas").first().waitFor();
  await closed(page);
});

test("the stored tool and the page agree on every byte", { timeout: 150_000 }, async () => {
  const tool = await created("Doors");
  const mix = (end: string, at: number) => (at % 3 ? "\r\n" : end);
  const mixed = `\uFEFF${tool.virtual_files["tool.py"].replace(/\n/g, mix)}`;
  await editor("PUT", `/tools/${tool.tool_id}`, {
    base_revision_id: tool.revision_id,
    virtual_files: { "tool.py": mixed },
  });
  const page = await script(browser, tool);
  await page.getByRole("tab", { name: "entrypoint.txt" }).click();
  await page.locator('.cm-content[data-file="entrypoint.txt"]').click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type(" ");
  await page.keyboard.press("Control+s");
  const after = await becomes(tool, (text) => text.endsWith(" "), "entrypoint.txt");
  assert.equal(after["tool.py"], mixed);
  await closed(page);
});

test("nothing of a session stands in the page's own address or title but the script's name", {
  timeout: 120_000,
}, async () => {
  const tool = await created("Doors");
  const page = await script(browser, tool);
  assert.equal(page.url(), `${stack.origin}/scripts/${tool.tool_id}`);
  assert.match(await page.title(), /^Doors/);
  await closed(page);
});
