/** What passes between the page and the Web Worker of the checks: one answer a request, in order. */

export type CheckRequest =
  | { do: "start"; module: WebAssembly.Module }
  /** A method of the kind's check module. */
  | { do: "call"; method: string; input: string };

export type CheckAnswer =
  | { text: string }
  /** The instance is lost; the worker must be ended. */
  | { trapped: string };
