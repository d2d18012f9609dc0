/**
 * The permissions of one review: what is ticked, what cannot be left out, and the tests run with exactly what is
 * ticked. UI.md §5 "Permissions in review", authoring.md §9.1.
 *
 * What code or a contribution needs, the core says; what a test needs shows when it runs without. Invariant: what is
 * ticked passed its tests, or they run.
 */
import type {
  CapabilityUse,
  Checks,
  Files,
  SandboxClient,
  TestResult,
} from "@holdpoint/core/types";
import type { GrantView } from "@holdpoint/elements";

/** What the ticks are about; it is asked anew each time. */
export interface GrantedBundle {
  files: Files;
  uses: CapabilityUse[];
  /** Results with everything that is declared. */
  tests: TestResult[];
  /** In canonical form: what was not granted of the version before. */
  added: string[];
  /** In canonical form: what of it a person had taken away. */
  taken: string[];
}

/**
 * The fingerprint of a bundle with what is granted of it: its content hash; where something is left out, the patch
 * over nothing, which names contents and grants. It does not depend on what stood before.
 */
export async function fingerprinted(
  checks: Pick<Checks, "review">,
  { files, hash, declared }: { files: Files; hash: string; declared: string[] },
  granted: string[],
): Promise<string> {
  const whole = declared.every((one) => granted.includes(one));
  return whole ? hash : (await checks.review(files, null, granted)).patch_id;
}

/** A set of grants as a name: order does not count. */
export const named = (granted: string[]): string => [...granted].sort().join("\n");

export class Grants {
  #ticked: string[] | null = null;
  /** The last ones that passed; null: everything declared. */
  #passed: string[] | null = null;
  #running: { name: string; done: number; total: number } | null = null;
  #fault = false;
  readonly #results = new Map<string, TestResult[]>();
  /** A permission and the test that failed without it. */
  readonly #needing = new Map<string, string>();

  constructor(
    private readonly bundle: () => GrantedBundle,
    private readonly sandbox: Pick<SandboxClient, "test">,
    private readonly changed: () => void,
  ) {}

  /** What is ticked: all that is declared, but what was taken away before and can be left out. */
  get granted(): string[] {
    if (this.#ticked) return this.#ticked;
    const { uses, taken } = this.bundle();
    const on = (use: CapabilityUse) => this.#isNeeded(use) || !taken.includes(use.capability);
    return uses.filter(on).map((use) => use.declared);
  }

  #isNeeded(use: CapabilityUse): boolean {
    return use.required || this.#needing.has(use.declared);
  }

  #all(): string[] {
    return this.bundle().uses.map((use) => use.declared);
  }

  /** Whether everything declared is ticked. */
  get whole(): boolean {
    return named(this.granted) === named(this.#all());
  }

  get view(): GrantView {
    const { uses, added, taken } = this.bundle();
    return {
      granted: this.granted,
      uses: uses.map((use) => ({ ...use, required: this.#isNeeded(use) })),
      needing: Object.fromEntries(this.#needing),
      added,
      taken,
      tests: this.#tests(),
      running: this.#progress(),
      fault: this.#fault,
    };
  }

  /** What has run of what is ticked; null where all of it has. */
  #progress(): GrantView["running"] {
    if (this.whole || this.#results.has(named(this.granted))) return null;
    return { done: this.#running?.done ?? 0, total: this.bundle().tests.length };
  }

  #tests(): TestResult[] {
    if (this.whole) return this.bundle().tests;
    return this.#results.get(named(this.granted)) ?? this.bundle().tests;
  }

  /** A person ticked or unticked: the tests run with exactly that. */
  async tick(granted: string[]): Promise<void> {
    const { uses } = this.bundle();
    const kept = uses.filter((use) => this.#isNeeded(use) || granted.includes(use.declared));
    this.#ticked = kept.map((use) => use.declared);
    this.#fault = false;
    this.changed();
    await this.run();
  }

  /** Runs the tests with what is ticked, where they have not run with it. */
  async run(): Promise<void> {
    const granted = this.granted;
    const name = named(granted);
    if (this.#running?.name === name) return;
    if (this.whole || this.#results.has(name)) {
      this.#passed = granted;
      if (this.#running) this.changed();
      this.#running = null;
      return;
    }
    const running = { name, done: 0, total: this.bundle().tests.length };
    this.#running = running;
    this.changed();
    const tests = await this.#run(granted, running);
    // Another tick came meanwhile: its own run decides.
    if (this.#running !== running) return;
    this.#running = null;
    if (tests?.every((test) => test.ok)) {
      this.#results.set(name, tests);
      this.#passed = granted;
    } else this.#putBack(granted, tests?.find((test) => !test.ok)?.name);
    this.changed();
  }

  /** The results; null where the tests could not run. */
  async #run(
    granted: string[],
    running: { done: number; total: number },
  ): Promise<TestResult[] | null> {
    try {
      const answer = await this.sandbox.test(
        this.bundle().files,
        (done, total) => {
          Object.assign(running, { done, total });
          this.changed();
        },
        granted,
      );
      return answer.checked ? answer.tests : null;
    } catch {
      return null;
    }
  }

  /** Back to what passed last; what went since then is needed by the test that failed. */
  #putBack(granted: string[], test: string | undefined): void {
    const passed = this.#passed ?? this.#all();
    this.#fault = test === undefined;
    if (test !== undefined)
      for (const one of passed) if (!granted.includes(one)) this.#needing.set(one, test);
    this.#ticked = passed;
  }
}
