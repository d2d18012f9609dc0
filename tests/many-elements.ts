/**
 * A model of many elements as STEP text, the same in every run: storeys, types with sets of their own, and for each
 * element sets of properties and quantities. It has no geometry: it is there for structure, rows and values.
 */

const CLASSES = ["WALL", "DOOR", "WINDOW", "SLAB", "COLUMN", "BEAM", "PIPESEGMENT", "DUCTSEGMENT"];
const STOREYS = 50;
const TYPES = 40;
const RATINGS = ["REI 30", "REI 60", "REI 90", "EI 30"];
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_$";
const BEFORE =
  "ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION(('ViewDefinition [CoordinationView]'),'2;1');\n" +
  "FILE_NAME('many.ifc','2026-01-01T00:00:00',(''),(''),'','','');\nFILE_SCHEMA(('IFC4'));\nENDSEC;\nDATA;\n";
const AFTER = "ENDSEC;\nEND-ISO-10303-21;\n";

/** Pieces of the text of a model with so many elements, of about 1.1 KB each. */
export function* manyElements(count: number): Generator<string> {
  let last = 0;
  let text = BEFORE;
  const put = (record: string): number => {
    last += 1;
    text += `#${last}=${record};\n`;
    return last;
  };
  const rooted = (kind: string, rest: string): number =>
    put(`IFC${kind}('${globalId(last + 1)}',$,${rest})`);
  const single = (name: string, value: string): number =>
    put(`IFCPROPERTYSINGLEVALUE('${name}',$,${value},$)`);
  const related = (kind: string, ids: readonly number[], to: number): number =>
    rooted(`REL${kind}`, `$,$,(${list(ids)}),#${to}`);

  const length = put("IFCSIUNIT(*,.LENGTHUNIT.,.MILLI.,.METRE.)");
  const area = put("IFCSIUNIT(*,.AREAUNIT.,$,.SQUARE_METRE.)");
  const units = put(`IFCUNITASSIGNMENT((${list([length, area])}))`);
  const project = rooted("PROJECT", `'Many',$,$,$,$,$,#${units}`);
  const building = rooted("BUILDING", "'Block',$,$,$,$,$,.ELEMENT.,$,$,$");
  rooted("RELAGGREGATES", `$,$,#${project},(#${building})`);
  const storeys = Array.from({ length: STOREYS }, (_, n) =>
    rooted("BUILDINGSTOREY", `'Level ${n}',$,$,$,$,$,.ELEMENT.,${n * 3000}.`),
  );
  rooted("RELAGGREGATES", `$,$,#${building},(${list(storeys)})`);
  const types = Array.from({ length: TYPES }, (_, n) => {
    const maker = single("Manufacturer", `IFCLABEL('Maker ${n % 7}')`);
    const set = rooted("PROPERTYSET", `'Pset_ManufacturerTypeInformation',$,(#${maker})`);
    return rooted(
      `${CLASSES[n % CLASSES.length]}TYPE`,
      `'Type ${n}',$,$,(#${set}),$,$,$,.NOTDEFINED.`,
    );
  });
  const materials = ["Concrete", "Steel", "Timber"].map((name) =>
    put(`IFCMATERIAL('${name}',$,$)`),
  );

  const onStorey = storeys.map((): number[] => []);
  const ofType = types.map((): number[] => []);
  const ofMaterial = materials.map((): number[] => []);
  for (let n = 0; n < count; n += 1) {
    const kind = CLASSES[n % CLASSES.length] ?? "WALL";
    const name = `${kind.toLowerCase()} ${n}`;
    const element = rooted(
      kind,
      `'${name}',$,$,$,$,'${1000 + n}'${kind === "DOOR" ? ",$,$" : ""},$`,
    );
    const common = [
      single("Reference", `IFCIDENTIFIER('R-${n % 500}')`),
      single("IsExternal", `IFCBOOLEAN(.${n % 2 ? "T" : "F"}.)`),
      single(
        "ThermalTransmittance",
        `IFCTHERMALTRANSMITTANCEMEASURE(${(n % 30) / 10}${n % 10 ? "" : "."})`,
      ),
      ...(n % 3 ? [] : [single("FireRating", `IFCLABEL('${RATINGS[n % RATINGS.length]}')`)]),
    ];
    const own = [
      single("Phase", `IFCLABEL('Phase ${n % 4}')`),
      single("Mark", `IFCLABEL('M-${n}')`),
    ];
    const quantities = [
      put(`IFCQUANTITYLENGTH('Length',$,$,${1000 + (n % 900)}.,$)`),
      put(`IFCQUANTITYAREA('NetArea',$,$,${(n % 70) + 0.25},$)`),
    ];
    related(
      "DEFINESBYPROPERTIES",
      [element],
      rooted("PROPERTYSET", `'Pset_${kind}Common',$,(${list(common)})`),
    );
    related("DEFINESBYPROPERTIES", [element], rooted("PROPERTYSET", `'Identity',$,(${list(own)})`));
    related(
      "DEFINESBYPROPERTIES",
      [element],
      rooted("ELEMENTQUANTITY", `'Qto_BaseQuantities',$,$,(${list(quantities)})`),
    );
    onStorey[n % STOREYS]?.push(element);
    ofType[n % TYPES]?.push(element);
    ofMaterial[n % materials.length]?.push(element);
    if (text.length > 1 << 20) {
      yield text;
      text = "";
    }
  }
  onStorey.forEach((ids, n) => {
    if (ids.length) related("CONTAINEDINSPATIALSTRUCTURE", ids, storeys[n] ?? 0);
  });
  ofType.forEach((ids, n) => {
    if (ids.length) related("DEFINESBYTYPE", ids, types[n] ?? 0);
  });
  ofMaterial.forEach((ids, n) => {
    if (ids.length) related("ASSOCIATESMATERIAL", ids, materials[n] ?? 0);
  });
  yield text + AFTER;
}

const list = (ids: readonly number[]): string => ids.map((id) => `#${id}`).join(",");

function globalId(n: number): string {
  let digits = "";
  for (let left = n; digits.length < 21; left = Math.floor(left / 64))
    digits += ALPHABET[left % 64];
  return `0${digits}`;
}
