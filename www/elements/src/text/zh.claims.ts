/** Chinese texts of what a summary says beside what its change does. */
import type { claims as english } from "./en.claims.js";
import type { Chinese } from "./translation.js";

export const claims = {
  "claims.title": "所说的不是所做的全部",
  "claims.says": "所说的",
  "claims.does": "所做的",
  "claims.nothing": "没有提到",
  "claims.unchanged": "说了，没有做",
  "claims.omitted": "做了，没有说",
  "claims.not_in": "`{name}` 不在更改中",
  "claims.adds": "新增 {name}",
  "claims.changes": "更改 {name}",
  "claims.removes": "删除 {name}",
} as const satisfies Chinese<typeof english>;
