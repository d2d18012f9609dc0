// The page of one's own model in a browser, over an edge in memory: what is typed is what is sent, a key is never
// shown, another host asks for its own (UI.md §12 "Your model", ai-sessions.md §8).

import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import { after, before, test } from "node:test";
import type { LlmProfile, LlmProfileBody, LlmProfileTested } from "@holdpoint/core/crew";
import type { Browser, Page } from "playwright-core";
import { sideways, violations } from "./axe.ts";
import { startBrowser } from "./browser.ts";
import { serveGallery } from "./gallery.ts";
import { focusOn } from "./page.ts";
import { type Site, serve } from "./site.ts";

const KEY = "sk-typed-by-a-person-4b7e";

const unset: LlmProfile = {
  provider: "disabled",
  baseUrl: null,
  model: null,
  apiKeyMasked: null,
  apiKeyOrigin: null,
  timeoutSeconds: 60,
  contextWindow: null,
  healthStatus: "unknown",
  lastTestedAt: null,
  savedAt: null,
  effectiveAvailability: { available: false, code: "AI_DISABLED", message: "No model is set up." },
  resolution: { policy: "allow-all", profile: "off", system: "off", systemModel: null },
};
const saved: LlmProfile = {
  ...unset,
  provider: "openai-compatible",
  baseUrl: "https://models.example.com/v1",
  model: "writer-large",
  apiKeyMasked: "sk-***4b7e",
  apiKeyOrigin: "https://models.example.com",
  savedAt: "2026-11-12T09:00:00Z",
  resolution: { ...unset.resolution, profile: "used" },
};

interface Sent {
  method: string;
  path: string;
  body: LlmProfileBody | null;
  language: string | undefined;
}
let site: Site;
let gallery: Awaited<ReturnType<typeof serveGallery>>;
let browser: Browser;
let profile: LlmProfile;
let sent: Sent[];
let refuse: object | null;
let found: LlmProfileTested;

async function read(request: IncomingMessage): Promise<LlmProfileBody | null> {
  let text = "";
  for await (const chunk of request) text += chunk;
  return text === "" ? null : JSON.parse(text);
}

/** The edge: it keeps what is saved, and the mask of a key. */
function keep(body: LlmProfileBody): void {
  const { apiKey, ...rest } = body;
  const kept = apiKey === undefined ? profile.apiKeyMasked : apiKey && `***${apiKey.slice(-4)}`;
  const origin = body.baseUrl ? new URL(body.baseUrl).origin : null;
  profile = {
    ...profile,
    ...(rest as Partial<LlmProfile>),
    apiKeyMasked: kept,
    apiKeyOrigin: kept ? origin : null,
    savedAt: new Date().toISOString(),
    resolution: {
      ...profile.resolution,
      profile: body.provider === "openai-compatible" ? "used" : "ready",
      system: body.provider === "system" ? "used" : "ready",
      systemModel: "Standard",
    },
  };
}

before(
  async () => {
    site = await serve("page", async (path, request, response) => {
      if (!/^\/(gateway|v1|api|users)\//.test(path)) return false;
      const body = await read(request);
      const { method = "", headers } = request;
      const answer = (status: number, value: object) => {
        response.writeHead(status, { "content-type": "application/json" });
        response.end(JSON.stringify(value));
        return true;
      };
      if (!path.startsWith("/users/"))
        return answer(200, { budget: null, state: "ok", today: {}, data: [] });
      sent.push({ method, path, body, language: headers["accept-language"] });
      if (method !== "GET" && refuse) return answer(400, { data: null, error: refuse });
      if (path.endsWith("/test")) {
        if (!body) profile = { ...profile, healthStatus: "failed", lastTestedAt: saved.savedAt };
        return answer(200, { data: found, error: null });
      }
      if (method === "PUT" && body) keep(body);
      return answer(200, { data: profile, error: null });
    });
    gallery = await serveGallery();
    browser = await startBrowser();
  },
  { timeout: 300_000 },
);

after(async () => {
  await browser?.close();
  site?.stop();
  gallery?.stop();
});

async function opened(given: LlmProfile, width = 1440): Promise<Page> {
  profile = given;
  sent = [];
  refuse = null;
  found = {
    ok: true,
    code: "OK",
    message: "The model answered.",
    hints: [],
    latencyMs: 5,
    said: null,
  };
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    reducedMotion: "reduce",
    serviceWorkers: "block",
  });
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  await page.goto(`${site.origin}/crew/profile#token=hp_web`);
  await page.getByRole("heading", { name: "Your model" }).waitFor();
  await page.getByTestId("hp-order").waitFor();
  return page;
}
const last = (): Sent => {
  const [one] = sent.slice(-1);
  if (!one) throw new Error("nothing was sent");
  return one;
};
const puts = () => sent.filter(({ method }) => method === "PUT");

test("a server and its key are entered, saved, and the key is masked from then on", async () => {
  const page = await opened(unset);
  assert.equal(await page.getByTestId("hp-save").isDisabled(), true);
  assert.equal(await page.getByTestId("hp-test").isDisabled(), true, "nothing to test");
  await page.getByLabel("A server that speaks the OpenAI protocol").check();
  await page.getByLabel("Base URL").fill("https://models.example.com/v1");
  await page.getByLabel("Model", { exact: true }).fill("writer-large");
  const key = page.getByLabel("Key", { exact: true });
  assert.equal(await key.getAttribute("type"), "password");
  await key.fill(KEY);
  await page.getByLabel("Context window, tokens").fill("16000");
  await page.getByTestId("hp-save").click();
  await page.getByTestId("hp-key").waitFor();
  assert.deepEqual(last().body, {
    provider: "openai-compatible",
    baseUrl: "https://models.example.com/v1",
    model: "writer-large",
    timeoutSeconds: 60,
    contextWindow: 16_000,
    apiKey: KEY,
  });
  assert.equal(await page.getByTestId("hp-key").innerText(), "***4b7e");
  const kept = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
  assert.ok(!kept.includes("typed-by-a-person"), kept);
  assert.equal(await page.getByTestId("hp-save").isDisabled(), true, "nothing has been edited");
  await page.context().close();
});

test("a key stays unless it is replaced or removed", async () => {
  const page = await opened(saved);
  await page.getByLabel("Model", { exact: true }).fill("writer-small");
  await page.keyboard.press("Enter");
  while (puts().length < 1) await page.waitForTimeout(20);
  const { body } = last();
  assert.deepEqual([body?.model, body && "apiKey" in body], ["writer-small", false]);
  await page.getByText("Nothing has been edited.").waitFor();

  await page.getByTestId("hp-key-remove").click();
  await page.getByText("The stored key goes when you save").waitFor();
  await page.getByTestId("hp-save").click();
  await page.getByText("Leave it empty if the server needs none").waitFor();
  assert.equal(last().body?.apiKey, null);
  await page.context().close();
});

test("another host asks for its own key, and the stored one does not go along", async () => {
  const page = await opened(saved);
  await page.getByLabel("Base URL").fill("https://other.example.com/v1");
  await page.getByText("The stored key belongs to models.example.com and stays there").waitFor();
  assert.equal(await page.getByTestId("hp-key").count(), 0);
  await page.getByLabel("Base URL").fill("https://models.example.com/v2");
  await page.getByTestId("hp-key").waitFor();
  await page.getByLabel("Base URL").fill("https://other.example.com/v1");
  await page.getByLabel("Key", { exact: true }).fill(KEY);
  await page.getByTestId("hp-save").click();
  await page.getByText("It belongs to other.example.com").waitFor();
  assert.equal(last().body?.apiKey, KEY);
  await page.context().close();
});

test("one's own, Holdpoint's and none are three choices, each with a way back", async () => {
  const page = await opened({
    ...saved,
    resolution: { ...saved.resolution, system: "ready", systemModel: "Standard" },
  });
  const own = page.getByLabel("A server that speaks the OpenAI protocol");
  const theirs = page.getByLabel("Holdpoint's model, Standard");
  const none = page.getByLabel("None: no model is called");
  const choose = async (radio: typeof own) => {
    const count = puts().length + 1;
    await radio.check();
    await page.keyboard.press("Control+s");
    while (puts().length < count) await page.waitForTimeout(20);
    await page.getByText("Nothing has been edited.").waitFor();
    assert.equal(await radio.isChecked(), true);
    return last().body;
  };
  const server = { baseUrl: saved.baseUrl, model: saved.model, timeoutSeconds: 60 };
  const order = page.getByTestId("hp-order");
  const [toNone, toTheirs, toOwn] = [
    [none, "disabled"],
    [theirs, "system"],
    [own, "openai-compatible"],
  ] as const;
  const walk = [toNone, toTheirs, toOwn, toTheirs, toNone, toOwn];
  for (const [radio, provider] of walk) {
    const body = await choose(radio);
    assert.deepEqual(body, { provider, ...server, contextWindow: null }, "the server stays");
    if (radio === theirs) await order.getByText("Used for your crew packages.").waitFor();
  }
  assert.equal(await page.getByTestId("hp-key").innerText(), "sk-***4b7e");

  // What is typed for a server does not keep anybody from leaving it.
  await page.getByLabel("Base URL").fill("no address");
  assert.equal((await choose(none))?.baseUrl, saved.baseUrl);
  assert.equal(await page.getByTestId("hp-test").isDisabled(), true);
  await own.check();
  assert.equal(await page.getByLabel("Base URL").inputValue(), "no address", "typed, not lost");
  await page.context().close();
});

test("who chose nothing has chosen Holdpoint's, and where none is offered that is said", async () => {
  const used = { ...unset.resolution, system: "used", systemModel: "Standard" } as const;
  const page = await opened({
    ...unset,
    effectiveAvailability: {
      available: true,
      code: "OK",
      message: "Holdpoint's model is used: Standard.",
    },
    resolution: used,
  });
  assert.equal(await page.getByLabel("Holdpoint's model, Standard").isChecked(), true);
  await page.getByTestId("hp-used").getByText("Holdpoint's model is used: Standard.").waitFor();
  await page.context().close();
  const without = await opened({ ...saved, provider: "disabled" });
  const off = without.getByLabel("Holdpoint's model: not part of this account");
  assert.equal(await off.isDisabled(), true);
  await without.context().close();
});

test("a refusal stands at its field, in words, and what was typed stays", async () => {
  const page = await opened(saved);
  refuse = {
    code: "LLM_PROFILE_INVALID_TIMEOUT",
    message: "Write the seconds to wait as a whole number from 1 to 600.",
    args: { least: 1, most: 600 },
    details: { pointer: "/timeoutSeconds" },
  };
  const field = page.getByLabel("Wait at most, seconds");
  await field.fill("soon");
  await page.getByTestId("hp-save").click();
  await page.getByText("Write the seconds to wait as a whole number from 1 to 600.").waitFor();
  assert.equal(last().body?.timeoutSeconds, "soon", "nothing is mended on the way");
  assert.equal(await field.getAttribute("aria-invalid"), "true");
  assert.equal(await field.inputValue(), "soon");
  await page.context().close();
});

test("a test says what happened, what to try and what was kept; its health is shown", async () => {
  const page = await opened(saved);
  found = {
    ok: false,
    code: "AI_PROVIDER_ERROR",
    message: "The server answered 401. Look at what it said, then try again.",
    hints: ["Replace the key; this one may have been withdrawn."],
    latencyMs: 412,
    said: { status: 401, text: "Incorrect <b>API</b> key" },
  };
  await page.getByTestId("hp-test").click();
  const callout = page.getByTestId("hp-tested");
  await callout.getByRole("heading", { name: "The server did not accept the key" }).waitFor();
  assert.equal(last().method, "GET", "the profile is read again");
  assert.equal(sent.find(({ path }) => path.endsWith("/test"))?.body, null);
  const text = await callout.innerText();
  assert.match(text, /Incorrect <b>API<\/b> key/);
  assert.match(text, /Replace the key/);
  await page.getByTestId("hp-health").getByText("Last test failed").waitFor();
  await page.getByText("Its last test failed. Send stays on; a call may fail.").waitFor();

  assert.match(text, /It answered 401 after 0\.4 s: “Incorrect/);
  await callout.getByTestId("hp-tested-replace").click();
  const field = page.getByLabel("Key", { exact: true });
  await focusOn(field, "the key is typed next");
  await page.getByRole("button", { name: "Keep the stored key" }).click();
  await focusOn(page.getByTestId("hp-key-replace"));
  await page.getByTestId("hp-key-remove").press("Enter");
  await focusOn(field, "the focus is not lost with its button");
  await page.getByRole("button", { name: "Keep the stored key" }).click();

  // What is typed is tried out, and is not saved.
  await page.getByLabel("Model", { exact: true }).fill("other");
  await callout.getByRole("button", { name: "Test again" }).click();
  const tests = () => sent.filter(({ path }) => path.endsWith("/test"));
  while (tests().length < 2) await page.waitForTimeout(20);
  assert.equal(tests()[1]?.body?.model, "other");
  assert.equal(puts().length, 0);
  await page.context().close();
});

test("the page speaks its reader's language to the edge, and the account menu leads here", async () => {
  const page = await opened(saved);
  assert.equal(last().language, "en");
  await page.evaluate(() => history.pushState(null, "", "/elsewhere"));
  await page.getByRole("button", { name: "Account" }).click();
  await page.getByRole("menuitem", { name: "Your model" }).click();
  await page.waitForURL("**/crew/profile");
  await page.context().close();
});

const looks: [number, string, string][] = [
  [1440, "light", "en"],
  [390, "dark", "zh"],
];
for (const [width, theme, lang] of looks) {
  test(`axe has nothing to say of its states at ${width} px, ${theme}, ${lang}`, async (t) => {
    const context = await browser.newContext({
      viewport: { width, height: 844 },
      reducedMotion: "reduce",
    });
    const page = await context.newPage();
    await page.goto(gallery.url("profile-saved", theme, lang));
    await page.waitForFunction(() => window.hpStates);
    const states = await page.evaluate(() => window.hpStates);
    const own = states.filter((state) => state.startsWith("profile-"));
    assert.ok(own.length >= 10);
    for (const state of own) {
      await t.test(state, async () => {
        await gallery.show(page, state, theme, lang);
        assert.deepEqual(await violations(page), []);
        assert.equal(await sideways(page), false, "it scrolls sideways");
      });
    }
    await context.close();
  });
}
