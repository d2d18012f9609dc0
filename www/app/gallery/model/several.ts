/** Several models that are open, and filters that a person named. */
import {
  elementId,
  FILE_NODE,
  type FilterSet,
  type ModelRow,
  type SavedFilter,
  type TreeNode,
} from "@holdpoint/core/types";
import { type MenuItem, type ModelLine, t } from "@holdpoint/elements";
import type { PageView } from "../../src/pages/model/page-view.js";
import * as f from "../fixtures.js";
import { page } from "./base.js";

const line = (
  place: number,
  name: string,
  elements: number,
  more: Partial<ModelLine>,
): ModelLine => ({
  ...{ ...f.line, place, name, elements, active: place === 0 },
  ...{ id: `7c1e90ab4d2f6a8${place}`, ...more },
});
const models: ModelLine[] = [
  line(0, "Harbour House ARC.ifc", 418, {}),
  line(1, "Annex ARC.ifc", 173, { color: "#8a6bc4" }),
  line(2, "Harbour House MEP as built, third delivery.ifc", 902, {
    ...{ color: "#6f9a4a", schema: "IFC2X3" },
  }),
  line(3, "Harbour House STR.ifc", 231, { color: "#5f6b78", on: false }),
];

/** Some of the rows as those of another model, all on its one storey. */
const rowsOf = (place: number, n: number): ModelRow[] =>
  f.rows.slice(0, n).map((row) => ({
    ...{ ...row, id: elementId(place, row.id) },
    ...{ storey: "Level 1", storey_id: elementId(place, 7) },
  }));

/** The storeys of the first model by name. */
function numbers(nodes: TreeNode[], found = new Map<string, number>()): Map<string, number> {
  for (const { id, type, name, children } of nodes) {
    if (type === "IfcBuildingStorey") found.set(name ?? "", id);
    numbers(children, found);
  }
  return found;
}

const fileNode = ({ place, name }: ModelLine, children: TreeNode[]): TreeNode => ({
  ...{ id: elementId(place, 0), type: FILE_NODE, name, children },
});
const storeyNode = (place: number, id: number): TreeNode => ({
  ...{ id: elementId(place, id), type: "IfcBuildingStorey", name: "Level 1", elevation: 3.6 },
  children: [],
});

function several(): PageView["model"] {
  const [first, second, third] = models as [ModelLine, ModelLine, ModelLine];
  const storeys = numbers(f.tree);
  const own = f.rows.map((row) => ({ ...row, storey_id: storeys.get(row.storey ?? "") ?? null }));
  const rows = [...own, ...rowsOf(1, 40), ...rowsOf(2, 60)];
  return {
    ...page.model,
    models,
    rows,
    tree: [
      fileNode(first, f.tree),
      fileNode(second, [storeyNode(1, 7)]),
      fileNode(third, [storeyNode(2, 7)]),
    ],
    shown: [
      {
        ...{ set: "Pset_WallCommon", name: "FireRating" },
        values: rows.map((_, i) => f.ratings[i % f.ratings.length] ?? null),
      },
    ],
  };
}

const open: PageView = { ...page, pane: "model" };
const recent: MenuItem[] = [
  { heading: "Add beside what is open" },
  { id: "do:add", label: "Choose files", icon: "file" },
  { id: "do:add-sample", label: "The sample", icon: "cube" },
  "line",
  { heading: "Recent files" },
  { id: "do:add-recent:1", label: "Quay Blocks.ifc", icon: "clock" },
  {
    ...{ id: "do:add-recent:2", label: "Tower North.ifc", icon: "clock" },
    sub: "Has to be chosen again",
  },
];

const unrated: FilterSet = {
  ...{ text: "", types: [], storeys: [] },
  filters: [{ set: "*", name: "FireRating", op: "none", value: null }],
  columns: [{ set: "Pset_WallCommon", name: "FireRating" }],
};
const saved: SavedFilter[] = [
  { ...unrated, id: "1", name: "Without a fire rating" },
  { ...unrated, id: "2", name: "Doors on level 1", filters: [], types: ["IfcDoor"] },
  { ...unrated, id: "3", name: "Stair cores", filters: [], text: "stair core" },
];

export const severalModels: Record<string, () => PageView> = {
  models: () => ({ ...open, model: several() }),
  "models-tree": () => ({ ...open, pane: "tree", model: several() }),
  "models-add": () => ({
    ...open,
    menu: { label: t("models.add"), anchor: null, items: recent },
  }),
  "models-drop": () => ({ ...open, dropping: true }),
  saved: () => ({
    ...{ ...open, saved },
    model: {
      ...page.model,
      query: { text: "", filters: unrated.filters },
      found: {
        query: { text: "", filters: unrated.filters },
        fits: Uint8Array.from(f.values, (value) => Number(value === null)),
        texts: null,
        suggestions: { properties: [], values: [], contains: 0 },
      },
    },
  }),
};
