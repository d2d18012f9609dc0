/** A signed bundle as it is sent to the project, and as the device keeps it until the project has it. */
import type {
  Conversation,
  InstallConfirmation,
  InstallRequest,
  Manifest,
  RunView,
} from "@holdpoint/core/types";
import { SDK } from "./pricing.js";

export function requestOf(
  view: RunView,
  confirmation: InstallConfirmation,
  talk: Conversation | null,
): InstallRequest {
  return {
    ...confirmation,
    files: view.files,
    origin: originOf(view),
    ...(view.plan ? { plan: view.plan.plan } : {}),
    ...(talk ? { conversation: talk } : {}),
  };
}

function originOf({ work, attempt }: RunView): InstallRequest["origin"] {
  if (work === "promoted") return "promoted";
  return attempt === "hand" ? "hand" : "authored";
}

/** The record of a bundle that is not stored yet. */
export function recordOf(manifest: Manifest, request: InstallRequest, at: number) {
  return {
    id: manifest.id,
    version: manifest.version,
    content_hash: request.result_hash,
    granted: request.granted,
    enabled: true,
    origin: request.origin,
    installed_at: at,
    sdk_version: SDK,
    revision_id: "",
    can_undo: false,
    can_redo: false,
  };
}
