// A run that is stopped while its project is built ends the build, so that whoever comes next is built at once
// (app-builder.md §9 "Cancel").
import assert from "node:assert/strict";
import { test } from "node:test";
import { during } from "../during.ts";
import { heard, Maker, type Version, whole } from "./apps.ts";
import { calls } from "./talk.ts";
import { type Call, startUpstream } from "./upstream.ts";
import { eventually, startEdge } from "./workerd.ts";

/** A plugin that is never done. */
const SLOW = `import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  base: './',
  plugins: [react(), { name: 'slow', buildStart: () => new Promise((done) => setTimeout(done, 3_600_000)) }],
});
`;
const STEPS = [
  {
    name: "apply_patch_dry_run",
    args: { operations: [{ op: "upsert_file", path: "vite.config.ts", content: SLOW }] },
  },
  { name: "build_project_worker", args: {} },
];

const upstream = await during(
  startUpstream((call: Call) => {
    const step = STEPS[upstream.calls.length - 1];
    if (step) calls(call, { id: "c", ...step });
  }),
);
const edge = await during(
  startEdge({ runner: true, variables: { UPSTREAM_BASE_URL: upstream.url } }),
);
const ada = new Maker(edge, (await edge.keys()).user_token);

/** How many jobs the runner works on. */
async function running(): Promise<number> {
  const { url, token } = edge.runner ?? {};
  const answer = await fetch(`${url}/healthz`, { headers: { authorization: `Bearer ${token}` } });
  return ((await answer.json()) as { slots: { busy: number } }).slots.busy;
}

test("a run that is stopped in its build ends it within seconds", async () => {
  const app = await ada.make("Stopped");
  await ada.built(app.id, app.current_draft_revision_id);
  const answer = ada.ask("POST", `/${app.id}/builder/chat/stream`, {
    input: "Be slow.",
    base_revision_id: app.current_draft_revision_id,
  });
  await eventually(async () => ({ ok: (await running()) === 1 }), { ms: 60_000, every: 100 });
  const { active_run } = await ada.good<{ active_run: string }>("GET", `/${app.id}/builder/state`);
  const began = Date.now();
  await ada.good("POST", `/${app.id}/builder/chat/${active_run}/cancel`);
  assert.equal(whole(heard((await answer).raw)).data.outcome, "cancelled");
  await eventually(async () => ({ ok: (await running()) === 0 }), { ms: 10_000, every: 50 });
  const took = Date.now() - began;
  assert.ok(took < 8_000, `the build went on for ${took} ms`);
  const next = await ada.good<Version>("POST", `/${app.id}/builder/revisions`, {
    base_revision_id: app.current_draft_revision_id,
    operations: [{ op: "upsert_file", path: "src/note.ts", content: "export const note = 1;\n" }],
  });
  assert.equal(next.verified, true);
  assert.ok(Date.now() - began < 50_000, "nobody waited for a lease to end");
});
