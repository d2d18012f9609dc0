/** Scripts that run in the page: what they are given, where they run, what came of it. No Wasm is loaded here. */

export { type Differences, type DiffOf, differences, type OutputDifference } from "./compare.ts";
export { HOME_DIR, INPUT_DIR } from "./driver.ts";
export {
  type Entered,
  type Field,
  type FieldIs,
  type FieldProblem,
  type Form,
  fieldsOf,
  valuesOf,
} from "./form.ts";
export { FRAME_HASH, FRAME_SCRIPT } from "./frame.ts";
export { RUN_LIMITS, type RunLimits } from "./limits.ts";
export type * from "./outcome.ts";
export type { InputFile, Interpreter, Job } from "./protocol.ts";
export { PythonRunner, type Running } from "./runner.ts";
