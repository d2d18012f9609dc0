/** Swedish texts of what a summary says beside what its change does. */
import type { claims as english } from "./en.claims.js";
import type { Translation } from "./translation.js";

export const claims = {
  "claims.title": "Det som sägs är inte allt som görs",
  "claims.says": "Säger",
  "claims.does": "Gör",
  "claims.nothing": "Inget om det",
  "claims.unchanged": "Sagt, inte gjort",
  "claims.omitted": "Gjort, inte sagt",
  "claims.not_in": "`{name}` finns inte i ändringen",
  "claims.adds": "Lägger till {name}",
  "claims.changes": "Ändrar {name}",
  "claims.removes": "Tar bort {name}",
} as const satisfies Translation<typeof english>;
