/** A proposal that came as search and replace blocks, with every doubt that such a reply may have (text-replies.md). */
import type { EngineHunk, FileId } from "@holdpoint/core/editor";
import { t } from "@holdpoint/elements";
import type { Mark } from "@holdpoint/elements/diff/view";
import type { Reason } from "@holdpoint/elements/review/view";
import type { ProposalView, ProposedFile } from "@holdpoint/elements/script/view";
import { after, diff, files, hunk, whole } from "./script-fixtures.js";

const [imports, reads, runs, ends] = [
  hunk(1, 1, [
    " import csv",
    " import json",
    " from pathlib import Path",
    "+import json",
    " ",
    ' RATINGS = ["EI 30", "EI 60", "EI 90", "EI 120"]',
  ]),
  hunk(12, 13, [
    " def read_doors(path):",
    '-    with open(path, newline="", encoding="utf-8⟦⟧") as f:',
    '+    with open(path, newline="", encoding="utf-8⟦-sig⟧") as f:',
    "         return list(csv.DictReader(f))",
    " ",
    " ",
  ]),
  hunk(22, 23, [
    '         if not door["FireRating"]:',
    "             missing.append(door)",
    "     report = {",
    '-        "tool": "fire-⟦doors⟧",',
    '+        "tool": "fire-⟦rating⟧",',
    '         "doors": len(doors),',
    '         "missing": [d["Name"] for d in missing],',
  ]),
  hunk(28, 29, [
    "     }",
    '     out = Path(output_dir) / "report.json"',
    "     out.write_text(json.dumps(report, indent=2))",
    "+    out.write_text(json.dumps(reports, indent=2))",
    '     return {"status": "ok", "missing": len(missing)}',
  ]),
] as const;
const end = hunk(1, 1, [
  " # Fire door report",
  " ",
  " Doors without a rating, or weaker than their wall.",
  "+",
  "+The report is `report.json`.",
]);
const looks: Mark[] = [
  { look: "there", from: 2, to: 2 },
  { look: "part", from: 13, to: 13, part: [32, 48] },
  { look: "stays", from: 18, to: 23 },
  { look: "copy", from: 30, to: 30 },
];

const file = (path: FileId, hunks: EngineHunk[], marks: Mark[]): ProposedFile => ({
  path,
  before: files[path],
  after: after(files[path], hunks),
  diff: diff(hunks),
  marks,
});
const changed = [
  file("tool.py", [imports, reads, runs, ends], looks),
  file("usage_instructions.md", [end], []),
];
const taken = Object.fromEntries(
  changed.map(({ path, diff: { hunks } }) => [path, hunks.map(({ id }) => id)]),
);

type Doubt =
  | "appended_at_end"
  | "matched_inside_line"
  | "matched_elision"
  | "inserts_near_copy"
  | "marks_existing_line";
const reason = (tag: Doubt, place: number, path: FileId, at: EngineHunk): Reason => ({
  text: t(`script.reason.${tag}.place`, { place }),
  short: t(`script.reason.${tag}.short`),
  path,
  hunk: at.id,
});

/** In the order of the engine's table. */
export const replied = (): ProposalView => ({
  ...whole,
  preview: { ...whole.preview, verdict: "confirm" },
  files: changed,
  taken,
  reasons: [
    reason("appended_at_end", 5, "usage_instructions.md", end),
    reason("matched_inside_line", 2, "tool.py", reads),
    reason("matched_elision", 3, "tool.py", runs),
    reason("inserts_near_copy", 4, "tool.py", ends),
    reason("marks_existing_line", 1, "tool.py", imports),
  ],
  notes: [t("script.note.read_search_replace"), t("script.note.built_on_earlier_block")],
  closed: t("script.off.confirm", { tick: t("script.confirm.tick") }),
});
