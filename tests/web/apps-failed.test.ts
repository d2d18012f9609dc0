// What the pages of apps say of what failed: a run that did not deliver, a text that was not saved.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { violations } from "./axe.ts";
import { openElements } from "./elements.ts";

let elements: Awaited<ReturnType<typeof openElements>>;

before(
  async () => {
    elements = await openElements(["apps/talk.ts", "apps/code.ts"]);
  },
  { timeout: 180_000 },
);
after(() => elements?.stop());

async function drawn(tag: string, view: object): Promise<Page> {
  const page = await elements.opened(`<main><h1>Test</h1><h2>Part</h2><${tag}></${tag}></main>`);
  await page.evaluate(
    ({ tag, view }) => {
      window.heard = [];
      document.documentElement.lang = "en";
      const element = document.querySelector(tag) as HTMLElement & { view: unknown };
      element.view = view;
      element.addEventListener("hp-way", (event) =>
        window.heard.push((event as CustomEvent).detail),
      );
    },
    { tag, view },
  );
  return page;
}

const LOOP = { code: "LOOP_REPEATED_DIAGNOSTIC", message: "LOOP_REPEATED_DIAGNOSTIC" };
const turn = (id: string, who: string, text: string, state = "done") => ({
  ...{ id, who, text, state, at: 0, since: 0, card: null },
});
const run = {
  ...{ request: "r", thread: "t", seq: 3, lines: [], status: "", model: "m", step: "write" },
  ...{ failed: true, spent: { input_tokens: 1_200, output_tokens: 34, cost_micros: 0 } },
};
const extras = { run, outcome: "failed", error: LOOP, card: null };
const conversation = {
  ...{ state: "ready", problem: null, offline: false, outcome: null, running: null },
  ...{
    examples: [],
    intro: null,
    note: null,
    beside: false,
    live: false,
    clearable: false,
    now: 0,
  },
  turns: [
    turn("a-asked", "you", "Wider"),
    turn("a", "assistant", "", "failed"),
    turn("b-asked", "you", "Wider"),
    turn("b", "assistant", "", "failed"),
  ],
};
const composer = {
  ...{ mode: "edit", modes: [], label: "Request", placeholder: "", draft: "", last: "Wider" },
  ...{ hint: "", off: "", sending: false, since: null, waits: 0, over: null, limit: 100, now: 0 },
};

test("a run that did not deliver says what is kept and what it cost, and the last one how to go on", async () => {
  const view = { conversation, composer, extras: { a: extras, b: extras } };
  const page = await drawn("hp-app-talk", view);
  const failed = page.getByTestId("hp-run-failed");
  assert.equal(await failed.count(), 2);
  const last = failed.last();
  await last.getByRole("heading", { name: "Stopped: it kept giving the same result." }).waitFor();
  await last.getByText("Your request. The draft is as it was.").waitFor();
  await last.getByText("1,234 tokens").waitFor();
  assert.equal(await failed.first().getByRole("button").count(), 0);
  await last.getByRole("button", { name: "Try again" }).click();
  assert.deepEqual(await page.evaluate(() => window.heard), [{ way: "again" }]);
  await last.getByRole("button", { name: "Change the request" }).click();
  assert.equal(await page.getByTestId("hp-ask").inputValue(), "Wider");
  assert.deepEqual(await violations(page), []);
  await page.context().close();
});

const finding = { severity: "error", code: "TS2322", message: "Correct the type.", file: "a.ts" };
const code = {
  ...{ open: null, bytes: null, files: [], edited: ["a.ts"], findings: [], checked: true },
  ...{ saving: false, off: "", gate: "build", next: 3 },
  refused: { error: { code: "BUILDER_COMPILE_FAILED", message: "Fix it." }, findings: [finding] },
};

test("a text that was not saved has findings, also where the page found none", async () => {
  const page = await drawn("hp-code", code);
  await page.getByRole("heading", { name: "Not saved: it does not build" }).waitFor();
  assert.equal(await page.getByText("No findings").count(), 0);
  await page.locator(".statusline").getByText("1 error").waitFor();
  await page.context().close();
});
