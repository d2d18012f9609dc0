export function doorsByStorey(bim) {
  const counts = new Map();
  for (const door of bim.query.byType("IfcDoor")) {
    const storey = bim.query.storey(door);
    const name = storey ? storey.name ?? "Unnamed storey" : "No storey";
    const row = counts.get(name) ?? { storey: name, doors: 0, rated: 0 };
    row.doors += 1;
    const rating = bim.query.property(door, "Pset_DoorCommon", "FireRating");
    // An empty text is no rating.
    if (rating !== null && rating !== "") row.rated += 1;
    counts.set(name, row);
  }
  return [...counts.values()];
}
