/** What the checks answer in their thread: one call a message, texts as UTF-8. A trap loses the instance. */

import type { CheckAnswer, CheckRequest } from "./protocol.ts";

type Glue = typeof import("../../wasm/check/check.js");

const encoder = new TextEncoder();
const utf8 = (text: string): Uint8Array => encoder.encode(text);

function textOf(glue: Glue, asked: CheckRequest): string {
  switch (asked.do) {
    case "start":
      glue.initSync({ module: asked.module });
      return "";
    case "call":
      return glue.call(asked.method, utf8(asked.input));
    case "prepare_tests":
      return glue.prepare_tests(utf8(asked.input));
    case "prepare_call":
      return glue.prepare_call(utf8(asked.input));
    case "judge_tests":
      return glue.judge_tests(utf8(asked.plan), utf8(asked.outcomes));
  }
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
