/** What the gateway's routes about usage answer (gateway.md §13), under the names that this page uses. */
export type {
  AuditRow,
  BudgetShown,
  CreatedKey,
  ExtensionRow,
  KeyRow,
  LedgerItem,
  RunningCall as RunningItem,
  UsageGroup,
  UsageItem,
  UsageReport as UsageAnswer,
  UsageSpeed,
  UsageSums,
} from "@holdpoint/core/types";

/** A page of a list. */
export interface Slice<T> {
  items: T[];
  next_cursor: string | null;
}
