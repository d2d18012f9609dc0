import type { ShownGraph } from "./ShownGraph";
export type ShownWorkflow = { id: string, name: string, description: string, isDefault: boolean, document: string, graphFile: string, graph: ShownGraph | null, nodePlaces?: Array<number>, edgePlaces?: Array<number>, steps: string };
