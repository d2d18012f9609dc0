/**
 * Chinese texts: what the crew pages can show. Everything else is said in English.
 *
 * Keys are of `en.ts`; Chinese has one plural form. `tests/web/texts.test.ts` holds keys and parameters.
 */
import { change } from "./zh.change.js";
import { claims } from "./zh.claims.js";
import { crew } from "./zh.crew.js";
import { crewEditor } from "./zh.crew-editor.js";
import { crewWorkbench } from "./zh.crew-workbench.js";
import { diff } from "./zh.diff.js";
import { findings } from "./zh.findings.js";
import { history } from "./zh.history.js";
import { page } from "./zh.page.js";
import { profile } from "./zh.profile.js";
import { script } from "./zh.script.js";
import { talk } from "./zh.talk.js";

export const zh = {
  ...page,
  ...change,
  ...claims,
  ...crew,
  ...crewEditor,
  ...crewWorkbench,
  ...diff,
  ...findings,
  ...history,
  ...profile,
  ...script,
  ...talk,
} as const;
