// Elements of the pages of apps in a browser: the picker of files, pointing at an element of a preview over the bridge
// that the edge serves, errors with their ticks, and what is asked once more before an app goes.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { during } from "../during.ts";
import { violations } from "./axe.ts";
import { previews } from "./edge/apps.ts";
import { openElements } from "./elements.ts";
import { focusOn } from "./page.ts";

const { origin } = await during(previews());
const elements = await during(
  openElements(["talk/composer.ts", "apps/preview.ts", "apps/settings.ts", "diff/diff.ts"]),
);

/** An element with its view, which says what it emits. */
async function drawn(tag: string, view: object, events: string[], width = 900): Promise<Page> {
  const page = await elements.opened(
    `<main><h1>Test</h1><h2>Part</h2><${tag}></${tag}></main>`,
    width,
  );
  await page.evaluate(
    ({ tag, view, events }) => {
      window.heard = [];
      document.documentElement.lang = "en";
      const element = document.querySelector(tag) as HTMLElement & { view: unknown };
      element.view = view;
      for (const name of events)
        element.addEventListener(name, (event) =>
          window.heard.push([name, (event as CustomEvent).detail]),
        );
    },
    { tag, view, events },
  );
  return page;
}

const heard = (page: Page): Promise<unknown[]> => page.evaluate(() => window.heard.splice(0));
const change = (page: Page, tag: string, more: object): Promise<void> =>
  page.evaluate(
    ({ tag, more }) => {
      const element = document.querySelector(tag) as HTMLElement & { view: object };
      element.view = { ...element.view, ...more };
    },
    { tag, more },
  );

const composer = {
  ...{ mode: "edit", modes: ["edit", "plan", "answer"], label: "Request", placeholder: "" },
  ...{ draft: "", last: "", hint: "", off: "", sending: false, since: null, waits: 0, over: null },
  ...{ limit: 20_000, now: 0, several: [], tokens: [], queued: null },
  files: ["src/App.tsx", "src/components/SnagTable.tsx", "src/data/snags.ts"],
};

test("@ opens the files that fit: arrows choose, Enter names one, Esc leaves; only then Enter asks", async () => {
  const page = await drawn("hp-composer", composer, ["hp-ask", "hp-stop"]);
  const field = page.getByTestId("hp-ask");
  await field.click();
  await page.keyboard.type("Sort @sna");
  assert.equal(await page.getByTestId("hp-mention").count(), 2);
  assert.equal(await field.getAttribute("aria-activedescendant"), "m-0");
  assert.deepEqual(await violations(page), []);
  await page.keyboard.press("ArrowDown");
  assert.equal(await page.locator('[aria-selected="true"] .mono').innerText(), "snags.ts");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  assert.equal(await field.inputValue(), "Sort @src/components/SnagTable.tsx ");
  assert.deepEqual(await heard(page), [], "Enter chose, and asked nothing");
  await page.keyboard.type("and @app");
  await page.getByTestId("hp-mention").click();
  assert.equal(await field.inputValue(), "Sort @src/components/SnagTable.tsx and @src/App.tsx ");
  await page.keyboard.type("@s");
  await page.keyboard.press("Escape");
  assert.equal(await page.getByTestId("hp-mentions").count(), 0);
  await page.keyboard.type("n");
  assert.equal(await page.getByTestId("hp-mentions").count(), 0, "it stays away for this name");
  await page.keyboard.press("Enter");
  const [asked] = (await heard(page)) as [string, { text: string }][];
  assert.match(asked?.[1].text ?? "", /@sn$/);
  await page.context().close();
});

test("a name that fits several files, and an element in several, keep Ask off until they are decided", async () => {
  const page = await drawn("hp-composer", composer, [
    "hp-mention",
    "hp-along-place",
    "hp-along-out",
  ]);
  await page.getByTestId("hp-ask").fill("Fix @due");
  await change(page, "hp-composer", {
    several: [{ raw: "@due", candidates: ["src/due.ts", "src/due.test.ts"] }],
  });
  assert.equal(await page.getByTestId("hp-send").isDisabled(), true);
  await page.getByTestId("hp-ambiguous").getByText("src/due.test.ts").click();
  assert.deepEqual(await heard(page), [["hp-mention", { raw: "@due", path: "src/due.test.ts" }]]);
  const token = {
    id: "t1",
    mark: "pick",
    label: '"Add"',
    places: ["a.tsx:1", "b.tsx:2"],
    at: null,
  };
  await change(page, "hp-composer", { several: [], tokens: [token] });
  assert.equal(await page.getByTestId("hp-send").isDisabled(), true);
  assert.deepEqual(await violations(page), []);
  await page.getByTestId("hp-which").selectOption("1");
  assert.deepEqual(await heard(page), [["hp-along-place", { id: "t1", at: 1 }]]);
  await change(page, "hp-composer", { tokens: [{ ...token, at: 1 }] });
  assert.equal(await page.getByTestId("hp-send").isDisabled(), false);
  await page.getByTestId("hp-picked").getByRole("button").click();
  assert.deepEqual(await heard(page), [["hp-along-out", { id: "t1" }]]);
  await page.context().close();
});

test("while a run goes on the next request can wait, and be taken back", async () => {
  const running = { ...composer, since: 1, now: 2 };
  const page = await drawn("hp-composer", running, ["hp-ask", "hp-queue", "hp-unqueue"]);
  assert.equal(await page.getByTestId("hp-queue").isDisabled(), true, "nothing to wait");
  await page.getByTestId("hp-ask").fill("And then this");
  await page.getByTestId("hp-queue").click();
  assert.deepEqual(await heard(page), [["hp-queue", { text: "And then this" }]]);
  await change(page, "hp-composer", { queued: "And then this" });
  assert.equal(await page.getByTestId("hp-queue").count(), 0, "one waits");
  await page.getByTestId("hp-queued").getByRole("button").click();
  assert.deepEqual(await heard(page), [["hp-unqueue", null]]);
  await page.context().close();
});

const preview = () => ({
  ...{ address: `${origin}/`, shown: "rev_1", state: "ready", number: 1, draft: 1, problem: null },
  ...{ print: "", device: "full", route: "#/", errors: [], picking: false, undo: null },
  storage: true,
});
const frameOf = (page: Page) => page.frameLocator('[data-testid="hp-preview-frame"]');

test("an element that is clicked while somebody chooses is told with its words, and does nothing", async () => {
  const page = await drawn("hp-preview", preview(), ["hp-picking", "hp-pick"]);
  await frameOf(page).getByRole("button").waitFor();
  await page.getByTestId("hp-select-element").click();
  assert.deepEqual(await heard(page), [["hp-picking", { on: true }]]);
  await frameOf(page).getByRole("button").click();
  assert.deepEqual(await heard(page), [], "nobody chooses yet");
  await change(page, "hp-preview", { picking: true });
  await frameOf(page).locator("html[style*=crosshair]").waitFor({ state: "attached" });
  await frameOf(page).getByRole("button").click();
  await page.waitForFunction(() => window.heard.length > 0);
  assert.deepEqual(await heard(page), [
    ["hp-pick", { tag: "button", text: "Add snag", classes: "" }],
  ]);
  await page.getByTestId("hp-select-element").focus();
  await page.keyboard.press("Escape");
  assert.deepEqual(await heard(page), [["hp-picking", { on: false }]]);
  await change(page, "hp-preview", { picking: false });
  await page.keyboard.press("Escape");
  assert.deepEqual(await heard(page), []);
  await page.context().close();
});

test("Esc pressed inside the app ends choosing, and the app hears nothing of it", async () => {
  const page = await drawn("hp-preview", { ...preview(), picking: true }, [
    "hp-picking",
    "hp-pick",
  ]);
  await frameOf(page).locator("html[style*=crosshair]").waitFor({ state: "attached" });
  const inFrame = page.frames()[1];
  assert.ok(inFrame);
  await inFrame.evaluate(() => {
    window.heard = [];
    addEventListener("keydown", ({ key }) => window.heard.push(key));
  });
  await frameOf(page).getByRole("button").focus();
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => window.heard.length > 0);
  assert.deepEqual(await heard(page), [["hp-picking", { on: false }]]);
  assert.equal(await frameOf(page).locator("html[style*=crosshair]").count(), 0);
  await change(page, "hp-preview", { picking: false });
  await page.keyboard.press("Escape");
  assert.deepEqual(await inFrame.evaluate(() => window.heard), ["Escape"], "then it is the app's");
  assert.deepEqual(await heard(page), []);
  await page.context().close();
});

test("a frame for which the browser keeps nothing says so, and what to do, until it was read", async () => {
  const unkept = { ...preview(), address: `${origin}/unkept` };
  const page = await drawn("hp-preview", unkept, ["hp-no-storage", "hp-storage-seen"], 390);
  await page.waitForFunction(() => window.heard.length > 0);
  assert.deepEqual(await heard(page), [["hp-no-storage", null]]);
  await change(page, "hp-preview", { storage: false });
  const said = page.getByTestId("hp-no-storage");
  assert.equal(await said.getByRole("link").getAttribute("href"), `${origin}/unkept`);
  assert.deepEqual(await violations(page), []);
  await page.getByTestId("hp-storage-seen").click();
  assert.deepEqual(await heard(page), [["hp-storage-seen", null]]);
  await change(page, "hp-preview", { storage: true });
  await said.waitFor({ state: "detached" });
  await page.context().close();
});

test("what another window or origin tells is not heard; a megabyte of markup is 200 characters of text", async () => {
  const page = await drawn("hp-preview", { ...preview(), picking: true }, [
    "hp-pick",
    "hp-runtime-error",
  ]);
  await frameOf(page).getByRole("button").waitFor();
  const picked = { holdpoint: "preview", kind: "picked", tag: "p", text: "Not this", classes: "" };
  await page.evaluate((message) => window.postMessage(message, "*"), picked);
  const markup = '<img src=x onerror="alert(1)">'.repeat(40_000);
  const inFrame = page.frames()[1];
  assert.ok(inFrame);
  await inFrame.evaluate(
    ({ picked, markup }) => {
      const more = { ...picked, text: markup, classes: markup, tag: markup };
      parent.postMessage(more, "*");
      parent.postMessage(
        { holdpoint: "preview", kind: "error", message: markup, asset: markup },
        "*",
      );
    },
    { picked, markup },
  );
  await page.waitForFunction(() => window.heard.length > 1);
  const all = (await heard(page)) as [string, Record<string, string>][];
  assert.deepEqual(
    all.map(([name]) => name),
    ["hp-pick", "hp-runtime-error"],
  );
  for (const name of ["tag", "text", "classes"]) assert.equal(all[0]?.[1][name]?.length, 200);
  assert.ok((all[1]?.[1].message ?? "").length <= 300);
  // A frame that went to another origin is the same window, and is not the app.
  const other = origin.replace("127.0.0.1", "localhost");
  await inFrame.evaluate((address) => location.replace(address), `${other}/other`);
  await frameOf(page).getByText("Another page").waitFor();
  await page.frames()[1]?.evaluate((message) => parent.postMessage(message, "*"), picked);
  await page.waitForTimeout(100);
  assert.deepEqual(await heard(page), []);
  await page.context().close();
});

test("errors of a preview have ticks and places; the ticked ones go into the request", async () => {
  const errors = [
    {
      message: "<b>due</b> of undefined",
      asset: `${origin}/assets/index-1.js`,
      line: 17,
      column: 4,
      count: 3,
    },
    { message: "Refused", asset: "", line: 0, column: 0, count: 1 },
    {
      ...{ message: "Not a function", asset: "assets/index-1.js", line: 18, column: 4, count: 1 },
      source: { path: "src/App.tsx", line: 12 },
    },
  ];
  const undo = { on: true, reason: "" };
  const page = await drawn(
    "hp-preview",
    { ...preview(), errors, undo },
    ["hp-ask-errors", "hp-step", "hp-open-source"],
    390,
  );
  const list = page.getByTestId("hp-runtime-errors");
  assert.equal(await list.locator("b").count(), 0, "text, not markup");
  await list.getByText("index-1.js:17").waitFor();
  await page.getByTestId("hp-error-item").nth(1).getByRole("checkbox").uncheck();
  await page.getByTestId("hp-ask-errors").click();
  assert.deepEqual(await heard(page), [["hp-ask-errors", { errors: [errors[0], errors[2]] }]]);
  await list.getByRole("button", { name: "src/App.tsx:12" }).click();
  const at = { line: 12, column: 1 };
  const range = { start: at, end: at };
  assert.deepEqual(await heard(page), [["hp-open-source", { path: "src/App.tsx", range }]]);
  await page.getByTestId("hp-error-item").nth(2).getByRole("checkbox").uncheck();
  await page.getByTestId("hp-error-item").nth(0).getByRole("checkbox").uncheck();
  assert.equal(await page.getByTestId("hp-ask-errors").isDisabled(), true);
  await list.getByText("Undo the last version, free").click();
  assert.deepEqual(await heard(page), [["hp-step", { step: "undo" }]]);
  assert.deepEqual(await violations(page), []);
  await page.context().close();
});

test("a place of a change can be asked for again or explained, a file explained", async () => {
  const line = { kind: "insert", text: "b", eol: "lf" };
  const hunk = { id: "h1", old_start: 1, old_count: 0, new_start: 1, new_count: 1, lines: [line] };
  const file = {
    path: "src/a.ts",
    before: "",
    status: "modified",
    diff: { hunks: [hunk], stats: { added: 1, deleted: 0 } },
  };
  const page = await drawn("hp-diff", {}, ["hp-redo-part", "hp-explain"]);
  await page.evaluate((file) => {
    const diff = document.querySelector("hp-diff");
    if (diff) Object.assign(diff, { files: [file], asks: "redo", taken: {} });
  }, file);
  await page.getByTestId("hp-redo-part").click();
  await page.getByTestId("hp-explain").nth(1).click();
  await page.getByTestId("hp-explain").nth(0).click();
  const path = "src/a.ts";
  assert.deepEqual(await heard(page), [
    ["hp-redo-part", { path, id: "h1" }],
    ["hp-explain", { path, id: "h1" }],
    ["hp-explain", { path, id: null }],
  ]);
  await page.evaluate(() => {
    const diff = document.querySelector("hp-diff");
    if (diff) diff.asks = "";
  });
  await page.getByTestId("hp-redo-part").waitFor({ state: "detached" });
  assert.equal(await page.getByTestId("hp-explain").count(), 0);
  await page.context().close();
});

const settings = {
  ...{ name: "Snag list", saved: "Snag list", slug: "snag-list", policy: "curated", gate: "build" },
  ...{ tests: false, origins: ["nowhere"], env: [{ name: "VITE_MAIL_KEY", value: "q7Zt" }] },
  errors: {
    "env/0": "It looks like a secret.",
    "origins/0": "Send an origin.",
    slug: "It is taken.",
  },
  ...{ published: false, archived: false, changed: true, busy: false, off: "", draft: 3 },
  foot: {
    state: "plain",
    reason: "",
    main: { id: "save-settings", label: "Save", look: "primary", testid: "hp-save-settings" },
  },
};

test("settings are told as they are typed, with each fault at its field", async () => {
  const page = await drawn("hp-app-settings", settings, ["hp-setting", "hp-save-settings"], 390);
  await page.getByTestId("hp-env-row").getByText("It looks like a secret.").waitFor();
  const slug = page.getByTestId("hp-app-slug");
  assert.equal(await slug.getAttribute("aria-invalid"), "true");
  await slug.fill("snags");
  await page.getByTestId("hp-env-add").click();
  await page.getByTestId("hp-publish-tests").check();
  await page.getByTestId("hp-policy").selectOption("registry-pinned");
  await page.getByTestId("hp-save-settings").click();
  assert.deepEqual(await heard(page), [
    ["hp-setting", { slug: "snags" }],
    ["hp-setting", { env: [...settings.env, { name: "", value: "" }] }],
    ["hp-setting", { tests: true }],
    ["hp-setting", { policy: "registry-pinned" }],
    ["hp-save-settings", null],
  ]);
  assert.deepEqual(await violations(page), []);
  await page.context().close();
});

test("an app is deleted only once it was asked again; Esc and Keep delete nothing", async () => {
  const page = await drawn("hp-app-settings", settings, ["hp-delete", "hp-archive"]);
  for (const leave of [
    () => page.keyboard.press("Escape"),
    () => page.getByTestId("hp-end-not").click(),
  ]) {
    await page.getByTestId("hp-delete").click();
    await page.getByTestId("hp-end").getByText("Delete Snag list?").waitFor();
    await focusOn(page.getByTestId("hp-end-not"), "the way back has the focus");
    await leave();
    await page.getByTestId("hp-end").waitFor({ state: "detached" });
  }
  assert.deepEqual(await heard(page), []);
  await page.getByTestId("hp-delete").click();
  assert.deepEqual(await violations(page), []);
  await page.getByTestId("hp-end-do").click();
  await page.getByTestId("hp-archive").click();
  await page.getByTestId("hp-end-do").click();
  assert.deepEqual(await heard(page), [
    ["hp-delete", null],
    ["hp-archive", { archive: true }],
  ]);
  await change(page, "hp-app-settings", { published: true });
  await page.locator('[data-testid="hp-archive"][disabled]').waitFor();
  await page.context().close();
});
