/** How a worker of the model answers: one message for each request, a fault in the shape that the page says. */
import type { ErrorShape } from "../types.ts";
import { type ModelResponse, NOT_READ, type Request } from "./protocol.ts";

declare const self: {
  postMessage(message: ModelResponse): void;
  onmessage: ((event: MessageEvent) => void) | null;
};

export const tell = (response: ModelResponse): void => self.postMessage(response);

export function answerWith<Question>(
  answer: (request: Request<Question>) => Promise<unknown>,
): void {
  self.onmessage = ({ data }: MessageEvent<Request<Question>>) => {
    answer(data).then(
      (result) => tell({ id: data.id, result }),
      (error: unknown) => {
        // A module that ended, as for want of memory, answers nothing any more.
        const ended = error instanceof WebAssembly.RuntimeError || error instanceof RangeError;
        const shape = (ended ? NOT_READ : error) as Partial<ErrorShape> & {
          line?: number;
          column?: number;
        };
        const { line, column } = shape;
        const place = {
          ...(line === undefined ? {} : { line }),
          ...(column === undefined ? {} : { column }),
        };
        tell({
          id: data.id,
          error: {
            code: shape.code ?? "MODEL_INVALID",
            message: shape.message ?? String(error),
            ...(shape.args ? { args: shape.args } : {}),
            ...(line === undefined ? {} : { details: place }),
          },
        });
      },
    );
  };
}
