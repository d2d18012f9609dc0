// How every state looks on a desk.

import { looks } from "./looks.ts";

looks(1440, 0);
