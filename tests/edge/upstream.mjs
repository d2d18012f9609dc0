// A stub upstream that tests steer from inside: OpenAI's protocol, chunks when the test says so.
//
// The scripted provider plays transcripts; this one exists where a test must hold a stream open, cut it, or see when
// the gateway closed it.
import { createServer } from "node:http";

/** A chunk of text, as the protocol sends it. */
export const chunk = (content, more = {}) =>
  `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", model: "m", choices: [{ index: 0, delta: { content }, finish_reason: null }], ...more })}\n\n`;
export const finish = `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", model: "m", choices: [{ index: 0, delta: {}, finish_reason: "stop" }] })}\n\n`;
export const usage = (input, output) =>
  `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", model: "m", choices: [], usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output } })}\n\n`;
export const done = "data: [DONE]\n\n";

/**
 * `handle(call)` plays each request. `call` has `body` (parsed), `raw`, `headers`, `closed` (a promise of when the
 * gateway left), `head(status, headers)`, `send(text)`, `end()`, `cut()`.
 */
export async function startUpstream(handle) {
  const calls = [];
  const server = createServer((request, response) => {
    const parts = [];
    request.on("data", (part) => parts.push(part));
    request.on("end", () => {
      const raw = Buffer.concat(parts).toString();
      let left;
      const call = {
        raw,
        body: raw === "" ? null : JSON.parse(raw),
        headers: request.headers,
        path: request.url,
        gone: false,
        closed: new Promise((tell) => (left = tell)),
        head: (status = 200, headers = { "content-type": "text/event-stream" }) =>
          response.writeHead(status, headers).flushHeaders(),
        send: (text) => response.write(text),
        end: (text) => response.end(text),
        cut: () => response.socket?.destroy(),
      };
      response.on("close", () => {
        call.gone = !response.writableFinished;
        left(call.gone);
      });
      response.on("error", () => {});
      calls.push(call);
      Promise.resolve(handle(call)).catch(() => response.destroy());
    });
  });
  server.keepAliveTimeout = 1;
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  return {
    calls,
    url: `http://127.0.0.1:${server.address().port}/v1`,
    stop: () => {
      server.closeAllConnections();
      return new Promise((ended) => server.close(ended));
    },
  };
}

/** A whole stream of `words`, with usage. */
export function play(call, words, { input = 7 } = {}) {
  call.head();
  for (const word of words) call.send(chunk(word));
  call.send(finish);
  if (call.body.stream_options?.include_usage) call.send(usage(input, words.length));
  call.end(done);
}

/** A whole answer. */
export function answer(call, content, { input = 7, output = 3 } = {}) {
  call.head(200, { "content-type": "application/json" });
  call.end(
    JSON.stringify({
      id: "c",
      object: "chat.completion",
      created: 1,
      model: "m",
      choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
      usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
    }),
  );
}

export const sleep = (ms) => new Promise((woken) => setTimeout(woken, ms));
