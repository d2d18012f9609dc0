/** Why an extension is off, as its record keeps it. Pure. */
import type { ErrorShape, ExtensionRecord } from "@holdpoint/core/types";

export type Why = Pick<ErrorShape, "code" | "message" | "args">;

/** Off, and why. */
export const switchedOff = ({ code, message, args }: Why) => ({
  enabled: false,
  reason: message,
  off: { code, message, ...(args ? { args } : {}) },
});

/** A reason that this device found stays, until the person switches the extension on again. */
export const localReason = (
  mine: ExtensionRecord,
  theirs: ExtensionRecord,
): Partial<ExtensionRecord> =>
  mine.reason !== undefined && !theirs.enabled
    ? { reason: mine.reason, ...(mine.off ? { off: mine.off } : {}) }
    : {};

/** More is granted than the manifest declares. */
export const WIDER: ErrorShape = {
  code: "GRANTS_CHANGED",
  message: "Its permissions are not those of its manifest.",
};
