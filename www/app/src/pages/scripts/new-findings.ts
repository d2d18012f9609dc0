/** What the checks find in a proposal that its base did not have: the edge's answer, or until then the device's own. */
import { local, type Preview, type VirtualFiles } from "@holdpoint/core/editor";
import { said } from "@holdpoint/elements";
import type { ProposalView } from "@holdpoint/elements/script/view";
import type { Around } from "./around.js";

type Findings = ProposalView["findings"];

export class NewFindings {
  #found: { of: Preview; findings: Findings } | null = null;

  constructor(private readonly around: Pick<Around, "checks" | "facts" | "changed">) {}

  /** Of a preview over `base`; empty while they are looked for. */
  of(preview: Preview, base: VirtualFiles): Findings {
    if (this.#found?.of !== preview) {
      const { diagnostics } = preview;
      const told = diagnostics?.map((one) => ({ ...one, message: said(one) }));
      const found = { of: preview, findings: told ?? [] };
      this.#found = found;
      if (!told)
        void this.#checked(base, preview.after_virtual_files).then((findings) => {
          found.findings = findings;
          if (this.#found === found) this.around.changed();
        });
    }
    return this.#found.findings;
  }

  async #checked(base: VirtualFiles, files: VirtualFiles): Promise<Findings> {
    const { checks, facts } = this.around;
    const before = await local.check(checks, base, facts);
    const after = await local.check(checks, files, facts);
    const known = new Set(
      before?.diagnostics.map((one) => `${one.code} ${one.path} ${one.message}`),
    );
    return (after?.diagnostics ?? []).map((one) => ({
      ...one,
      message: said(one),
      new: !known.has(`${one.code} ${one.path} ${one.message}`),
    }));
  }
}
