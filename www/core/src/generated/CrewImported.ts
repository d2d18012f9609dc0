import type { Diagnostic } from "./Diagnostic";
export type CrewImported = { project_id: string, project_name: string, workflows_count: number, agents_count: number, warnings: Array<Diagnostic> };
