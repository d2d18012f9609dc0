/**
 * The Python grammar, a Wasm module of its own that only the script editor loads (script-tool.md §2).
 *
 * `bundle.check` of the core takes its answer as `options.python_facts`.
 */

import init, { facts } from "../wasm/python/python.js";
import { answered, CoreError } from "./core.ts";
import type { PythonFacts } from "./editor/wire.ts";
import { platform } from "./platform.ts";

/** What the grammar says of a text. A text over the limit of `tool.py` is not read: the check does not ask then. */
function factsOf(text: string): PythonFacts {
  const answer = facts(JSON.stringify({ text, names: true }));
  const value = JSON.parse(answer) as PythonFacts;
  // A syntax error is an answer; an error of the method has a code.
  if (!("error" in value) || !("code" in value.error)) return value;
  try {
    return answered<PythonFacts>(answer);
  } catch (error) {
    if (error instanceof CoreError && error.code === "INPUT_TOO_LARGE") return { bindings: [] };
    throw error;
  }
}

let loading: Promise<typeof factsOf> | undefined;

/** Loads the module once; a failed load is tried again by the next call. */
export function loadPython(): Promise<typeof factsOf> {
  loading ??= init({ module_or_path: platform.compiled("python") }).then(
    () => factsOf,
    (error: unknown) => {
      loading = undefined;
      throw error;
    },
  );
  return loading;
}
