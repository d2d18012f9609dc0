// What the examples that sum must answer on a file, from what its text says.

import {
  type Call,
  csv,
  type Facts,
  first,
  grouped,
  ids,
  type Row,
  refOf,
  sum,
} from "./foreign-call.ts";
import { type Member, number, type Product, text } from "./foreign-model.ts";

/** What gives a length, an area and a volume: quantities, the most telling first, and a property. */
const MEASURES: [kind: string, title: string, names: string[], property: string][] = [
  ["length", "Length", ["Length"], "Length"],
  ["area", "Area", ["NetSideArea", "NetArea", "Area", "GrossSideArea", "GrossArea"], "Area"],
  ["volume", "Volume", ["NetVolume", "GrossVolume"], "Volume"],
];

/** The quantity that the file gives without a contradiction; `isUnclear` where it only gives others. */
function clear(given: Member[], names: string[], dimension: number | null) {
  const valuesOf = (name: string): number[] =>
    given.filter((one) => one.name === name).flatMap(({ value }) => number(value) ?? []);
  const about = (one: number, other: number): boolean =>
    Math.abs(one - other) <= 1e-6 * Math.max(Math.abs(one), Math.abs(other));
  let isUnclear = false;
  for (const name of names) {
    const values = valuesOf(name);
    if (values.length === 0) continue;
    const [value] = values;
    const wholes = name.startsWith("Net") ? valuesOf(`Gross${name.slice(3)}`) : [];
    if (wholes.some((whole) => value > whole && !about(value, whole)))
      return { quantity: undefined, isUnclear: true };
    const ratio = dimension && value ? Math.abs(Math.log10(value / dimension)) : 0;
    if (values.every((other) => about(value, other)) && ratio <= 2)
      return { quantity: given.find((one) => one.name === name), isUnclear: false };
    isUnclear = true;
  }
  return { quantity: undefined, isUnclear };
}

export const takeoff: Facts = (model) => {
  const openings = new Set(ids(model.of("IfcOpeningElement")));
  const elements = model.of("IfcElement").filter(({ id }) => !openings.has(id));
  const units: Record<string, string> = {};
  const measured = elements.map((element) => {
    const sets = model.setsOf(element, "IFCELEMENTQUANTITY");
    const usual = sets.filter(({ name }) => name.startsWith("Qto_") || name === "BaseQuantities");
    const given = usual.flatMap(({ members }) => members).filter(({ value }) => value !== null);
    const found: Record<string, number | null> = {};
    let isUnclear = false;
    for (const [kind, , names, property] of MEASURES) {
      const dimension = first(
        number(model.property(element, "Dimensions", property)),
        number(model.property(element, "PSet_Revit_Dimensions", property)),
      );
      const told = clear(given, names, dimension);
      found[kind] = told.quantity ? number(told.quantity.value) : dimension;
      if (told.quantity?.unit) units[kind] = told.quantity.unit;
      isUnclear ||= told.isUnclear && found[kind] === null;
    }
    return { element, found, isUnclear };
  });
  const groups = grouped(measured, ({ element }) =>
    JSON.stringify([element.type, model.materialOf(element) ?? "No material"]),
  );
  const sorted = [...groups].sort(([one], [other]) => (one < other ? -1 : 1));
  const rows = sorted.map(([key, members]) => {
    const [type, material] = JSON.parse(key) as string[];
    const total = (kind: string): number | null => {
      const known = members.flatMap(({ found }) => found[kind] ?? []);
      return known.length === 0 ? null : sum(known);
    };
    return {
      type,
      material,
      count: members.length,
      length: total("length"),
      area: total("area"),
      volume: total("volume"),
      unclear: members.filter(({ isUnclear }) => isUnclear).length,
    };
  });
  const unclear = sum(rows.map((row) => row.unclear));
  const warning = `${unclear} elements have quantities that contradict each other: they are not in the sums.`;
  const titles = MEASURES.map(([kind, title]): [string, string] => [
    kind,
    units[kind] ? `${title} (${units[kind]})` : title,
  ]);
  return [
    {
      command: "takeoff.list",
      value: {
        rows,
        units,
        title: `${elements.length} elements`,
        warning: unclear > 0 ? warning : null,
      },
    },
    {
      command: "takeoff.save",
      value: `${rows.length} rows saved`,
      exports: [
        {
          filename: "quantities.csv",
          text: csv(rows, [
            ["type", "Class"],
            ["material", "Material"],
            ["count", "Elements"],
            ...titles,
            ["unclear", "Unclear"],
          ]),
        },
      ],
    },
    ...sorted.slice(-1).map(([, members], at, { length }) => ({
      command: "takeoff.select",
      args: { row: rows[rows.length - length + at] },
      viewer: [{ op: "select", refs: members.map(({ element }) => element.id) }],
    })),
  ];
};

/** Where a file may say how large a room is, best first: a set, or any, and a member. */
const AREAS = [
  "Qto_SpaceBaseQuantities.NetFloorArea",
  "BaseQuantities.NetFloorArea",
  "Qto_SpaceBaseQuantities.GrossFloorArea",
  "BaseQuantities.GrossFloorArea",
  "Pset_SpaceCommon.NetPlannedArea",
  "Pset_SpaceCommon.GrossPlannedArea",
  "*.GSA BIM Area",
  "PSet_Revit_Dimensions.Area",
  "Dimensions.Area",
];
const VOLUMES = [
  "Qto_SpaceBaseQuantities.NetVolume",
  "BaseQuantities.NetVolume",
  "Qto_SpaceBaseQuantities.GrossVolume",
  "BaseQuantities.GrossVolume",
  "PSet_Revit_Dimensions.Volume",
  "Dimensions.Volume",
];

export const rooms: Facts = (model) => {
  const find = (room: Product, places: string[]): Member | undefined => {
    const sets = [
      ...model.setsOf(room, "IFCELEMENTQUANTITY"),
      ...model.setsOf(room, "IFCPROPERTYSET"),
    ];
    const members = sets.flatMap(({ name, members: some }) =>
      some.map((member) => ({ name, member })),
    );
    const numbers = members.filter(({ member }) => typeof member.value === "number");
    return places.flatMap((place) =>
      numbers
        .filter(({ name, member }) =>
          [`${name}.${member.name}`, `*.${member.name}`].includes(place),
        )
        .map(({ member }) => member),
    )[0];
  };
  const order = [...ids(model.storeys), undefined];
  const all = model
    .of("IfcSpace")
    .map((room) => ({
      ...{ room, storey: model.storeyOf(room) },
      ...{ area: find(room, AREAS), volume: find(room, VOLUMES) },
    }))
    .sort((one, other) => order.indexOf(one.storey?.id) - order.indexOf(other.storey?.id));
  const rows = all.map(({ room, storey, area, volume }) => ({
    storey: storey ? (storey.name ?? "") : "On no storey",
    number: room.name ?? "",
    name: text(room.args[7]) ?? "",
    area: number(area?.value),
    volume: number(volume?.value),
    ...refOf(room),
  }));
  const total = (some: typeof rows): number => sum(some.map(({ area }) => area ?? 0));
  const sums = (field: string, key: (row: (typeof rows)[number]) => string) =>
    [...grouped(rows, key)].map(([value, some]) => ({
      [field]: value,
      count: some.length,
      area: total(some),
    }));
  const storeys = sums("storey", (row) => row.storey);
  const uses = sums("name", (row) => row.name || "Without a name");
  const without = rows.filter(({ area }) => area === null).length;
  const unitOf = (kind: "area" | "volume"): string =>
    all.find((one) => one[kind]?.unit)?.[kind]?.unit ?? "";
  const titleOf = (kind: "area" | "volume", title: string): [string, string] => [
    kind,
    unitOf(kind) ? `${title} (${unitOf(kind)})` : title,
  ];
  const select = (row: Row, some: typeof rows): Call => ({
    command: "rooms.select",
    args: { row },
    viewer: [{ op: "select", refs: some.map(({ expressId }) => expressId) }],
  });
  return [
    {
      command: "rooms.list",
      value: {
        rows,
        storeys,
        uses,
        area: total(rows),
        without,
        title:
          `${rows.length} rooms, ${Math.round(total(rows) * 100) / 100} ${unitOf("area")}`.trim(),
        warning: without > 0 ? `${without} rooms have no area and are not in the sums.` : null,
      },
    },
    {
      command: "rooms.save",
      value: `${rows.length} rooms saved`,
      exports: [
        {
          filename: "room-areas.csv",
          text: csv(rows, [
            ["storey", "Storey"],
            ["number", "Number"],
            ["name", "Name"],
            titleOf("area", "Net area"),
            titleOf("volume", "Volume"),
          ]),
        },
      ],
    },
    ...rows.slice(0, 1).map((row) => select({ ...row }, [row])),
    ...storeys.slice(-1).map(({ storey }) =>
      select(
        { storey },
        rows.filter((row) => row.storey === storey),
      ),
    ),
    ...uses.slice(0, 1).map(({ name }) =>
      select(
        { name },
        rows.filter((row) => (row.name || "Without a name") === name),
      ),
    ),
  ];
};
