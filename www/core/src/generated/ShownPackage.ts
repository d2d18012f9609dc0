import type { Citing } from "./Citing";
import type { ShownAgent } from "./ShownAgent";
import type { ShownAsset } from "./ShownAsset";
import type { ShownWorkflow } from "./ShownWorkflow";
export type ShownPackage = { name: string, version: string, description: string, workflows: Array<ShownWorkflow>, agentsFile: string, agents: Array<ShownAgent> | null, agentPlaces?: Array<number>, assets: Array<ShownAsset>, cited: Array<Citing> };
