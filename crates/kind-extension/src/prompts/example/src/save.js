import { doorsByStorey } from "./rows.js";

export default function saveDoors(ctx) {
  const quote = (text) => `"${String(text).replaceAll('"', '""')}"`;
  const lines = doorsByStorey(ctx.bim).map((row) => [quote(row.storey), row.doors, row.rated].join(","));
  ctx.bim.export.download(["storey,doors,rated", ...lines].join("\n") + "\n", "doors.csv");
  return { saved: lines.length };
}
