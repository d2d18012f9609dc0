import type { CrewCounters } from "./CrewCounters";
import type { Diagnostic } from "./Diagnostic";
export type CrewBundle = { projectId: string, name: string, revision: number, files: { [key in string]: string }, revisions: CrewCounters, diagnostics: Array<Diagnostic> };
