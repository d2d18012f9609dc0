// What a page finds of a conversation after a reload, and what is kept of calls that were refused
// (ai-sessions.md §2, §3, §10).
import assert from "node:assert/strict";
import { test } from "node:test";
import { during } from "../during.ts";
import {
  calls,
  change,
  chat,
  type Found,
  replies,
  type Session,
  speaks,
  startTalk,
  type TurnResult,
  writes,
} from "./talk.ts";
import { told } from "./upstream.ts";
import { eventually } from "./workerd.ts";

const talk = await during(startTalk());

type Kept = Pick<
  TurnResult,
  "hasChange" | "suggestionVersion" | "valid" | "warnings" | "notes" | "assumptions" | "usage"
>;

interface Item {
  role: string;
  content: string;
  status: string;
  turnId: string;
  toolName?: string;
  toolArgs?: unknown;
  toolResult?: { ok: boolean; error: Found | null };
  result?: Kept;
  error?: Found & { hints?: string[] };
}

interface Listed {
  sessionId: string;
  title: string | null;
  suggestionStatus: string | null;
}

interface Told {
  type: string;
  code: string | null;
  outcome: string;
  detail: { tool?: string };
}

const items = async (session: Session, query = "", headers = {}): Promise<Item[]> => {
  const shown = await talk.good<{ messages: { items: Item[] } }>(
    "GET",
    session.path + query,
    undefined,
    { headers },
  );
  return shown.messages.items;
};
const audit = async (session: Session, type: string): Promise<Told[]> => {
  const path = `/projects/${session.project}/ai/audit/events?sessionId=${session.id}&type=${type}`;
  return (await talk.good<{ items: Told[] }>("GET", path)).items.reverse();
};
const GOOD = writes("assets/a.md", "# Policy\n");

test("a call that was refused stands in the transcript, is told and counted", async () => {
  const session = await talk.session();
  let made = 0;
  talk.play = (call) => {
    made += 1;
    if (made > 1) return replies(call, chat("Done."));
    return calls(
      call,
      { id: "a", name: "builder.change.apply", args: { changeSetId: "cs_1" } },
      { id: "b", name: "builder.made.up", args: { text: "a secret of mine" } },
      { id: "c", name: "builder.asset.read", args: "{" },
      { id: "d", name: "builder.context.get", args: {} },
    );
  };
  await talk.said(session, "Apply it.");
  const tools = (await items(session, "?include=tool")).filter(({ role }) => role === "tool");
  assert.deepEqual(
    tools.map(({ toolName, toolArgs, toolResult, status }) => [
      toolName,
      toolArgs,
      toolResult?.error?.code ?? toolResult?.ok,
      status,
    ]),
    [
      ["builder.change.apply", { changeSetId: "cs_1" }, "AI_TOOL_FORBIDDEN", "failed"],
      ["builder.made.up", { text: "a secret of mine" }, "AI_TOOL_NOT_ALLOWED", "failed"],
      ["builder.asset.read", "{", "AI_TOOL_EXECUTION_ERROR", "failed"],
      ["builder.context.get", {}, true, "ok"],
    ],
  );
  const events = await audit(session, "ai.tool.called");
  assert.deepEqual(
    events.map(({ detail, code, outcome }) => [detail.tool, code, outcome]),
    [
      ["builder.change.apply", "AI_TOOL_FORBIDDEN", "failed"],
      ["unlisted", "AI_TOOL_NOT_ALLOWED", "failed"],
      ["builder.asset.read", "AI_TOOL_EXECUTION_ERROR", "failed"],
      ["builder.context.get", null, "ok"],
    ],
  );
  const metrics = await talk.good<{ toolForbidden: number; codes: Record<string, number> }>(
    "GET",
    `/projects/${session.project}/ai/metrics`,
  );
  assert.deepEqual(
    [metrics.toolForbidden, metrics.codes.AI_TOOL_FORBIDDEN, metrics.codes.AI_TOOL_NOT_ALLOWED],
    [1, 1, 1],
  );
  assert.ok(!JSON.stringify(events).includes("made.up"), "no word of a model is told");
  assert.ok(!talk.edge.log.includes("made.up"), "or logged");
});

test("what a turn gave beside its words is found again as it was given", async () => {
  const project = await talk.project();
  for (const name of ["a", "b"]) {
    const body = { path: `assets/${name}.md`, content: `Text of ${name}.` };
    await talk.good("POST", `/projects/${project}/assets`, body);
  }
  const session = await talk.session({ mode: "optimize" }, project);
  let made = 0;
  talk.play = (call) => {
    made += 1;
    if (made === 1) return calls(call, { id: "a", name: "builder.change.apply", args: {} });
    if (made === 2) return speaks(call, "no object");
    const set = writes("assets/a.md", "New text.", "optimize");
    const more = { notes: ["Look at the end."], assumptions: ["It is short."] };
    return replies(call, change("I updated `assets/b.md`.", set, more));
  };
  const result = await talk.said(session, "Write.");
  const codes = result.warnings.map(({ code }) => code);
  for (const code of ["AI_TOOL_FORBIDDEN", "SUMMARY_CLAIMS_UNCHANGED", "SUMMARY_OMITS_CHANGE"])
    assert.ok(codes.includes(code), `${code} of ${codes}`);
  assert.deepEqual([result.usage.repairs, result.usage.iterations], [1, 3]);
  const { hasChange, suggestionVersion, valid, warnings, notes, assumptions, usage } = result;
  const kept = { hasChange, suggestionVersion, valid, warnings, notes, assumptions, usage };
  const answer = async () => (await items(session)).find(({ role }) => role === "assistant");
  assert.deepEqual((await answer())?.result, kept);
  await talk.edge.kill();
  await talk.edge.start();
  assert.deepEqual((await answer())?.result, kept, "after a restart too");
});

test("why a turn has no answer is found with its words, in the language of the reader", async () => {
  const session = await talk.session();
  talk.play = (call) => told(call, 500, "oops");
  const failed = await talk.say(session, "Write.");
  const [said] = await items(session);
  assert.deepEqual([said?.status, said?.error?.code], ["failed", "AI_PROVIDER_ERROR"]);
  assert.equal(said?.error?.message, failed.value.error.message);
  const [swedish] = await items(session, "", { "accept-language": "sv" });
  assert.equal(swedish?.error?.code, "AI_PROVIDER_ERROR");
  assert.notEqual(swedish?.error?.message, said?.error?.message);
});

test("a turn that a restart broke off is over before anybody asks for its events, and is told", async () => {
  const session = await talk.session();
  let asked = false;
  talk.play = async (call) => {
    asked = true;
    await call.closed;
  };
  void talk.say(session, "Write.").catch(() => undefined);
  await eventually(() => ({ ok: asked }));
  await talk.edge.kill();
  await talk.edge.start();
  const shown = await talk.shown(session);
  assert.equal(shown.activeTurn, null);
  const [said] = await items(session);
  assert.deepEqual([said?.status, said?.error?.code], ["failed", "AI_TURN_INTERRUPTED"]);
  const sent = await audit(session, "ai.message.sent");
  assert.deepEqual(
    sent.map(({ outcome, code }) => [outcome, code]),
    [["failed", "AI_TURN_INTERRUPTED"]],
  );
});

test("sessions are listed with their first words and where their newest set stands", async () => {
  const project = await talk.project();
  talk.play = (call) => replies(call, change("I wrote `assets/a.md`.", GOOD));
  const long = await talk.session({}, project);
  await talk.said(long, `  Write a\npolicy ${"about doors ".repeat(20)}`);
  await talk.said(long, "And another thing.");
  await talk.session({ targetId: "assets/b.md" }, project);
  const { items: listed } = await talk.good<{ items: Listed[] }>(
    "GET",
    `/projects/${project}/ai/sessions`,
  );
  assert.deepEqual(
    listed.map(({ title, suggestionStatus }) => [title?.slice(0, 20) ?? null, suggestionStatus]),
    [
      [null, null],
      ["Write a policy about", "validated"],
    ],
  );
  assert.equal([...(listed[1]?.title ?? "")].length <= 80, true);
  assert.ok(listed[1]?.title?.endsWith("…"));
});
