/** The change of the drawing: a second look for large claims, and the package around it. */

import { t } from "@holdpoint/elements";
import type {
  ChangeColumn,
  Claim,
  FileRow,
  NodeRow,
  NowView,
} from "@holdpoint/elements/crew/workbench/view";
import type { DiffFile } from "@holdpoint/elements/diff/view";
import type { Found } from "@holdpoint/elements/findings/view";
import { diff, hunk } from "./script-fixtures.js";

const row = (
  letter: FileRow["letter"],
  name: string,
  file: string,
  added: number,
  deleted: number,
): FileRow => ({ letter, name, file, added, deleted, unsaid: false, different: false });

export const change = (): ChangeColumn => ({
  proposal: 2,
  check: "passed",
  errors: 0,
  warnings: 1,
  files: [
    row("M", "Motor claim", "workflows/1/workflow.graph.json", 18, 4),
    row("M", "Assess damage", "workflows/1/steps/assess.md", 5, 4),
    row("A", "Second look", "workflows/1/steps/second-look.md", 31, 0),
    row("A", "Senior assessor", "agents/senior-assessor.json", 27, 0),
    row("D", "excess-2025.json", "assets/tables/excess-2025.json", 0, 41),
  ],
  selected: "workflows/1/steps/assess.md",
  impact: {
    objects: 5,
    risks: [
      t("wb.risk.delete", { n: 1 }),
      t("wb.risk.cross-object", { n: 4 }),
      t("wb.risk.high-churn", { n: 5 }),
    ],
    kinds: [
      { type: "workflow", names: ["Motor claim"] },
      { type: "step", names: ["Assess damage", "Second look"] },
      { type: "agent", names: ["Senior assessor"] },
      { type: "asset", names: ["excess-2025.json"] },
    ],
    affected: [
      {
        name: "Settle payment",
        where: "Water damage",
        why: t("wb.affected.deleted"),
        href: "/crew/prj_1/workflows/2",
      },
    ],
  },
  unavailable: false,
});

const added = (lines: string): DiffFile["diff"] =>
  diff([
    hunk(
      0,
      1,
      lines.split("\n").map((line) => `+${line}`),
    ),
  ]);

export const files: readonly DiffFile[] = [
  {
    path: "workflows/1/steps/assess.md",
    diff: diff([
      hunk(7, 7, [
        " inputs:",
        "   - assets/guides/assessment.md".slice(1),
        "-  - assets/tables/excess-2025.json",
        "+  - assets/tables/excess-by-vehicle.json",
        " outputs:",
        "   - artifacts/assessment.md".slice(1),
        '-setsVariables: ["loss_amount", "photos_ok"]',
        '+setsVariables: ["loss_amount", "photos_ok", "excess_amount"]',
        " ---",
      ]),
      hunk(23, 23, [
        " 1. List each damaged part with its cost.",
        "-2. Deduct the excess from `assets/tables/excess-2025.json`.",
        "-3. Write the sum to `loss_amount`.",
        "+2. Deduct the excess of the vehicle class from `assets/tables/excess-by-vehicle.json`.",
        "+3. Write the sum to `loss_amount` and the excess to `excess_amount`.",
        " 4. Set `photos_ok` to true when every part is visible.",
        "+5. Over €5,000, name the two costliest parts for the second look.",
      ]),
    ]),
  },
  {
    path: "workflows/1/steps/second-look.md",
    status: "added",
    diff: added(
      '---\nschemaVersion: "1.1"\nnodeId: second-look\ntype: step\ntitle: Second look\n' +
        "agentId: senior-assessor\n---\n\n# Second look\n\n## Goal\n\nCheck the figure of a large claim.",
    ),
  },
];

export const claims = (): Claim[] => [
  {
    is: "unchanged",
    object: "asset:assets/templates/decision-letter.md",
    says: "“The decision letter now names the excess”",
    does: t("wb.claims.not_in", { name: "assets/templates/decision-letter.md" }),
    file: "",
  },
  {
    is: "omitted",
    object: "agent:senior-assessor",
    says: "",
    does: t("wb.claims.adds", { name: "Senior assessor" }),
    file: "agents/senior-assessor.json",
  },
];

const error = (code: string, text: string, hint: string, place: string): Found => ({
  code,
  severity: "error",
  test: "",
  text,
  path: "",
  range: null,
  pointer: "",
  place,
  near: "",
  snippet: [],
  compared: null,
  texts: [],
  hint,
  fresh: false,
  fixable: false,
});

export const errors: readonly Found[] = [
  error(
    "AGENT_NOT_FOUND",
    "Second look names an agent that does not exist: `lead-assessor`",
    "Write `senior-assessor`, the agent that this change adds.",
    "operations[1].payload.stepMarkdown /agentId",
  ),
  error(
    "STEP_EMPTY_SECTION",
    "Instructions of Second look are empty",
    "Write what the agent has to do, in numbered lines.",
    "operations[1].payload.stepMarkdown",
  ),
  error(
    "GRAPH_CYCLE_NO_DECISION",
    "Second look leads back to Assess damage without a decision",
    "Put a decision into the loop, or lead on to Bring together.",
    "operations[0].payload.graph.nodes[1]",
  ),
];

const node = (
  id: string,
  title: string,
  type: NodeRow["type"],
  agent: string,
  exits: [string, string, boolean][],
): NodeRow => ({
  ...{ id, title, type, agent },
  start: id === "collect",
  exits: exits.map(([label, to, usual]) => ({ label, to, default: usual })),
});

export const nodes: NowView = {
  is: "graph",
  rows: [
    node("collect", "Take the claim", "step", "Intake clerk", [["", "Check cover", false]]),
    node("cover", "Check cover", "step", "Cover checker", [["", "Is it covered?", false]]),
    node("covered", "Is it covered?", "decision", "", [
      ["covered", "Assess damage", true],
      ["not covered", "Explain refusal", false],
    ]),
    node("assess", "Assess damage", "step", "Loss assessor", [["", "How large?", false]]),
    node("size", "How large?", "decision", "", [
      ["up to €5,000", "Settle payment", true],
      ["over €5,000", "Fraud review", false],
    ]),
    node("fraud", "Fraud review", "subworkflow", "", [["", "Bring together", false]]),
    node("join", "Bring together", "merge", "", [["", "Claim closed", false]]),
    node("end", "Claim closed", "end", "", []),
  ],
};

export const step: NowView = {
  is: "text",
  path: "workflows/1/steps/assess.md",
  text:
    '---\nschemaVersion: "1.1"\nnodeId: assess\ntype: step\ntitle: Assess damage\n---\n\n' +
    "# Assess damage\n\n## Goal\n\nFind out what the damage costs.\n",
};
