// The ledger as it is dumped, page by page, and what the program that recomputes it elsewhere says of it.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Edge } from "./workerd.ts";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
/** The command line of the product. */
export const holdpoint = process.env.HOLDPOINT ?? join(root, "target", "debug", "holdpoint");

/** A line of a dump; what its row holds, the table says. */
export interface Line<R = { next: string | null }> {
  table: string;
  row: R;
}

/** All lines of an account's dump. */
export async function dumped(edge: Edge, token: string): Promise<string> {
  let text = "";
  for (let cursor: string | null = ""; cursor !== null; ) {
    const more: string = cursor && `?cursor=${encodeURIComponent(cursor)}`;
    const page: Response = await fetch(`${edge.url}/gateway/v1/dump${more}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    assert.equal(page.status, 200);
    assert.equal(page.headers.get("content-type"), "application/x-ndjson");
    const lines = await page.text();
    text += lines;
    const last: Line = JSON.parse(lines.trimEnd().split("\n").at(-1) ?? "");
    assert.equal(last.table, "page");
    cursor = last.row.next;
  }
  return text;
}

/** What `holdpoint ledger verify` says of a dump, and how it ends. */
export function verified(text: string): { status: number | null; told: string } {
  const dir = mkdtempSync(join(tmpdir(), "holdpoint-ledger-"));
  try {
    const file = join(dir, "ledger.jsonl");
    writeFileSync(file, text);
    const { status, stdout, stderr } = spawnSync(holdpoint, ["ledger", "verify", file]);
    return { status, told: `${stdout}${stderr}` };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
