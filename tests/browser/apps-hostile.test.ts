// An app that means harm, in the preview and published: it reads nothing of the console, leads nobody away, asks no
// admin route as its visitor, sees nothing of another app, and its words stay words (app-builder.md §7).

import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import type { App, BuilderState, PreviewAddress } from "@holdpoint/core/apps";
import type { FrameLocator, Page } from "playwright-core";
import { browser, edge, stack, withStack } from "./stack.ts";

withStack();

/** A cold build installs its packages first. */
const BUILD_MS = 180_000;
/** What was asked of a host that the app may reach. */
const heard: { url: string; referer: string | undefined; cookie: string | undefined }[] = [];
let elsewhere: Server;
let elsewhereOrigin = "";

before(async () => {
  elsewhere = createServer(({ url = "", headers: { referer, cookie, origin = "*" } }, response) => {
    heard.push({ url, referer, cookie });
    const allowed = { "access-control-allow-origin": origin };
    response
      .writeHead(200, { ...allowed, "access-control-allow-credentials": "true" })
      .end("heard");
  });
  await new Promise<void>((done) => elsewhere.listen(0, "127.0.0.1", done));
  elsewhereOrigin = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
});
after(() => elsewhere.close());

/** The app: each attempt says what came of it, and all that was said stands on its page. */
const hostile = (console: string, other: string) => `import { useEffect, useState } from 'react';

const CONSOLE = ${JSON.stringify(console)};
const ELSEWHERE = ${JSON.stringify(other)};

type Attempt = () => unknown;

const attempts: Record<string, Attempt> = {
  'document of the console': () => parent.document.title,
  'storage of the console': () => parent.localStorage.length,
  'databases of the console': () => parent.indexedDB.databases(),
  'navigation of the console': () => {
    if (top && top !== self) top.location.href = ELSEWHERE + '/taken';
    return 'went';
  },
  'a window of its own': () => (window.open(ELSEWHERE + '/popup') ? 'opened' : 'held'),
  'admin route of the console': async () =>
    (await fetch(CONSOLE + '/admin/apps', { credentials: 'include' })).status,
  'admin route of its own origin': async () => {
    const { status } = await fetch('/admin/apps', { credentials: 'include' });
    return status === 404 ? 'held' : status;
  },
  'console in a frame': () =>
    new Promise((done, failed) => {
      const frame = document.createElement('iframe');
      addEventListener('securitypolicyviolation', () => failed(new Error('policy')));
      frame.onload = () => setTimeout(() => done('loaded'), 500);
      frame.src = CONSOLE + '/apps';
      document.body.append(frame);
    }),
  'script of another host': () =>
    new Promise((done, failed) => {
      const script = document.createElement('script');
      script.onload = () => done('ran');
      script.onerror = () => failed(new Error('policy'));
      script.src = ELSEWHERE + '/script.js';
      document.body.append(script);
    }),
  'text that is compiled': () => (0, eval)('1 + 1'),
  'cookies': () => document.cookie || 'held',
};

/** What has come to nothing after three seconds was held. */
const waited = () => new Promise((done) => setTimeout(() => done('held'), 3_000));

/** Messages of any shape and size to whoever shows this page. */
function flood() {
  const markup = '<img src=x onerror="document.title=1">';
  for (const message of [
    markup,
    null,
    7,
    { holdpoint: 'preview' },
    { holdpoint: 'preview', kind: 'error', message: markup.repeat(30_000), asset: '../../etc/passwd', line: 1e9 },
    { holdpoint: 'preview', kind: 'error', message: { toString: 1 }, line: 'x' },
    { holdpoint: 'preview', kind: 'place', hash: 'javascript:alert(1)' },
    { holdpoint: 'preview', kind: 'picked', tag: markup, text: markup.repeat(30_000), classes: 7 },
  ])
    parent.postMessage(message, '*');
}

export function App() {
  const [told, setTold] = useState('');
  useEffect(() => {
    const all = async () => {
      flood();
      const lines: string[] = [];
      for (const [name, attempt] of Object.entries(attempts)) {
        let said = 'held';
        try {
          said = String(await Promise.race([attempt(), waited()]));
        } catch {
          // What throws was held.
        }
        if (said !== 'held') lines.push(name + ': ' + said);
      }
      // A browser that keeps nothing for pages inside others refuses this in the preview.
      if (parent === self) localStorage.setItem('mark', location.host);
      await fetch(ELSEWHERE + '/from-the-app', { credentials: 'include' });
      setTold(lines.join('; ') || 'nothing');
    };
    void all();
  }, []);
  return <h1 data-told>{told}</h1>;
}

export default App;
`;

const neighbour = `export function App() {
  return <h1 data-told>{localStorage.getItem('mark') ?? 'nothing'}</h1>;
}

export default App;
`;

/** A new app whose page is the text, built. */
async function made(name: string, text: string): Promise<App> {
  const body = { name: `${name} ${crypto.randomUUID().slice(0, 8)}`, template_key: "blank-react" };
  const settings = { save_gate: "check", connect_origins: [elsewhereOrigin] };
  const app = await edge<App>("POST", "/admin/apps", { ...body, settings });
  await edge("POST", `/admin/apps/${app.id}/builder/revisions`, {
    base_revision_id: app.current_draft_revision_id,
    operations: [{ op: "upsert_file", path: "src/App.tsx", content: text }],
  });
  for (;;) {
    const path = `/admin/apps/${app.id}/builder/state`;
    const { current_draft_revision: draft } = await edge<BuilderState>("GET", path);
    if (draft.build_status === "succeeded") return edge<App>("GET", `/admin/apps/${app.id}`);
    assert.notEqual(draft.build_status, "failed", JSON.stringify(draft));
    await new Promise((done) => setTimeout(done, 100));
  }
}

async function opened(app: App): Promise<Page> {
  const context = await browser.newContext({ serviceWorkers: "block" });
  const page = await context.newPage();
  page.setDefaultTimeout(BUILD_MS);
  await page.goto(`${stack.origin}/apps/${app.id}#token=${stack.user_token}`);
  return page;
}

const frame = (page: Page): FrameLocator =>
  page.locator("hp-preview").first().frameLocator('[data-testid="hp-preview-frame"]');

const told = async (page: Page | FrameLocator): Promise<string> => {
  const words = page.locator("[data-told]:not(:empty)");
  await words.waitFor();
  return words.innerText();
};

test("an app in the preview reaches nothing of the console, and its messages stay words", {
  timeout: 600_000,
}, async () => {
  const app = await made("Hostile", hostile(stack.origin, elsewhereOrigin));
  const page = await opened(app);
  const dialogs: string[] = [];
  page.on("dialog", (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  assert.equal(await told(frame(page)), "nothing");
  assert.ok(page.url().startsWith(`${stack.origin}/apps/`), "nobody was led away");
  assert.equal(page.context().pages().length, 1);
  assert.deepEqual(dialogs, []);
  assert.notEqual(await page.title(), "1", "markup of a message did not run");
  const sent = heard.filter(({ url }) => url === "/from-the-app");
  assert.ok(sent.length > 0, "what its settings allow, it reaches");
  for (const { referer, cookie } of heard)
    assert.deepEqual([referer, cookie], [undefined, undefined]);
  const others = heard.filter(({ url }) => url !== "/from-the-app");
  assert.deepEqual(others, []);
  // The page still works: what came is listed, cut, and another part opens.
  await page.getByTestId("hp-front-code").click();
  await page.locator(".cm-content").waitFor();
  await page.context().close();
});

test("an app sees nothing that another one kept", { timeout: 600_000 }, async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  page.setDefaultTimeout(BUILD_MS);
  const said: string[] = [];
  for (const text of [hostile(stack.origin, elsewhereOrigin), neighbour]) {
    const app = await made("Keeps", text);
    const path = `/admin/apps/${app.id}/builder/revisions/${app.current_draft_revision_id}`;
    const { preview_url } = await edge<PreviewAddress>("POST", `${path}/preview-token`);
    await page.goto(preview_url);
    said.push(await told(page));
    said.push(String(await page.evaluate(() => localStorage.length)));
  }
  assert.deepEqual(said.slice(1), ["1", "nothing", "0"]);
  await context.close();
});

test("a published app asks nothing as its visitor", { timeout: 600_000 }, async () => {
  const app = await made("Published", hostile(stack.origin, elsewhereOrigin));
  const { published_url } = await edge<App>("POST", `/admin/apps/${app.id}/publish`, {});
  const context = await browser.newContext();
  // The visitor works with the console in the same browser.
  const own = await context.newPage();
  await own.goto(`${stack.origin}/apps#token=${stack.user_token}`);
  const visitor = await context.newPage();
  await visitor.goto(published_url ?? "");
  // Shown by itself it is its own top: what it does to that is its own page's.
  const said = await told(visitor);
  for (const name of [
    "admin route",
    "console in a frame",
    "script of another",
    "compiled",
    "cookies",
  ])
    assert.ok(!said.includes(name), said);
  await context.close();
});
