/**
 * What the page needs from the core: wire types and the clients' interfaces.
 *
 * Wire types are declared in Rust (`generated/`); what stands here is made of them or is of the page alone. The
 * interfaces are the seam between the page, which wires elements to them, and the clients that implement them over
 * Wasm, Web Workers and HTTP. Elements only ever see the data types of this file.
 */

import type { EventKind } from "./wire.ts";

export type * from "./clients.ts";
export { ANY_SET, FILE_NODE } from "./clients.ts";
export type * from "./model/checks.ts";
export { elementId, expressIdOf, modelPlaceOf } from "./model/element-ids.ts";
export type * from "./sandbox/wire.ts";
export type * from "./wire.ts";

export type Files = Record<string, string>;

type Signed = Extract<EventKind, { type: "Install" }>;

/** A file of a reply of which a part has come; `lines` are those that came, null where it is edited. */
export interface PartialFile {
  path: string;
  lines: number | null;
}

/** What a person does; `Stored` and `Refused` say what became of an install that waited on the device. */
export type HumanEvent =
  | Extract<
      EventKind,
      {
        type:
          | "Asked"
          | "PlanEdited"
          | "Adjust"
          | "Approved"
          | "Cancel"
          | "RunOnce"
          | "AsTool"
          | "Promote"
          | "AnotherVersion"
          | "Choose"
          | "Discard"
          | "Retry"
          | "HandEdit"
          | "Repair"
          | "Stored"
          | "Refused";
      }
    >
  | (Signed & { confirmation: InstallConfirmation });

export interface InstallConfirmation {
  base_hash: string | null;
  patch_id: string;
  result_hash: string;
  granted: string[];
  confirm_token?: string;
  typed_id?: string;
}
