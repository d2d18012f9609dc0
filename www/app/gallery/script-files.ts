/** The texts of a script: a report of doors without a rating. */
import type { VirtualFiles } from "@holdpoint/core/editor";

const tool = `import csv
import json
from pathlib import Path

RATINGS = ["EI 30", "EI 60", "EI 90", "EI 120"]


def rank(rating):
    return RATINGS.index(rating) if rating in RATINGS else -1


def read_doors(path):
    with open(path, newline="", encoding="utf-8") as f:
        return list(csv.DictReader(f))


def run_tool(input_dir, output_dir):
    doors = read_doors(Path(input_dir) / "doors.csv")
    settings = json.loads((Path(input_dir) / "settings.json").read_text())
    missing = []
    for door in doors:
        if not door["FireRating"]:
            missing.append(door)
    report = {
        "tool": "fire-doors",
        "doors": len(doors),
        "missing": [d["Name"] for d in missing],
    }
    out = Path(output_dir) / "report.json"
    out.write_text(json.dumps(report, indent=2))
    return {"status": "ok", "missing": len(missing)}
`;
const settings = `{
  "type": "object",
  "properties": {
    "language": { "type": "string", "enum": ["en", "sv"] }
  }
}
`;
const input = `{
  "type": "object",
  "properties": { "doors": { "type": "string", "title": "doors.csv" } }
}
`;
export const files: VirtualFiles = {
  "tool.py": tool,
  "entrypoint.txt": "run_tool\n",
  "settings_schema.json": settings,
  "input_schema.json": input,
  "usage_instructions.md":
    "# Fire door report\n\nDoors without a rating, or weaker than their wall.\n",
};
