// The module that reads and packs crew packages, loaded for tests that run in Node and not in a page.

import { readFileSync } from "node:fs";
import { initSync } from "../www/core/wasm/crew/crew.js";

initSync({ module: readFileSync(new URL("../www/core/wasm/crew/crew_bg.wasm", import.meta.url)) });
