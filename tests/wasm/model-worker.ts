// The page's client of a model over its worker's answers, in one thread: what passes between them is heard.

import { readFileSync } from "node:fs";
import type { ModelClient } from "@holdpoint/core/types";
import { Answers } from "../../www/core/src/model/answers.ts";
import { createModelClient } from "../../www/core/src/model/client.ts";
import type { ModelQuestion, ModelResponse, Request } from "../../www/core/src/model/protocol.ts";
import { FileBytes, initSync, ModelHandle } from "../../www/core/wasm/model/model.js";

const WASM = new URL("../../www/core/wasm/model/model_bg.wasm", import.meta.url);

export interface Heard {
  question: Request<ModelQuestion>;
  /** As it arrives in the page. */
  answer: unknown;
}

/** A client, and what its worker answered so far. */
export function heardClient(): { client: ModelClient; heard: Heard[] } {
  const heard: Heard[] = [];
  const { memory } = initSync({ module: readFileSync(WASM) });
  class Answering {
    onmessage: ((event: { data: ModelResponse }) => void) | null = null;
    readonly #answers = new Answers({ FileBytes, ModelHandle, memory });

    postMessage(sent: Request<ModelQuestion>): void {
      const question = structuredClone(sent);
      const { id } = question;
      const answer =
        question.method === "open"
          ? this.#answers.open(question.file, question.name, (progress) =>
              this.#say({ id, progress }),
            )
          : this.#answers.answer(question);
      answer.then(
        (result) => {
          heard.push({ question, answer: structuredClone(result) });
          this.#say({ id, result });
        },
        (error) => this.#say({ id, error }),
      );
    }

    terminate(): void {
      this.onmessage = null;
    }

    #say(data: ModelResponse): void {
      this.onmessage?.({ data: structuredClone(data) });
    }
  }
  Object.assign(globalThis, { Worker: Answering });
  return { client: createModelClient(), heard };
}

/** Opens a file as the page does. */
export const openIn = (client: ModelClient, pieces: BlobPart[], name: string) =>
  client.open(new Blob(pieces), name, () => undefined, new AbortController().signal);
