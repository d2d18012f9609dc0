/** What the next message takes along, from what the edge says of it. Pure. */
import type { ContextAnswer } from "@holdpoint/core/crew";
import type { ErrorShape } from "@holdpoint/core/types";
import { has, t } from "@holdpoint/elements";
import type {
  ContextGroup,
  ContextItem,
  ContextView,
} from "@holdpoint/elements/crew/workbench/view";

/** How many tokens a value has, as the edge estimates it. */
export type Size = (value: unknown) => number;

/** Lists of the digest whose objects can be left out; a name is no object. */
const LISTS = ["agents", "assets", "steps"] as const;
type List = (typeof LISTS)[number];

export function contextOf(
  answer: ContextAnswer | null,
  problem: ErrorShape | null,
  out: ReadonlySet<string>,
  target: { key: string; name: string },
  size: Size,
): ContextView {
  if (!answer) {
    const nothing = { tokens: 0, budget: 0, reserve: 0, parts: [], groups: [], trimmed: [] };
    return { state: problem ? "failed" : "loading", problem, ...nothing };
  }
  const { contextEnvelope: envelope, trimReport } = answer;
  const digest = envelope.dependency_digest;
  const groups = LISTS.flatMap((is): ContextGroup[] => {
    const list = digest[is];
    if (!list?.items.length) return [];
    const items = list.items.map((item) => itemOf(is, item, out, size));
    return [{ is, total: list.total, items }];
  });
  const targetTokens = size(envelope.target_snapshot);
  const rules = size(envelope.normative_baseline) + size(envelope.domain_profile);
  const left = groups
    .flatMap(({ items }) => items)
    .filter(({ on }) => !on)
    .reduce((sum, { tokens }) => sum + (tokens ?? 0), 0);
  const objects = Math.max(0, size(digest) - left);
  const tokens = Math.max(0, answer.tokens - left);
  const always: ContextGroup = {
    is: "always",
    total: 2,
    items: [
      { ...target, sub: targetSub(envelope.target_snapshot), tokens: targetTokens, on: true },
      {
        key: "rules",
        name: t("wb.context.rules"),
        sub: t("wb.context.rules.sub"),
        tokens: rules,
        on: true,
      },
    ],
  };
  return {
    state: "ready",
    problem: null,
    tokens,
    budget: trimReport?.contextBudget ?? tokens,
    reserve: trimReport?.reserveForResponse ?? 0,
    parts: [
      { name: target.name, tokens: targetTokens },
      { name: t("wb.context.rules"), tokens: rules },
      { name: t("wb.context.objects"), tokens: objects },
      {
        name: t("wb.context.conversation"),
        tokens: Math.max(0, tokens - targetTokens - rules - objects),
      },
    ],
    groups: [always, ...groups],
    trimmed: (trimReport?.actions ?? []).map(({ section, action, beforeChars, afterChars }) => ({
      what: shortened(section, action),
      before: beforeChars,
      after: afterChars,
    })),
  };
}

/** What goes along of the target: of a workflow its text, its graph, and the names of its steps. */
function targetSub({ step_index: steps }: Record<string, unknown>): string {
  return Array.isArray(steps)
    ? t("wb.context.target.workflow", { n: steps.length })
    : t("wb.context.target");
}

/** What was shortened, in the words of the page. */
function shortened(section: string, action: string): string {
  const name = named(section) || `\`${section}\``;
  const key = `wb.context.action.${action}`;
  return has(key) ? t(key, { name }) : name;
}

/** A part of the context by its heading: `dependency_digest.assets` are the assets. */
function named(section: string): string {
  const [whole = "", part = ""] = section.split(/[.[]/);
  if (whole === "normative_baseline" || whole === "domain_profile") return t("wb.context.rules");
  const list = `wb.context.${part}`;
  return whole === "dependency_digest" && has(list) ? t(list) : "";
}

const said = (value: unknown): string => (typeof value === "string" ? value : "");

function itemOf(
  is: List,
  item: Record<string, unknown>,
  out: ReadonlySet<string>,
  size: Size,
): ContextItem {
  const path = said(item.path);
  const kinds = {
    agents: { key: `agent:${said(item.id)}`, name: said(item.name) || said(item.id), sub: "agent" },
    assets: { key: `asset:${path}`, name: path, sub: "asset" },
    steps: { key: `step:${said(item.nodeId)}`, name: said(item.nodeId), sub: "step" },
  } as const;
  const { key, name, sub } = kinds[is];
  return { key, name, sub: t(`wb.context.${sub}`), tokens: size(item), on: !out.has(key) };
}
