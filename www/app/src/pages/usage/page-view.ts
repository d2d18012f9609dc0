/** The usage page as one value: its parts, and the shell around them. */
import type { QuestionView } from "@holdpoint/elements/shell/question";
import type {
  BudgetsView,
  CallsView,
  ChangesView,
  ChartView,
  KeysView,
  RequestsView,
  SpeedView,
  SumsView,
} from "@holdpoint/elements/usage/view";
import type { ShellView } from "../../shell-view.js";

/** What a narrow page shows at a time. */
export type UsagePane = "usage" | "people" | "calls" | "keys";

export interface UsagePageView extends ShellView {
  pane: UsagePane;
  budgetOpen: boolean;
  /** What has to be answered before the page goes on. */
  question: QuestionView | null;
  /** The name of the account, where it is known. */
  account: string;
  /** Whether the parts of operators are there; null: not known yet. */
  operator: boolean | null;
  months: { id: string; name: string }[];
  month: string;
  /** Rows of the file that is made now; null: none is. */
  saving: number | null;
  budgets: BudgetsView;
  chart: ChartView;
  sums: SumsView;
  models: SumsView;
  speed: SpeedView | null;
  calls: CallsView;
  requests: RequestsView;
  keys: KeysView | null;
  changes: ChangesView | null;
}
