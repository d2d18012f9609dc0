/**
 * Storeys as a person tells them apart: by name, by their building where two buildings have the name, by their
 * elevation where one building has it twice. Pure. UI.md §11.
 */
import { FILE_NODE, type ModelRow, type TreeNode } from "@holdpoint/core/types";
import { level } from "../base/format.js";
import { numbered } from "./kinds.js";
import type { StoreyKey } from "./table.js";

export interface Storey {
  key: StoreyKey;
  name: string;
  /** Its building; the file where several that are open have a building of that name. */
  building: string;
  /** In metres. */
  elevation: number | null;
}

/** The storeys of a tree, the highest of each building first. Rows that know no numbers know them by their names. */
export function storeysOf(tree: TreeNode[], rows: readonly ModelRow[]): Storey[] {
  const numberedRows = rows.some((row) => row.storey_id !== undefined);
  const found: Storey[] = [];
  /** Files that have a building of a name. */
  const files = new Map<string, Set<string>>();
  const of = new Map<Storey, string>();
  let file = "";
  const walk = (nodes: TreeNode[], building: string): void => {
    for (const { id, type, name, elevation = null, children } of nodes) {
      if (type === "IfcBuildingStorey") {
        const called = name ?? numbered(id);
        const storey = { key: numberedRows ? id : name, name: called, building, elevation };
        found.push(storey);
        of.set(storey, file);
        files.set(building, (files.get(building) ?? new Set()).add(file));
        walk(children, building);
      } else if (type === FILE_NODE) {
        file = name ?? "";
        walk(children, "");
      } else if (/^Ifc(Project|Site|Building|Facility)/.test(type))
        walk(children, /^IfcBuilding$/.test(type) ? (name ?? "") : building);
    }
  };
  walk(tree, "");
  for (const storey of found) {
    const own = of.get(storey) ?? "";
    if (own && (storey.building === "" || (files.get(storey.building)?.size ?? 0) > 1))
      storey.building = own.replace(/\.ifc(zip)?$/i, "");
  }
  const buildings = [...new Set(found.map((one) => one.building))];
  return buildings.flatMap((building) => {
    const own = found.filter((one) => one.building === building);
    return own.sort((a, b) => (b.elevation ?? 0) - (a.elevation ?? 0));
  });
}

/** What a storey is called beside the others of its building, and among all. */
export interface StoreyName {
  short: string;
  /** Empty where the short name is enough. */
  building: string;
}

export function storeyNames(storeys: readonly Storey[]): ReadonlyMap<StoreyKey, StoreyName> {
  const buildings = new Map<string, Set<string>>();
  const inside = new Map<string, number>();
  for (const { name, building } of storeys) {
    buildings.set(name, new Set([...(buildings.get(name) ?? []), building]));
    const place = `${building}\n${name}`;
    inside.set(place, (inside.get(place) ?? 0) + 1);
  }
  return new Map(
    storeys.map(({ key, name, building, elevation }) => {
      const twice = (inside.get(`${building}\n${name}`) ?? 0) > 1 && elevation !== null;
      const shared = (buildings.get(name)?.size ?? 0) > 1;
      return [
        key,
        { short: twice ? `${name} ${level(elevation)}` : name, building: shared ? building : "" },
      ];
    }),
  );
}

/** Whether names repeat from building to building: then each building has a line of its own. */
export const byBuilding = (names: ReadonlyMap<StoreyKey, StoreyName>): boolean =>
  [...names.values()].some((one) => one.building !== "");

export const whole = ({ short, building }: StoreyName): string =>
  building ? `${building} · ${short}` : short;
