/** The checks of crew packages in a Web Worker: a trap ends this worker and not the page. */

import * as glue from "../../wasm/check-crew/check-crew.js";
import { serve } from "./answers.ts";

serve(glue);
