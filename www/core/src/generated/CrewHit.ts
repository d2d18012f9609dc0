export type CrewHit = { file: string, line: number, column: number, text: string, object: string, workflowId: number | null };
