/** What a plan will cost: estimated here at once, and then what the gateway says. */
import type { Api, Checks, HistoryEntry, Plan, PlanView } from "@holdpoint/core/types";
import type { Priced } from "@holdpoint/elements/change/cost";
import { likely } from "./likely.js";

/** The SDK that bundles are made for. */
export const SDK = "1.0.0";
/** Tokens of the generate prompt where it cannot be composed: its static part. */
const PROMPT_GUESS = 20_000;

interface Around {
  api: Api;
  checks: Checks;
  overlay(): string;
  currency(): string;
  changed(): void;
}

export class Pricing {
  quote: Priced | null = null;
  #quoted = "";

  constructor(private readonly around: Around) {}

  /** Once for each plan, or again; an answer for an older one is dropped. */
  async price(
    { plan, plan_hash, estimate }: Pick<PlanView, "plan" | "plan_hash" | "estimate">,
    request: string,
    again = false,
  ): Promise<void> {
    if (!estimate || (this.#quoted === plan_hash && !again)) return;
    this.#quoted = plan_hash;
    const prompt = await this.#prompt(plan, request);
    if (this.#quoted !== plan_hash) return;
    if (!again) {
      this.quote = {
        tokens: { min: prompt + estimate.output_low, max: estimate.hold_tokens },
        cost: { min: 0, max: 0 },
        fits: true,
        likely: null,
      };
      this.around.changed();
    }
    try {
      const [quote, history] = await Promise.all([
        this.around.api.quote(estimate, prompt),
        this.around.api.history().catch((): HistoryEntry[] => []),
      ]);
      const most = { tokens: estimate.hold_tokens, cost: quote.cost.max };
      const tokens = { min: quote.tokens.min, max: most.tokens };
      if (this.#quoted === plan_hash)
        this.quote = { ...quote, tokens, likely: likely(history, this.around.currency(), most) };
    } catch {
      this.#quoted = "";
    }
    this.around.changed();
  }

  async #prompt(plan: Plan, request: string): Promise<number> {
    try {
      const composed = await this.around.checks.call<{ tokens: number }>("prompt.compose", {
        kind: "ifc-extension",
        purpose: "generate",
        sdk_version: SDK,
        overlay: this.around.overlay(),
        request,
        plan,
      });
      return composed.tokens;
    } catch {
      return PROMPT_GUESS;
    }
  }
}
