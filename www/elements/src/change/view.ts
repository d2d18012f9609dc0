/**
 * What the change column shows, as one value, and which of its states that is.
 *
 * Pure: the host gives the run's view and the facts around it; the state follows from them and from nothing else.
 */
import type {
  BundleCheck,
  ErrorShape,
  ExtensionRecord,
  Files,
  GatewayRun,
  Manifest,
  PartialFile,
  Plan,
  PlannedCapability,
  Range,
  Review,
  RunView,
} from "@holdpoint/core/types";
import type { GrantView } from "../review/grants.js";
import type { Turn } from "../talk/view.js";
import type { TextKey } from "../text/index.js";
import type { Failing } from "../text/refusal.js";
import type { HistoryView } from "./compare.js";
import type { Priced, Purse } from "./cost.js";
import type { DriftView } from "./drift-view.js";
import type { LogView } from "./log-view.js";
import { withheld } from "./plan-edit.js";
import type { PromotingView } from "./promote.js";
import type { RoadView, Step } from "./road.js";
import type { VersionFacts } from "./versions-view.js";
import type { WishesView } from "./wishes.js";
import type { WrongView } from "./wrong.js";

/** Why something that was signed waits on the device. */
export type WaitReason =
  | "offline"
  | "signed_out"
  | "busy"
  | "failing"
  | "refused"
  /** A person signs it again: the project moved, or nobody known signed it. */
  | "undecided";

export type ChangeState =
  | "empty"
  | "planning"
  | "plan"
  | "overbudget"
  | "running"
  | "review"
  | "confirm"
  | "source"
  | "installed"
  | "notstored"
  | "moved"
  | "stale"
  | "error"
  | "problem"
  | "cancelled"
  | "words"
  | "answered"
  | "promote"
  | "elsewhere"
  | "history"
  | "wrong"
  | "wishes"
  | "drift";

/** What is reviewed, run on the open model. */
export interface TrialView {
  state: "running" | "ran" | "stopped" | "nomodel";
  /** It stood before the person's eyes. */
  seen: boolean;
  /** The person wants it although it stops. */
  accepted: boolean;
  /** Its panel is open. */
  open: boolean;
  /** The name of the open model. */
  model: string;
  /** It shows a panel: then nobody signs without having seen it. */
  panel: boolean;
}

export interface ChangeView {
  number: number;
  /** The change that goes on in another tab, and not here. */
  elsewhere: number | null;
  /** It came back with the page: nobody did anything for it just now. */
  restored?: boolean;
  /** Where its files came from, where nobody asked for them and nobody wrote them by hand. */
  brought?: "permissions" | "example" | "file" | "range" | "script" | null;
  /** Name of the extension, once it is known. */
  title: string;
  screen: "change" | "source" | "history" | "promote" | "wrong" | "wishes" | "drift";
  run: RunView | null;
  gateway: GatewayRun | null;
  testing: { done: number; total: number } | null;
  /** The files of the running attempt as they come. */
  writing: readonly PartialFile[];
  quote: Priced | null;
  purse: Purse | null;
  /** Why the model could not be asked. */
  problem: ErrorShape | null;
  /** Before this time it is asked again by itself; 0 where a person has to. */
  waits: number;
  proposed: Plan | null;
  /** The permissions of the proposed plan in words. */
  planned: PlannedCapability[];
  manifest: Manifest | null;
  baseVersion: string | null;
  review: Review | null;
  /** In review: what is ticked and what the tests say to it. */
  grants: GrantView | null;
  /** In review: how what is signed runs on the open model; null where it shows nothing there. */
  trial: TrialView | null;
  /** In review: the fingerprint of exactly what is shown. */
  print: string;
  versionFacts: VersionFacts;
  /** What is shown to be signed is what the run and the checks say of it; else a newer answer comes. */
  settled: boolean;
  typed: string;
  accepted: string[];
  /** When each behaviour was approved that stands installed, by the name of its test; in ms. */
  approved: Readonly<Record<string, number>>;
  /** A 409: what is shown is fresh, and an earlier signature does not count. */
  stale: "" | "stale" | "moved";
  /** Why what was signed was not stored, where that is not that the project moved. */
  refusal?: Failing | null;
  /** Nobody is signed in, and nobody ever was: nothing can be signed. */
  nobody?: boolean;
  sending: boolean;
  installed: {
    record: ExtensionRecord;
    name: string;
    at: number;
    stored: boolean;
    /** Why it is not stored yet, as far as is known. */
    waits?: { reason: WaitReason; error: Failing } | null;
    /** What was signed. */
    print: string;
    place: "dock" | "toolbar" | "menu";
  } | null;
  turns: Turn[];
  answering: string;
  offline: boolean;
  modelReady: boolean;
  /** The name of the open model; null where none is. */
  model: string | null;
  draft: string;
  now: number;
  source: {
    base: Files;
    files: Files;
    check: Pick<BundleCheck, "ok" | "diagnostics"> | null;
    checkedAt: number;
    at: { path: string; range?: Range } | null;
  } | null;
  history: HistoryView | null;
  /** The sheet so far, with the changes before this one; null while there is no change. */
  log: LogView | null;
  chosen: string[];
  /** Standing wishes, while they are looked at. */
  wishes?: WishesView | null;
  /** Standing wishes go with a request. */
  wished?: boolean;
  /** What a person says is wrong with what is reviewed. */
  wrong?: WrongView | null;
  /** What a new SDK did to what is installed. */
  drift?: DriftView | null;
  /** What the tool is called that a script becomes. */
  promoting?: PromotingView | null;
}

/** Its run is at a script, which no plan and no review is about. */
export const isScript = (run: RunView | null): boolean => run?.work === "script";

export function changeState(view: ChangeView): ChangeState {
  if (view.screen !== "change") return view.screen;
  const run = view.run;
  if (!run && view.elsewhere !== null) return "elsewhere";
  if (!run) return view.turns.length ? "words" : "empty";
  switch (run.state) {
    case "idle":
      return view.turns.length ? "words" : "empty";
    case "planning":
      return view.problem ? "problem" : "planning";
    case "gate":
      return overBudget(view) ? "overbudget" : "plan";
    case "generating":
    case "testing":
      return view.problem ? "problem" : "running";
    case "review":
      if (view.stale === "moved") return "moved";
      if (view.stale === "stale") return "stale";
      return openPoints(view).length ? "confirm" : "review";
    case "failed":
      return run.answer === null ? "error" : "words";
    case "installed":
      return view.installed && !view.installed.stored ? "notstored" : "installed";
    case "cancelled":
      return "cancelled";
    case "answered":
      return "answered";
    case "rerouted":
    case "refused":
      return "words";
  }
}

/** How a person ended a run: at its plan, while it ran, or with a result to look at. */
export function cancelledAs({
  attempts,
  plan,
}: RunView): "cancelled.plan" | "cancelled.title" | "cancelled.discarded" {
  if (attempts.length === 0) return plan ? "cancelled.plan" : "cancelled.title";
  return attempts.at(-1)?.verdict === "stopped" ? "cancelled.title" : "cancelled.discarded";
}

/** Why it failed, by its key. */
export function failedAs({ reason, work }: RunView): TextKey {
  if (work === "script" && reason !== "plan") return `answer.failed.${reason ?? "attempts"}`;
  return `failed.${reason ?? "attempts"}`;
}

/** Whether the plan that is shown can be signed. */
export function canApprove({ offline, settled, run, proposed }: ChangeView): boolean {
  const plan = run?.plan;
  if (offline || !settled || !plan?.ok) return false;
  return !proposed || withheld(plan.plan, proposed).length === 0;
}

const overBudget = (view: ChangeView): boolean => view.quote !== null && !view.quote.fits;

/** What still has to end, or to be granted, typed or ticked, before Install opens. */
export function openPoints(
  view: ChangeView,
): ("test" | "wait" | "grant" | "type" | "tick" | "trial")[] {
  const review = view.review;
  if (!review) return [];
  const points: ReturnType<typeof openPoints> = [];
  if (view.grants?.running) points.push("test");
  if (!view.settled) points.push("wait");
  if (review.diagnostics.some((finding) => finding.code === "CAPABILITY_REQUIRED"))
    points.push("grant");
  if (review.confirmation === "type" && view.typed !== (view.manifest?.id ?? ""))
    points.push("type");
  for (const weak of review.weakened_tests)
    if (!view.accepted.includes(weak.name)) points.push("tick");
  if (untried(view.trial)) points.push("trial");
  return points;
}

/** Why what is shown cannot be signed yet as it runs on the open model; null where it can. */
export function untried(
  trial: TrialView | null,
): "running" | "unseen" | "model" | "stopped" | null {
  if (!trial) return null;
  if (trial.state === "stopped") return trial.accepted ? null : "stopped";
  if (!trial.panel) return null;
  if (trial.state === "nomodel") return "model";
  if (trial.state === "running") return "running";
  return trial.seen ? null : "unseen";
}

/** Where on the road this is. */
export function road(view: ChangeView, state: ChangeState): RoadView {
  const run = view.run;
  const at = (
    now: Step,
    gate: RoadView["gate"] = "none",
    failed = false,
    done = false,
  ): RoadView => ({ now, gate, failed, done, unplanned: run !== null && !run.approved_at });
  switch (state) {
    case "empty":
    case "words":
    case "elsewhere":
    case "history":
    case "drift":
    case "wishes":
    case "answered":
    case "promote":
      return at("ask");
    case "planning":
      return at("plan");
    case "plan":
      return at("plan", canApprove(view) ? "waits" : "closed");
    case "overbudget":
      return at("plan", "closed");
    case "running":
      return at(step(run));
    case "review":
      return at("review", view.nobody ? "closed" : "waits");
    case "confirm":
      return at("review", "closed");
    case "moved":
    case "stale":
      return at("review", openPoints(view).length ? "closed" : "waits");
    case "wrong":
      return at("review", "closed");
    case "source":
      return at(
        run?.state === "failed" ? step(run) : "review",
        run?.state === "failed" ? "none" : "closed",
        run?.state === "failed",
      );
    case "installed":
    case "notstored":
      return at("installed", "none", view.installed?.record.enabled === false, true);
    case "error":
      return at(planFailed(run) ? "plan" : step(run), "none", true);
    case "problem":
      return at(run?.state === "planning" ? "plan" : step(run), "none", true);
    case "cancelled":
      if (run?.attempts.length) return at(step(run));
      return at(run?.plan ? "plan" : "ask");
  }
}

/** Whether it ended before anybody approved a plan. */
const planFailed = (run: RunView | null): boolean =>
  run?.reason === "plan" ||
  (run?.reason === "tokens" && !run.approved_at && run.attempts.length === 0);

/** The step of the newest attempt that is under way or did not pass. */
function step(run: RunView | null): Step {
  const last = run?.attempts.at(-1);
  const open = last?.steps.find((one) => one.status === "running" || one.status === "failed");
  if (open) return open.step;
  const reached = last?.steps.findLast((one) => one.status === "passed");
  return reached?.step ?? "write";
}
