/** How types of elements look and read: an icon, and the name without its prefix. */
import type { IconName } from "../base/icons.js";

const icons: [RegExp, IconName][] = [
  [/^IfcSite/, "site"], [/^IfcBuildingStorey/, "storey"], [/^Ifc(Building|Project)/, "cube"], [/^Ifc(Wall|CurtainWall)/, "wall"],
  [/^IfcDoor/, "door"], [/^Ifc(Slab|Roof|Plate|Covering)/, "slab"], [/^IfcWindow/, "win"], [/^Ifc(Stair|Ramp|Railing)/, "stair"],
];

export const kindIcon = (type: string): IconName => icons.find(([pattern]) => pattern.test(type))?.[1] ?? "cube";

/** `IfcWallStandardCase` reads as Wall standard case. */
export function kindName(type: string): string {
  const words = type.replace(/^Ifc/, "").replace(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
