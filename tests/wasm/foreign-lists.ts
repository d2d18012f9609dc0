// What the examples that list and count must answer on a file, from what its text says.

import { csv, type Facts, first, grouped, ids, plain, type Row, refOf } from "./foreign-call.ts";
import { number, type Product, text } from "./foreign-model.ts";
import type { Value } from "./foreign-step.ts";

export const cobie: Facts = (model) => {
  const known = (row: Row): Row =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name,
        value === undefined || value === null || value === "" ? "n/a" : value,
      ]),
    );
  const area = (space: Product, name: string): Value =>
    first(
      model.quantity(space, "Qto_SpaceBaseQuantities", name),
      model.quantity(space, "BaseQuantities", name),
    );
  const nameOfType = (one: Product): string =>
    first(model.typeName(one), one.objectType) ?? one.type;
  const maker = (one: Product, name: string): Value =>
    model.property(one, "Pset_ManufacturerTypeInformation", name);
  const components = model.of(
    "IfcDoor",
    "IfcWindow",
    "IfcDistributionElement",
    "IfcFurnishingElement",
    "IfcTransportElement",
  );
  const place = (one: Product): string | null => {
    const container = model.containerOf(one);
    return container?.type === "IfcSpace" ? container.name : (model.storeyOf(one)?.name ?? null);
  };
  const sheets: Record<string, [columns: string, rows: Row[]]> = {
    Facility: [
      "Name Category ProjectName SiteName Description ExternalIdentifier",
      model.of("IfcBuilding").map((building) => ({
        Name: building.name,
        Category: model.classOf(building),
        ProjectName: model.nameAbove(building, "IFCPROJECT"),
        SiteName: model.nameAbove(building, "IFCSITE"),
        Description: building.description,
        ExternalIdentifier: building.globalId,
      })),
    ],
    Floor: [
      "Name Category Elevation Description ExternalIdentifier",
      model.storeys.map((storey) => ({
        Name: storey.name,
        Category: model.classOf(storey),
        Elevation: number(storey.args[9]),
        Description: storey.description,
        ExternalIdentifier: storey.globalId,
      })),
    ],
    Space: [
      "Name Category FloorName Description GrossArea NetArea ExternalIdentifier",
      model.of("IfcSpace").map((space) => ({
        Name: space.name,
        Category: model.classOf(space),
        FloorName: model.storeyOf(space)?.name,
        Description: text(space.args[7]),
        GrossArea: area(space, "GrossFloorArea"),
        NetArea: area(space, "NetFloorArea"),
        ExternalIdentifier: space.globalId,
      })),
    ],
    Type: [
      "Name Category Manufacturer ModelNumber Components",
      [...grouped(components, nameOfType)].map(([name, members]) => ({
        Name: name,
        Category: members[0].type,
        Manufacturer: maker(members[0], "Manufacturer"),
        ModelNumber: maker(members[0], "ModelReference"),
        Components: members.length,
      })),
    ],
    Component: [
      "Name TypeName Space Description SerialNumber TagNumber ExternalIdentifier",
      components.map((one) => ({
        Name: one.name,
        TypeName: nameOfType(one),
        Space: place(one),
        Description: one.description,
        SerialNumber: model.property(one, "Pset_ManufacturerOccurrence", "SerialNumber"),
        TagNumber: one.tag,
        ExternalIdentifier: one.globalId,
      })),
    ],
  };
  const filled = Object.entries(sheets).map(([sheet, [columns, rows]]) => ({
    sheet,
    columns,
    rows: rows.map(known),
  }));
  const files = filled.map(({ sheet, columns, rows }) => ({
    sheet,
    filename: `COBie-${sheet}.csv`,
    text: csv(rows, plain(columns)),
  }));
  const what: Record<string, string> = {
    Facility: "Buildings",
    Floor: "Storeys",
    Space: "Rooms",
    Type: "Types of components",
    Component: "Doors, windows, furniture, services",
  };
  return [
    {
      command: "cobie.count",
      value: {
        rows: filled.map(({ sheet, rows }) => ({
          sheet,
          what: what[sheet],
          rows: rows.length,
          open: rows.flatMap((row) => Object.values(row)).filter((cell) => cell === "n/a").length,
        })),
      },
    },
    {
      command: "cobie.save",
      value: "5 sheets saved",
      exports: files.map(({ filename, text }) => ({ filename, text })),
    },
    ...[undefined, "Space"].map((asked) => {
      const { filename, text: content } =
        files.find(({ sheet }) => sheet === (asked ?? "Component")) ?? files[0];
      return {
        exporter: "cobie.csv",
        options: asked && { sheet: asked },
        value: { content, filename },
        exports: [{ filename, text: content }],
      };
    }),
  ];
};

export const doors: Facts = (model) => {
  const rows = model.of("IfcDoor").map((door) => {
    const size = (attribute: number, name: string): Value =>
      first(
        number(door.args[attribute]),
        model.quantity(door, "Qto_DoorBaseQuantities", name) as number,
        model.quantity(door, "BaseQuantities", name) as number,
      );
    return {
      storey: model.storeyOf(door)?.name ?? "",
      name: door.name ?? "",
      type: first(door.objectType, model.typeName(door)) ?? "",
      mark: door.tag ?? "",
      width: size(9, "Width"),
      height: size(8, "Height"),
      fire: first(model.property(door, "Pset_DoorCommon", "FireRating"), ""),
      external: model.property(door, "Pset_DoorCommon", "IsExternal"),
      ...refOf(door),
    };
  });
  const answer = (external: Value): Value => {
    if (typeof external === "boolean") return external ? "Yes" : "No";
    return external ?? "";
  };
  // The unit is found over the project that a door lies in.
  const [door] = model.of("IfcDoor");
  const symbol = door && model.nameAbove(door, "IFCPROJECT") !== null && model.lengthUnit;
  const unit = symbol ? ` (${symbol})` : "";
  const columns: [string, string][] = [
    ["storey", "Storey"],
    ["name", "Door"],
    ["type", "Type"],
    ["mark", "Mark"],
    ["width", `Width${unit}`],
    ["height", `Height${unit}`],
    ["fire", "Fire rating"],
    ["external", "External"],
  ];
  const shown = rows.map((row) => ({ ...row, external: answer(row.external) }));
  return [
    { command: "doors.list", value: { rows: shown, title: `${rows.length} doors` } },
    {
      command: "doors.save",
      value: `${rows.length} doors saved`,
      exports: [{ filename: "door-schedule.csv", text: csv(rows, columns) }],
    },
    ...rows.slice(-1).map((row) => ({
      command: "doors.show",
      args: { row },
      viewer: ["select", "flyTo"].map((op) => ({ op, refs: [row.expressId] })),
    })),
  ];
};

export const duplicates: Facts = (model) => {
  const named = model.products.filter(({ globalId }) => globalId !== null && globalId !== "");
  const shared = [...grouped(named, ({ globalId }) => globalId ?? "")].filter(
    ([, { length }]) => length > 1,
  );
  const isWellFormed = (id: string | null): boolean =>
    id?.length === 22 &&
    "0123".includes(id[0]) &&
    [...id].every((letter) => /[0-9A-Za-z_$]/.test(letter));
  const malformed = model.products.filter(({ globalId }) => !isWellFormed(globalId));
  const isShared = new Set(ids(shared.flatMap(([, members]) => members)));
  const isMalformed = new Set(ids(malformed));
  const verdict = (one: Product) => {
    if (isShared.has(one.id))
      return { ref: refOf(one), ok: false, message: "Its GlobalId is used by another element" };
    if (isMalformed.has(one.id))
      return { ref: refOf(one), ok: false, message: "Its GlobalId is malformed" };
    return { ref: refOf(one), ok: true };
  };
  const members = shared.flatMap(([, all]) => all);
  return [
    {
      command: "ids.check",
      value: {
        rows: shared.map(([globalId, all]) => ({
          globalId,
          count: all.length,
          names: all.map(({ type, name }) => `${type} ${name ?? ""}`.trim()).join(", "),
        })),
        malformed: malformed.map((one) => ({
          globalId: one.globalId,
          name: one.name,
          type: one.type,
          ...refOf(one),
        })),
        title:
          `${shared.length} shared and ${malformed.length} malformed GlobalIds ` +
          `in ${model.products.length} elements`,
      },
    },
    { command: "ids.select", viewer: [{ op: "select", refs: ids([...members, ...malformed]) }] },
    {
      command: "ids.save",
      value: `${members.length} elements saved`,
      exports: [
        {
          filename: "duplicate-global-ids.csv",
          text: csv(
            members.map(({ id, globalId, type, name }) => ({
              globalId,
              type,
              name,
              model: model.name,
              number: id,
            })),
            [
              ["globalId", "GlobalId"],
              ["type", "Class"],
              ["name", "Name"],
              ["model", "Model"],
              ["number", "Number"],
            ],
          ),
        },
      ],
    },
    { idsValidator: "ids.validator", value: model.of("IfcElement").map(verdict) },
  ];
};

export const fire: Facts = (model) => {
  const kinds = [
    ["IfcWall", "Walls"],
    ["IfcDoor", "Doors"],
    ["IfcSlab", "Slabs"],
    ["IfcColumn", "Columns"],
    ["IfcBeam", "Beams"],
  ];
  const all = kinds.flatMap(([type, kind]) =>
    model.of(type).map((one) => {
      const rating = model.property(one, `Pset_${type.slice(3)}Common`, "FireRating");
      return { one, kind, rating: rating === "" ? null : (rating as string | null) };
    }),
  );
  type Rated = (typeof all)[number];
  const isRated = ({ rating }: Rated): boolean => /\d/.test(rating ?? "");
  const isLeftOver = (one: Rated): boolean => one.rating !== null && !isRated(one);
  const tally = (some: Rated[]) => ({
    elements: some.length,
    rated: some.filter(isRated).length,
    placeholder: some.filter(isLeftOver).length,
  });
  const coverage = (among: Rated[]) => {
    const rows = [...model.storeys, null].flatMap((storey) =>
      kinds.flatMap(([, kind]) => {
        const some = among.filter(
          (rated) => rated.kind === kind && model.storeyOf(rated.one)?.id === storey?.id,
        );
        const counts = tally(some);
        const name = storey ? (storey.name ?? "") : "On no storey";
        return some.length === 0
          ? []
          : [{ storey: name, kind, ...counts, percent: counts.rated / counts.elements }];
      }),
    );
    const ratings = [
      ...grouped(
        among.filter(({ rating }) => rating !== null),
        ({ rating }) => rating ?? "",
      ),
    ]
      .map(([rating, some]) => ({ rating, count: some.length }))
      .sort((one, other) => other.count - one.count || (one.rating < other.rating ? -1 : 1));
    const total = tally(among);
    return {
      rows,
      ratings,
      total,
      title: `${total.rated} of ${total.elements} elements are rated`,
    };
  };
  const unrated = ids(all.filter((one) => !isRated(one)).map(({ one }) => one));
  const value = coverage(all);
  return [
    { command: "fire.coverage", value },
    {
      command: "fire.coverage",
      args: { types: ["IfcWall", "IfcDoor"] },
      value: coverage(all.filter(({ kind }) => kind === "Walls" || kind === "Doors")),
    },
    {
      command: "fire.missing",
      value: `${unrated.length} elements without a rating`,
      viewer: [
        { op: "colorize", refs: unrated, color: "#c0392b" },
        { op: "select", refs: unrated },
      ],
    },
    { command: "fire.reset", viewer: [{ op: "resetColors" }] },
    {
      command: "fire.save",
      value: `${value.rows.length} rows saved`,
      exports: [
        {
          filename: "fire-rating-coverage.csv",
          text: csv(value.rows, [
            ["storey", "Storey"],
            ["kind", "Elements"],
            ["elements", "All"],
            ["rated", "Rated"],
            ["placeholder", "Placeholder"],
            ["percent", "Share"],
          ]),
        },
      ],
    },
  ];
};
