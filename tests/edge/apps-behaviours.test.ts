// Behaviours on the real stack: what a change says that the app does is a test in the project, approved with it, run
// with every later change, and lost only where a person ticks it (app-builder.md §10 "Behaviours").
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type App,
  atScriptedEdge,
  type Envelope,
  heard,
  type Maker,
  type Signable,
  signed,
  type Version,
  whole,
} from "./apps.ts";

const PATH = "src/behaviours/meeting-time.test.tsx";
const SAYS = "The page says that the club meets on Saturdays at nine.";
let ada: Maker;
atScriptedEdge((maker) => {
  ada = maker;
});

interface Proposal extends Signable {
  behaviours: { path: string; says: string; change: string }[];
  diagnostics: { code: string; path?: string }[];
  verified: Record<string, boolean>;
  confirm_token: string | null;
}

/** A run to its proposal, which it hands in with every gate green. */
async function proposed(app: App, revision: string, input: string) {
  const body = { input, base_revision_id: revision };
  const { raw } = await ada.ask("POST", `/${app.id}/builder/chat/stream`, body);
  const events = heard(raw);
  const { outcome, proposal_id } = whole(events).data;
  assert.equal(outcome, "succeeded", JSON.stringify(events.slice(-4)));
  const path = `/${app.id}/builder/proposals/${proposal_id}`;
  return { events, path, proposal: await ada.good<Proposal>("GET", path) };
}

const refusals = (events: Envelope[]) =>
  events
    .filter(({ data }) => data.tool === "propose" && data.status === "failed")
    .flatMap(({ diagnostics = [] }) => diagnostics.map(({ code }) => code));

test("a behaviour is approved with its change, kept by the next one, and given up with a tick", async () => {
  const app = await ada.make("Allotment");
  await ada.built(app.id, app.current_draft_revision_id);
  const first = await proposed(
    app,
    app.current_draft_revision_id,
    "Say below the heading when the club meets: Saturdays at nine.",
  );
  assert.deepEqual(first.proposal.behaviours, [{ path: PATH, says: SAYS, change: "new" }]);
  assert.equal(first.proposal.verified.tests, true, "it was seen to hold");
  const left = await ada.good<Proposal>("POST", `${first.path}/preview`, {
    accept: { [PATH]: false },
  });
  assert.deepEqual(left.behaviours, [], "what is not taken is not approved");
  await ada.good("POST", `${first.path}/preview`, {});
  const version = await ada.good<Version>("POST", `${first.path}/apply`, signed(first.proposal));
  assert.ok(version.files?.[PATH]?.includes(SAYS), "it stands in the project");

  const next = await proposed(app, version.id, "Make the meeting time stand out.");
  assert.deepEqual(refusals(next.events), ["TEST_FAILED"], "the change that broke it was refused");
  assert.deepEqual(next.proposal.behaviours, [{ path: PATH, says: SAYS, change: "kept" }]);
  assert.equal(next.proposal.confirm_token, null);

  const last = await proposed(
    app,
    version.id,
    "The club does not meet any more: take the meeting time away.",
  );
  assert.deepEqual(last.proposal.behaviours, [{ path: PATH, says: SAYS, change: "lost" }]);
  const found = last.proposal.diagnostics.map(({ code, path }) => [code, path]);
  assert.deepEqual(found, [["BEHAVIOUR_LOST", PATH]]);
  const apply = `${last.path}/apply`;
  assert.deepEqual(await ada.refused("POST", apply, signed(last.proposal)), [
    409,
    "CONFIRMATION_REQUIRED",
  ]);
  const saved = await ada.good("POST", `/${app.id}/builder/validate`, {
    base_revision_id: version.id,
    operations: [{ op: "delete_file", path: PATH }],
  });
  assert.equal(saved.diagnostics[0]?.code, "BEHAVIOUR_LOST", "one's own edit is told of it");
  const { confirm_token } = last.proposal;
  const given = await ada.good<Version>("POST", apply, { ...signed(last.proposal), confirm_token });
  assert.equal(given.files?.[PATH], undefined);
});
