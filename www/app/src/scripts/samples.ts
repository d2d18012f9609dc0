/** A script to begin with that the page brings along; the door report is the server's. */
import type { VirtualFiles } from "@holdpoint/core/editor";
import tool from "./table-to-table.py?raw";

const settings = {
  type: "object",
  properties: { columns: { type: "array", title: "Columns to keep", items: { type: "string" }, default: [] }, separator: { type: "string", title: "Separator", enum: [",", ";"], default: "," } },
};
const input = { type: "object", properties: { table: { type: "string", title: "The table", description: "A CSV file with a line of names." } }, required: ["table"] };
const usage = "# Table to table\n\nReads `table.csv`, keeps the columns that the settings name, and writes `result.csv`.\n\nNo columns named: all are kept.\n";

export const tableToTable = (): VirtualFiles => ({
  "tool.py": tool, "entrypoint.txt": "run_tool\n", "settings_schema.json": `${JSON.stringify(settings, null, 2)}\n`, "input_schema.json": `${JSON.stringify(input, null, 2)}\n`, "usage_instructions.md": usage,
});

export const emptyTool = (): VirtualFiles => ({ "tool.py": "", "entrypoint.txt": "", "settings_schema.json": "", "input_schema.json": "", "usage_instructions.md": "" });
