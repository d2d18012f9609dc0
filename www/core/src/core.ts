/** `wasm-core`, typed. Pure and synchronous once loaded; the same bytes answer natively and at the edge. */

import init, { call, diff } from "../wasm/core/core.js";
import type { TextDiff } from "./generated/TextDiff";
import type { TextPreview } from "./generated/TextPreview";
import { platform } from "./platform.ts";
import type { BundleDiff, Core, ErrorShape, Json } from "./types.ts";

/** A facade method that answered with an error. */
export class CoreError extends Error implements ErrorShape {
  readonly code: string;
  readonly details?: Record<string, Json>;

  constructor(shape: ErrorShape) {
    super(shape.message);
    this.code = shape.code;
    if (shape.details) this.details = shape.details;
  }
}

/** Answers of the core are text: an error answer is thrown. */
export function answered<T>(text: string): T {
  const value = JSON.parse(text) as T & { error?: ErrorShape };
  if (value !== null && typeof value === "object" && value.error) throw new CoreError(value.error);
  return value;
}

let loading: Promise<Core> | undefined;

/** Loads the module once; a failed load is tried again by the next call. */
export function loadCore(): Promise<Core> {
  loading ??= init({ module_or_path: platform.compiled("core") }).then(
    () => core,
    (error: unknown) => {
      loading = undefined;
      throw error;
    },
  );
  return loading;
}

const method = <T>(name: string, input: unknown): T =>
  answered<T>(call(name, JSON.stringify(input)));

/** The methods of a loaded core; `loadCore` answers it when it may be called. */
export const core: Core = {
  call: method,
  diff: (before, after) => method<BundleDiff>("bundle.diff", { before, after }),
  textDiff: (before, after, context = 3) => answered<TextDiff>(diff(before, after, context)),
  preview: (request) => method<TextPreview>("text.preview", request),
  when: (expression, context) => {
    const answer = method<{ ok: boolean; value?: Json }>("when.eval", {
      expr: expression,
      context,
    });
    return (
      answer.ok &&
      answer.value !== false &&
      answer.value !== null &&
      answer.value !== undefined &&
      answer.value !== 0 &&
      answer.value !== ""
    );
  },
};
