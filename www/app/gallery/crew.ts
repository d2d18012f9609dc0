/** Each state of the crew pages (UI.md §12) as a `CrewPageView`: the page's own views of packages, and literals. */
import type { CrewPageView } from "../src/pages/crew/page-view.js";
import { compareStates } from "./crew/comparing.js";
import { editorStates } from "./crew/editors.js";
import { packageStates } from "./crew/package.js";
import { listStates } from "./crew/packages.js";

const states: Record<string, () => CrewPageView> = {
  ...listStates,
  ...packageStates,
  ...editorStates,
  ...compareStates,
};

export const crewStateNames = Object.keys(states);
export const crewViewOf = (name: string): CrewPageView | null => states[name]?.() ?? null;
