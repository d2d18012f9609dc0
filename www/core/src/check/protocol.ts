/** What passes between the page and the Web Worker of the checks: one answer a request, in order. */

export type CheckRequest =
  | { do: "start"; module: WebAssembly.Module }
  /** A method of `wasm-check`. */
  | { do: "call"; method: string; input: string }
  /** The two halves of a test run, and one call of an installed bundle. */
  | { do: "prepare_tests" | "prepare_call"; input: string }
  | { do: "judge_tests"; plan: string; outcomes: string };

export type CheckAnswer =
  | { text: string }
  /** The instance is lost; the worker must be ended. */
  | { trapped: string };
