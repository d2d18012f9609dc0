import csv
import json
from pathlib import Path


def read_settings(input_dir):
    path = Path(input_dir) / "settings.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def run_tool(input_dir, output_dir):
    settings = read_settings(input_dir)
    separator = settings.get("separator", ",")
    with open(Path(input_dir) / "table.csv", newline="", encoding="utf-8") as source:
        rows = list(csv.DictReader(source, delimiter=separator))
    names = list(rows[0]) if rows else []
    columns = [name for name in settings.get("columns", []) if name in names] or names
    with open(Path(output_dir) / "result.csv", "w", newline="", encoding="utf-8") as target:
        writer = csv.DictWriter(target, columns, delimiter=separator, extrasaction="ignore")
        writer.writeheader()
        writer.writerows(rows)
    return {"status": "ok", "rows": len(rows), "columns": len(columns)}
