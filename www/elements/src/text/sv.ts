/**
 * Every Swedish text of the elements and of the page. Words: the Swedish of UI.md's mock.
 *
 * Same keys as `en.ts`, held by the types of each part; parameters and plural forms by `tests/web/texts.test.mjs`.
 */
import { change } from "./sv.change.js";
import { page } from "./sv.page.js";

export const sv = { ...page, ...change } as const;
