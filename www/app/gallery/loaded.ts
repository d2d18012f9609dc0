/** The reader of packages, loaded before states are made of what it reads. */
import { loadCrew } from "@holdpoint/core/crew";

await loadCrew();
