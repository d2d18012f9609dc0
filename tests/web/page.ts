// What tests and the pages that are built for them say to each other, and what tests ask of an element.

import assert from "node:assert/strict";
import type { mesh as Mesh } from "@holdpoint/core/geometry";
import type { ModelClient, SandboxFailure, Store, ViewerEffect } from "@holdpoint/core/types";
import type { AxeResults, RunOptions } from "axe-core";
import type { Locator, Page } from "playwright-core";
import type { ScriptsApp } from "../../www/app/src/pages/scripts/app.ts";
import type { ScriptTool } from "../../www/app/src/pages/scripts/tool.ts";

declare global {
  interface Window {
    /**
     * Of the gallery: names of all states, how one is shown, the next state and the language of the page that is there.
     */
    hpStates: string[];
    hpShow(state: string, theme: string, lang: string): Promise<void>;
    hpGo(state: string): void;
    hpSpeak(lang: string): void;
    /** Of a walk: how the next call of its extension fails. */
    hpFails: SandboxFailure | null;
    /** Of a walk: what the next call of its extension does to the viewer. */
    hpViewer: ViewerEffect[];
    /** Of a walk: opens a file. */
    hpTake(name: string, text: string | Blob, beside?: boolean): void;
    /** Of a walk without a page: what reads models. */
    hpModels: { createModelClient(): ModelClient; mesh: typeof Mesh };
    /** Of a walk through the script pages: its device in memory, what runs the page, and the open script. */
    hpStore: Store;
    hpApp: ScriptsApp & { readonly tool: ScriptTool };
    axe: { run(context: Document, options: RunOptions): Promise<AxeResults> };
    /** What a test heard of the page; a function of the test that the page may call. */
    heard: unknown[];
    told(): void;
  }
}

/** In the page: whether an element has the focus, in its own shadow root. */
export const hasFocus = (node: Element): boolean =>
  (node.getRootNode() as ShadowRoot).activeElement === node;

/** So long a slow machine may take for what is certain to come, in ms, and so often it is looked. */
const COMES_MS = 30_000;
const LOOKS_MS = 25;

/** Waits until something is as it is wanted; what it is then, or was last. */
export async function becomes<T>(
  ask: () => T | Promise<T>,
  wanted: (value: T) => boolean,
): Promise<T> {
  const end = Date.now() + COMES_MS;
  for (;;) {
    const value = await ask();
    if (wanted(value) || Date.now() > end) return value;
    await new Promise((resolve) => setTimeout(resolve, LOOKS_MS));
  }
}

/** Waits until an element has the focus. */
export async function focusOn(at: Locator, why = "it has the focus"): Promise<void> {
  assert.equal(await becomes(() => at.evaluate(hasFocus), Boolean), true, why);
}

/** What has the focus, as it is called: test id, node, label or text. */
export const focusedName = (page: Page): Promise<string> =>
  page.evaluate(() => {
    let at: Element | null = document.activeElement;
    while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
    const own = at as HTMLInputElement | null;
    const label = own?.labels?.[0]?.innerText ?? "";
    const names = [own?.dataset.testid, own?.dataset.node && `node ${own.dataset.node}`];
    return [...names, own?.getAttribute("aria-label"), label, own?.innerText]
      .map((one) => one?.trim().replace(/\s+/g, " "))
      .filter(Boolean)
      .join(" | ");
  });

/** So often Tab is pressed on the way to something. */
const MAX_TABS = 120;

/** Waits until the focus is on what is called so. */
export async function arrives(page: Page, what: RegExp, why: string): Promise<void> {
  assert.match(
    await becomes(
      () => focusedName(page),
      (at) => what.test(at),
    ),
    what,
    why,
  );
}

export async function tabTo(page: Page, what: RegExp, key = "Tab"): Promise<void> {
  const seen: string[] = [];
  for (let n = 0; n < MAX_TABS; n += 1) {
    const at = await focusedName(page);
    if (what.test(at)) return;
    seen.push(at);
    await page.keyboard.press(key);
  }
  assert.fail(`${what} is not reached: ${[...new Set(seen)].join("; ")}`);
}

export async function typed(page: Page, what: RegExp, text: string): Promise<void> {
  await tabTo(page, what);
  await page.keyboard.press("Control+A");
  await page.keyboard.type(text);
}

/** Enter on something, after Tab led to it. */
export async function press(page: Page, what: RegExp, key = "Enter"): Promise<void> {
  await tabTo(page, what);
  await page.keyboard.press(key);
}

/** The graph of a workflow stands where it fits, which it does once it has a size. */
export const fitted = (page: Page): Promise<void> =>
  page
    .locator('hp-crew-graph .stage:not([style*="translate(0px,0px)"])')
    .waitFor({ state: "attached" });

/** Waits until what somebody wrote is among the drafts that the device keeps, which it is a moment later. */
export async function drafted(page: Page, words: string): Promise<void> {
  const kept = (): Promise<string> =>
    page.evaluate(async () => {
      const done = <T>(request: IDBRequest<T>): Promise<T> =>
        new Promise((resolve, reject) => {
          request.onsuccess = () => resolve(request.result);
          request.onerror = () => reject(request.error);
        });
      const all: unknown[] = [];
      for (const { name = "" } of await indexedDB.databases()) {
        const base = await done(indexedDB.open(name));
        all.push(await done(base.transaction("drafts").objectStore("drafts").getAll()));
        base.close();
      }
      return JSON.stringify(all);
    });
  const all = await becomes(kept, (drafts) => drafts.includes(words));
  assert.ok(all.includes(words), `${words} is not kept: ${all}`);
}

/** In the page: the text that describes an element. */
export const description = (node: Element): string => {
  const id = node.getAttribute("aria-describedby") ?? "";
  return (node.getRootNode() as ShadowRoot).getElementById(id)?.textContent ?? "";
};

/** In the page: what a copy button copies. */
export const copied = (node: Element): string => (node as unknown as { text: string }).text;
