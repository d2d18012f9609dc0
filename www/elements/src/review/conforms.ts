/**
 * Whether a result is what its plan says, in words: computed from the findings of the check, warnings too (spec:
 * authoring.md §3.3). Pure.
 */
import type { Diagnostic, Manifest, Plan } from "@holdpoint/core/types";
import { has, t } from "../text/index.js";
import { said } from "../text/said.js";

/** What a difference is told with. */
export interface Named {
  plan: Plan | null;
  manifest: Manifest | null;
}

/** Findings that say how a result differs from its plan. */
export const differences = (findings: readonly Diagnostic[]): Diagnostic[] =>
  findings.filter((one) => one.code.startsWith("PLAN_"));

/** "as in the plan", or how many differences there are; empty where nobody planned it. */
export function conforms(findings: readonly Diagnostic[], plan: Plan | null): string {
  if (!plan) return "";
  const n = differences(findings).length;
  return n ? t("conforms.differs", { n }) : t("conforms.as");
}

/** One difference, by name. */
export function difference(finding: Diagnostic, named: Named): string {
  const args = finding.args ?? {};
  const text = (name: string): string => `${args[name] ?? ""}`;
  const part = partOf(text("kind"), text("id"), finding.pointer ?? "", named);
  switch (finding.code) {
    case "PLAN_EXTRA_CONTRIBUTION":
      return t(args.case === "DECLINED" ? "conforms.declined" : "conforms.extra", { part });
    case "PLAN_MISSING_CONTRIBUTION":
      return t("conforms.missing", { part });
    case "PLAN_CONTRIBUTION_CHANGED":
      return changed(args.case === "TITLE" ? "renamed" : text("name"), part) ?? said(finding);
    case "PLAN_EXTRA_TEST":
      return t("conforms.test.extra", { name: text("name") });
    case "PLAN_MISSING_TEST":
      return t("conforms.test.missing", { name: text("name") });
    case "PLAN_TEST_CHANGED":
      return t("conforms.test.fixture", {
        name: text("name"),
        fixture: fixture(text("fixture")),
      });
    case "PLAN_EXTRA_TRIGGER":
      return t("conforms.trigger.extra", { name: trigger(text("name")) });
    case "PLAN_MISSING_TRIGGER":
      return t("conforms.trigger.missing", { name: trigger(text("event")) });
    case "PLAN_MISSING_WIDGET":
      return t("conforms.widget.missing", { path: text("path") });
    case "PLAN_EXTRA_CAPABILITY":
      return t("conforms.capability", { name: text("name") });
    case "PLAN_UNCHECKABLE":
      return t("conforms.unread");
    default:
      return said(finding);
  }
}

function changed(how: string, part: string): string | null {
  const key = `conforms.${how}`;
  return has(key) ? t(key, { part }) : null;
}

/** A part as people call it: as the result calls it, else as the plan does, else its id. */
function partOf(kind: string, id: string, pointer: string, { plan, manifest }: Named): string {
  const shown = at(manifest, pointer);
  const planned = plan?.contributions.find((one) => one.kind === kind && one.id === id);
  const label = shown?.title ?? shown?.name ?? shown?.text ?? planned?.label ?? id;
  const key = `conforms.part.${kind}`;
  return has(key) ? t(key, { label }) : label;
}

type Shown = { title?: string; name?: string; text?: string };

/** What stands at a pointer into the contributions of a manifest. */
function at(manifest: Manifest | null, pointer: string): Shown | undefined {
  const [, root, list = "", index] = pointer.split("/");
  if (root !== "contributes") return undefined;
  const lists = (manifest?.contributes ?? {}) as Record<string, Shown[] | undefined>;
  return lists[list]?.[Number(index)];
}

function fixture(id: string): string {
  const key = `plan.fixture.${id}`;
  return has(key) ? t(key) : id;
}

function trigger(name: string): string {
  const key = `plan.trigger.${name}`;
  return has(key) ? t(key) : name;
}
