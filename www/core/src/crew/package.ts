/**
 * A crew package as a page shows it: its workflows, agents and assets, and who cites whom.
 *
 * The engine reads it, with the readers of the check (`loadCrew`). Whether the package is right is the check's matter
 * (crew-package.md §6), so what cannot be read is left out or empty.
 */

import type { Citing } from "../generated/Citing";
import type { ShownAgent } from "../generated/ShownAgent";
import type { ShownPackage } from "../generated/ShownPackage";
import type { ShownWorkflow } from "../generated/ShownWorkflow";
import type { Files } from "../types.ts";
import { asked } from "./engine.ts";

export type { ShownAsset as Asset } from "../generated/ShownAsset";

export const MANIFEST = "bmad.json";

/** The members of an agent that a page knows; all others are kept as they are (crew-package.md §3). */
export type Agent = ShownAgent & { [more: string]: unknown };
export type CrewPackage = ShownPackage;
export type Workflow = ShownWorkflow;
/** A place that cites an asset. `nodeId` is empty for the document of a workflow. */
export type Cited = Citing;

export const openPackage = (files: Files, name = ""): CrewPackage =>
  asked("crew.read", { files, name });

/** An object of JSON, or null. */
export function record(text: string | undefined): Record<string, unknown> | null {
  if (text === undefined) return null;
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** JSON as Holdpoint writes it (crew-package.md §7). */
export const jsonText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** Where each asset is cited, by path; also paths that are not there (crew-package.md §4 "Citations"). */
export function citedBy({ cited }: CrewPackage): Map<string, Cited[]> {
  const out = new Map<string, Cited[]>();
  for (const one of cited) {
    const at = out.get(one.asset);
    if (at) at.push(one);
    else out.set(one.asset, [one]);
  }
  return out;
}

/** The nodes in which an agent works. */
export function worksIn(
  workflows: readonly Workflow[],
  agentId: string,
): { workflow: Workflow; nodeId: string; title: string }[] {
  return workflows.flatMap((workflow) =>
    (workflow.graph?.nodes ?? [])
      .filter((node) => node.agentId?.trim() === agentId)
      .map((node) => ({ workflow, nodeId: node.id, title: node.title?.trim() || node.id })),
  );
}
