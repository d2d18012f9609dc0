/**
 * Which conversation is meant: the one that was chosen, else the one that the address names, else the newest of its
 * target, else a new one (§11 "Restore").
 */
import type { CrewSession } from "@holdpoint/core/crew";
import { isRefusal } from "@holdpoint/core/session";
import type { Around } from "./around.js";
import type { Query } from "./query.js";

/** What was chosen from the list of conversations: one of them, or a new one. */
export type Chosen = CrewSession | "new" | null;

/** `key`: of this opening, so that a second try makes no second session. */
export async function openSession(
  { sessions }: Pick<Around, "sessions">,
  query: Query,
  chosen: Chosen,
  key: string,
): Promise<CrewSession> {
  const { targetType, targetId, workflowId, mode } = query;
  if (chosen !== null && chosen !== "new") return chosen;
  if (chosen === null) {
    const named = await theNamed(sessions, query);
    if (named) return named;
    const known = await sessions.of(targetType, targetId, workflowId);
    const same = known.find((one) => one.mode === mode && one.status === "active");
    if (same) return same;
  }
  const inside = workflowId === null ? {} : { workflowId };
  return sessions.create({ targetType, targetId, mode, ...inside }, key);
}

/** A session that is over, that is not there or that is about something else is not gone on with. */
async function theNamed(
  sessions: Around["sessions"],
  { sessionId, targetType, targetId }: Query,
): Promise<CrewSession | null> {
  if (!sessionId) return null;
  try {
    const { session } = await sessions.read(sessionId);
    const meant = session.targetType === targetType && String(session.targetId) === targetId;
    return meant && session.status === "active" ? session : null;
  } catch (error) {
    if (isRefusal(error) && error.code === "AI_SESSION_NOT_FOUND") return null;
    throw error;
  }
}
