/** How types of elements look and read: an icon, and a name for many of them. */
import { expressIdOf } from "@holdpoint/core/types";
import type { IconName } from "../base/icons.js";
import { has, t } from "../text/index.js";

const icons: [RegExp, IconName][] = [
  [/^IfcSite/, "site"],
  [/^IfcBuildingStorey/, "storey"],
  [/^Ifc(Building|Project)/, "cube"],
  [/^Ifc(Wall|CurtainWall)/, "wall"],
  [/^IfcDoor/, "door"],
  [/^Ifc(Slab|Roof|Plate|Covering)/, "slab"],
  [/^IfcWindow/, "win"],
  [/^Ifc(Stair|Ramp|Railing)/, "stair"],
];

export const kindIcon = (type: string): IconName =>
  icons.find(([pattern]) => pattern.test(type))?.[1] ?? "cube";

/** What people call many of a type; a type without such a name reads as its words: `IfcAirTerminal`, Air terminal. */
export function kindName(type: string): string {
  const key = `kind.${type}`;
  if (has(key)) return t(key);
  const words = type
    .replace(/^Ifc/, "")
    .replace(/(?<=[a-z])(?=[A-Z])/g, " ")
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What stands in the place of a name: the number in the file. */
export const numbered = (id: number): string => t("model.unnamed", { id: String(expressIdOf(id)) });
