// A stub upstream that tests steer from inside: OpenAI's protocol, chunks when the test says so.
//
// The scripted provider plays transcripts; this one exists where a test must hold a stream open, cut it, or see when
// the gateway closed it.
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

const base = { id: "c", object: "chat.completion.chunk", model: "m" };
const event = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;

/** A chunk of text, as the protocol sends it. */
export const chunk = (content: unknown, more: object = {}): string =>
  event({ ...base, choices: [{ index: 0, delta: { content }, finish_reason: null }], ...more });
export const finish = event({
  ...base,
  choices: [{ index: 0, delta: {}, finish_reason: "stop" }],
});
export const usage = (input: number, output: number): string =>
  event({ ...base, choices: [], usage: used(input, output) });
export const done = "data: [DONE]\n\n";

const used = (input: number, output: number) => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
});

/** What the gateway asked a model. */
export interface ModelRequest {
  model: string;
  messages: { role: string; content: string }[];
  stream?: boolean;
  stream_options?: { include_usage?: boolean };
  max_tokens?: number;
}

/** A call of the gateway, played by a test. */
export interface Call {
  raw: string;
  body: ModelRequest;
  headers: IncomingHttpHeaders;
  path: string | undefined;
  /** Whether the gateway left before the answer was whole. */
  gone: boolean;
  /** When the gateway left; whether that was before the answer was whole. */
  closed: Promise<boolean>;
  head(status?: number, headers?: Record<string, string>): void;
  send(text: string | Buffer): boolean;
  end(text?: string | Buffer): void;
  cut(): void;
}

export interface Upstream {
  calls: Call[];
  url: string;
  stop(): Promise<void>;
}

/** `handle(call)` plays each request. */
export async function startUpstream(handle: (call: Call) => unknown): Promise<Upstream> {
  const calls: Call[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const raw = Buffer.concat(parts).toString();
      let left: (gone: boolean) => void = () => {};
      const call: Call = {
        raw,
        body: raw === "" ? null : JSON.parse(raw),
        headers: request.headers,
        path: request.url,
        gone: false,
        closed: new Promise((tell) => {
          left = tell;
        }),
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
  // A server that closes idle connections may close one just as the gateway sends its next call on it: a failure of
  // the network that no test asked for. `stop` ends them all.
  server.keepAliveTimeout = 0;
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const { port } = server.address() as AddressInfo;
  return {
    calls,
    url: `http://127.0.0.1:${port}/v1`,
    stop: () => {
      server.closeAllConnections();
      return new Promise((ended) => {
        server.close(() => ended());
      });
    },
  };
}

/** A whole stream of `words`, with usage. */
export function play(call: Call, words: string[], { input = 7 } = {}): void {
  call.head();
  for (const word of words) call.send(chunk(word));
  call.send(finish);
  if (call.body.stream_options?.include_usage) call.send(usage(input, words.length));
  call.end(done);
}

/** A whole answer. */
export function answer(call: Call, content: string, { input = 7, output = 3 } = {}): void {
  call.head(200, { "content-type": "application/json" });
  call.end(
    JSON.stringify({
      id: "c",
      object: "chat.completion",
      created: 1,
      model: "m",
      choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
      usage: used(input, output),
    }),
  );
}

/** A whole answer of any status: why there is no stream, or something that no model says. */
export function told(call: Call, status: number, text: string): void {
  call.head(status, { "content-type": "application/json" });
  call.end(text);
}

/** A stream of these texts as they stand. */
export function streamed(call: Call, ...texts: string[]): void {
  call.head();
  for (const text of texts) call.send(text);
  call.end();
}

/** The last of a list; a test fails where there is none. */
export function last<T>(list: readonly T[]): T {
  const [found] = list.slice(-1);
  if (found === undefined) throw new Error("there is none");
  return found;
}

export const sleep = (ms: number): Promise<void> => new Promise((woken) => setTimeout(woken, ms));
