/** The checks of extensions in a Web Worker: a trap ends this worker and not the page. */

import * as glue from "../../wasm/check-extension/check-extension.js";
import { serve } from "./answers.ts";

serve(glue);
