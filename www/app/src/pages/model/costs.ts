/**
 * What each version of a result cost: what its own run at the gateway has spent. The run tells of the newest one only,
 * so what the others cost is kept on the device.
 */
import type { Store } from "@holdpoint/core/types";
import type { VersionFacts } from "@holdpoint/elements/change/versions-view";
import type { RunProgress } from "../../core.js";

/** By the content hash of the version; `run`: the run at the gateway that wrote it. */
type Known = Record<string, { run: string; tokens: number; cost: number }>;

interface Run {
  readonly key: string;
  readonly progress: Pick<RunProgress, "view" | "gateway">;
}

export class Costs {
  #known: Known = {};

  constructor(
    private readonly run: Run,
    private readonly store: Pick<Store, "get" | "update">,
  ) {}

  get #kept(): string {
    return `spent-${this.run.key}`;
  }

  get spent(): VersionFacts["spent"] {
    return this.#known;
  }

  async restore(): Promise<void> {
    const kept = await this.store.get<Known>("drafts", this.#kept);
    this.#known = { ...kept, ...this.#known };
  }

  /** What a person wrote cost nothing, and what was there before a run is none of its work. */
  moved(): void {
    const { view, gateway } = this.run.progress;
    const newest = view.versions.at(-1);
    if (view.state !== "review" || !gateway || !newest || newest.number === "hand") return;
    const { id: run, spent_tokens: tokens, spent_cost: cost } = gateway;
    const known = this.#known[newest.result_hash];
    if (known && (known.run !== run || (known.tokens === tokens && known.cost === cost))) return;
    const fresh = { [newest.result_hash]: { run, tokens, cost } };
    this.#known = { ...this.#known, ...fresh };
    void this.store.update<Known>("drafts", this.#kept, (now) => ({ ...now, ...fresh }));
  }
}
