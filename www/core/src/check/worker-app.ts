/** The checks of apps in a Web Worker: a trap ends this worker and not the page. */

import * as glue from "../../wasm/check-app/check-app.js";
import { serve } from "./answers.ts";

serve(glue);
