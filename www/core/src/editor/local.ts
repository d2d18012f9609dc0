/**
 * The engine in the page: the same preview as the edge's, at once and without a network (script-tool.md §6, §11).
 */

import type { Checks, Core, ErrorShape, Json } from "../types.ts";
import {
  type Accept,
  type EditOp,
  FILES,
  type FileId,
  type Location,
  type Preview,
  type PythonFacts,
  type ToolCheck,
  type VirtualFiles,
} from "./wire.ts";

export type Engine = Pick<Core, "call">;
export type Checker = Pick<Checks, "call">;
export type FactsOf = (text: string) => PythonFacts;

const KIND = "script-tool";

export interface LocalRequest extends Location {
  virtual_files: VirtualFiles;
  active_file: FileId;
  ops: EditOp[];
  accept?: Accept;
}

/** `text.preview` of a proposal, or of the part of it that was taken. */
export function preview(
  engine: Engine,
  { virtual_files, active_file, ops, accept, ...location }: LocalRequest,
): Preview {
  const placed = (location.selection ?? location.cursor) ? { active_file, ...location } : {};
  return engine.call<Preview>("text.preview", {
    files: virtual_files,
    ops,
    ...placed,
    ...(accept ? { accept } : {}),
  });
}

/** The hash of what changes from some texts to others, as a proposal of it would have; null where nothing does. */
export function resultHash(
  engine: Engine,
  before: VirtualFiles,
  after: VirtualFiles,
): string | null {
  const ops = FILES.filter((path) => before[path] !== after[path]).map(
    (path): EditOp => ({
      op: "replace",
      target_file: path,
      target: { kind: "document" },
      content: after[path],
    }),
  );
  const [first] = ops;
  if (!first) return null;
  // A location allows ops that name a place; these name whole texts.
  return attempted(
    () =>
      preview(engine, {
        virtual_files: before,
        active_file: first.target_file,
        ops,
        cursor: { pos: 0 },
      }).meta.result_hash,
  );
}

/** The edge's preview is the same proposal: same base, same patch, same result, same verdict. */
export function agrees(here: Preview, there: Preview): boolean {
  const same = (name: "base_hash" | "patch_id" | "result_hash"): boolean =>
    here.meta[name] === there.meta[name];
  return (
    here.verdict === there.verdict && same("base_hash") && same("patch_id") && same("result_hash")
  );
}

/** Findings of the five texts. Without the Python module its questions are left out rather than guessed. */
export async function check(
  checks: Checker,
  files: VirtualFiles,
  facts: FactsOf | null,
): Promise<ToolCheck | null> {
  const options = facts
    ? { python_facts: facts(files["tool.py"]) as unknown as Json, names: true }
    : {};
  try {
    return await checks.call<ToolCheck>("bundle.check", { kind: KIND, files, options });
  } catch (error) {
    return refusal(error);
  }
}

/** About how many tokens a text has for a model; null where the engine does not say. */
export function tokens(engine: Engine, model: string, text: string): number | null {
  return attempted(
    () => engine.call<{ tokens: number }>("tokens.estimate", { kind: KIND, model, text }).tokens,
  );
}

/** A method that this build of the engine does not have, or input that it refuses, is no answer. */
function attempted<T>(ask: () => T): T | null {
  try {
    return ask();
  } catch (error) {
    return refusal(error);
  }
}

function refusal(error: unknown): null {
  if (typeof (error as ErrorShape).code === "string") return null;
  throw error;
}
