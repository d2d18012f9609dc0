// What tests and the pages that are built for them say to each other, and what tests ask of an element.

import type { SandboxFailure, Store, ViewerEffect } from "@holdpoint/core/types";
import type { AxeResults, RunOptions } from "axe-core";
import type { FakeEdge } from "../../www/app/gallery/fake-edge.ts";
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
    hpTake(name: string, text: string): void;
    /** Of a walk through the script pages: its edge and device in memory, and what runs the page, with the script that is open. */
    hpEdge: FakeEdge;
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

/** In the page: the text that describes an element. */
export const description = (node: Element): string => {
  const id = node.getAttribute("aria-describedby") ?? "";
  return (node.getRootNode() as ShadowRoot).getElementById(id)?.textContent ?? "";
};

/** In the page: what a copy button copies. */
export const copied = (node: Element): string => (node as unknown as { text: string }).text;
