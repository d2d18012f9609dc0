// What an upstream of Anthropic's protocol says, for tests that steer a stub from inside.
import type { Call } from "./upstream.ts";

/** An event, as the protocol sends it: its name stands in the data too. */
export const event = (data: { type: string } & Record<string, unknown>): string =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;

export interface Used {
  input_tokens?: number;
  cache_read_input_tokens?: number;
  cache_creation_input_tokens?: number;
  output_tokens?: number;
}

/** The beginning of a stream; its output is a first count. */
export const start = (usage: Used = { input_tokens: 7, output_tokens: 1 }): string =>
  event({
    type: "message_start",
    message: {
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: "m",
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage,
    },
  });
export const ping = event({ type: "ping" });
export const open = (index: number, content_block: object): string =>
  event({ type: "content_block_start", index, content_block });
export const delta = (index: number, part: object): string =>
  event({ type: "content_block_delta", index, delta: part });
export const close = (index: number): string => event({ type: "content_block_stop", index });
export const text = (index: number, words: string[]): string =>
  open(index, { type: "text", text: "" }) +
  words.map((word) => delta(index, { type: "text_delta", text: word })).join("") +
  close(index);
/** The end of a stream, with what it used. */
export const stop = (reason: string, usage: Used): string =>
  event({ type: "message_delta", delta: { stop_reason: reason, stop_sequence: null }, usage }) +
  event({ type: "message_stop" });
export const failing = (type: string, message: string): string =>
  event({ type: "error", error: { type, message } });

/** A whole message. */
export function message(call: Call, content: object[], usage: Used, reason = "end_turn"): string {
  const body = JSON.stringify({
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "m",
    content,
    stop_reason: reason,
    stop_sequence: null,
    usage,
  });
  call.head(200, { "content-type": "application/json" });
  call.end(body);
  return body;
}

/** A configuration of one provider of that protocol, with prices, below the alias `default`. */
export const configuration = (url: string, more: object = {}): string =>
  JSON.stringify({
    providers: [
      {
        id: "main",
        kind: "anthropic",
        base_url: url,
        secret: "platform:main",
        betas: ["known-1"],
        ...more,
      },
    ],
    models: [
      {
        alias: "default",
        display: "Standard",
        candidates: [{ provider: "main", model: "m-large" }],
      },
    ],
    prices: [
      {
        provider: "main",
        model: "m-large",
        version: 3,
        context_window: 200000,
        max_output: 8000,
        image_tokens_max: 1600,
        price: {
          input: 3_000_000,
          cached_input: 300_000,
          cache_write: 3_750_000,
          output: 15_000_000,
        },
      },
    ],
  });
