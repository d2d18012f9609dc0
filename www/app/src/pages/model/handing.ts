/**
 * What is done with an installed extension as a whole: handed on as one file, taken from one, its permissions reviewed
 * again. Spec: ifc-extension.md §8.
 *
 * Invariant: whatever comes in takes the road of every bundle: check, tests, review, signature.
 */
import type { Checks, Diagnostic, ErrorShape, Files } from "@holdpoint/core/types";
import { t } from "@holdpoint/elements";
import type { Changes } from "./changes.js";
import type { Installed, Live } from "./installed.js";
import { KIND } from "./kind.js";

/** How such a file ends. */
export const ENDING = ".hpx";
/** One byte more than an archive may have: what is longer is refused without being read. */
const MOST_BYTES = 2_621_440 + 1;
/** Bytes that are turned into characters at once. */
const STEP = 0x8000;

interface Opened {
  ok: boolean;
  files?: Files;
  diagnostics: Diagnostic[];
}

interface Ends {
  /** The change column comes to the front. */
  front(): void;
  told(text: string): void;
  refused(error: ErrorShape, name: string): void;
}

export class Handing {
  constructor(
    private readonly checks: Pick<Checks, "call">,
    private readonly installed: Installed,
    private readonly changes: Changes,
    private readonly ends: Ends,
  ) {}

  /** Saves an extension as one file. */
  async pack({ record, manifest, files }: Live): Promise<void> {
    try {
      const asked = { kind: KIND, files };
      const { archive } = await this.checks.call<{ archive: string }>("archive.pack", asked);
      const name = `${record.id}-${record.version}${ENDING}`;
      save(name, archive);
      this.ends.told(t("toast.saved", { file: name }));
    } catch (error) {
      this.ends.refused(error as ErrorShape, manifest.name);
    }
  }

  /** Takes an extension from one file: its review comes to the front. */
  async open(file: File): Promise<void> {
    const name = file.name;
    try {
      const archive = await base64(file.slice(0, MOST_BYTES));
      const opened = await this.checks.call<Opened>("archive.open", { archive });
      const [fault] = opened.diagnostics;
      if (!opened.ok || !opened.files) {
        if (fault) this.ends.refused(fault, name);
        return;
      }
      await this.#bring(name, opened.files);
    } catch (error) {
      this.ends.refused(error as ErrorShape, name);
    }
  }

  /** Its permissions are granted and taken in a review of what it is. */
  async permissions(live: Live): Promise<void> {
    await this.#bring(t("hand.permissions.title", { name: live.manifest.name }), live.files);
  }

  async #bring(title: string, files: Files): Promise<void> {
    const base = this.installed.all.get(claimed(files) ?? "")?.files ?? {};
    this.ends.front();
    await this.changes.bring(title, files, base);
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

async function base64(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  let text = "";
  for (let at = 0; at < bytes.length; at += STEP)
    text += String.fromCharCode(...bytes.subarray(at, at + STEP));
  return btoa(text);
}

function save(name: string, archive: string): void {
  const bytes = Uint8Array.from(atob(archive), (char) => char.charCodeAt(0));
  const url = URL.createObjectURL(new Blob([bytes], { type: "application/zip" }));
  Object.assign(document.createElement("a"), { href: url, download: name }).click();
  URL.revokeObjectURL(url);
}
