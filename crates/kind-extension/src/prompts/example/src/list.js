import { doorsByStorey } from "./rows.js";

export default function listDoors(ctx) {
  const rows = doorsByStorey(ctx.bim);
  return { rows, total: rows.reduce((sum, row) => sum + row.doors, 0) };
}
