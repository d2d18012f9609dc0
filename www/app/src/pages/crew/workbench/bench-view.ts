/** An open workbench as the page draws it, as one value. Pure. */
import { has, t } from "@holdpoint/elements";
import type { BenchView, HeadView } from "@holdpoint/elements/crew/workbench/view";
import type { Bench } from "./bench.js";
import { columnOf, middleOf } from "./change-view.js";
import { checkOf, namesOf, running, targetOf } from "./facts.js";
import { confirmOf, footOf } from "./foot-view.js";
import { base, type Names } from "./names.js";
import { context, modelOf, talkOf } from "./talk-view.js";

export function benchView(bench: Bench, now: number): BenchView {
  const names = namesOf(bench, bench.change);
  const talk = talkOf(bench, names, now);
  return {
    state: bench.state,
    problem: bench.problem,
    head: headOf(bench, names),
    change: columnOf(bench, names),
    middle: middleOf(bench, names, now),
    talk,
    context: context(bench, names),
    foot: footOf(bench),
    confirm: confirmOf(bench, names),
    said: saidOf(bench),
  };
}

function headOf(bench: Bench, names: Names): HeadView {
  const { query, info, pack, bundle } = bench;
  const inside = query.targetType === "step" && query.workflowId !== null;
  return {
    name: names.of(targetOf(bench)),
    type: query.targetType,
    id: query.targetType === "asset" ? base(query.targetId) : query.targetId,
    mode: query.mode,
    workflow: inside ? names.of(`workflow:${query.workflowId}`) : "",
    project: bundle?.name ?? pack?.name ?? "",
    version: pack?.version ?? "",
    session: info?.sessionId ?? "",
    back: bench.back,
    model: modelOf(bench),
  };
}

/** Steps, not tokens. */
function saidOf(bench: Bench): string {
  const { applying, change, asking } = bench;
  const turn = asking?.session.view.messages.at(-1);
  if (running(bench)) {
    const phase = turn?.runtime?.phase;
    const key = `wb.phase.${phase}`;
    return t("wb.live.running", { what: has(key) ? t(key) : t("wb.phase.model") });
  }
  if (applying.conflict) return t("wb.live.conflict");
  if (change && checkOf(change) === "failed") return t("wb.live.failed");
  if (change) return t("wb.live.proposed", { n: change.rows.length });
  if (applying.written) return t(applying.written.undone ? "wb.undone" : "wb.live.applied");
  return turn?.who === "assistant" && turn.result ? t("wb.live.answered") : "";
}
