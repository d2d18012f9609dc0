/** The declarations that Rust gives out of `generated/`, under the names that the page uses. */

export type { AttemptId } from "./generated/AttemptId";
export type { Classification } from "./generated/Classification";
export type { FailureReason as FailedReason } from "./generated/FailureReason";
export type { Position } from "./generated/Position";
export type { Purpose } from "./generated/Purpose";
export type { Range } from "./generated/Range";
export type { StateName as RunState } from "./generated/StateName";
export type { Severity } from "./generated/Severity";
export type { SnippetLine } from "./generated/SnippetLine";
export type { Step as StepName } from "./generated/Step";
export type { StepStatus } from "./generated/StepStatus";
export type { Storage } from "./generated/Storage";
export type { TokenUse } from "./generated/TokenUse";
export type { Verdict } from "./generated/Verdict";
export type { StepView } from "./generated/StepView";
export type { ChangedFile } from "./generated/ChangedFile";
export type { Autofix } from "./generated/Autofix";
export type { Best } from "./generated/Best";
export type { ProseReply } from "./generated/ProseReply";
export type { Notice } from "./generated/Notice";
export type { CallModel } from "./generated/CallModel";
export type { CapabilityUse } from "./generated/CapabilityUse";
