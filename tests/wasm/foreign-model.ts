// What a file says of its products, read from its records: classes, structure, properties, quantities, materials.
//
// Positions and supertypes are written down here from the standard, for the classes that the files have; a product of a
// class that is not here is an error, so that no count is short of it.

import { isRef, readStep, type StepRecord, type Value } from "./foreign-step.ts";

/** The supertype that a test asks for, and its classes as the standard spells them. */
const CLASSES: Record<string, string> = {
  IfcWall: "IfcWall IfcWallStandardCase IfcWallElementedCase",
  IfcDoor: "IfcDoor IfcDoorStandardCase",
  IfcWindow: "IfcWindow IfcWindowStandardCase",
  IfcSlab: "IfcSlab IfcSlabStandardCase IfcSlabElementedCase",
  IfcColumn: "IfcColumn IfcColumnStandardCase",
  IfcBeam: "IfcBeam IfcBeamStandardCase",
  IfcOpeningElement: "IfcOpeningElement IfcOpeningStandardCase",
  IfcFurnishingElement: "IfcFurnishingElement IfcFurniture IfcSystemFurnitureElement",
  IfcTransportElement: "IfcTransportElement",
  IfcDistributionElement:
    "IfcDistributionElement IfcDistributionFlowElement IfcFlowTerminal IfcFlowSegment IfcFlowFitting " +
    "IfcPipeSegment IfcPipeFitting IfcDuctSegment IfcDuctFitting IfcFan IfcAirTerminal IfcSanitaryTerminal " +
    "IfcElectricDistributionPoint IfcSignal",
  IfcElement:
    "IfcBuildingElementProxy IfcCovering IfcCurtainWall IfcFooting IfcMember IfcPile IfcPlate IfcRailing IfcRamp " +
    "IfcRampFlight IfcRoof IfcStair IfcStairFlight IfcElementAssembly IfcDiscreteAccessory IfcReinforcingBar " +
    "IfcVirtualElement IfcChimney IfcGeographicElement IfcBearing IfcPavement IfcKerb IfcCourse IfcEarthworksFill",
  IfcSpace: "IfcSpace",
  IfcBuildingStorey: "IfcBuildingStorey",
  IfcBuilding: "IfcBuilding",
  IfcProduct:
    "IfcSite IfcSpatialZone IfcGrid IfcAnnotation IfcDistributionPort IfcRoad IfcFacilityPart IfcBridge " +
    "IfcBridgePart IfcRailway IfcRailwayPart IfcAlignment IfcAlignmentHorizontal IfcAlignmentVertical " +
    "IfcAlignmentCant IfcAlignmentSegment IfcReferent",
};
/** Of the rest, each is below itself alone. */
const ABOVE: Record<string, string> = {
  IfcElement: "IfcProduct",
  IfcSpace: "IfcProduct",
  IfcBuildingStorey: "IfcProduct",
  IfcBuilding: "IfcProduct",
};
const NAMES = new Map<string, { name: string; group: string }>();
for (const [group, names] of Object.entries(CLASSES))
  for (const name of names.split(" ")) NAMES.set(name.toUpperCase(), { name, group });

/** Bonds by which a thing has a place, nearest first: keyword, and the positions of the place and of the thing. */
const BONDS: [keyword: string, place: number, thing: number][] = [
  ["IFCRELCONTAINEDINSPATIALSTRUCTURE", 5, 4],
  ["IFCRELAGGREGATES", 4, 5],
  ["IFCRELNESTS", 4, 5],
  ["IFCRELVOIDSELEMENT", 4, 5],
  ["IFCRELFILLSELEMENT", 4, 5],
];
const PLACEMENT = 5;
const SYMBOLS: Record<string, { symbol: string; power: number }> = {
  METRE: { symbol: "m", power: 1 },
  SQUARE_METRE: { symbol: "m²", power: 2 },
  CUBIC_METRE: { symbol: "m³", power: 3 },
};
const PREFIXES: Record<string, { symbol: string; factor: number }> = {
  "": { symbol: "", factor: 1 },
  MILLI: { symbol: "m", factor: 1e-3 },
  CENTI: { symbol: "c", factor: 1e-2 },
  DECI: { symbol: "d", factor: 1e-1 },
  KILO: { symbol: "k", factor: 1e3 },
};
const UNITS: Record<string, string> = {
  IFCQUANTITYLENGTH: "LENGTHUNIT",
  IFCQUANTITYAREA: "AREAUNIT",
  IFCQUANTITYVOLUME: "VOLUMEUNIT",
};

/** A product of the file. Texts that are absent are null. */
export interface Product {
  id: number;
  /** As the standard spells it. */
  type: string;
  globalId: string | null;
  name: string | null;
  description: string | null;
  objectType: string | null;
  /** Null for what is no element. */
  tag: string | null;
  args: Value[];
}
export interface Member {
  name: string;
  value: Value;
  /** Of quantities: its symbol, and how many metres, square metres or cubic metres it is. */
  unit: string | null;
  metres: number;
}
export interface NamedSet {
  name: string;
  members: Member[];
}

/** A text; null for what is none. */
export const text = (value: Value | undefined): string | null =>
  typeof value === "string" ? value : null;
export const number = (value: Value | undefined): number | null =>
  typeof value === "number" ? value : null;

export class ForeignModel {
  /** All of the file, by number. */
  readonly products: Product[];
  readonly #records = new Map<number, StepRecord>();
  readonly #keywords = new Map<string, StepRecord[]>();
  /** Relations by keyword, position and the record that they name there. */
  readonly #named = new Map<string, StepRecord[]>();

  constructor(
    readonly name: string,
    bytes: Uint8Array,
  ) {
    const records = readStep(bytes).sort((one, other) => one.id - other.id);
    for (const record of records) {
      this.#records.set(record.id, record);
      put(this.#keywords, record.keyword, record);
      if (!record.keyword.startsWith("IFCREL")) continue;
      record.args.forEach((value, at) => {
        for (const id of refs(value)) put(this.#named, `${record.keyword} ${at} ${id}`, record);
      });
    }
    this.products = records.filter((record) => NAMES.has(record.keyword)).map(product);
    const strangers = records.filter(
      (record) => this.#isPlaced(record) && !NAMES.has(record.keyword),
    );
    const unknown = [...new Set(strangers.map(({ keyword }) => keyword))];
    if (unknown.length > 0) throw new Error(`classes that the tests do not know: ${unknown}`);
  }

  /** Products of these classes and of those below them, by number. */
  of(...classes: string[]): Product[] {
    return this.products.filter(({ type }) => classes.some((one) => isA(type, one)));
  }

  /** Lowest first, then by name. */
  get storeys(): Product[] {
    const elevation = ({ args }: Product): number => number(args[9]) ?? 0;
    return this.of("IfcBuildingStorey").sort(
      (one, other) =>
        elevation(one) - elevation(other) || ((one.name ?? "") < (other.name ?? "") ? -1 : 1),
    );
  }

  /** The nearest storey above it. */
  storeyOf({ id }: Product): Product | null {
    let level = this.#above(id);
    const seen = new Set([id]);
    while (level.length > 0) {
      const found = level.find(
        (place) => this.#records.get(place)?.keyword === "IFCBUILDINGSTOREY",
      );
      if (found !== undefined) return this.#product(found);
      for (const place of level) seen.add(place);
      level = level.flatMap((place) => this.#above(place)).filter((place) => !seen.has(place));
    }
    return null;
  }

  /** What contains it in space. */
  containerOf({ id }: Product): Product | null {
    const [first] = this.#across("IFCRELCONTAINEDINSPATIALSTRUCTURE", id, 4, 5);
    return first === undefined ? null : this.#product(first);
  }

  /** The number of the whole that it is a part of. */
  wholeOf({ id }: Product): number | undefined {
    const wholes = ["IFCRELAGGREGATES", "IFCRELNESTS"].flatMap((one) =>
      this.#across(one, id, 5, 4),
    );
    return wholes[0];
  }

  /** The name of the first whole above it that is of this keyword, such as `IFCPROJECT`. */
  nameAbove({ id }: Product, keyword: string): string | null {
    let at: number | undefined = id;
    while (at !== undefined && this.#records.get(at)?.keyword !== keyword) [at] = this.#above(at);
    return at === undefined ? null : text(this.#records.get(at)?.args[2]);
  }

  /** Property and quantity sets of the occurrence itself. */
  setsOf({ id }: Product, keyword: "IFCPROPERTYSET" | "IFCELEMENTQUANTITY"): NamedSet[] {
    return this.#sets(this.#across("IFCRELDEFINESBYPROPERTIES", id, 4, 5), keyword);
  }

  /** The value of a property, of the occurrence or else of its type; null without one. */
  property(of: Product, set: string, name: string): Value {
    return this.#effective(of, "IFCPROPERTYSET", set, name)?.value ?? null;
  }

  quantity(of: Product, set: string, name: string): Value {
    return this.#effective(of, "IFCELEMENTQUANTITY", set, name)?.value ?? null;
  }

  /** The number of a quantity in metres, square metres or cubic metres. */
  inMetres(of: Product, set: string, name: string): number | null {
    const found = this.#effective(of, "IFCELEMENTQUANTITY", set, name);
    return typeof found?.value === "number" ? found.value * found.metres : null;
  }

  /** The name of its type object; undefined without a type object. */
  typeName(of: Product): string | null | undefined {
    const type = this.#type(of);
    return type && text(type.args[2]);
  }

  /** The name of its material: its own, that of the set, else that of the first in it. */
  materialOf(of: Product): string | null {
    const own = this.#across("IFCRELASSOCIATESMATERIAL", of.id, 4, 5);
    const type = this.#type(of);
    const inherited = type ? this.#across("IFCRELASSOCIATESMATERIAL", type.id, 4, 5) : [];
    const [first] = own.length > 0 ? own : inherited;
    return first === undefined ? null : this.#materialName(first);
  }

  /** Number and name of its first class; the occurrence's before its type's. */
  classOf(of: Product): string | null {
    const type = this.#type(of);
    const found = [of.id, ...(type ? [type.id] : [])].flatMap((id) =>
      this.#across("IFCRELASSOCIATESCLASSIFICATION", id, 4, 5),
    );
    if (found.length === 0) return null;
    const { keyword, args } = this.#record(found[0]);
    if (keyword !== "IFCCLASSIFICATIONREFERENCE") throw new Error(`a class that is a ${keyword}`);
    return [text(args[1]), text(args[2])].filter((part) => part !== null).join(": ");
  }

  /** The symbol of the project's unit of length; null where it names none. */
  get lengthUnit(): string | null {
    const unit = this.#projectUnit("IFCQUANTITYLENGTH");
    return unit === undefined ? null : this.#symbol(unit);
  }

  #isPlaced({ id, keyword, args }: StepRecord): boolean {
    if (keyword.startsWith("IFCREL")) return false;
    const placement = args[PLACEMENT];
    const isPlaced =
      isRef(placement) && /PLACEMENT$/.test(this.#records.get(placement.ref)?.keyword ?? "");
    return isPlaced || this.#across("IFCRELCONTAINEDINSPATIALSTRUCTURE", id, 4, 5).length > 0;
  }

  #record(id: number): StepRecord {
    const record = this.#records.get(id);
    if (!record) throw new Error(`#${id} is not in the file`);
    return record;
  }

  #product(id: number): Product {
    return product(this.#record(id));
  }

  /** Where a relation of this keyword leads from a record. */
  #across(keyword: string, id: number, from: number, to: number): number[] {
    const relations = this.#named.get(`${keyword} ${from} ${id}`) ?? [];
    return relations.flatMap(({ args }) => refs(args[to]));
  }

  #above(id: number): number[] {
    return BONDS.flatMap(([keyword, place, thing]) => this.#across(keyword, id, thing, place));
  }

  #type({ id }: Product): StepRecord | undefined {
    const [type] = this.#across("IFCRELDEFINESBYTYPE", id, 4, 5);
    return type === undefined ? undefined : this.#record(type);
  }

  #sets(ids: number[], keyword: string): NamedSet[] {
    const found = [...new Set(ids)].map((id) => this.#record(id));
    return found
      .filter((set) => set.keyword === keyword)
      .map(({ args }) => ({
        name: text(args[2]) ?? "",
        // A set of properties lists them behind its description, one of quantities behind its method.
        members: refs(args[keyword === "IFCPROPERTYSET" ? 4 : 5]).map((id) => this.#member(id)),
      }));
  }

  #member(id: number): Member {
    const { keyword, args } = this.#record(id);
    const name = text(args[0]) ?? "";
    const holds = ["IFCPROPERTYSINGLEVALUE", "IFCPROPERTYENUMERATEDVALUE", "IFCPROPERTYLISTVALUE"];
    if (!keyword.startsWith("IFCQUANTITY"))
      return { name, value: holds.includes(keyword) ? args[2] : null, unit: null, metres: 1 };
    const unit = isRef(args[2]) ? args[2].ref : this.#projectUnit(keyword);
    if (unit === undefined) return { name, value: args[3], unit: null, metres: 1 };
    return { name, value: args[3], unit: this.#symbol(unit), metres: this.#metres(unit) };
  }

  #effective(
    of: Product,
    keyword: "IFCPROPERTYSET" | "IFCELEMENTQUANTITY",
    set: string,
    name: string,
  ): Member | undefined {
    const type = this.#type(of);
    const inherited = this.#sets(type ? refs(type.args[5]) : [], keyword);
    const sets = [...this.setsOf(of, keyword), ...inherited].filter((one) => one.name === set);
    const members = sets.flatMap((one) => one.members).filter((one) => one.name === name);
    return members.find(({ value }) => value !== null);
  }

  #materialName(id: number): string | null {
    const { keyword, args } = this.#record(id);
    const first = (value: Value | undefined, at: number): string | null => {
      const [member] = refs(value);
      const [inner] = member === undefined ? [] : refs(this.#record(member).args[at]);
      return inner === undefined ? null : this.#materialName(inner);
    };
    switch (keyword) {
      case "IFCMATERIAL":
        return text(args[0]);
      case "IFCMATERIALLAYERSETUSAGE":
      case "IFCMATERIALPROFILESETUSAGE":
        return this.#materialName(refs(args[0])[0]);
      case "IFCMATERIALLAYERSET":
        return text(args[1]) ?? first(args[0], 0);
      case "IFCMATERIALLAYER":
        return first([{ ref: id }], 0);
      case "IFCMATERIALPROFILESET":
        return text(args[0]) ?? first(args[2], 2);
      case "IFCMATERIALCONSTITUENTSET":
        return text(args[0]) ?? first(args[2], 2);
      case "IFCMATERIALLIST":
        return this.#materialName(refs(args[0])[0]);
      default:
        throw new Error(`a material that is a ${keyword}`);
    }
  }

  /** The project's unit for quantities of this class. */
  #projectUnit(keyword: string): number | undefined {
    const [assignment] = this.#keywords.get("IFCUNITASSIGNMENT") ?? [];
    const units = assignment ? refs(assignment.args[0]) : [];
    return units.find((id) => itemOf(this.#record(id).args[1]) === (UNITS[keyword] ?? ""));
  }

  #symbol(id: number): string | null {
    const { keyword, args } = this.#record(id);
    if (keyword !== "IFCSIUNIT") return text(args[2]);
    const [prefix, name] = [itemOf(args[2]), itemOf(args[3]) ?? ""];
    return `${PREFIXES[prefix ?? ""].symbol}${SYMBOLS[name]?.symbol ?? name.toLowerCase()}`;
  }

  #metres(id: number): number {
    const { keyword, args } = this.#record(id);
    if (keyword === "IFCSIUNIT") {
      const power = SYMBOLS[itemOf(args[3]) ?? ""]?.power ?? 0;
      return PREFIXES[itemOf(args[2]) ?? ""].factor ** power;
    }
    if (keyword !== "IFCCONVERSIONBASEDUNIT") return 1;
    const [value, base] = this.#record(refs(args[3])[0]).args;
    return (number(value) ?? 1) * this.#metres(refs(base)[0]);
  }
}

function product({ id, keyword, args }: StepRecord): Product {
  const type = NAMES.get(keyword)?.name ?? keyword;
  const [globalId, , name, description, objectType] = args.map(text);
  const tag = isA(type, "IfcElement") ? text(args[7]) : null;
  return { id, type, globalId, name, description, objectType, tag, args };
}

function isA(type: string, wanted: string): boolean {
  const group = NAMES.get(type.toUpperCase())?.group ?? "";
  const isElement = !Object.hasOwn(ABOVE, group) && group !== "IfcProduct";
  if (wanted === "IfcProduct") return group !== "";
  if (wanted === "IfcElement") return isElement || group === "IfcElement";
  return group === wanted;
}

const itemOf = (value: Value | undefined): string | null =>
  typeof value === "object" && value !== null && "item" in value ? value.item : null;

function refs(value: Value | undefined): number[] {
  if (Array.isArray(value)) return value.flatMap(refs);
  return isRef(value) ? [value.ref] : [];
}

function put<T>(map: Map<string, T[]>, key: string, item: T): void {
  const items = map.get(key);
  if (items) items.push(item);
  else map.set(key, [item]);
}
