/** What the checks answer in their thread: one call a message, texts as UTF-8. A trap loses the instance. */

import type { CheckAnswer, CheckRequest } from "./protocol.ts";

/** What the glue of every check module has. */
interface Glue {
  initSync(init: { module: WebAssembly.Module }): unknown;
  call(method: string, input: Uint8Array): string;
}

declare const self: {
  postMessage(message: CheckAnswer): void;
  onmessage: ((event: MessageEvent<CheckRequest>) => void) | null;
};

const encoder = new TextEncoder();

function textOf(glue: Glue, asked: CheckRequest): string {
  if (asked.do === "call") return glue.call(asked.method, encoder.encode(asked.input));
  glue.initSync({ module: asked.module });
  return "";
}

/** Answers every message over one instance of the module. */
export function answers(glue: Glue): (asked: CheckRequest) => CheckAnswer {
  return (asked) => {
    try {
      return { text: textOf(glue, asked) };
    } catch (error) {
      return { trapped: String(error) };
    }
  };
}

/** The whole of a Web Worker of the checks. */
export function serve(glue: Glue): void {
  const answer = answers(glue);
  self.onmessage = ({ data }: MessageEvent<CheckRequest>) => self.postMessage(answer(data));
}
