/** Frames of the event streams of apps (app-builder.md §9): `id`, `event`, and one JSON value. Pure. */

import type { EventSourceMessage } from "eventsource-parser";

export interface Framed {
  /** Empty where the stream cannot be gone on from there. */
  id: string;
  event: string;
  data: Record<string, unknown>;
}

/** A frame as it came; null where its data is no JSON object, which is passed over as an unknown event is. */
export function framed({ id = "", event = "message", data }: EventSourceMessage): Framed | null {
  const value = parsed(data);
  return value ? { id, event, data: value } : null;
}

function parsed(data: string): Framed["data"] | null {
  try {
    const value: unknown = JSON.parse(data);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Framed["data"])
      : null;
  } catch {
    return null;
  }
}
