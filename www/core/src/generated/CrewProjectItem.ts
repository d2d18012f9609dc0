export type CrewProjectItem = { projectId: string, name: string, revision: number, updatedAt: number };
