/** From the elements' events to the controller: one table, in the order of the page. */
import type {
  BudgetDraft,
  CallFilter,
  Grouping,
  KeyChange,
  KeyDraft,
} from "@holdpoint/elements/usage/view";
import { hearing, listenShell } from "../../shell-events.js";
import type { PartName, UsageApp } from "./app.js";
import type { UsagePage } from "./page.js";
import type { UsagePane } from "./page-view.js";

interface Details {
  "hp-pane": { pane: UsagePane };
  "hp-usage-again": { part: PartName };
  "hp-month": { month: string };
  "hp-csv": undefined;
  "hp-csv-stop": undefined;
  "hp-budget-form": { id: string | null };
  "hp-budget-form-close": undefined;
  "hp-budget-put": { budget: BudgetDraft };
  "hp-budget-delete": { id: string; opener: HTMLElement };
  "hp-group": { by: Grouping };
  "hp-filter": { show: CallFilter };
  "hp-refresh": undefined;
  "hp-more": { part: "calls" | "changes" };
  "hp-key": { action: KeyAction; id: string; opener: HTMLElement };
  "hp-key-create": { key: KeyDraft };
  "hp-key-change": { id: string; change: KeyChange };
  "hp-key-replace": { id: string; grace: number };
  "hp-request-form": { budget: string | null };
  "hp-request-close": undefined;
  "hp-request": { budget: string; amount: number; reason: string };
  "hp-decide": {
    id: string;
    action: "open" | "close" | "grant" | "deny" | "end";
    amount: number;
    until: number;
    opener: HTMLElement;
  };
}
export type KeyAction = "new" | "close" | "edit" | "replace" | "revoke" | "menu" | "kept";

export function listen(page: UsagePage, app: UsageApp): void {
  listenShell(page, app);
  const on = hearing<Details>(page);
  on("hp-pane", ({ pane }) => app.pane(pane));
  on("hp-usage-again", ({ part }) => app.again(part));
  on("hp-month", ({ month }) => app.month(month));
  on("hp-csv", () => app.save());
  on("hp-csv-stop", () => app.calls.stop());
  on("hp-budget-form", ({ id }) => app.budgets.form(id));
  on("hp-budget-form-close", () => app.budgets.close());
  on("hp-budget-put", ({ budget }) => app.budgets.put(budget));
  on("hp-budget-delete", ({ id, opener }) => app.budgets.delete(id, opener));
  on("hp-group", ({ by }) => app.group(by));
  on("hp-filter", ({ show }) => app.calls.filter(show));
  on("hp-refresh", () => app.refresh());
  on("hp-more", ({ part }) => (part === "calls" ? app.calls.more() : app.audit.more()));
  on("hp-key", ({ action, id, opener }) => app.key(action, id, opener));
  on("hp-key-create", ({ key }) => app.keys.create(key));
  on("hp-key-change", ({ id, change }) => app.keys.change(id, change));
  on("hp-key-replace", ({ id, grace }) => app.keys.replace(id, grace));
  on("hp-request-form", ({ budget }) => app.request(budget));
  on("hp-request-close", () => app.requests.close());
  on("hp-request", ({ budget, amount, reason }) => app.requests.ask(budget, amount, reason));
  on("hp-decide", ({ id, action, amount, until, opener }) => {
    if (action === "open" || action === "close")
      return app.requests.granting(action === "open" ? id : null);
    if (action === "end") return app.requests.end(id, opener);
    return app.requests.decide(id, action === "grant" ? { action, amount, until } : { action });
  });
}
