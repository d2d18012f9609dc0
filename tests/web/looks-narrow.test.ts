// How every state looks on a phone.

import { looks } from "./looks.ts";

looks(390, 1);
