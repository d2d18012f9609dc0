// The whole product for a browser test: `serve` on a fresh state folder, and a Chromium.

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { after, before } from "node:test";
import type { StoredExtension } from "@holdpoint/core/types";

import type { Browser } from "playwright-core";
import { freePort } from "../ports.ts";
import { startBrowser } from "../web/browser.ts";

/** A cold start builds the Worker and the page. */
const START_MS = 600_000;
const XTASK = process.env.HOLDPOINT_XTASK ?? "target/debug/holdpoint-xtask";

/** What `serve` prints, with what stands in the file that it names, and how it is ended. */
export interface Stack {
  /** The page, which takes the person's key from there. */
  url: string;
  origin: string;
  keys_file: string;
  /** The line itself, and the folder of the state. */
  printed: string;
  state: string;
  user_token: string;
  admin_token: string;
  stop(): Promise<void>;
}

/** The line that `serve` printed, and its keys. */
function told(line: string): Omit<Stack, "stop"> {
  const printed: Pick<Stack, "origin" | "keys_file"> = JSON.parse(line);
  const keys: Pick<Stack, "user_token" | "admin_token"> = JSON.parse(
    readFileSync(printed.keys_file, "utf8"),
  );
  const state = dirname(printed.keys_file);
  const url = `${printed.origin}/#token=${keys.user_token}`;
  return { ...printed, ...keys, url, printed: line, state };
}

/** The stack that already runs (`HOLDPOINT_STACK` is the line that `serve` printed), emptied of what was installed. */
async function runningStack(line: string): Promise<Stack> {
  const stack = told(line);
  const headers = {
    authorization: `Bearer ${stack.user_token}`,
    "content-type": "application/json",
  };
  const listed = await fetch(`${stack.origin}/api/v1/extensions`, { headers });
  const { items } = (await listed.json()) as { items: StoredExtension[] };
  for (const { id, content_hash } of items) {
    await fetch(`${stack.origin}/api/v1/extensions/${id}`, {
      method: "DELETE",
      headers,
      body: JSON.stringify({ base_hash: content_hash }),
    });
  }
  return { ...stack, stop: () => Promise.resolve() };
}

/** Starts the stack; answers what `serve` prints, and `stop`. */
async function startStack(env: Record<string, string> = {}): Promise<Stack> {
  if (process.env.HOLDPOINT_STACK) return runningStack(process.env.HOLDPOINT_STACK);
  const state = mkdtempSync(join(tmpdir(), "holdpoint-"));
  const port = await freePort();
  const root = new URL("../../", import.meta.url);
  const child = spawn(XTASK, ["serve", "--port", String(port), "--state", state], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const line = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill("SIGTERM");
      reject(new Error("serve did not answer"));
    }, START_MS);
    child.on("exit", (code) => reject(new Error(`serve ended with ${code}`)));
    createInterface({ input: child.stdout }).on("line", (text) => {
      if (text.startsWith("{")) {
        clearTimeout(timer);
        resolve(text);
      }
    });
  });
  const stop = () =>
    new Promise<void>((resolve) => {
      child.removeAllListeners("exit");
      child.on("exit", () => {
        rmSync(state, { recursive: true, force: true });
        resolve();
      });
      child.kill("SIGTERM");
    });
  return { ...told(line), stop };
}

/** The stack and the browser of the file that called `withStack`. */
export let stack: Stack;
export let browser: Browser;

/** One stack and one browser for all tests of a file. */
export function withStack(): void {
  before(
    async () => {
      stack = await startStack();
      browser = await startBrowser();
    },
    { timeout: START_MS + 60_000 },
  );
  after(async () => {
    await browser?.close();
    await stack?.stop();
  });
}

/** A request to the edge as the person of the page, or with another token. */
export async function edge<T>(
  method: string,
  path: string,
  body?: object,
  token = stack.user_token,
): Promise<T> {
  const answer = await fetch(stack.origin + path, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const value = (await answer.json()) as T;
  if (!answer.ok) throw new Error(`${method} ${path}: ${JSON.stringify(value)}`);
  return value;
}
