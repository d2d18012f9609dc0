export type StepFields = { nodeId: string, type: string, title: string, agentId: string, inputs: Array<string>, outputs: Array<string>, setsVariables: Array<string>, transitions: boolean };
