// The page of models over an edge in memory: extensions with their versions, and the account of a run. Engine, sandbox
// and the device's store are the page's own.

import { createHash } from "node:crypto";
import type { Conversation, HistoryEntry, ToldChange } from "@holdpoint/core/types";
import type { Page } from "playwright-core";
import { Edge, listed, Refused, Reply, type Routes } from "./edge.ts";
import { pagesOver } from "./pages.ts";

/** An install, among what the edge was asked. */
export const INSTALL = "POST /api/v1/extensions";

/** What a person signs. */
interface Install {
  files: Record<string, string>;
  origin: string;
  granted: string[];
  base_hash: string | null;
  patch_id: string;
  result_hash: string;
  confirm_token?: string;
  conversation?: Conversation;
}

interface State extends Install {
  version: string;
  sdk: string;
}

/** The states of an extension, and which of them is there; -1 or null: none. */
interface States {
  list: (State | null)[];
  at: number;
  enabled: boolean;
}

/** What somebody installed before, under an SDK of its own. */
export interface Seed {
  files: Record<string, string>;
  sdk: string;
  origin?: string;
}

/** What one person has installed. */
export class ExtensionsEdge extends Edge {
  /** Bodies of installs that were stored, in turn. */
  readonly installs: Install[] = [];
  readonly #installed = new Map<string, States>();
  /** What happened, newest first. */
  readonly history: HistoryEntry[] = [];
  /** What led to each version, newest first. */
  #told: ToldChange[] = [];
  /** The gateway's account of the run. */
  account = {
    ...{ id: "run_1", state: "open", tokens: 500_000, cost: 0, spent_tokens: 0, spent_cost: 0 },
    ...{ left_tokens: 500_000, left_cost: 0, returned_tokens: 0, returned_cost: 0 },
    ...{ in_flight: 0, deadline: 0 },
  };
  protected override readonly routes: Routes = {
    "* /gateway/v1/runs(/.*)?": () => this.account,
    [INSTALL]: ({ body }) => new Reply(201, this.#install(body as unknown as Install)),
    "GET /api/v1/extensions": () =>
      listed([...this.#installed.keys()].flatMap((id) => this.record(id) ?? [])),
    "GET /api/v1/extensions/history": () => listed(this.history),
    "GET /api/v1/extensions/:id": (_, id) => this.#shown(id, this.#states(id)),
    "DELETE /api/v1/extensions/:id": (_, id) => this.#remove(id, this.#states(id)),
    "GET /api/v1/extensions/:id/conversation": (_, id) =>
      this.#states(id) && listed(this.#told.filter((one) => one.signed.extension === id)),
    "POST /api/v1/extensions/:id/:step": (_, id, step) => this.#step(id, step, this.#states(id)),
  };

  /** The idempotency key of each install that came, also of one that was refused. */
  get keys(): unknown[] {
    return this.of(INSTALL).map(({ headers }) => headers["idempotency-key"]);
  }

  #states(id: string): States {
    const states = this.#installed.get(id);
    if (!states) throw new Refused({ status: 404, code: "NOT_FOUND" });
    return states;
  }

  #install(body: Install): object | null {
    this.installs.push(body);
    const { id, version } = JSON.parse(body.files["manifest.json"]);
    const states = this.#installed.get(id) ?? { list: [], at: -1, enabled: true };
    this.#installed.set(id, states);
    states.enabled = true;
    const signed = this.#put(id, states, "install", { ...body, version, sdk: "1.0.0" });
    if (body.conversation) this.#told.unshift({ ...body.conversation, signed });
    return this.record(id);
  }

  /** A state more; it takes the place of those that were taken back. */
  #put(id: string, states: States, cause: string, state: State | null): HistoryEntry {
    states.list = [...states.list.slice(0, states.at + 1), state];
    states.at += 1;
    return this.#note(id, cause, state);
  }

  /** What was said of it goes with it. */
  #remove(id: string, states: States): null {
    this.#put(id, states, "remove", null);
    this.#told = this.#told.filter((one) => one.signed.extension !== id);
    return null;
  }

  #step(id: string, step: string, states: States): object | null {
    if (step === "enable" || step === "disable") states.enabled = step === "enable";
    else {
      states.at += step === "undo" ? -1 : 1;
      this.#note(id, step, states.list[states.at] ?? null);
    }
    return this.record(id);
  }

  /** What an earlier SDK let through is installed. */
  seed(...all: Seed[]): void {
    for (const { files, sdk, origin = "authored" } of all) {
      const { id, version, capabilities: granted } = JSON.parse(files["manifest.json"] ?? "{}");
      const hash = createHash("sha256").update(JSON.stringify(files)).digest("hex");
      const install = { files, origin, granted, base_hash: null, patch_id: "" };
      const state = { ...install, version, sdk, result_hash: `sha256:${hash}` };
      this.#installed.set(id, { list: [state], at: 0, enabled: true });
    }
  }

  #note(id: string, cause: string, after: State | null): HistoryEntry {
    const told = cause === "install" ? after?.conversation : undefined;
    const entry: HistoryEntry = {
      extension: id,
      // What was taken away is named by what stood before.
      name: after
        ? JSON.parse(after.files["manifest.json"] ?? "{}").name
        : (this.history.find((one) => one.extension === id)?.name ?? id),
      granted: after?.granted ?? [],
      number: told?.number ?? null,
      change: told?.change ?? null,
      spent: told?.spent ?? null,
      revision_id: `rev_${this.history.length + 1}`,
      at: Date.now(),
      who: "user:ann",
      cause,
      base_hash: null,
      content_hash: after?.result_hash ?? null,
      ...(after ? { version: after.version } : {}),
    };
    this.history.unshift(entry);
    return entry;
  }

  /** What the project has of an extension. */
  record(id: string): { enabled: boolean; [member: string]: unknown } | null {
    const { list, at, enabled } = this.#installed.get(id) ?? { list: [], at: -1, enabled: false };
    const state = list[at];
    if (!state) return null;
    return {
      id,
      version: state.version,
      content_hash: state.result_hash,
      revision_id: `rev_${at}`,
      granted: state.granted,
      enabled,
      origin: state.origin,
      installed_at: Date.now(),
      sdk_version: state.sdk,
      can_undo: true,
      can_redo: at + 1 < list.length,
    };
  }

  #shown(id: string, { list, at }: States): object | null {
    const record = this.record(id);
    return record && { ...record, files: list[at]?.files };
  }
}

/** For the top of a test file: pages of models with the sample open. */
export const pages = () =>
  pagesOver({ make: () => new ExtensionsEdge(), root: "/", ready: (page) => ready(page) });

/** The rows of the open model are drawn; a narrow page shows them in another pane. */
export const ready = (page: Page): Promise<void> =>
  page.locator("hp-elements [data-row]").nth(3).waitFor({ state: "attached", timeout: 120_000 });

/** Asks in the composer. */
export async function ask(page: Page, text: string): Promise<void> {
  await page.locator("hp-composer textarea").fill(text);
  await page.getByTestId("hp-send").click();
}

/** From the words to the review. */
export async function reviewed(page: Page, text: string): Promise<void> {
  await ask(page, text);
  await approved(page);
}

/** The same for words that something installed was made from. */
export async function reviewedAgain(page: Page, text: string): Promise<void> {
  await ask(page, text);
  await page.getByRole("button", { name: "Make another one" }).click();
  await approved(page);
}

/** Signs what is reviewed; the project has it then. */
export async function signed(page: Page): Promise<void> {
  const stored = page.waitForResponse(
    (answer) => answer.request().method() === "POST" && answer.url().endsWith("/api/v1/extensions"),
  );
  await page.locator('[data-testid="hp-install"]:not([disabled])').click();
  await stored;
  await page.locator("hp-stamp").waitFor();
}

async function approved(page: Page): Promise<void> {
  await page.getByTestId("hp-approve").click();
  await page.getByTestId("hp-install").waitFor({ timeout: 120_000 });
}
