/** Which elements are meshed, storey by storey. */
import type { MeshGroup } from "@holdpoint/core/geometry";
import {
  expressIdOf,
  FILE_NODE,
  type ModelRow,
  modelPlaceOf,
  type TreeNode,
} from "@holdpoint/core/types";

/** Types that are never meshed: openings are what is missing of others, spaces are not there to be looked at. */
const NOT_DRAWN = /^Ifc(Opening|Space$|Spatial)/;

/** Every element once: by the storey that it stands in, then what stands in none. */
export function groupsOf(tree: TreeNode[], rows: ModelRow[]): MeshGroup[] {
  const storeys = new Map<number, number[]>();
  const loose: number[] = [];
  const seen = new Set<number>();
  const take = (id: number, type: string, into: number[]): void => {
    if (seen.has(id) || NOT_DRAWN.test(type)) return;
    seen.add(id);
    into.push(id);
  };
  const walk = (nodes: TreeNode[], into: number[]): void => {
    for (const { id, type, children } of nodes) {
      const own = type === "IfcBuildingStorey" ? [] : into;
      if (own !== into) storeys.set(id, own);
      take(id, type, own);
      walk(children, own);
    }
  };
  walk(tree, loose);
  for (const { id, type } of rows) take(id, type, loose);
  const all = [...storeys].map(([storey, ids]): MeshGroup => ({ storey, ids }));
  return [...all, { storey: null, ids: loose }];
}

/** Those of one of the open models, by express id. */
export function groupsOfModel(place: number, tree: TreeNode[], rows: ModelRow[]): MeshGroup[] {
  const own = <T extends { id: number }>(all: T[]) =>
    all.filter(({ id }) => modelPlaceOf(id) === place);
  const nodes = own(tree).flatMap((node) => (node.type === FILE_NODE ? node.children : [node]));
  return groupsOf(nodes, own(rows)).map(({ storey, ids }) => ({
    storey: storey === null ? null : expressIdOf(storey),
    ids: ids.map(expressIdOf),
  }));
}

/** The storey that an element stands in. */
export function storeyOf(nodes: TreeNode[], id: number, storey?: number): number | undefined {
  for (const node of nodes) {
    const at = node.type === "IfcBuildingStorey" ? node.id : storey;
    const found = node.id === id ? at : storeyOf(node.children, id, at);
    if (found !== undefined) return found;
  }
  return undefined;
}
