export type CrewRevision = { revision: number, cause: string, actor: string, at: number, about: number | null, changed: Array<string>, name: string };
