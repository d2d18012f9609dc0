/** What every part of the page stands on: the edge, the network, how to be drawn again, and how a person is asked. */
import { isRefusal } from "@holdpoint/core/session";
import type { BudgetShown, ErrorShape } from "@holdpoint/core/types";
import type { QuestionView } from "@holdpoint/elements/shell/question";
import type { UsageApi } from "./client.js";
import type { Labels } from "./lines.js";

export interface Around {
  api: UsageApi;
  online(): boolean;
  /** The page is drawn again, once for many changes. */
  changed(): void;
  /** A failure that concerns the whole page: sign-in, the network. */
  failed(error: ErrorShape): void;
  /** What was wanted and not done, where no form stands that could say it. */
  refused(error: ErrorShape): void;
  toast(text: string): void;
  /** Asks in the place of the page; the answer's id. The focus then goes back to the opener. */
  ask(question: QuestionView, opener: HTMLElement | null): Promise<string>;
  /** Budgets that count the caller's own calls. */
  own(): BudgetShown[];
  /** The name of the account; empty while no report has said it. */
  account(): string;
  /** All budgets that are known here. */
  budgets(): BudgetShown[];
  labels(): Labels;
  /** A budget, or what was granted of one, is another now. */
  moved(): void;
}

/** Does something at the edge; the refusal, where it was not done. */
export async function tried(around: Around, act: () => Promise<void>): Promise<ErrorShape | null> {
  try {
    await act();
    return null;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    around.failed(error);
    return error;
  }
}
