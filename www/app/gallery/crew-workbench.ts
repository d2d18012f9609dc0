/** Each state of the workbench (UI.md §12) as a `WorkbenchPageView`, from the package of the drawing. */
import type { WorkbenchPageView } from "../src/pages/crew/workbench/page-view.js";
import { changing } from "./workbench/changing.js";
import { talking } from "./workbench/talking.js";

const states = { ...talking, ...changing };

export const workbenchStateNames = Object.keys(states);
export const workbenchViewOf = (name: string): WorkbenchPageView | null => states[name]?.() ?? null;
