/** What is found in a model: a search, the columns, values of several elements, commands, packed files. */
import type { Found, ModelQuery, ModelRow, TreeNode } from "@holdpoint/core/types";
import type { PageView } from "../../src/pages/model/page-view.js";
import * as f from "../fixtures.js";
import { over, page } from "./base.js";

const model: PageView = { ...page, pane: "model" };

const rated = { set: "*", name: "FireRating" };
const query: ModelQuery = {
  text: "fire",
  filters: [{ set: "", name: "Class", op: "=", value: "IfcWall" }],
};
const found: Found = {
  query,
  fits: Uint8Array.from(f.rows, ({ type }) => Number(type === "IfcWall")),
  texts: Uint8Array.from(f.rows, (_, i) => Number(i % 3 > 0)),
  suggestions: {
    properties: [
      { ...rated, count: 334 },
      { set: "Pset_WallCommon", name: "FireRating", count: 214 },
      { set: "Pset_DoorCommon", name: "FireExit", count: 12 },
    ],
    values: [
      { filter: { ...rated, op: "none", value: null }, n: 84 },
      { filter: { set: "", name: "Name", op: "=", value: "Fire damper" }, n: 6 },
    ],
    contains: 107,
  },
};

const numbers = f.rows.map((row, i) => (row.type === "IfcWall" ? 3 + (i % 9) * 2.48 : null));

/** Two buildings whose storeys have the same names; one has a name twice. */
function buildings(): Pick<PageView["model"], "rows" | "tree" | "shown"> {
  const rows: ModelRow[] = [];
  const storey = (id: number, name: string, elevation: number): TreeNode => {
    const own = f.rows.slice(id, id + 9).map((row, i) => ({ ...row, id: id * 100 + i }));
    rows.push(...own.map((row) => ({ ...row, storey: name, storey_id: id })));
    const children = own.map(({ id, type, name }) => ({ id, type, name, children: [] }));
    return { id, type: "IfcBuildingStorey", name, elevation, children };
  };
  const building = (id: number, name: string, levels: [string, number][]): TreeNode => ({
    ...{ id, type: "IfcBuilding", name },
    children: levels.map(([level, elevation], i) => storey(id + 1 + i, level, elevation)),
  });
  const children = [
    building(10, "Block A", [
      ["Ground floor", 0],
      ["Level 1", 3.6],
      ["Roof", 6.8],
    ]),
    building(20, "Block B", [
      ["Ground floor", 0],
      ["Level 1", 3.6],
      ["Roof", 10],
      ["Roof", 13.2],
    ]),
  ];
  const tree = [{ id: 1, type: "IfcSite", name: "Quay", children }];
  return { rows, tree, shown: [] };
}

export const finding: Record<string, () => PageView> = {
  search: () => ({ ...model, model: { ...model.model, query, found } }),
  columns: () => ({
    ...model,
    choosing: true,
    model: {
      ...model.model,
      shown: [
        { ...rated, values: f.values },
        {
          ...{ set: "Qto_WallBaseQuantities", name: "NetSideArea", values: numbers },
          ...{ unit: "m²", numbers: true },
        },
      ],
    },
  }),
  storeys: () => ({ ...model, storeyFilters: true, model: { ...model.model, ...buildings() } }),
  /** Nothing is selected: the file, and what it measures in. */
  file: () => ({ ...model, pane: "tree", model: { ...model.model, selected: [], details: [] } }),
  one: () => ({
    ...model,
    pane: "tree",
    model: { ...model.model, selected: f.selected.slice(0, 1), details: f.details.slice(0, 1) },
  }),
  several: () => ({ ...model, pane: "tree" }),
  commands: () =>
    over(
      {},
      {
        ...{ commanding: true, pane: "model" },
        palette: [
          {
            ...{ extension: "walls", command: "walls.colour", name: "Fire rating coverage" },
            ...{ title: "Colour walls by fire rating", keys: "Ctrl+Shift+U" },
          },
        ],
      },
    ),
  unpacking: () =>
    over(
      { modelReady: false },
      {
        pane: "model",
        opening: {
          ...{ state: "opening", name: "Tower North.ifczip", ms: 4_000 },
          progress: { stage: "unpack", read: 212_400_000, total: 820_100_000 },
        },
      },
    ),
  "badfile-zip": () => ({
    ...model,
    opening: {
      ...{ state: "failed", name: "Tower North.ifczip" },
      error: {
        ...{ code: "MODEL_INVALID", message: "There are several IFC files in the packed file." },
        details: { reason: "zip_several", names: ["Tower North A.ifc", "Tower North B.ifc"] },
      },
    },
  }),
};
