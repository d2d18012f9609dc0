// The upstream of the gateway's rig: a model server that answers at once, whole or as a stream of 20 chunks. Whoever
// asks it to speak slowly hears a word every 200 ms.
import { createServer } from "node:http";

const WORDS = 20;
const SLOW_MS = 200;
const usage = { prompt_tokens: 12, completion_tokens: WORDS, total_tokens: 12 + WORDS };
const base = { id: "c", created: 1, model: "m" };
const whole = JSON.stringify({
  ...base,
  object: "chat.completion",
  choices: [
    {
      index: 0,
      message: { role: "assistant", content: "word ".repeat(WORDS) },
      finish_reason: "stop",
    },
  ],
  usage,
});
const event = (more) =>
  `data: ${JSON.stringify({ ...base, object: "chat.completion.chunk", ...more })}\n\n`;
const word = event({ choices: [{ index: 0, delta: { content: "word " }, finish_reason: null }] });
const last = [
  event({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }),
  event({ choices: [], usage }),
  "data: [DONE]\n\n",
].join("");

const server = createServer((request, response) => {
  let body = "";
  request.on("data", (part) => {
    body += part;
  });
  request.on("end", () => {
    if (!/"stream"\s*:\s*true/.test(body)) {
      response.writeHead(200, {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(whole),
      });
      response.end(whole);
      return;
    }
    response.writeHead(200, { "content-type": "text/event-stream" });
    const soon = body.includes("slowly") ? (go) => setTimeout(go, SLOW_MS) : setImmediate;
    let left = WORDS;
    const next = () => {
      if (left === 0) return response.end(last);
      left -= 1;
      response.write(word);
      soon(next);
    };
    next();
  });
});
server.keepAliveTimeout = 0;
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
