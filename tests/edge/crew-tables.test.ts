// The rows that only an apply or a hand may change, read in the database itself before and after everything else.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { TABLES, telling } from "./faults.ts";
import {
  calls,
  change,
  chat,
  replies,
  type Session,
  startTalk,
  type Talk,
  writes,
} from "./talk.ts";
import { last, told } from "./upstream.ts";
import { eventually } from "./workerd.ts";

let talk: Talk;
let end: () => void;

before(async () => {
  end = telling();
  talk = await startTalk();
});
after(async () => {
  await talk?.stop();
  end();
});

/** The rows of a project, as its object has them now. */
async function tables(session: Session): Promise<string> {
  const all = () => [...talk.edge.log.matchAll(TABLES)].map(([, rows]) => String(rows));
  const seen = all().length;
  await talk.good("GET", session.path);
  return eventually(() => {
    const now = all();
    return { ok: now.length > seen, value: last(now) };
  });
}

/** A session about an asset that is stored, in a project with a second one. */
async function stored(): Promise<Session> {
  const project = await talk.project();
  for (const name of ["a", "b"]) {
    const body = { path: `assets/${name}.md`, content: `Text of ${name}.` };
    await talk.good("POST", `/projects/${project}/assets`, body);
  }
  return talk.session({ mode: "optimize" }, project);
}

const GOOD = writes("assets/a.md", "New text.", "optimize");
const ASTRAY = writes("assets/b.md", "x", "optimize");
const SIGNED = { confirmSource: "ui_manual_apply" };

test("rows are told, and an apply changes them", async () => {
  const session = await stored();
  const before_apply = await tables(session);
  assert.ok(before_apply.includes("Text of a."), "the texts of files are among them");
  assert.ok(before_apply.includes('"revision"'));
  talk.play = (call) => replies(call, change("I wrote `assets/a.md`.", GOOD));
  const { changeSetId } = await talk.said(session, "Write.");
  assert.equal(await tables(session), before_apply);
  await talk.good("POST", `${session.path}/apply`, { changeSetId, ...SIGNED });
  const after_apply = await tables(session);
  assert.notEqual(after_apply, before_apply);
  assert.ok(after_apply.includes("New text."));
});

test("nothing else does: chats, tools, previews, refusals, failures, ends", async () => {
  const session = await stored();
  const { path, project, id: sessionId } = session;
  const stood = await tables(session);
  const held = async (what: string) => assert.equal(await tables(session), stood, what);
  const verb = (name: string, body: object = {}) =>
    talk.ask("POST", `/projects/${project}/ai/change/${name}`, { sessionId, ...body });

  talk.play = (call) => replies(call, chat("Fine."));
  await talk.said(session, "Is it fine?");
  await held("a chat");

  let made = 0;
  talk.play = (call) => {
    made += 1;
    if (made > 1) return replies(call, chat("Read."));
    return calls(
      call,
      { id: "1", name: "builder.context.get", args: {} },
      { id: "2", name: "builder.asset.read", args: { path: "assets/a.md" } },
      {
        id: "3",
        name: "builder.refs.find",
        args: { locator: { type: "asset", id: "assets/a.md" } },
      },
      { id: "4", name: "builder.change.stage", args: { changeSet: GOOD } },
      { id: "5", name: "builder.change.validate", args: {} },
      { id: "6", name: "builder.change.apply", args: {} },
      { id: "7", name: "builder.change.discard", args: {} },
    );
  };
  await talk.said(session, "Look, and try.");
  await held("every tool");

  talk.play = (call) => told(call, 500, "oops");
  assert.equal((await talk.say(session, "Write.")).status, 502);
  await held("a provider that fails");

  talk.play = (call) => replies(call, change("Astray.", ASTRAY));
  assert.equal((await talk.said(session, "Write.")).valid, false);
  await held("a set that does not hold");

  const open = await talk.ask("POST", `/projects/${project}/ai/change/discard`, { sessionId });
  assert.equal(open.status, 409, "what did not hold is closed");
  assert.equal((await verb("stage", { changeSet: ASTRAY })).status, 201);
  assert.equal((await verb("discard")).status, 200);
  const staged = await verb("stage", { changeSet: GOOD });
  assert.equal(staged.status, 201, staged.raw);
  const { changeSetId } = staged.value.data as { changeSetId: string };
  await held("a stage");
  assert.equal((await talk.ask("POST", `${path}/apply`, { changeSetId, ...SIGNED })).status, 409);
  await held("an apply of what was not judged");
  assert.equal((await verb("validate", { changeSetId })).status, 200);
  await talk.good("GET", `${path}/preview`);
  await talk.good("GET", `${path}/context`);
  await held("a judgement, a preview, a context");
  assert.equal((await talk.ask("POST", `${path}/apply`, { changeSetId })).status, 400);
  await held("an apply that no person signed");
  const seen = { baseHash: "sha256:0", resultHash: "sha256:0" };
  const moved = await talk.ask("POST", `${path}/apply`, { changeSetId, ...SIGNED, preview: seen });
  assert.deepEqual([moved.status, moved.value.error.code], [409, "CONFLICT"]);
  await held("an apply of something else");
  assert.equal((await verb("discard", { changeSetId })).status, 200);
  assert.equal((await verb("revert", { changeSetId })).status, 409);
  await held("a discard, and the undo of what never was");
  await talk.good("POST", `${path}/cancel`);
  await held("a cancelled session");
});
