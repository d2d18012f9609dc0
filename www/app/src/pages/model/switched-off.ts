/** Why an extension is off, as its record keeps it. Pure. */
import type { ErrorShape, ExtensionRecord } from "@holdpoint/core/types";

export type Why = Pick<ErrorShape, "code" | "message" | "args">;

/** Off, and why. */
export const switchedOff = ({ code, message, args }: Why) => ({
  enabled: false,
  reason: message,
  off: { code, message, ...(args ? { args } : {}) },
});

/**
 * A reason that this device found stays, until the person switches the extension on again; of one that `rests`, the
 * project does not know.
 */
export const localReason = (
  mine: ExtensionRecord,
  theirs: ExtensionRecord,
  rests = false,
): Partial<ExtensionRecord> =>
  mine.reason !== undefined && (rests || !theirs.enabled)
    ? { enabled: false, reason: mine.reason, ...(mine.off ? { off: mine.off } : {}) }
    : {};

/** On again, without the reason why it was off. */
export const switchedOn = ({
  reason: _reason,
  off: _off,
  ...record
}: ExtensionRecord): ExtensionRecord => ({ ...record, enabled: true });

/** Limits that a smaller model may keep: what passed one is tried again on the next model. */
export const OF_SIZE = new Set(["MEMORY", "FUEL"]);

/** More is granted than the manifest declares. */
export const WIDER: ErrorShape = {
  code: "GRANTS_CHANGED",
  message: "Its permissions are not those of its manifest.",
};
