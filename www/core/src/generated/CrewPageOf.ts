export type CrewPageOf<T> = { items: Array<T>, nextCursor: string | null };
