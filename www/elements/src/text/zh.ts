/**
 * Chinese texts: what the crew pages can show. Everything else is said in English.
 *
 * Keys are of `en.ts`; Chinese has one plural form. `tests/web/texts.test.ts` holds keys and parameters.
 */
import { crew } from "./zh.crew.js";

export const zh = {
  ...crew,
} as const;
