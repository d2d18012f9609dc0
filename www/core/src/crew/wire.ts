/** What the routes of crew packages say (`crates/kinds/src/crew_package/wire`). Times are ms since 1970. */
import type { Diagnostic, Files } from "../types.ts";

export interface Listed<T> {
  items: T[];
  nextCursor: string | null;
}

export interface ProjectItem {
  projectId: string;
  name: string;
  revision: number;
  updatedAt: number;
}

export interface WorkflowItem {
  workflowId: number;
  name: string;
  isDefault: boolean;
  revision: number;
  nodes: number | null;
  edges: number | null;
}

export interface Project extends ProjectItem {
  createdAt: number;
  workflows: WorkflowItem[];
  agents: number;
  agentsRevision: number;
  assets: { count: number; bytes: number };
  assetsRevision: number;
  canUndo: boolean;
  canRedo: boolean;
  check: { ok: boolean; errors: number; warnings: number };
}

export interface Counters {
  /** By the number of the workflow. */
  workflows: Record<string, number>;
  agentsRevision: number;
  assetsRevision: number;
}

export interface Bundle {
  projectId: string;
  name: string;
  revision: number;
  files: Files;
  revisions: Counters;
  diagnostics: Diagnostic[];
}

export interface Revision {
  revision: number;
  cause: string;
  actor: string;
  at: number;
  about: number | null;
  changed: string[];
  name: string;
}

export interface Stepped {
  project: Project;
  changed: string[];
}

export interface Imported {
  project_id: string;
  project_name: string;
  workflows_count: number;
  agents_count: number;
  warnings: Diagnostic[];
}

/** What of a workflow is to be another; what is not named stays. A step file that is null goes. */
export interface WorkflowChange {
  name?: string;
  isDefault?: true;
  document?: string;
  graph?: object;
  steps?: Record<string, string | null>;
}
