/** The change in front as the column draws it. Pure. */
import type { BudgetShown, ErrorShape, Indicator, Plan } from "@holdpoint/core/types";
import type { ChangeView, DriftView, Purse } from "@holdpoint/elements";
import type { Change } from "./change.js";
import type { Changes } from "./changes.js";
import type { Installed, Live } from "./installed.js";

/** What the column shows beside the change. */
interface Beside {
  answering: string;
  purse: Purse | null;
  restored: boolean;
  problem: ErrorShape | null;
  offline: boolean;
  trial: ChangeView["trial"];
  /** Of versions that run on the open model. */
  trials: ChangeView["versionFacts"]["trials"];
  /** The names of the models that are shown; null where none is. */
  model: string | null;
  drift: DriftView | null;
  wishes: ChangeView["wishes"];
  wished: boolean;
  /** Of an installed panel; null while nobody says that one is wrong. */
  wrong: ChangeView["wrong"];
}

export function purseOf(indicator: Indicator | null): Purse | null {
  const { budget, others = [], currency = "" } = indicator ?? {};
  if (!budget) return null;
  const all = others.map((one) => ofBudget(one, currency));
  return { ...ofBudget(budget, currency), others: all };
}

function ofBudget(budget: BudgetShown, currency: string): Purse {
  const of = (n: number) =>
    budget.unit === "cost" ? { tokens: 0, cost: n } : { tokens: n, cost: 0 };
  return {
    ...{ budget: budget.id, currency, period: budget.period, resets_at: budget.resets_at },
    left: of(budget.remaining),
    limit: of(budget.limit),
    granted: of(budget.granted ?? 0),
  };
}

export function changeView(
  changes: Changes,
  installed: Installed,
  { trials, ...beside }: Beside,
): ChangeView {
  const { current: change, history, chosen } = changes;
  const { turn } = changes.talk.view;
  const draft = change?.adjusting ? change.words : changes.talk.view.draft;
  const run = change?.card() ?? null;
  const signing = change?.signing;
  const manifest = signing && run && Object.keys(run.files).length ? signing.manifest : null;
  const live = manifest ? installed.all.get(manifest.id) : undefined;
  const reviewed = run?.state === "review" ? signing : null;
  return {
    ...beside,
    modelReady: beside.model !== null,
    number: change?.number ?? changes.next,
    elsewhere: changes.elsewhere === null ? null : Number(changes.elsewhere),
    brought: changes.brought ?? (run?.work === "promoted" ? "script" : null),
    title: manifest?.name ?? titled(run?.plan?.plan),
    screen: screen(change, history, beside),
    run,
    gateway: change?.progress.gateway ?? null,
    testing: change?.progress.testing ?? null,
    writing: change?.progress.writing ?? [],
    quote: change?.quote ?? null,
    waits: change?.session.view.failure?.waits ?? 0,
    proposed: change?.plan.proposed ?? null,
    planned: change?.plan.planned ?? [],
    manifest,
    baseVersion: reviewed?.baseVersion() ?? null,
    approved: reviewed?.approved() ?? {},
    review: signing?.review() ?? null,
    grants: signing && manifest ? signing.grants : null,
    trial: reviewed ? beside.trial : null,
    versionFacts: {
      ...(change?.versions.facts ?? noFacts),
      ...{ trials, spent: change?.costs.spent ?? {} },
    },
    print: reviewed?.print() ?? "",
    settled: signing?.settled ?? true,
    typed: signing?.typed ?? "",
    accepted: signing?.accepted ?? [],
    stale: signing?.stale ?? "",
    refusal: signing?.refusal ?? null,
    nobody: installed.signer() === null,
    sending: turn !== null || (signing?.sending ?? false),
    installed:
      run?.state === "installed" && live
        ? {
            ...installedView(live, signing?.installedAt ?? null),
            waits: installed.queue.why(live.record.id),
          }
        : null,
    turns: changes.words(beside.answering),
    draft,
    now: Date.now(),
    source: change?.source.view ?? null,
    history: history ? changes.list(Date.now()) : null,
    log: changes.sheet(Date.now()),
    chosen,
    promoting: change?.promoting.view ?? null,
    wrong: beside.wrong ?? change?.wrong.view ?? null,
  };
}

const noFacts = { diffs: {}, asked: {}, beside: null };

function screen(
  change: Change | null,
  history: boolean,
  { wishes, drift, wrong }: Pick<Beside, "wishes" | "drift" | "wrong">,
): ChangeView["screen"] {
  if (wrong) return "wrong";
  if (wishes) return "wishes";
  if (drift) return "drift";
  if (history) return "history";
  if (change?.source.shown) return "source";
  if (change?.promoting.view) return "promote";
  return change?.wrong.view ? "wrong" : "change";
}

const installedView = (live: Live, at: number | null): NonNullable<ChangeView["installed"]> => ({
  record: live.record,
  name: live.manifest.name,
  at: at ?? live.record.installed_at,
  stored: live.stored,
  print: live.print,
  place: place(live.manifest.contributes),
});

/** What a plan adds that is seen first: its panel, else its button, else its first part. */
function titled(plan: Plan | undefined): string {
  const parts = plan?.contributions ?? [];
  const seen =
    parts.find((part) => part.kind === "dock") ??
    parts.find((part) => part.kind === "toolbar") ??
    parts[0];
  return seen?.label ?? "";
}

function place(
  contributes: { dock?: unknown[]; toolbar?: unknown[] } | undefined,
): "dock" | "toolbar" | "menu" {
  if (contributes?.dock?.length) return "dock";
  return contributes?.toolbar?.length ? "toolbar" : "menu";
}
