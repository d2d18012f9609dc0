/**
 * The versions that a run keeps: what differs between them, the two that stand side by side, and going back to one.
 *
 * Invariant: while a choice is on its way to the run, nothing is signed.
 */
import type {
  BundleCheck,
  Checks,
  Core,
  FileDiff,
  Files,
  HumanEvent,
  Manifest,
  RunView,
  VersionView,
} from "@holdpoint/core/types";
import type { Asked, VersionFacts } from "@holdpoint/elements/change/versions-view";
import { Answers } from "./answers.js";
import { fingerprinted } from "./grants.js";
import type { Tryable } from "./trial.js";

interface Run {
  readonly view: RunView;
  readonly signing: { since(next: string[]): { taken: string[] } };
  send(event: HumanEvent): Promise<void>;
}

interface Around {
  core: Pick<Core, "diff" | "call">;
  checks: Pick<Checks, "check" | "review">;
  changed(): void;
}

type Diffs = Readonly<Record<string, FileDiff[]>>;
const NONE: Diffs = {};

export class Versions {
  choosing = false;
  /** Of the versions with these hashes. */
  #known = "";
  #diffs = NONE;
  /** The content hash of the version that a person has beside the one that is shown. */
  #picked = "";
  readonly #asks = new Map<string, Asked[]>();
  readonly #checked: Answers<BundleCheck>;
  readonly #missing: Answers<string[]>;
  readonly #printed: Answers<string>;

  constructor(
    private readonly run: Run,
    private readonly around: Around,
  ) {
    const { changed } = around;
    this.#checked = new Answers(changed);
    this.#missing = new Answers(changed);
    this.#printed = new Answers(changed);
  }

  get facts(): Omit<VersionFacts, "trials" | "spent"> {
    return { diffs: this.diffs, asked: this.#asked(), beside: this.beside?.result_hash ?? null };
  }

  /** What each asks for, where there are several to compare. */
  #asked(): VersionFacts["asked"] {
    const { state, versions } = this.run.view;
    if (state !== "review" || versions.length < 2) return {};
    for (const { result_hash: hash, files } of versions)
      if (!this.#asks.has(hash)) this.#asks.set(hash, asked(files, this.around.core));
    return Object.fromEntries(this.#asks);
  }

  /** Of each other version, by its content hash: what differs from it in the one that is shown. */
  get diffs(): Diffs {
    const { state, versions } = this.run.view;
    const shown = versions.find((one) => one.shown);
    if (state !== "review" || !shown || versions.length < 2) return NONE;
    const known = [shown, ...versions].map((one) => one.result_hash).join(" ");
    if (known !== this.#known) {
      this.#diffs = this.#compared(shown, versions);
      this.#known = known;
    }
    return this.#diffs;
  }

  #compared(shown: VersionView, versions: VersionView[]): Diffs {
    const others = versions.filter((one) => one !== shown);
    const { core } = this.around;
    return Object.fromEntries(
      others.map((one) => [one.result_hash, core.diff(one.files, shown.files).files]),
    );
  }

  /** The version that runs beside the one that is shown: the one that was picked, else the newest that passed. */
  get beside(): VersionView | null {
    const { state, versions } = this.run.view;
    if (state !== "review") return null;
    const others = versions.filter((one) => one.ok && !one.shown);
    return others.find((one) => one.result_hash === this.#picked) ?? others.at(-1) ?? null;
  }

  /** Another version stands beside the one that is shown. */
  pick(hash: string): void {
    this.#picked = hash;
    this.around.changed();
  }

  async choose(hash: string): Promise<void> {
    if (this.choosing) return;
    this.choosing = true;
    // The two that stand side by side stay so, whichever of them is shown.
    const last = this.run.view.versions.find((one) => one.shown);
    this.#picked = (hash === this.beside?.result_hash ? last : this.beside)?.result_hash ?? "";
    this.around.changed();
    try {
      await this.run.send({ type: "Choose", result_hash: hash });
    } finally {
      this.choosing = false;
      this.around.changed();
    }
  }

  /**
   * What is tried of the version beside, as it would be reviewed before a person ticks anything. Null: there is none;
   * undefined: it is not known yet.
   */
  tryable(): Tryable | null | undefined {
    const { beside } = this;
    if (!beside) return null;
    const { result_hash: hash, files, passed } = beside;
    const check = this.#checked.get(hash, () => this.around.checks.check(files));
    const manifest = check?.manifest;
    if (!check || !manifest) return check === undefined ? undefined : null;
    const granted = this.#granted(beside, check, manifest);
    if (!granted) return granted;
    const { checks } = this.around;
    const bundle = { files, hash, declared: manifest.capabilities };
    const print = this.#printed.get(`${hash} ${granted.join(" ")}`, () =>
      fingerprinted(checks, bundle, granted),
    );
    if (!print) return print === undefined ? undefined : null;
    const version = placed(this.run.view.versions, (one) => one === beside);
    return { files, manifest, granted, print, passed, version };
  }

  /** What is declared, without what a person had taken away before, where nothing needs it. */
  #granted(
    { result_hash, files }: VersionView,
    { capabilities }: BundleCheck,
    manifest: Manifest,
  ): string[] | null | undefined {
    const { taken } = this.run.signing.since(capabilities.map((one) => one.capability));
    if (!taken.length) return manifest.capabilities;
    const without = (needed: string[]): string[] =>
      capabilities
        .filter(({ capability: one }) => needed.includes(one) || !taken.includes(one))
        .map((one) => manifest.capabilities[Number(one.pointer.split("/").at(-1))] ?? "");
    const missing = this.#missing.get(`${result_hash} ${taken.join(" ")}`, async () => {
      const { diagnostics } = await this.around.checks.review(files, null, without([]));
      const needed = diagnostics.filter((one) => one.code === "CAPABILITY_REQUIRED");
      return needed.map((one) => String(one.args?.name));
    });
    return missing && without(missing);
  }
}

/** Which of several versions it is; null where there is one. */
export function placed(
  versions: VersionView[],
  is: (one: VersionView) => boolean,
): Tryable["version"] {
  const at = versions.findIndex(is);
  const one = versions[at];
  return one && versions.length > 1 ? { at, hash: one.result_hash } : null;
}

/** What a bundle declares, as far as it can be read. */
function asked(files: Files, core: Pick<Core, "call">): Asked[] {
  const all = declared(files["manifest.json"] ?? "");
  return all.flatMap((one) => {
    const { capability } = core.call<Parsed>("capability.parse", { capability: one });
    if (!capability) return [];
    const { canonical, sentence, args } = capability;
    return [{ capability: canonical, declared: one, sentence, ...(args ? { args } : {}) }];
  });
}

/** The answer of `capability.parse`; null where it is none. */
interface Parsed {
  capability: { canonical: string; sentence: string; args?: Record<string, unknown> } | null;
}

function declared(manifest: string): string[] {
  try {
    const { capabilities } = JSON.parse(manifest);
    return Array.isArray(capabilities) ? capabilities.map(String) : [];
  } catch {
    return [];
  }
}
