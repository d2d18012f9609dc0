// The page of one's own model in a browser, over an edge in memory: what is typed is what is sent, a key is never
// shown, another host asks for its own (UI.md §12 "Your model", ai-sessions.md §8).

import assert from "node:assert/strict";
import { test } from "node:test";
import type { LlmProfile, LlmProfileBody } from "@holdpoint/core/crew";
import { during } from "../during.ts";
import { sideways, violations } from "./axe.ts";
import type { Asked } from "./edge/edge.ts";
import { pagesOver } from "./edge/pages.ts";
import { ProfileEdge, SAVE, TEST, unset } from "./edge/profile.ts";
import { openGallery } from "./gallery.ts";
import { focusOn } from "./page.ts";

const KEY = "sk-typed-by-a-person-4b7e";

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

const { opened: openedOver, closed } = pagesOver({
  make: () => new ProfileEdge(),
  root: "/crew/profile",
  ready: async (page) => {
    await page.getByRole("heading", { name: "Your model" }).waitFor();
    await page.getByTestId("hp-order").waitFor();
  },
});
const opened = (profile: LlmProfile) =>
  openedOver({ given: (edge) => void Object.assign(edge, { profile }) });

/** What was asked of the profile last. */
function last(edge: ProfileEdge): Asked<LlmProfileBody> {
  const one = edge.asked.findLast(({ path }) => path.startsWith("/users/"));
  if (!one) throw new Error("nothing was sent");
  return one as unknown as Asked<LlmProfileBody>;
}

const gallery = await during(openGallery());

test("a server and its key are entered, saved, and the key is masked from then on", async () => {
  const { page, edge } = await opened(unset);
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
  assert.deepEqual(last(edge).body, {
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
  await closed(page);
});

test("a key stays unless it is replaced or removed", async () => {
  const { page, edge } = await opened(saved);
  await page.getByLabel("Model", { exact: true }).fill("writer-small");
  await page.keyboard.press("Enter");
  await edge.until(SAVE);
  const { body } = last(edge);
  assert.deepEqual([body?.model, body && "apiKey" in body], ["writer-small", false]);
  await page.getByText("Nothing has been edited.").waitFor();

  await page.getByTestId("hp-key-remove").click();
  await page.getByText("The stored key goes when you save").waitFor();
  await page.getByTestId("hp-save").click();
  await page.getByText("Leave it empty if the server needs none").waitFor();
  assert.equal(last(edge).body?.apiKey, null);
  await closed(page);
});

test("another host asks for its own key, and the stored one does not go along", async () => {
  const { page, edge } = await opened(saved);
  await page.getByLabel("Base URL").fill("https://other.example.com/v1");
  await page.getByText("The stored key belongs to models.example.com and stays there").waitFor();
  assert.equal(await page.getByTestId("hp-key").count(), 0);
  await page.getByLabel("Base URL").fill("https://models.example.com/v2");
  await page.getByTestId("hp-key").waitFor();
  await page.getByLabel("Base URL").fill("https://other.example.com/v1");
  await page.getByLabel("Key", { exact: true }).fill(KEY);
  await page.getByTestId("hp-save").click();
  await page.getByText("It belongs to other.example.com").waitFor();
  assert.equal(last(edge).body?.apiKey, KEY);
  await closed(page);
});

test("one's own, Holdpoint's and none are three choices, each with a way back", async () => {
  const { page, edge } = await opened({
    ...saved,
    resolution: { ...saved.resolution, system: "ready", systemModel: "Standard" },
  });
  const own = page.getByLabel("A server that speaks the OpenAI protocol");
  const theirs = page.getByLabel("Holdpoint's model, Standard");
  const none = page.getByLabel("None: no model is called");
  const choose = async (radio: typeof own) => {
    const count = edge.of(SAVE).length + 1;
    await radio.check();
    await page.keyboard.press("Control+s");
    await edge.until(SAVE, count);
    await page.getByText("Nothing has been edited.").waitFor();
    assert.equal(await radio.isChecked(), true);
    return last(edge).body;
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
  await closed(page);
});

test("who chose nothing has chosen Holdpoint's, and where none is offered that is said", async () => {
  const used = { ...unset.resolution, system: "used", systemModel: "Standard" } as const;
  const { page } = await opened({
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
  await closed(page);
  const { page: without } = await opened({ ...saved, provider: "disabled" });
  const off = without.getByLabel("Holdpoint's model: not part of this account");
  assert.equal(await off.isDisabled(), true);
  await closed(without);
});

test("a refusal stands at its field, in words, and what was typed stays", async () => {
  const { page, edge } = await opened(saved);
  edge.faults.set(SAVE, [
    {
      status: 400,
      code: "LLM_PROFILE_INVALID_TIMEOUT",
      message: "Write the seconds to wait as a whole number from 1 to 600.",
      args: { least: 1, most: 600 },
      details: { pointer: "/timeoutSeconds" },
    },
  ]);
  const field = page.getByLabel("Wait at most, seconds");
  await field.fill("soon");
  await page.getByTestId("hp-save").click();
  await page.getByText("Write the seconds to wait as a whole number from 1 to 600.").waitFor();
  assert.equal(last(edge).body?.timeoutSeconds, "soon", "nothing is mended on the way");
  assert.equal(await field.getAttribute("aria-invalid"), "true");
  assert.equal(await field.inputValue(), "soon");
  await closed(page);
});

test("a test says what happened, what to try and what was kept; its health is shown", async () => {
  const { page, edge } = await opened(saved);
  edge.found = {
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
  assert.equal(last(edge).method, "GET", "the profile is read again");
  assert.equal(edge.of(TEST)[0]?.body, null);
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
  assert.equal((await edge.until(TEST, 2)).body.model, "other");
  assert.equal(edge.of(SAVE).length, 0);
  await closed(page);
});

test("the page speaks its reader's language to the edge, and the account menu leads here", async () => {
  const { page, edge } = await opened(saved);
  assert.equal(last(edge).headers["accept-language"], "en");
  await page.evaluate(() => history.pushState(null, "", "/elsewhere"));
  await page.getByRole("button", { name: "Account" }).click();
  await page.getByRole("menuitem", { name: "Your model" }).click();
  await page.waitForURL("**/crew/profile");
  await closed(page);
});

const looks: [number, string, string][] = [
  [1440, "light", "en"],
  [390, "dark", "zh"],
];
for (const [width, theme, lang] of looks) {
  test(`axe has nothing to say of its states at ${width} px, ${theme}, ${lang}`, async (t) => {
    const page = await gallery.opened("profile-saved", { width, theme, lang });
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
    await page.context().close();
  });
}
