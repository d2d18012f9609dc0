/** Scripts to begin with: the door report is the one that the server knows as well. */
import type { VirtualFiles } from "@holdpoint/core/editor";
import doorEntry from "../../../../../fixtures/tools/door-report/entrypoint.txt?raw";
import doorInput from "../../../../../fixtures/tools/door-report/input_schema.json?raw";
import doorSettings from "../../../../../fixtures/tools/door-report/settings_schema.json?raw";
import doorTool from "../../../../../fixtures/tools/door-report/tool.py?raw";
import doorUsage from "../../../../../fixtures/tools/door-report/usage_instructions.md?raw";
import tool from "./table-to-table.py?raw";

export const doorReport = (): VirtualFiles => ({
  "tool.py": doorTool,
  "entrypoint.txt": doorEntry,
  "settings_schema.json": doorSettings,
  "input_schema.json": doorInput,
  "usage_instructions.md": doorUsage,
});

const settings = {
  type: "object",
  properties: {
    columns: { type: "array", title: "Columns to keep", items: { type: "string" }, default: [] },
    separator: { type: "string", title: "Separator", enum: [",", ";"], default: "," },
  },
};
const input = {
  type: "object",
  properties: {
    table: { type: "string", title: "The table", description: "A CSV file with a line of names." },
  },
  required: ["table"],
};
const usage = `# Table to table

Reads \`table.csv\`, keeps the columns that the settings name, and writes \`result.csv\`.

No columns named: all are kept.
`;

export const tableToTable = (): VirtualFiles => ({
  "tool.py": tool,
  "entrypoint.txt": "run_tool\n",
  "settings_schema.json": `${JSON.stringify(settings, null, 2)}\n`,
  "input_schema.json": `${JSON.stringify(input, null, 2)}\n`,
  "usage_instructions.md": usage,
});

export const emptyTool = (): VirtualFiles => ({
  "tool.py": "",
  "entrypoint.txt": "",
  "settings_schema.json": "",
  "input_schema.json": "",
  "usage_instructions.md": "",
});
