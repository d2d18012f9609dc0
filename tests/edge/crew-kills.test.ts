// A process that is killed before any write of a turn, or of an apply: all of a step is there or nothing, the turn has
// ended once, the session goes on.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { HALTED, halting } from "./faults.ts";
import type { Budget } from "./gateway.ts";
import {
  type Carried,
  calls,
  carried,
  change,
  chat,
  names,
  replies,
  type Session,
  startTalk,
  type Talk,
  writes,
} from "./talk.ts";
import { last, sleep } from "./upstream.ts";
import { eventually } from "./workerd.ts";

let talk: Talk;
let end: () => void;

before(async () => {
  end = halting();
  // One relay: the first call behind a kill ends what the one before held (gateway.md §6 "Orphans").
  talk = await startTalk({ RELAY_SHARDS: "1" });
});
after(async () => {
  await talk?.stop();
  end();
});

/** More than any request writes. */
const MANY = 400;
/** Within which a request writes what it writes behind its answer. */
const BEHIND_MS = 200;
const halts = () => [...talk.edge.log.matchAll(HALTED)].map(([, statement]) => statement);

/** Where a request was stopped. */
interface Stop {
  /** What would have been written; null: it came to its end, and behind that nothing was written. */
  statement: string | null;
  /** It was answered before. */
  answered: boolean;
}

/**
 * Sends a request again and again, stopped before its first write, its second, and so on until it comes to its end; the
 * process is killed each time, and another one started on what is stored.
 */
async function everyWrite(
  prepare: (at: number) => Promise<Session>,
  send: (session: Session, haltAt: number) => Promise<unknown>,
  verify: (session: Session, stop: Stop) => Promise<void>,
): Promise<string[]> {
  const stopped: string[] = [];
  for (let at = 0; at < MANY; at += 1) {
    const session = await prepare(at);
    const seen = halts().length;
    let answered = false;
    const answer = send(session, at).then(
      () => {
        answered = true;
      },
      () => undefined,
    );
    await eventually(() => ({ ok: answered || halts().length > seen }), { ms: 60_000 });
    if (answered) await sleep(BEHIND_MS);
    const statement = halts()[seen] ?? null;
    if (statement !== null) {
      await talk.edge.kill();
      await answer;
      await talk.edge.start();
      stopped.push(statement);
    }
    await verify(session, { statement, answered });
    if (statement === null) return stopped;
  }
  throw new Error(`it writes more than ${MANY} times`);
}

const GOOD = writes("assets/a.md", "# Policy\n");
const ASTRAY = writes("assets/b.md", "x");

/** A turn with everything in it: tools that run and that do not, an invalid set, a repair. */
const BUSY = [
  chat("never"),
  change("Astray.", ASTRAY),
  change("I wrote `assets/a.md`.", GOOD),
] as const;

/** Plays the turn by what the model was told so far, so that it may begin anew at any time. */
function busy(): void {
  talk.play = (call) => {
    const said: Carried[] = carried(call);
    const repairs = said.filter(({ content }) => content.startsWith("Your answer was refused"));
    if (repairs.length > 0) return replies(call, BUSY[2]);
    if (said.some(({ role }) => role === "tool")) return replies(call, BUSY[1]);
    return calls(
      call,
      { id: "a", name: "builder.change.stage", args: { changeSet: GOOD } },
      { id: "b", name: "builder.change.apply", args: {} },
      { id: "c", name: "builder.change.discard", args: {} },
    );
  };
}

async function business(project: string): Promise<string> {
  const parts = ["", "/bundle", "/revisions"].map((part) =>
    talk.good("GET", `/projects/${project}${part}`),
  );
  return JSON.stringify(await Promise.all(parts));
}

/** What was proposed is whole: it can be looked at and judged, or there is none. */
async function whole(session: Session, status: string | undefined, at: string): Promise<void> {
  const preview = await talk.ask("GET", `${session.path}/preview`);
  if (status !== "staged" && status !== "validated") {
    assert.ok([200, 409].includes(preview.status), `${at}: ${preview.raw}`);
    return;
  }
  assert.equal(preview.status, 200, `${at}: ${preview.raw}`);
  const path = `/projects/${session.project}/ai/change/validate`;
  const judged = await talk.ask("POST", path, { sessionId: session.id });
  assert.equal(judged.status, 200, `${at}: ${judged.raw}`);
}

test("a process killed before any write of a turn", async () => {
  const project = await talk.project();
  const stood = await business(project);
  busy();
  const stopped = await everyWrite(
    () => talk.session({}, project),
    (session, haltAt) => talk.say(session, "Write.", { clientMessageId: "c1", haltAt }),
    async (session, { statement, answered }) => {
      const at = String(statement);
      assert.equal(await business(project), stood, at);
      const shown = await talk.shown(session);
      assert.deepEqual([shown.activeTurn, shown.session.status], [null, "active"], at);
      const [said] = shown.messages.items;
      if (said) {
        const events = await (await talk.events(session, said.turnId)).all();
        assert.deepEqual(
          events.map(({ id }) => id),
          events.map((_, seq) => `${said.turnId}:${seq + 1}`),
          at,
        );
        const ends = names(events).filter((name) => name === "result" || name === "error");
        assert.deepEqual(ends, [answered ? "result" : "error"], at);
        if (!answered) {
          assert.equal(last(events).data.error?.code, "AI_TURN_INTERRUPTED", at);
          assert.deepEqual(
            shown.messages.items.map(({ role, status }) => [role, status]),
            [["user", "failed"]],
            at,
          );
        }
      }
      await whole(session, shown.latestSuggestion?.status, at);
      const again = await talk.said(session, "Write.", { clientMessageId: "c1" });
      assert.equal(again.valid, true, at);
      const { messages } = await talk.shown(session);
      assert.deepEqual(
        messages.items.map(({ role, status }) => [role, status]),
        [
          ["user", "ok"],
          ["assistant", "ok"],
        ],
        at,
      );
    },
  );
  for (const statement of [
    "INSERT INTO turn(session,",
    "INSERT INTO event(turn,",
    "UPDATE turn SET",
  ])
    assert.ok(stopped.includes(statement), `${statement} of ${stopped.join("; ")}`);
  const asked = { token: talk.keys.admin_token };
  await eventually(
    async () => {
      const path = "/gateway/v1/budgets/dev-day";
      const { value } = await talk.edge.ask<Budget>("GET", path, asked);
      return { ok: value.held === 0 && value.spent > 0, value };
    },
    { ms: 10_000, every: 250 },
  );
});

test("a process killed before any write of an apply", async () => {
  const project = await talk.project();
  const path = `/projects/${project}`;
  await talk.good("POST", `${path}/assets`, { path: "assets/a.md", content: "v0" });
  const revision = async () => (await talk.good<{ revision: number }>("GET", path)).revision;
  let stood = 0;
  let body: Record<string, unknown> = {};
  const signed = (session: Session, haltAt: number) => {
    body = { ...body, haltAt };
    const headers = { "idempotency-key": `apply ${session.id}` };
    return talk.ask<{ applied: boolean }>("POST", `${session.path}/apply`, body, { headers });
  };
  const stopped = await everyWrite(
    async (at) => {
      const session = await talk.session({ mode: "optimize" }, project);
      const changeSet = writes("assets/a.md", `v${at + 1}`, "optimize");
      const { changeSetId } = await talk.good<{ changeSetId: string }>(
        "POST",
        `${path}/ai/change/stage`,
        { sessionId: session.id, changeSet },
      );
      const { preview } = await talk.good<{ preview: { baseHash: string; resultHash: string } }>(
        "POST",
        `${path}/ai/change/validate`,
        { sessionId: session.id, changeSetId },
      );
      const { baseHash, resultHash } = preview;
      body = { changeSetId, confirmSource: "ui_manual_apply", preview: { baseHash, resultHash } };
      stood = await revision();
      return session;
    },
    signed,
    async (session, { statement, answered }) => {
      const at = String(statement);
      const { latestSuggestion } = await talk.shown(session);
      const done = latestSuggestion?.status === "applied";
      if (answered) assert.ok(done, at);
      assert.equal(await revision(), stood + (done ? 1 : 0), at);
      assert.equal(latestSuggestion?.status, done ? "applied" : "validated", at);
      const told = async () => {
        const query = `sessionId=${session.id}&type=ai.apply.succeeded`;
        const list = await talk.good<{ items: object[] }>(
          "GET",
          `${path}/ai/audit/events?${query}`,
        );
        return list.items.length;
      };
      assert.equal(await told(), done ? 1 : 0, at);
      if (done) {
        const { status, value } = await signed(session, Number(body.haltAt));
        assert.deepEqual([status, value.data?.applied], [200, true], `${at}: its answer is kept`);
      }
      const again = await talk.ask("POST", `${session.path}/apply`, { ...body, haltAt: undefined });
      assert.deepEqual(
        [again.status, again.value.error?.code],
        done ? [409, "AI_CHANGESET_CLOSED"] : [200, undefined],
        at,
      );
      assert.deepEqual([await revision(), await told()], [stood + 1, 1], at);
    },
  );
  assert.ok(stopped.includes("INSERT INTO revision(number,"), stopped.join("; "));
  assert.ok(stopped.includes("UPDATE change_set SET"), stopped.join("; "));
});
