// Turns that take too long, and logs that are over (ai-sessions.md §6.1, §9).
import assert from "node:assert/strict";
import { test } from "node:test";
import { during } from "../during.ts";
import { calls, chat, replies, startTalk } from "./talk.ts";
import type { Call } from "./upstream.ts";
import { eventually } from "./workerd.ts";

const talk = await during(startTalk({ CREW_TURN_DEADLINE_MS: "1500", CREW_TURN_EVENTS_MS: "300" }));

test("a turn ends with its time, whatever its model does", async () => {
  const session = await talk.session();
  talk.play = async (call: Call) => {
    call.head();
    await call.closed;
  };
  const answer = await talk.say(session, "Write.");
  assert.deepEqual(
    [answer.status, answer.value.error.code],
    [504, "AI_PROVIDER_TIMEOUT"],
    answer.raw,
  );
});

test("the time is that of all calls together", async () => {
  const session = await talk.session();
  let made = 0;
  talk.play = async (call: Call) => {
    made += 1;
    await new Promise((woken) => setTimeout(woken, 600));
    calls(call, { id: "a", name: "builder.context.get", args: {} });
  };
  const answer = await talk.say(session, "Write.");
  assert.deepEqual(
    [answer.status, answer.value.error.code],
    [504, "AI_PROVIDER_TIMEOUT"],
    answer.raw,
  );
  assert.ok(made <= 3, "no call begins behind it");
});

test("events are kept for their time, the result longer", async () => {
  const session = await talk.session();
  talk.play = (call) => replies(call, chat("Hello."));
  const first = await talk.said(session, "Hello.", { clientMessageId: "c1" });
  const gone = await eventually(async () => {
    const stream = await talk.events(session, first.turnId);
    await stream.until(() => false);
    return { ok: stream.response.status === 410, value: stream.text };
  });
  assert.ok(gone.includes("AI_TURN_EXPIRED"), gone);
  const shown = await talk.shown(session);
  assert.deepEqual(
    shown.messages.items.map(({ content }) => content),
    ["Hello.", "Hello."],
  );
  const again = await talk.said(session, "Hello.", { clientMessageId: "c1" });
  assert.deepEqual(again, first, "what was stored is answered again");
});
