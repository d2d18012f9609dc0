/** `wasm-core`, typed. Pure and synchronous once loaded; the same bytes answer natively and at the edge. */

import init, { call, diff, judge_tests, prepare_call, prepare_tests } from "../wasm/core/core.js";
import type { TextDiff } from "./generated/TextDiff";
import type {
  Asked,
  BundleCheck,
  BundleDiff,
  Core,
  ErrorShape,
  Files,
  Json,
  Review,
} from "./types.ts";

const KIND = "ifc-extension";

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

/** Loads the module once. */
export function loadCore(): Promise<Core> {
  loading ??= init({ module_or_path: new URL("../wasm/core/core_bg.wasm", import.meta.url) }).then(
    () => core,
  );
  return loading;
}

const method = <T>(name: string, input: unknown): T =>
  answered<T>(call(name, JSON.stringify(input)));

/** The methods of a loaded core; `loadCore` answers it when it may be called. */
export const core: Core = {
  call: method,
  check: (files, options) =>
    method<BundleCheck>("bundle.check", { kind: KIND, files, options: options ?? {} }),
  planCheck: (plan) => method("plan.check", { plan }),
  diff: (before, after) => method<BundleDiff>("bundle.diff", { kind: KIND, before, after }),
  textDiff: (before, after, context = 3) => answered<TextDiff>(diff(before, after, context)),
  review: (files, base, granted, plan) =>
    method<Review>("bundle.review", {
      kind: KIND,
      files,
      base: base?.files ?? null,
      ...(base?.granted ? { base_granted: base.granted } : {}),
      granted,
      ...(plan ? { plan } : {}),
    }),
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

/**
 * Tests of a bundle, ready for the sandbox, or the answer of `bundle.test` when nothing is run. They may do what is
 * granted; without `granted` all that is declared.
 */
export function prepareTests(files: Files, granted?: string[]): { plan?: Json; answer?: Json } {
  const input = { kind: KIND, files, profile: "dry-run", ...(granted ? { granted } : {}) };
  return answered(prepare_tests(JSON.stringify(input)));
}

/** The answer of `bundle.test` for the outcomes of a plan. */
export function judgeTests<T>(plan: Json, outcomes: Json[]): T {
  return answered<T>(judge_tests(JSON.stringify(plan), JSON.stringify(outcomes)));
}

/** One call of an installed bundle, ready for the sandbox; null where the bundle has nothing to call. */
export function prepareCall(input: {
  files: Files;
  call: Asked;
  grants: string[];
  selection: number[];
  storage: Record<string, Json>;
  locale: string;
}): Json | null {
  return answered<{ program: Json | null }>(prepare_call(JSON.stringify({ kind: KIND, ...input })))
    .program;
}
