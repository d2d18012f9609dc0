//# rows by storey, with a property
export default async (ctx) => {
  const { query } = ctx.bim, rows = new Map();
  for (const wall of await query.byType("IfcWall")) {
    const storey = query.storey(wall)?.name ?? "–";
    const row = rows.get(storey) ?? { storey, walls: 0, rated: 0 };
    row.walls += 1;
    if (query.property(wall, "Pset_WallCommon", "FireRating")) row.rated += 1;
    rows.set(storey, row);
  }
  return [rows.size, rows.get("Level 0").walls, [...rows.values()].reduce((sum, row) => sum + row.rated, 0)];
};
//# a row each, grouped and filtered
export default (ctx) => {
  const { query } = ctx.bim;
  const rows = query.byType("IfcWall").map((wall) => ({
    name: wall.name,
    type: wall.objectType,
    rating: query.property(wall, "Pset_WallCommon", "FireRating") ?? "none",
  }));
  const groups = {};
  for (const row of rows) (groups[row.rating] ??= []).push(row);
  const missing = rows.filter((row) => row.rating === "none");
  return [groups["EI 60"].length, missing.length, rows.at(-1).name];
};
//# elements by rating, coloured
export default (ctx) => {
  const { query, viewer } = ctx.bim, groups = new Map();
  for (const wall of query.byType("IfcWall")) {
    const rating = query.property(wall, "Pset_WallCommon", "FireRating") ?? "";
    if (!groups.has(rating)) groups.set(rating, []);
    groups.get(rating).push(wall);
  }
  viewer.colorizeAll([...groups].map(([rating, entities]) => ({ entities, color: rating ? "green" : "red" })));
  return [groups.get("EI 60").length, groups.get("").length];
};
//# the sets of each element, whole
export default (ctx) => {
  let values = 0;
  for (const wall of ctx.bim.query.byType("IfcWall"))
    for (const set of ctx.bim.query.properties(wall)) for (const one of set.properties) if (one.value !== null) values += 1;
  return values;
};
//# a file of all elements
export default (ctx) => {
  const columns = ["globalId", "name", "storey", "Pset_WallCommon.FireRating"];
  ctx.bim.export.csv(ctx.bim.query.byType("IfcWall"), { columns, filename: "walls.csv" });
  return ctx.bim.query.count("IfcWall");
};
//# counts, and one page of elements
export default (ctx) => {
  const { query } = ctx.bim;
  const page = query.byType("IfcWall").slice(20, 40).map(({ ref, ...wall }) => ({ ...wall, id: ref.expressId }));
  return [query.count("IfcWall"), query.byType("IfcWall").length, query.all().length, page.length, page[0].tag, page[0].id];
};
