/** The reader of packages and the core, loaded before states are made of what they read. */
import { loadCore } from "@holdpoint/core";
import { loadCrew } from "@holdpoint/core/crew";

await loadCrew();
export const core = await loadCore();
