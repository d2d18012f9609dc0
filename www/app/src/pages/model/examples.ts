/**
 * The page of examples: what each says of itself, whether it is installed, and its way to the review.
 *
 * Invariant: an example takes the road of every bundle: check, tests, review, signature.
 */
import type { BundleCheck, Checks, ErrorShape, Files, Manifest } from "@holdpoint/core/types";
import type { ExampleLine, ExamplesView } from "@holdpoint/elements";
import { bringing } from "./change-lines.js";
import type { Changes } from "./changes.js";
import type { Installed } from "./installed.js";

/** The address below which the page stands; the browser's way back leaves it. */
const ADDRESS = "#examples";

interface Example {
  files: Files;
  manifest: Manifest;
  check: BundleCheck;
}

/** What the page does when an example is shown or brought. */
interface Ends {
  changed(): void;
  /** The change column comes to the front. */
  front(): void;
  refused(error: ErrorShape): void;
}

/** The address of this page's own that an error of loading names. */
function addressIn(error: unknown): string | null {
  const named = /https?:[^\s?#]+/.exec(String(error))?.[0];
  return named && new URL(named).origin === location.origin ? named : null;
}

export class Examples {
  #all: Example[] | null = null;
  #failed = false;
  /** Where the module of the files is that could not be loaded. */
  #address: string | null = null;
  #tries = 0;

  constructor(
    private readonly checks: Pick<Checks, "check">,
    private readonly installed: Installed,
    private readonly changes: Changes,
    private readonly ends: Ends,
  ) {
    window.addEventListener("hashchange", () => this.#moved());
  }

  get #open(): boolean {
    return location.hash === ADDRESS;
  }

  /** The address of the page may be that of the examples from the start. */
  start(): void {
    if (this.#open) this.#moved();
  }

  /** Opens the page, or loads it again where that failed. */
  show(open: boolean): void {
    if (open && this.#open) this.#moved();
    else if (open) location.hash = ADDRESS;
    else if (this.#open) history.back();
  }

  #moved(): void {
    if (this.#open && !this.#all) void this.#load();
    else this.ends.changed();
  }

  async #load(): Promise<void> {
    this.#failed = false;
    this.ends.changed();
    try {
      const { exampleFiles } = await this.#module();
      this.#all = await Promise.all(exampleFiles().map((files) => this.#checked(files)));
    } catch (error) {
      this.#address = addressIn(error);
      this.#failed = true;
    }
    this.ends.changed();
  }

  /** A browser may keep a module that failed under its address, so it is asked for under another one. */
  #module(): Promise<typeof import("./example-files.js")> {
    if (!this.#address) return import("./example-files.js");
    this.#tries += 1;
    return import(/* @vite-ignore */ `${this.#address}?again=${this.#tries}`);
  }

  async #checked(files: Files): Promise<Example> {
    const check = await this.checks.check(files);
    if (!check.manifest) throw new Error("An example of this build has no manifest.");
    return { files, manifest: check.manifest, check };
  }

  /** Null while another page of the viewer is in front. */
  get view(): ExamplesView | null {
    if (!this.#open) return null;
    return { lines: this.#all?.map((one) => this.#line(one)) ?? null, failed: this.#failed };
  }

  #line({ manifest, check }: Example): ExampleLine {
    const live = this.installed.all.get(manifest.id);
    return {
      id: manifest.id,
      name: manifest.name,
      about: manifest.description,
      kind: kindOf(manifest),
      risk: check.overall_risk,
      permissions: check.capabilities,
      installed: live?.record.version ?? null,
    };
  }

  /** One click: the example stands in the change column, on its way to the review. */
  async review(id: string): Promise<void> {
    const example = this.#all?.find((one) => one.manifest.id === id);
    if (!example) return;
    this.show(false);
    this.ends.front();
    const base = this.installed.all.get(id)?.files ?? {};
    try {
      await this.changes.bring(example.manifest.name, "example", bringing(example.files, ""), base);
    } catch (error) {
      this.ends.refused(error as ErrorShape);
    }
  }
}

/** What is only one of its kinds is that; a panel stands beside most. */
function kindOf({ contributes }: Manifest): ExampleLine["kind"] {
  if (contributes?.lenses?.length) return "lens";
  if (contributes?.idsValidators?.length) return "validator";
  return contributes?.exporters?.length ? "exporter" : "panel";
}
