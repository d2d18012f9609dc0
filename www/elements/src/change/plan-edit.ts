/**
 * Edits of a plan that leave nothing behind: a part goes and comes back with its tests, its events and its widget.
 * Pure; `proposed` is the model's own plan and gives the order.
 */
import type {
  Plan,
  PlanContribution,
  PlanDeclined,
  PlannedCapability,
  PlanTest,
} from "@holdpoint/core/types";

/** The event that starts a part of a kind; kinds that are not here have none and no tests. */
const events: Partial<Record<PlanContribution["kind"], string>> = {
  command: "onCommand",
  lens: "onLens",
  exporter: "onExporter",
  idsValidator: "onIdsValidator",
};

export const samePart = (a: PlanContribution, b: PlanContribution): boolean =>
  a.kind === b.kind && a.id === b.id;
export const sameTest = (a: PlanTest, b: PlanTest): boolean =>
  a.name === b.name && a.contribution === b.contribution;
const same = (a: string, b: string): boolean => a === b;

/** What is only there for a part. */
function belongs(plan: Plan, part: PlanContribution) {
  const event = events[part.kind];
  const others = plan.contributions.filter((other) => !samePart(other, part));
  const twin = others.some((other) => events[other.kind] !== undefined && other.id === part.id);
  return {
    test: (test: PlanTest) => event !== undefined && !twin && test.contribution === part.id,
    trigger: (name: string) => event !== undefined && name === `${event}:${part.id}`,
    widget: ({ path }: { path: string }) =>
      path === part.widget && !others.some((other) => other.widget === path),
  };
}

/** The parts that a test runs; more than one where ids are the same in two kinds. */
export const tested = (plan: Plan, test: PlanTest): PlanContribution | undefined =>
  plan.contributions.find(
    (part) => events[part.kind] !== undefined && part.id === test.contribution,
  );

export function withoutPart(plan: Plan, part: PlanContribution): Plan {
  const mine = belongs(plan, part);
  return {
    ...plan,
    contributions: plan.contributions.filter((other) => !samePart(other, part)),
    tests: plan.tests.filter((test) => !mine.test(test)),
    triggers: plan.triggers.filter((name) => !mine.trigger(name)),
    widgets: plan.widgets.filter((widget) => !mine.widget(widget)),
  };
}

export function withPart(plan: Plan, proposed: Plan, part: PlanContribution): Plan {
  const mine = belongs(proposed, part);
  return {
    ...plan,
    contributions: put(plan.contributions, proposed.contributions, samePart, (other) =>
      samePart(other, part),
    ),
    tests: put(plan.tests, proposed.tests, sameTest, mine.test),
    triggers: put(plan.triggers, proposed.triggers, same, mine.trigger),
    widgets: put(plan.widgets, proposed.widgets, (a, b) => a.path === b.path, mine.widget),
  };
}

/** Takes a test out or puts it back. */
export function toggledTest(plan: Plan, proposed: Plan, test: PlanTest): Plan {
  const is = (other: PlanTest) => sameTest(other, test);
  const tests = plan.tests.some(is)
    ? plan.tests.filter((other) => !is(other))
    : put(plan.tests, proposed.tests, sameTest, is);
  return { ...plan, tests };
}

/** Takes an event out or puts it back. */
export function toggledTrigger(plan: Plan, proposed: Plan, name: string): Plan {
  const triggers = plan.triggers.includes(name)
    ? plan.triggers.filter((other) => other !== name)
    : put(plan.triggers, proposed.triggers, same, (other) => other === name);
  return { ...plan, triggers };
}

/** What runs code of its own: which permissions that uses, only the model knows before it is written. */
const runs = (part: PlanContribution): boolean => events[part.kind] !== undefined;

/** What a part that was taken out leaves behind in the plan: parts that call it, permissions that may be its own. */
export interface Hanging {
  parts: PlanContribution[];
  permissions: PlannedCapability[];
}

/**
 * What hangs on a part that was taken out and stands in the plan still: what runs it, a panel that no command feeds any
 * more, and permissions that nothing else can need: of those that the plan has `now`, by what needed them as `planned`.
 */
export function hanging(
  plan: Plan,
  proposed: Plan,
  part: PlanContribution,
  { now, planned }: { now: PlannedCapability[]; planned: PlannedCapability[] },
): Hanging {
  const fed = plan.contributions.some((other) => other.kind === "command");
  const calls = (other: PlanContribution): boolean =>
    part.kind === "command" &&
    (other.command === part.id || (other.kind === "dock" && !other.command && !fed));
  const left = plan.contributions.some(runs);
  const isOut = (pointer: string): boolean => {
    const [, list, index] = pointer.split("/");
    const needing = list === "contributions" ? proposed.contributions[Number(index)] : undefined;
    return needing !== undefined && !plan.contributions.some((one) => samePart(one, needing));
  };
  const free = ({ capability: name, needed_by: needs }: PlannedCapability): boolean => {
    if (!plan.capabilities.includes(name) || needs?.length) return false;
    if (!left) return true;
    // While code is left it may use whatever no part was named for.
    const before = planned.find((one) => one.capability === name)?.needed_by ?? [];
    return before.length > 0 && before.every(isOut);
  };
  return { parts: plan.contributions.filter(calls), permissions: now.filter(free) };
}

/** The plan without a permission and what a person takes out with a part. */
export const withoutPermission = (plan: Plan, name: string): Plan => ({
  ...plan,
  capabilities: plan.capabilities.filter((other) => other !== name),
});

/**
 * Permissions that the model planned its code with and that a person took out while all of that code stays: a bundle
 * for such a plan cannot end well, a new plan can.
 */
export function withheld(plan: Plan, proposed: Plan): string[] {
  const kept = proposed.contributions.filter(runs);
  if (!kept.length || kept.some((part) => !plan.contributions.some((one) => samePart(one, part))))
    return [];
  return proposed.capabilities.filter((name) => !plan.capabilities.includes(name));
}

/** `have` with what of `proposed` is wanted, in the order of the proposal; what it does not know comes last. */
function put<T>(
  have: T[],
  proposed: T[],
  is: (a: T, b: T) => boolean,
  wanted: (one: T) => boolean,
): T[] {
  const known = proposed.flatMap((one) => {
    const kept = have.find((other) => is(other, one));
    if (kept !== undefined) return [kept];
    return wanted(one) ? [one] : [];
  });
  return [...known, ...have.filter((one) => !proposed.some((other) => is(other, one)))];
}

/**
 * An edited plan as it is approved: it names what a person took out of the proposal, and which labels a person wrote.
 * What stands in the plan is not taken out, also where it had been before.
 */
export function noted(plan: Plan, proposed: Plan): Plan {
  const { declined: _, ...rest } = plan;
  const contributions = plan.contributions.map((part) => {
    const own = proposed.contributions.find((other) => samePart(other, part));
    const { labelPinned: __, ...bare } = part;
    const pinned = own?.labelPinned || (own !== undefined && own.label !== part.label);
    return pinned ? { ...bare, labelPinned: true } : bare;
  });
  const declined = takenOut({ ...rest, contributions }, proposed);
  return { ...rest, contributions, ...(declined.length ? { declined } : {}) };
}

/** What of the proposal, or of one before it, does not stand in the plan. */
function takenOut(plan: Plan, proposed: Plan): PlanDeclined[] {
  const inPlan = parts(plan);
  const all = [...(proposed.declined ?? []), ...parts(proposed)];
  return all.filter((one, at) => !inPlan.some(isOne(one)) && all.findIndex(isOne(one)) === at);
}

const isOne =
  (one: PlanDeclined) =>
  (other: PlanDeclined): boolean =>
    other.kind === one.kind && other.id === one.id;

/** What a person can take out of a plan, by kind and id; tests by name. */
const parts = (plan: Plan): PlanDeclined[] => [
  ...plan.contributions.map(({ kind, id }) => ({ kind, id })),
  ...plan.tests.map(({ name }) => ({ kind: "test" as const, id: name })),
  ...plan.triggers.map((id) => ({ kind: "trigger" as const, id })),
];

/** Called what their command is called: they have no title of their own. */
const untitled: readonly PlanContribution["kind"][] = ["toolbar", "contextMenu", "keybinding"];

/** A name goes to all that is called so: to a command and to its buttons, entries and shortcuts. */
function rename(plan: Plan, part: PlanContribution, text: string): void {
  const shown = untitled.includes(part.kind);
  const command = shown ? part.command : part.id;
  part.label = text;
  if (!shown && part.kind !== "command") return;
  for (const other of plan.contributions) {
    const runs = untitled.includes(other.kind) && other.command === command;
    if (runs || (other.kind === "command" && other.id === command)) other.label = text;
  }
}

/** The words at a place of the plan. */
export function setText(plan: Plan, pointer: string, text: string): void {
  const [, area, index] = pointer.split("/");
  if (area === "notes") plan.notes = text;
  if (area === "contributions") {
    const part = plan.contributions[Number(index)];
    if (part) rename(plan, part, text);
  }
  if (area === "tests") {
    const test = plan.tests[Number(index)];
    if (test) test.assertionSummary = text;
  }
}
