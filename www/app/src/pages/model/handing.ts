/**
 * What is done with an installed extension as a whole: handed on as one file, taken from one, its permissions reviewed
 * again. Spec: ifc-extension.md §8.
 *
 * Invariant: whatever comes in takes the road of every bundle: check, tests, review, signature.
 */

import type { Archives } from "@holdpoint/core/archive";
import type { ErrorShape, Files } from "@holdpoint/core/types";
import { t } from "@holdpoint/elements";
import { download } from "./calls.js";
import { type Brought, bringing } from "./change-lines.js";
import type { Changes } from "./changes.js";
import type { Installed, Live } from "./installed.js";
import { KIND } from "./kind.js";

/** How such a file ends. */
export const ENDING = ".hpx";
/** Bytes that are read of a file: what is longer is none, and the module says so. */
const MOST_BYTES = 2_621_441;

interface Ends {
  /** The change column comes to the front. */
  front(): void;
  told(text: string): void;
  refused(error: ErrorShape, name: string): void;
}

export class Handing {
  constructor(
    /** Loaded when the first file is made or read. */
    private readonly archives: () => Promise<Archives>,
    private readonly installed: Installed,
    private readonly changes: Changes,
    private readonly ends: Ends,
  ) {}

  /** Saves an extension as one file. */
  async pack({ record, manifest, files }: Live): Promise<void> {
    try {
      const file = (await this.archives()).pack(KIND, files);
      const name = `${record.id}-${record.version}${ENDING}`;
      download(name, file);
      this.ends.told(t("toast.saved", { file: name }));
    } catch (error) {
      this.ends.refused(error as ErrorShape, manifest.name);
    }
  }

  /** Whether a file that was picked or dropped is one; then it is read. */
  takes(file: File): boolean {
    if (!file.name.toLowerCase().endsWith(ENDING)) return false;
    void this.open(file);
    return true;
  }

  /** Takes an extension from one file: its review comes to the front. */
  async open(file: File): Promise<void> {
    const name = file.name;
    try {
      const archives = await this.archives();
      const opened = archives.open(new Uint8Array(await file.slice(0, MOST_BYTES).arrayBuffer()));
      const [fault] = opened.diagnostics;
      if (opened.ok) await this.#bring(name, "file", opened.files);
      else if (fault) this.ends.refused(fault, name);
    } catch (error) {
      this.ends.refused(error as ErrorShape, name);
    }
  }

  /** Its permissions are granted and taken in a review of what it is. */
  async permissions(live: Live): Promise<void> {
    const title = t("hand.permissions.title", { name: live.manifest.name });
    await this.#bring(title, "permissions", live.files, live.record.origin);
  }

  async #bring(title: string, how: Brought, files: Files, origin = ""): Promise<void> {
    const base = this.installed.all.get(claimed(files) ?? "")?.files ?? {};
    this.ends.front();
    await this.changes.bring(title, how, bringing(files, origin), base);
  }
}

/** The id that a bundle's manifest names, whether or not it holds. */
function claimed(files: Files): string | null {
  try {
    const { id } = JSON.parse(files["manifest.json"] ?? "") as { id?: unknown };
    return typeof id === "string" ? id : null;
  } catch {
    return null;
  }
}
