import type { CrewProject } from "./CrewProject";
export type CrewStepped = { project: CrewProject, changed: Array<string> };
