/** The checks in a Web Worker: a trap ends this worker and not the page. */

import * as glue from "../../wasm/check/check.js";
import { answers } from "./answers.ts";
import type { CheckAnswer, CheckRequest } from "./protocol.ts";

declare const self: {
  postMessage(message: CheckAnswer): void;
  onmessage: ((event: MessageEvent<CheckRequest>) => void) | null;
};

const answer = answers(glue);

self.onmessage = ({ data }: MessageEvent<CheckRequest>) => self.postMessage(answer(data));
