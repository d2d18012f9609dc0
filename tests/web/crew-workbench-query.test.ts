// The address of the workbench (ai-sessions.md §11): what it must say, and where the way back leads.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { pageModules } from "./source.ts";

type Module = typeof import("../../www/app/src/pages/crew/workbench/query.ts");
let query: Module;

before(async () => {
  [query] = await pageModules<[Module]>("pages/crew/workbench/query.ts");
});

const at = (search: string, pathname = "/builder/prj_1/ai-workbench") =>
  query.asked({ pathname, search });
const step = "?targetType=step&targetId=assess&workflowId=3";

test("a whole address is read, with type and mode in any case and ids trimmed", () => {
  const cases: [string, object][] = [
    ["?targetType=STEP&targetId=%20assess%20&workflowId=3&mode=Create", { mode: "create" }],
    [step, { mode: "optimize", targetType: "step", targetId: "assess", workflowId: 3 }],
    ["?targetType=Workflow&targetId=12&workflowId=12", { targetType: "workflow", workflowId: 12 }],
    ["?targetType=agent&targetId=clerk", { targetType: "agent", workflowId: null }],
    ["?targetType=asset&targetId=assets/a.md&mode=OPTIMIZE", { targetId: "assets/a.md" }],
    [`${step}&sessionId=as_00112233445566ff`, { sessionId: "as_00112233445566ff" }],
    [`${step}&returnTo=/crew/prj_1%3Ftab=paths`, { returnTo: "/crew/prj_1?tab=paths" }],
  ];
  for (const [search, want] of cases) {
    const { fault, query: read } = at(search);
    assert.equal(fault, null, search);
    assert.deepEqual({ ...read, ...want }, read, search);
  }
});

test("an address that lacks a member, or says it wrongly, names it", () => {
  const cases: [string, string, string][] = [
    ["", "targetType", "missing"],
    ["?targetType=project&targetId=1", "targetType", "wrong"],
    ["?targetType=agent&targetId=clerk&mode=improve", "mode", "wrong"],
    ["?targetType=agent&targetId=clerk&mode=", "mode", "missing"],
    ["?targetType=agent", "targetId", "missing"],
    ["?targetType=agent&targetId=%20%09", "targetId", "missing"],
    ["?targetType=step&targetId=second-look", "workflowId", "missing"],
    ["?targetType=step&targetId=a&workflowId=0", "workflowId", "wrong"],
    ["?targetType=step&targetId=a&workflowId=1.5", "workflowId", "wrong"],
    ["?targetType=step&targetId=a&workflowId=-1", "workflowId", "wrong"],
    ["?targetType=step&targetId=a&workflowId=99999999999999999999", "workflowId", "wrong"],
    ["?targetType=agent&targetId=a&workflowId=x", "workflowId", "wrong"],
    ["?targetType=workflow&targetId=3&workflowId=4", "targetId", "wrong"],
    [`${step}&sessionId=as_1`, "sessionId", "wrong"],
    [`${step}&returnTo=//evil.example`, "returnTo", "wrong"],
  ];
  for (const [search, name, is] of cases) {
    const { fault } = at(search);
    assert.deepEqual([fault?.name, fault?.is], [name, is], search);
  }
  assert.equal(at(step, "/builder/%E0%A4%A/ai-workbench").fault?.name, "projectId");
});

test("the way back stays on this origin, whatever an address says", () => {
  const odd = ["//evil.example", "/\\evil.example", "https://evil.example", "crew", "/%09/evil"];
  for (const said of odd) {
    const { query: read } = at(`${step}&returnTo=${said}`);
    assert.equal(query.wayBack(read), "/crew/prj_1", said);
  }
});

test("the way back is `returnTo`, else by `source`, else the project, else all of them", () => {
  const cases: [string, string][] = [
    [`${step}&source=editor&returnTo=/crew/x`, "/crew/x"],
    [`${step}&source=editor`, "/crew/prj_1/workflows/3"],
    ["?targetType=agent&targetId=a%20b&source=agent-editor", "/crew/prj_1/agents/a%20b"],
    [`${step}&source=agent-editor`, "/crew/prj_1"],
    [`${step}&source=builder`, "/crew/prj_1"],
    [`${step}&source=elsewhere`, "/crew/prj_1"],
    ["?source=editor", "/crew/prj_1"],
  ];
  for (const [search, want] of cases) assert.equal(query.wayBack(at(search).query), want, search);
  assert.equal(query.wayBack(at(step, "/builder//ai-workbench").query), "/crew");
});

test("a link is read as it was written; without an id there is none", () => {
  const entry = {
    targetType: "step",
    targetId: "a:b c",
    workflowId: 2,
    mode: "create",
    source: "editor",
    returnTo: "/crew/p?x=1&y=2",
  } as const;
  const url = query.workbenchUrl("prj 1", entry);
  const { fault, query: read } = query.asked(new URL(url ?? "", "http://here"));
  assert.equal(fault, null);
  assert.deepEqual(
    { ...read, sessionId: undefined },
    { ...entry, projectId: "prj 1", sessionId: undefined },
  );
  assert.equal(query.workbenchUrl("p", { ...entry, targetId: " " }), null);
  const { workflowId: _none, ...without } = entry;
  assert.equal(query.workbenchUrl("p", without), null);
});
