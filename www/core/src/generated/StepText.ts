import type { StepFields } from "./StepFields";
export type StepText = { fields: StepFields | null, head: string, body: string, bodyLine: number };
