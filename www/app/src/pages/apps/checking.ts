/** What the checks say of the texts as they stand, in the page and at once. */
import { isRefusal } from "@holdpoint/core/session";
import type { Diagnostic, Files } from "@holdpoint/core/types";
import { said } from "@holdpoint/elements";
import type { Around } from "./around.js";
import { KIND } from "./kind.js";

export class Checking {
  findings: readonly Diagnostic[] = [];
  /** Whether they are of what stands there now. */
  current = false;
  #asked = 0;

  constructor(private readonly around: Pick<Around, "checks">) {}

  /** False where newer texts were asked about meanwhile: that answer is the one that counts. */
  async check(
    files: Files,
    options: { policy: string; catalog: string; entry_file: string },
  ): Promise<boolean> {
    this.#asked += 1;
    const asked = this.#asked;
    try {
      const question = { kind: KIND, files, options };
      const { diagnostics } = await this.around.checks.call<{ diagnostics: Diagnostic[] }>(
        "bundle.check",
        question,
      );
      if (asked !== this.#asked) return false;
      this.findings = diagnostics.map((one) => ({ ...one, message: said(one) }));
      this.current = true;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      if (asked !== this.#asked) return false;
      this.current = false;
    }
    return true;
  }
}
