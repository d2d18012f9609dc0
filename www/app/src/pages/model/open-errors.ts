/** Why a file did not open, in the shape that the page says. */
import type { ModelOpenError, ModelProblem } from "@holdpoint/core/types";

/** Bytes at each end of a broken file that are looked at, to say what it is. */
const LOOK_BYTES = 400;
const ENDED = /END-ISO-10303-21/;
/** How the reader of models calls it where the end of a file is missing. */
const CUT_OFF = "CUT_OFF";

/** What is wrong with a file, from its first and last bytes: not an IFC file, or cut off. */
export async function explained(error: ModelOpenError, file: Blob): Promise<ModelOpenError> {
  // What is packed or too large says so itself.
  if (error.details?.reason) return error;
  const head = await file
    .slice(0, LOOK_BYTES)
    .text()
    .catch(() => "");
  const tail = await endOf(file);
  const line = error.details?.line ?? (error as { line?: number }).line;
  const shape: ModelOpenError = {
    code: error.code ?? "MODEL_INVALID",
    message: error.message,
    ...(error.args ? { args: error.args } : {}),
    details: { ...error.details, ...(line === undefined ? {} : { line }) },
  };
  const details = shape.details ?? {};
  if (!/ISO-10303-21/.test(head))
    return { ...shape, details: { ...details, reason: "header", begins: head.slice(0, 12) } };
  if (!ENDED.test(tail)) return { ...shape, details: { ...details, ...cut(tail) } };
  return shape;
}

/** A file that was read in part because its end is missing; null where it was read in part for other reasons. */
export async function cutOff(
  problems: readonly ModelProblem[],
  file: Blob,
): Promise<ModelOpenError | null> {
  const missing = problems.find(({ args }) => args?.case === CUT_OFF);
  if (!missing) return null;
  const { code, message, args, line } = missing;
  return {
    ...{ code, message },
    ...(args ? { args } : {}),
    details: { ...(line === undefined ? {} : { line }), ...cut(await endOf(file)) },
  };
}

const endOf = (file: Blob): Promise<string> =>
  file
    .slice(Math.max(0, file.size - LOOK_BYTES))
    .text()
    .catch(() => "");

const cut = (tail: string) => ({
  reason: "cut",
  excerpt: tail.split(/\r?\n/).slice(-2).join("\n").slice(-160),
});
