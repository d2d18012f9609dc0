/** The checks of scripts in a Web Worker: a trap ends this worker and not the page. */

import * as glue from "../../wasm/check-script/check-script.js";
import { serve } from "./answers.ts";

serve(glue);
