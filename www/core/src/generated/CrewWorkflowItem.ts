export type CrewWorkflowItem = { workflowId: number, name: string, isDefault: boolean, revision: number, nodes: number | null, edges: number | null };
