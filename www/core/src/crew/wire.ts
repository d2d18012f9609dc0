/**
 * What the routes of crew packages say (`crates/kind-crew/src/wire`), under the names that the page uses.
 * Times are ms since 1970.
 */

export type { CrewBundle as Bundle } from "../generated/CrewBundle";
export type { CrewCounters as Counters } from "../generated/CrewCounters";
export type { CrewHit as Hit } from "../generated/CrewHit";
export type { CrewImported as Imported } from "../generated/CrewImported";
export type { CrewPageOf as Listed } from "../generated/CrewPageOf";
export type { CrewProject as Project } from "../generated/CrewProject";
export type { CrewProjectItem as ProjectItem } from "../generated/CrewProjectItem";
export type { CrewRevision as Revision } from "../generated/CrewRevision";
export type { CrewStepped as Stepped } from "../generated/CrewStepped";
export type { CrewWorkflowChange as WorkflowChange } from "../generated/CrewWorkflowChange";
export type { CrewWorkflowItem as WorkflowItem } from "../generated/CrewWorkflowItem";
