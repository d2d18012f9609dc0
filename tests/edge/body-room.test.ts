// Bodies that come at the same time share the memory of an isolate (ENGINE §8).
import assert from "node:assert/strict";
import { type ClientRequest, type IncomingMessage, request } from "node:http";
import { test } from "node:test";
import { during } from "../during.ts";
import { eventually, startEdge } from "./workerd.ts";

const MIB = 1 << 20;
/** What an isolate holds of bodies. */
const MOST = 64 * MIB;

const edge = await during(startEdge({}));
const keys = await edge.keys();

interface Begun {
  sent: ClientRequest;
  /** The status and the body of an answer that came before the body of the request did. */
  answer: Promise<{ status: number; text: string }>;
}

/** The beginning of a form that says how long it is, or comes in pieces of which some are sent. */
function form(length: number | null, bytes = 1): Begun {
  const headers = {
    authorization: `Bearer ${keys.user_token}`,
    "content-type": "multipart/form-data; boundary=x",
    ...(length === null ? { "transfer-encoding": "chunked" } : { "content-length": length }),
  };
  const sent = request(`${edge.url}/packages/import`, { method: "POST", headers });
  sent.on("error", () => {});
  const answer = new Promise<{ status: number; text: string }>((resolve) => {
    sent.on("response", async (response: IncomingMessage) => {
      let text = "";
      for await (const piece of response) text += piece;
      resolve({ status: response.statusCode ?? 0, text });
    });
  });
  sent.write(Buffer.alloc(bytes));
  return { sent, answer };
}

const within = <T>(answer: Promise<T>, ms: number): Promise<T | null> =>
  Promise.race([answer, new Promise<null>((late) => setTimeout(() => late(null), ms))]);

test("a body for which there is no room is refused before it comes, and small ones go on", async () => {
  const first = form(40 * MIB);
  assert.equal(await within(first.answer, 500), null, "it is waited for");
  try {
    for (const second of [form(30 * MIB), form(null, 30 * MIB)]) {
      const answer = await within(second.answer, 10_000);
      second.sent.destroy();
      assert.equal(answer?.status, 429, answer?.text);
      const { error } = JSON.parse(answer?.text ?? "{}");
      assert.equal(error.code, "TOO_MANY_IN_FLIGHT");
      assert.deepEqual(error.details, { scope: "bodies", limit: MOST, retry_after_ms: 1_000 });
    }
    const small = await edge.ask("POST", "/api/v1/extensions/review", {
      token: keys.user_token,
      body: { files: {} },
    });
    assert.notEqual(small.status, 429, small.raw);
  } finally {
    first.sent.destroy();
  }
});

test("the room of a body that broke off is there again", async () => {
  await eventually(async () => {
    const next = form(50 * MIB);
    const refused = await within(next.answer, 500);
    next.sent.destroy();
    return { ok: refused === null };
  });
});
