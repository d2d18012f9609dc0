/**
 * Every Swedish text of the elements and of the page. Words: the Swedish of UI.md's mock.
 *
 * Same keys as `en.ts`; `tests/web/texts.test.ts` holds keys, parameters and plural forms.
 */
import { answer } from "./sv.answer.js";
import { appStarts } from "./sv.app-starts.js";
import { apps } from "./sv.apps.js";
import { behaviours } from "./sv.behaviours.js";
import { change } from "./sv.change.js";
import { claims } from "./sv.claims.js";
import { crew } from "./sv.crew.js";
import { crewEditor } from "./sv.crew-editor.js";
import { crewWorkbench } from "./sv.crew-workbench.js";
import { diff } from "./sv.diff.js";
import { drift } from "./sv.drift.js";
import { examples } from "./sv.examples.js";
import { find } from "./sv.find.js";
import { findings } from "./sv.findings.js";
import { history } from "./sv.history.js";
import { ids } from "./sv.ids.js";
import { log } from "./sv.log.js";
import { models } from "./sv.models.js";
import { page } from "./sv.page.js";
import { profile } from "./sv.profile.js";
import { result } from "./sv.result.js";
import { script } from "./sv.script.js";
import { scriptRun } from "./sv.script-run.js";
import { talk } from "./sv.talk.js";
import { trial } from "./sv.trial.js";
import { usage } from "./sv.usage.js";
import { view3d } from "./sv.view3d.js";

export const sv = {
  ...page,
  ...answer,
  ...apps,
  ...appStarts,
  ...behaviours,
  ...change,
  ...claims,
  ...crew,
  ...crewEditor,
  ...crewWorkbench,
  ...diff,
  ...drift,
  ...examples,
  ...find,
  ...findings,
  ...history,
  ...ids,
  ...log,
  ...models,
  ...profile,
  ...result,
  ...script,
  ...scriptRun,
  ...talk,
  ...trial,
  ...usage,
  ...view3d,
} as const;
