/** Bounds of a turn: ai-sessions.md §6.1. */
export const DEADLINE_MS = 180_000;
export const MAX_CALLS = 8;
export const MAX_REPAIRS = 2;
