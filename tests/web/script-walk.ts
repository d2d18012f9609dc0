// The script editor over an edge in memory, and what tests do with it.

import type { EditOp, EditOpsAnswer, FileId } from "@holdpoint/core/editor";
import type { Page, ViewportSize } from "playwright-core";
import type { FakeEdge } from "../../www/app/gallery/fake-edge.ts";
import { ofEdge } from "./network.ts";
import { walks } from "./walk.ts";

export const tool = [
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
export const settings = [
  "--- a/settings_schema.json",
  "+++ b/settings_schema.json",
  "@@ -4,1 +4,2 @@",
  '-    "language": { "type": "string", "enum": ["en", "sv"] }',
  '+    "language": { "type": "string", "enum": ["en", "sv"] },',
  '+    "lowest": { "type": "string" }',
  "",
].join("\n");
export const ops: EditOp[] = [
  { op: "patch", target_file: "tool.py", patch: tool },
  { op: "patch", target_file: "settings_schema.json", patch: settings },
];
/** The same place, said to be 28 lines further down. */
export const moved: EditOp[] = [
  {
    op: "patch",
    target_file: "tool.py",
    patch: `${tool.split("\n@@ -20")[0].replace("@@ -8,2 +8,3 @@", "@@ -36,2 +36,3 @@")}\n`,
  },
];
export const elsewhere: EditOp[] = [
  {
    op: "patch",
    target_file: "tool.py",
    patch: "--- a/tool.py\n+++ b/tool.py\n@@ -1,2 +1,2 @@\n import os\n-import sys\n+import io\n",
  },
];

// Scripts that are run meet the policy of the edge.
const { opened: walked, closed } = walks(`${ofEdge("PAGE_POLICY")}; frame-src 'none'`);

export { closed };

/** The editor with the sample script open. */
export async function opened(viewport?: ViewportSize) {
  const page = await walked("", {
    ...(viewport ? { viewport } : {}),
    timeout: 120_000,
  });
  await page.locator('.cm-content[data-file="tool.py"]').waitFor();
  return page;
}

export const text = (page: Page, path: FileId = "tool.py") =>
  page.evaluate((name) => window.hpApp.tool.editors.text(name), path);
export const stored = (page: Page, path: FileId = "tool.py") =>
  page.evaluate((name) => window.hpEdge.head.virtual_files[name], path);
export const calls = (page: Page) => page.evaluate(() => window.hpEdge.calls.splice(0));
export const edge = (page: Page, change: Partial<Pick<FakeEdge, "failing" | "wait">>) =>
  page.evaluate((more) => void Object.assign(window.hpEdge, more), change);
export const answers = (page: Page, ...all: Partial<EditOpsAnswer>[]) =>
  page.evaluate(
    (list) => window.hpEdge.answers.push(...list),
    all.map((one) => ({ outcome: "ok" as const, assistant_message: "I change it.", ...one })),
  );
export const open = (page: Page) =>
  page.waitForFunction(() => {
    const proposal = document.querySelector("#page")?.shadowRoot?.querySelector("hp-proposal");
    const foot = proposal?.shadowRoot?.querySelector("hp-approval");
    const found = foot?.shadowRoot?.querySelector<HTMLButtonElement>("#main");
    return found && !found.disabled;
  });

export async function ask(page: Page, words = "Let me choose the lowest rating") {
  await page.getByTestId("hp-ask").fill(words);
  await page.keyboard.press("Enter");
}

/** From the words to a proposal that can be signed. */
export async function proposed(page: Page, list = ops) {
  await answers(page, { ops: list });
  await ask(page);
  await page.getByTestId("hp-proposal").waitFor();
}

export async function type(page: Page, words: string) {
  await page.getByRole("tab", { name: "tool.py" }).click();
  await page.locator('.cm-content[data-file="tool.py"]').click();
  await page.keyboard.press("Control+Home");
  await page.keyboard.insertText(words);
}

/** Saves the text, and waits until the edge has it; it begins with `words`. */
export async function save(page: Page, words: string) {
  await page.keyboard.press("Control+s");
  await page.waitForFunction(
    (want) => window.hpEdge.head.virtual_files["tool.py"].startsWith(want),
    words,
  );
}

/** A version more, whose text begins with `words`. */
export async function saved(page: Page, words: string) {
  await type(page, words);
  await save(page, words);
}
