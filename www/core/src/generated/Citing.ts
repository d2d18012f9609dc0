export type Citing = { asset: string, workflowId: string, nodeId: string, path: string, line: number, inputs: boolean };
