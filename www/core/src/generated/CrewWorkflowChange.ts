export type CrewWorkflowChange = { name?: string, isDefault?: boolean, document?: string, graph?: Record<string, unknown>, steps?: Record<string, string | null> };
