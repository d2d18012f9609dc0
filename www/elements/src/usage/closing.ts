/** The focus when a form of a part closes: on the part's heading, unless the person is elsewhere by then. */
import type { HpElement } from "../base/element.js";
import { nowhereBut } from "../base/refocus.js";

/** `before`, `now`: whether a form was there before this drawing, and whether one is there now. */
export function closed(part: HpElement, before: boolean, now: boolean): void {
  if (before && !now && nowhereBut(part)) part.focusHeading();
}
