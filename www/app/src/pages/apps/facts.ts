/** What is known of an open app, and what an event of its stream changes of it. Pure. */
import type {
  App,
  AppVersion,
  BuilderEvent,
  BuilderState,
  BuildPhase,
  BuildState,
  Verified,
} from "@holdpoint/core/apps";
import type { AppReviewView, BuildView } from "@holdpoint/elements/apps/view";

export interface Facts {
  app: App;
  draft: AppVersion;
  published: AppVersion | null;
  build: BuildState | null;
  canUndo: boolean;
  canRedo: boolean;
  /** The request whose run is not over. */
  active: string | null;
}

export const factsOf = (state: BuilderState, build: BuildState | null = null): Facts => ({
  app: state.app,
  draft: state.current_draft_revision,
  published: state.current_published_revision,
  build: build?.revision_id === state.current_draft_revision.id ? build : null,
  canUndo: state.can_undo,
  canRedo: state.can_redo,
  active: state.active_run,
});

/** The facts after an event, and whether more has to be read than it says. */
export function told(facts: Facts, event: BuilderEvent): { facts: Facts; read: boolean } {
  if (event.event === "build") return builtOf(facts, event.data);
  if (event.event === "revision") return { facts, read: event.data.revision_id !== facts.draft.id };
  const { status, revision_id, published_url } = event.data;
  const { app } = facts;
  const same = status === app.status && revision_id === app.current_published_revision_id;
  const now = { ...app, status, current_published_revision_id: revision_id, published_url };
  return same ? { facts, read: false } : { facts: { ...facts, app: now }, read: true };
}

type BuildTold = Extract<BuilderEvent, { event: "build" }>["data"];

/** A build of the draft is the newest there is of it, unless a later attempt was heard of. */
function builtOf(facts: Facts, build: BuildTold): { facts: Facts; read: boolean } {
  if (build.revision_id !== facts.draft.id)
    return { facts, read: numberOf(build.revision_id) > facts.draft.number };
  if (build.build_seq < (facts.build?.build_seq ?? 0)) return { facts, read: false };
  const draft = { ...facts.draft, build_status: build.build_status };
  const known = facts.build?.build_seq === build.build_seq ? facts.build : null;
  const log_tail = build.log_tail ?? known?.log_tail ?? "";
  return { facts: { ...facts, build: { ...build, log_tail }, draft }, read: false };
}

/** Where everybody finds what is live of an app, whichever version that is; null where nothing is. */
export const liveAddress = ({ status, published_url }: App): string | null =>
  status === "published" && published_url ? new URL("../", published_url).href : null;

/** The number in the id of a version, for versions that were not read; 0 where it has none. */
export const numberOf = (id: string | null): number =>
  Number(/^rev_(\d+)$/.exec(id ?? "")?.[1] ?? 0);

export const phaseOf = ({ build, draft }: Facts): BuildPhase | null =>
  build?.build_status ?? draft.build_status;

const SUPERSEDED = "BUILD_SUPERSEDED";

/** The build of the draft, as it is shown. */
export function buildOf(facts: Facts, off: string, now: number): BuildView {
  const { build, draft } = facts;
  const phase = phaseOf(facts);
  const started = at(build?.build_started_at ?? draft.build_started_at);
  const finished = at(build?.build_finished_at ?? draft.build_finished_at);
  const code = build?.build_error_code ?? draft.build_error_code ?? "";
  return {
    phase,
    stage: build?.stage ?? "",
    since: phase === "running" ? started : null,
    took:
      phase === "succeeded" && started !== null && finished !== null ? finished - started : null,
    code,
    error: build?.build_error ?? "",
    superseded: code === SUPERSEDED,
    findings: build?.diagnostics ?? [],
    log: build?.log_tail ?? "",
    off,
    number: draft.number,
    now,
  };
}

const at = (time: string | null | undefined): number | null => {
  const ms = time ? Date.parse(time) : Number.NaN;
  return Number.isNaN(ms) ? null : ms;
};

/** Which gates said yes to the whole of a proposal. */
export const gatesOf = (verified?: Verified) =>
  ({
    compile: passed(verified?.compile),
    tests: passed(verified?.tests),
    build: passed(verified?.build),
  }) satisfies AppReviewView["gates"];

const passed = (said = false): "passed" | "none" => (said ? "passed" : "none");
