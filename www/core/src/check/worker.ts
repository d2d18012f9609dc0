/** The checks in a Web Worker: one call a message, texts as UTF-8. A trap ends this worker and not the page. */

import {
  call,
  initSync,
  judge_tests,
  prepare_call,
  prepare_tests,
} from "../../wasm/check/check.js";
import type { CheckAnswer, CheckRequest } from "./protocol.ts";

declare const self: {
  postMessage(message: CheckAnswer): void;
  onmessage: ((event: MessageEvent<CheckRequest>) => void) | null;
};

const encoder = new TextEncoder();
const utf8 = (text: string): Uint8Array => encoder.encode(text);

function answer(asked: CheckRequest): string {
  switch (asked.do) {
    case "start":
      initSync({ module: asked.module });
      return "";
    case "call":
      return call(asked.method, utf8(asked.input));
    case "prepare_tests":
      return prepare_tests(utf8(asked.input));
    case "prepare_call":
      return prepare_call(utf8(asked.input));
    case "judge_tests":
      return judge_tests(utf8(asked.plan), utf8(asked.outcomes));
  }
}

self.onmessage = ({ data }: MessageEvent<CheckRequest>) => {
  try {
    self.postMessage({ text: answer(data) });
  } catch (error) {
    self.postMessage({ trapped: String(error) });
  }
};
