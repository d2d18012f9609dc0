export type CrewCounters = { workflows: { [key in string]: number }, agentsRevision: number, assetsRevision: number };
