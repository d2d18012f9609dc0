/**
 * Every English text of the elements and of the page. Words: UI.md §4 and its mock.
 *
 * Sentence case, no exclamation marks. Keys name the place, then the meaning. Another language is another file beside
 * this one with the same keys.
 */
import { answer } from "./en.answer.js";
import { appStarts } from "./en.app-starts.js";
import { apps } from "./en.apps.js";
import { behaviours } from "./en.behaviours.js";
import { change } from "./en.change.js";
import { claims } from "./en.claims.js";
import { crew } from "./en.crew.js";
import { crewEditor } from "./en.crew-editor.js";
import { crewWorkbench } from "./en.crew-workbench.js";
import { diff } from "./en.diff.js";
import { drift } from "./en.drift.js";
import { examples } from "./en.examples.js";
import { find } from "./en.find.js";
import { findings } from "./en.findings.js";
import { history } from "./en.history.js";
import { ids } from "./en.ids.js";
import { log } from "./en.log.js";
import { models } from "./en.models.js";
import { page } from "./en.page.js";
import { profile } from "./en.profile.js";
import { result } from "./en.result.js";
import { script } from "./en.script.js";
import { scriptRun } from "./en.script-run.js";
import { talk } from "./en.talk.js";
import { trial } from "./en.trial.js";
import { usage } from "./en.usage.js";
import { view3d } from "./en.view3d.js";

export const en = {
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
} as const satisfies Record<string, string | { one: string; other: string }>;
