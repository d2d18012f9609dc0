/** The sandbox in a Web Worker, which the page ends where code does not end. */

import * as glue from "../../wasm/sandbox/sandbox.js";
import { answers } from "./answers.ts";
import type { SandboxRequest, SandboxResponse } from "./protocol.ts";

declare const self: {
  postMessage(message: SandboxResponse): void;
  onmessage: ((event: MessageEvent<SandboxRequest>) => void) | null;
};

const answer = answers(glue);

self.onmessage = ({ data }: MessageEvent<SandboxRequest>) => self.postMessage(answer(data));
