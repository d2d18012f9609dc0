// The script editor over an edge in memory, and what tests do with it.

import assert from "node:assert/strict";
import type { EditOp, EditOpsAnswer, FileId } from "@holdpoint/core/editor";
import type { Page, ViewportSize } from "playwright-core";
import type { Refusal } from "./edge/edge.ts";
import { pagesOver } from "./edge/pages.ts";
import { ScriptsEdge } from "./edge/scripts.ts";
import { ofEdge } from "./network.ts";
import { becomes } from "./page.ts";

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

const { opened: walked, closed } = pagesOver({
  make: () => new ScriptsEdge(),
  mode: "walk",
  // Scripts that are run meet the policy of the edge.
  policy: `${ofEdge("PAGE_POLICY")}; frame-src 'none'`,
  root: "/walk.html",
  token: "hp_walk",
  ready: (page) => page.locator('.cm-content[data-file="tool.py"]').waitFor(),
});

export { closed };

/** Of the page that was opened last. */
export let edge: ScriptsEdge;

/** The editor with the sample script open. */
export async function opened(viewport?: ViewportSize) {
  const it = await walked(viewport ? { viewport } : {});
  edge = it.edge;
  return it.page;
}

export const text = (page: Page, path: FileId = "tool.py") =>
  page.evaluate((name) => window.hpApp.tool.editors.text(name), path);
/** A text as the edge has it. */
export const stored = (path: FileId = "tool.py"): string => edge.head.virtual_files[path];
/** Waits until the edge has a text of the script; what it has. */
export const becomesStored = (is: (text: string) => boolean) => becomes(() => stored(), is);
/** What was asked since it was looked at last; what the page asks before has come then. */
export async function calls(page: Page): Promise<string[]> {
  await page.evaluate(() => fetch("/v1/models").then((answer) => answer.text()));
  const all = edge.asked.splice(0).map(({ method, path }) => `${method} ${path}`);
  return all.filter((call) => call !== "GET /v1/models");
}
/** The next call is refused. */
export const fails = (refusal: Refusal): void =>
  void edge.faults.set("*", [{ message: refusal.code, ...refusal }]);
export const answers = (...all: Partial<EditOpsAnswer>[]) =>
  edge.answers.push(
    ...all.map((one) => ({
      ...{ outcome: "ok" as const, assistant_message: "I change it." },
      ...one,
    })),
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
  answers({ ops: list });
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
  const now = await becomesStored((kept) => kept.startsWith(words));
  assert.ok(now.startsWith(words), now);
}

/** A version more, whose text begins with `words`. */
export async function saved(page: Page, words: string) {
  await type(page, words);
  await save(page, words);
}
