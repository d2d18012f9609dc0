// A building of many walls as a program would write it: storeys, walls in them, and fire ratings on some.

/** GlobalIds in the alphabet of the standard, each another one. */
const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_$";
function globalId(number: number): string {
  let id = "";
  for (let rest = number; id.length < 21; rest = Math.floor(rest / 64)) id = DIGITS[rest % 64] + id;
  return `0${id}`;
}

/** So many walls on ten storeys, every third one `EI 60`; no shapes. */
export function manyWalls(count: number): Uint8Array {
  const lines = [
    "ISO-10303-21;",
    "HEADER;",
    "FILE_DESCRIPTION((''),'2;1');",
    "FILE_NAME('many.ifc','2026-01-01T00:00:00',(''),(''),'','','');",
    "FILE_SCHEMA(('IFC4'));",
    "ENDSEC;",
    "DATA;",
    "#1=IFCSIUNIT(*,.LENGTHUNIT.,$,.METRE.);",
    "#2=IFCUNITASSIGNMENT((#1));",
    "#3=IFCPROPERTYSINGLEVALUE('FireRating',$,IFCLABEL('EI 60'),$);",
  ];
  let number = 3;
  const put = (text: string): number => {
    number += 1;
    lines.push(`#${number}=${text};`);
    return number;
  };
  const rooted = (keyword: string, rest: string): number =>
    put(`${keyword}('${globalId(number)}',$,${rest})`);
  const project = rooted("IFCPROJECT", "'Many walls',$,$,$,$,$,#2");
  const building = rooted("IFCBUILDING", "'House',$,$,$,$,$,$,$,$,$");
  rooted("IFCRELAGGREGATES", `$,$,#${project},(#${building})`);
  const storeys = Array.from({ length: 10 }, (_, level) =>
    rooted("IFCBUILDINGSTOREY", `'Level ${level}',$,$,$,$,$,$,${level * 3}.`),
  );
  const list = (ids: number[]): string => `(${ids.map((id) => `#${id}`).join(",")})`;
  rooted("IFCRELAGGREGATES", `$,$,#${building},${list(storeys)}`);
  const walls = Array.from({ length: count }, (_, i) =>
    rooted("IFCWALL", `'Wall ${i}',$,$,$,$,'T${i}',.STANDARD.`),
  );
  for (const [level, storey] of storeys.entries()) {
    const here = walls.filter((_, i) => i % storeys.length === level);
    rooted("IFCRELCONTAINEDINSPATIALSTRUCTURE", `$,$,${list(here)},#${storey}`);
  }
  const set = rooted("IFCPROPERTYSET", "'Pset_WallCommon',$,(#3)");
  const rated = walls.filter((_, i) => i % 3 === 0);
  rooted("IFCRELDEFINESBYPROPERTIES", `$,$,${list(rated)},#${set}`);
  lines.push("ENDSEC;", "END-ISO-10303-21;", "");
  return new TextEncoder().encode(lines.join("\n"));
}
